//! Late interrupts are claimed while they may still come, and not afterwards.

use pmu::Handled;
use pmu::arch::x86::amd::{Amd, Device, Identity};
use pmu::virt::Kinds;

use crate::late;
use crate::support::machine::{Machine, Wire};

/// How long after its overflow an interrupt may come, in ticks of the time-stamp counter.
const LATE: u64 = 1 << 28;

type Processor = Machine<Device<&'static Wire>>;
type Driver = Amd<&'static Processor, &'static Wire>;

type Bench = late::Bench<Device<&'static Wire>, Driver>;

fn bench(identity: &Identity, wire: Wire) -> Bench {
    let machine = Machine::new(wire, |wire| Device::new(identity, Kinds::CLOCK, wire));
    Bench::of(machine, Amd::detect(identity, machine, machine.wire).unwrap())
}

#[test]
fn each_overflow_of_several_interrupts_and_each_interrupt_is_claimed() {
    for identity in &Identity::ALL {
        let bench = self::bench(identity, Wire::that_brings_each());
        let session = bench.overflowing::<4>();
        bench.let_go();
        let expected = [Handled::Overflow, Handled::Late, Handled::Late, Handled::Late];
        assert_eq!((bench.handled(), bench.claims()), (expected.to_vec(), 0), "{identity:?}");
        drop(session);
    }
}

#[test]
fn interrupts_that_a_processor_has_taken_for_one_are_waited_for_and_not_for_ever() {
    let bench = self::bench(&Identity::K8, Wire::that_keeps_one());
    let session = bench.overflowing::<4>();
    bench.let_go();
    assert_eq!((bench.handled(), bench.claims()), (vec![Handled::Overflow], 3));
    drop(session);
}

#[test]
fn an_interrupt_is_not_waited_for_longer_than_it_can_take() {
    for (ticks, expected) in [(LATE, 3), (LATE + 1, 0)] {
        let bench = self::bench(&Identity::K8, Wire::that_keeps_one());
        let mut session = bench.overflowing::<4>();
        bench.let_go();
        session.stop().unwrap();
        bench.handled();
        bench.machine.work(ticks);
        assert_eq!(bench.claims(), expected, "after {ticks} ticks");
    }
}

#[test]
fn no_more_interrupts_are_waited_for_than_there_are_counters() {
    let bench = self::bench(&Identity::FAMILY_10H, Wire::that_keeps_one());
    for _ in 0..10 {
        let session = bench.overflowing::<4>();
        bench.let_go();
        drop(session);
    }
    bench.handled();
    assert_eq!(bench.claims(), 4);
}

#[test]
fn a_stop_waits_for_each_overflow_that_it_accounts_for() {
    for identity in &Identity::ALL {
        let bench = self::bench(identity, Wire::that_brings_each());
        let mut session = bench.overflowing::<3>();
        session.stop().unwrap();
        bench.let_go();
        assert_eq!((bench.handled(), bench.claims()), (vec![Handled::Late; 3], 0), "{identity:?}");
    }
}

#[test]
fn an_interrupt_of_a_dropped_sessions_counter_is_claimed_and_the_next_is_not() {
    let bench = self::bench(&Identity::ZEN_4, Wire::that_brings_each());
    drop(bench.overflowing::<1>());
    bench.let_go();
    assert_eq!((bench.handled(), bench.claims()), (vec![Handled::Late], 0));
}
