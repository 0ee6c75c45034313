//! Late interrupts are claimed while they may still come, and not afterwards.

use std::cell::RefCell;
use std::rc::Rc;

use pmu::arch::x86::amd::{Amd, Device, Identity};
use pmu::virt::Kinds;
use pmu::{Event, Handled, Pmu, Request, Session, Unit};

use crate::support::machine::{Machine, Wire};

/// How long after its overflow an interrupt may come, in ticks of the time-stamp counter.
const LATE: u64 = 1 << 28;

type Processor = Machine<Device<&'static Wire>>;
type Driver = Amd<&'static Processor, &'static Wire>;

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

struct Bench {
    machine: &'static Processor,
    pmu: &'static Pmu<'static, Driver>,
    handled: Rc<RefCell<Vec<Handled>>>,
}

impl Bench {
    fn new(identity: &Identity, wire: Wire) -> Self {
        let machine = Machine::new(wire, |wire| Device::new(identity, Kinds::CLOCK, wire));
        let driver = Amd::detect(identity, machine, machine.wire).unwrap();
        let unit: &'static Unit<Driver, 64> = Box::leak(Box::new(Unit::new()));
        let pmu = Box::leak(Box::new(unit.claim(driver).unwrap()));
        let handled = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&handled);
        machine.on_interrupt(move |at| log.borrow_mut().push(unit.on_overflow(at)));
        Self { machine, pmu, handled }
    }

    /// Sessions with periods from 1000 on: they overflow one after the other, and nobody comes.
    fn overflowing<const N: usize>(&self) -> Session<'static, Driver, N> {
        let requests = std::array::from_fn(|i| INSTRUCTIONS.every(1000 + i as u64));
        let mut session = self.pmu.open(requests).unwrap();
        session.start().unwrap();
        self.machine.wire.held.set(true);
        self.machine.work(1000 + N as u64);
        session
    }

    fn let_go(&self) {
        self.machine.wire.held.set(false);
        self.machine.deliver();
    }

    fn handled(&self) -> Vec<Handled> {
        self.handled.take()
    }

    /// How many interrupts of somebody else's are claimed before one is not.
    fn claims(&self) -> usize {
        for claims in 0..100 {
            self.machine.interrupt();
            if self.handled() == [Handled::NotMine] {
                return claims;
            }
        }
        panic!("everything is claimed for ever")
    }
}

#[test]
fn each_overflow_of_several_interrupts_and_each_interrupt_is_claimed() {
    for identity in &Identity::ALL {
        let bench = Bench::new(identity, Wire::that_brings_each());
        let session = bench.overflowing::<4>();
        bench.let_go();
        let expected = [Handled::Overflow, Handled::Late, Handled::Late, Handled::Late];
        assert_eq!((bench.handled(), bench.claims()), (expected.to_vec(), 0), "{identity:?}");
        drop(session);
    }
}

#[test]
fn interrupts_that_a_processor_has_taken_for_one_are_waited_for_and_not_for_ever() {
    let bench = Bench::new(&Identity::K8, Wire::that_keeps_one());
    let session = bench.overflowing::<4>();
    bench.let_go();
    assert_eq!((bench.handled(), bench.claims()), (vec![Handled::Overflow], 3));
    drop(session);
}

#[test]
fn an_interrupt_is_not_waited_for_longer_than_it_can_take() {
    for (ticks, expected) in [(LATE, 3), (LATE + 1, 0)] {
        let bench = Bench::new(&Identity::K8, Wire::that_keeps_one());
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
    let bench = Bench::new(&Identity::FAMILY_10H, Wire::that_keeps_one());
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
        let bench = Bench::new(identity, Wire::that_brings_each());
        let mut session = bench.overflowing::<3>();
        session.stop().unwrap();
        bench.let_go();
        assert_eq!((bench.handled(), bench.claims()), (vec![Handled::Late; 3], 0), "{identity:?}");
    }
}

#[test]
fn an_interrupt_of_a_dropped_sessions_counter_is_claimed_and_the_next_is_not() {
    let bench = Bench::new(&Identity::ZEN_4, Wire::that_brings_each());
    drop(bench.overflowing::<1>());
    bench.let_go();
    assert_eq!((bench.handled(), bench.claims()), (vec![Handled::Late], 0));
}
