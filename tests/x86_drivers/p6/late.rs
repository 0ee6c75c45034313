//! Late interrupts: the Pentium M's line masks itself at each interrupt, and the others' does not.

use pmu::Handled;
use pmu::arch::x86::p6::{Device, Identity, P6};
use pmu::driver::{Counters, Late};
use pmu::virt::Kinds;

use crate::late::{self, INSTRUCTIONS};
use crate::p6::Bench as Bare;
use crate::support::machine::{Machine, Wire};

type Processor = Machine<Device<&'static Wire>>;
type Driver = P6<&'static Processor, &'static Wire>;

type Bench = late::Bench<Device<&'static Wire>, Driver>;

fn bench(identity: &Identity, wire: Wire) -> Bench {
    let machine = Machine::new(wire, |wire| Device::new(identity, Kinds::CLOCK, wire));
    Bench::of(machine, P6::detect(identity, machine, machine.wire).unwrap())
}

/// Delivers what was held back.
fn heard(bench: &Bench) -> Vec<Handled> {
    bench.let_go();
    bench.handled()
}

#[test]
fn each_overflow_before_the_pentium_m_interrupts_and_each_interrupt_is_claimed() {
    for identity in [Identity::PENTIUM_PRO, Identity::PENTIUM_II, Identity::PENTIUM_III] {
        let bench = self::bench(&identity, Wire::that_brings_each());
        let session = bench.overflowing::<2>();
        assert_eq!((heard(&bench), bench.claims()), (vec![Handled::Overflow, Handled::Late], 0), "{identity:?}");
        drop(session);
    }
}

#[test]
fn both_overflows_of_a_pentium_m_are_one_interrupt_and_the_next_comes_too() {
    let bench = self::bench(&Identity::PENTIUM_M, Wire::that_masks_itself());
    let session = bench.overflowing::<2>();
    assert_eq!(heard(&bench), [Handled::Overflow]);
    bench.machine.work(1000);
    assert_eq!(bench.handled().first(), Some(&Handled::Overflow), "the line was unmasked");
    drop(session);
}

/// A hypervisor may mask its guests' line whatever processor they have.
#[test]
fn a_line_that_masks_itself_is_unmasked_on_each_model() {
    for identity in Identity::ALL {
        let bench = self::bench(&identity, Wire::that_masks_itself());
        let mut session = bench.pmu.open([INSTRUCTIONS.every(1000)]).unwrap();
        session.start().unwrap();
        bench.machine.work(3000);
        assert_eq!(bench.handled(), [Handled::Overflow; 3], "{identity:?}");
    }
}

#[test]
fn a_stop_waits_for_each_overflow_that_it_accounts_for() {
    let late = |identity, wire| {
        let bench = self::bench(identity, wire);
        bench.overflowing::<2>().stop().unwrap();
        (heard(&bench), bench.claims())
    };
    let two = vec![Handled::Late; 2];
    assert_eq!(late(&Identity::PENTIUM_III, Wire::that_brings_each()), (two, 0));
    assert_eq!(late(&Identity::PENTIUM_M, Wire::that_masks_itself()), (vec![Handled::Late], 0));
}

#[test]
fn no_interrupt_is_waited_for_without_an_apic() {
    let late = |identity: Identity| Bare::new(&identity).driver.late();
    assert_eq!(Identity::ALL.map(|identity| late(identity.without_apic())), [Late::Never; 4]);
    assert!(Identity::ALL.iter().all(|identity| late(*identity) != Late::Never));
}
