//! Late interrupts: the Pentium M's line masks itself at each interrupt, and the others' does not.

use std::cell::RefCell;
use std::rc::Rc;

use pmu::arch::x86::p6::{Device, Identity, P6};
use pmu::driver::{Counters, Late};
use pmu::virt::Kinds;
use pmu::{Event, Handled, Pmu, Request, Session, Unit};

use crate::p6::Bench as Bare;
use crate::support::machine::{Machine, Wire};

type Processor = Machine<Device<&'static Wire>>;
type Driver = P6<&'static Processor, &'static Wire>;

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

struct Bench {
    machine: &'static Processor,
    pmu: &'static Pmu<'static, Driver>,
    handled: Rc<RefCell<Vec<Handled>>>,
}

impl Bench {
    fn new(identity: &Identity, wire: Wire) -> Self {
        let machine = Machine::new(wire, |wire| Device::new(identity, Kinds::CLOCK, wire));
        let driver = P6::detect(identity, machine, machine.wire).unwrap();
        let unit: &'static Unit<Driver, 64> = Box::leak(Box::new(Unit::new()));
        let pmu = Box::leak(Box::new(unit.claim(driver).unwrap()));
        let handled = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&handled);
        machine.on_interrupt(move |at| log.borrow_mut().push(unit.on_overflow(at)));
        Self { machine, pmu, handled }
    }

    /// Two periods that end one after the other, and nobody comes.
    fn overflowing(&self) -> Session<'static, Driver, 2> {
        let mut session = self.pmu.open([INSTRUCTIONS.every(1000), INSTRUCTIONS.every(1001)]).unwrap();
        session.start().unwrap();
        self.machine.wire.held.set(true);
        self.machine.work(1002);
        session
    }

    fn let_go(&self) -> Vec<Handled> {
        self.machine.wire.held.set(false);
        self.machine.deliver();
        self.handled.take()
    }

    /// How many interrupts of somebody else's are claimed before one is not.
    fn claims(&self) -> usize {
        for claims in 0..100 {
            self.machine.interrupt();
            if self.handled.take() == [Handled::NotMine] {
                return claims;
            }
        }
        panic!("everything is claimed for ever")
    }
}

#[test]
fn each_overflow_before_the_pentium_m_interrupts_and_each_interrupt_is_claimed() {
    for identity in [Identity::PENTIUM_PRO, Identity::PENTIUM_II, Identity::PENTIUM_III] {
        let bench = Bench::new(&identity, Wire::that_brings_each());
        let session = bench.overflowing();
        assert_eq!((bench.let_go(), bench.claims()), (vec![Handled::Overflow, Handled::Late], 0), "{identity:?}");
        drop(session);
    }
}

#[test]
fn both_overflows_of_a_pentium_m_are_one_interrupt_and_the_next_comes_too() {
    let bench = Bench::new(&Identity::PENTIUM_M, Wire::that_masks_itself());
    let session = bench.overflowing();
    assert_eq!(bench.let_go(), [Handled::Overflow]);
    bench.machine.work(1000);
    assert_eq!(bench.handled.take().first(), Some(&Handled::Overflow), "the line was unmasked");
    drop(session);
}

/// A hypervisor may mask its guests' line whatever processor they have.
#[test]
fn a_line_that_masks_itself_is_unmasked_on_each_model() {
    for identity in Identity::ALL {
        let bench = Bench::new(&identity, Wire::that_masks_itself());
        let mut session = bench.pmu.open([INSTRUCTIONS.every(1000)]).unwrap();
        session.start().unwrap();
        bench.machine.work(3000);
        assert_eq!(bench.handled.take(), [Handled::Overflow; 3], "{identity:?}");
    }
}

#[test]
fn a_stop_waits_for_each_overflow_that_it_accounts_for() {
    let late = |identity, wire| {
        let bench = Bench::new(identity, wire);
        bench.overflowing().stop().unwrap();
        (bench.let_go(), bench.claims())
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
