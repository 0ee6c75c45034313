//! Chained pairs, with overflows during each operation.

use std::cell::RefCell;
use std::rc::Rc;

use pmu::arch::aarch64::pmuv3::{Device, Identity, Pmuv3};
use pmu::virt::Kinds;
use pmu::{Context, Event, Handled, Pmu, Request, Session, Unit};

use crate::support::machine::{Machine, Wire};

type Processor = Machine<Device<&'static Wire>>;
type Driver = Pmuv3<&'static Processor>;

/// More register accesses than any operation makes.
const ACCESSES: u64 = 60;
/// It takes a pair, whose lower half wraps amid it.
const PERIOD: u64 = (1 << 32) + (1 << 31);
const PAIR: Request = Request::new(Event::INSTRUCTIONS).every(PERIOD);

struct Processed {
    machine: &'static Processor,
    unit: &'static Unit<Driver, 64>,
    pmu: &'static Pmu<'static, Driver>,
    handled: Rc<RefCell<Vec<Handled>>>,
}

impl Processed {
    fn new() -> Self {
        let device = |wire| Device::new(&Identity::CORTEX_A57, Kinds::CLOCK, wire);
        let machine = Machine::new(Wire::that_is_held(), device);
        let unit: &'static Unit<Driver, 64> = Box::leak(Box::new(Unit::new()));
        let pmu = Box::leak(Box::new(unit.claim(Pmuv3::detect(machine).unwrap()).unwrap()));
        let handled = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&handled);
        machine.on_interrupt(move |at| log.borrow_mut().push(unit.on_overflow(at)));
        Self { machine, unit, pmu, handled }
    }

    fn open(&self) -> Session<'static, Driver, 1> {
        let session = self.pmu.open([PAIR]).unwrap();
        assert_eq!(session.counter(0).map(|counter| counter.number() % 2), Some(1), "it is a pair");
        session
    }

    /// The instructions that have passed while something could overflow.
    fn counted(&self) -> u64 {
        self.machine.passed.get() - self.machine.halted.get()
    }

    /// The overflows that were sampled, or counted as lost.
    fn accounted(&self) -> u64 {
        let received = self.unit.samples().unwrap().count() as u64;
        received + self.unit.samples().unwrap().lost().total()
    }
}

#[test]
fn a_lower_half_that_wraps_at_any_access_carries() {
    for lead in 0..ACCESSES {
        let bench = Processed::new();
        let mut session = bench.open();
        session.start().unwrap();
        bench.machine.work((1 << 31) - lead);
        bench.machine.per_access.set(1);
        let before = bench.machine.passed.get();
        let [count] = session.read().unwrap();
        assert!((before..=bench.machine.passed.get()).contains(&count), "lead {lead}: {count}");
        session.stop().unwrap();
        session.start().unwrap();
        session.stop().unwrap();
        assert_eq!(session.read(), Ok([bench.counted()]), "lead {lead}");
        assert_eq!(*bench.handled.borrow(), [], "lead {lead}: a lower half interrupts nobody");
    }
}

#[test]
fn an_overflow_of_a_pair_at_any_access_of_a_start_or_stop_is_counted_and_kept() {
    for lead in 0..ACCESSES {
        let bench = Processed::new();
        let mut session = bench.open();
        bench.machine.per_access.set(1);
        session.start().unwrap();
        bench.machine.work(PERIOD - lead);
        session.stop().unwrap();
        session.start().unwrap();
        bench.machine.work(PERIOD);
        session.stop().unwrap();
        assert_eq!(session.read(), Ok([bench.counted()]), "lead {lead}");
        assert_eq!(bench.accounted(), bench.counted() / PERIOD, "lead {lead}");
        assert!(!bench.handled.borrow().contains(&Handled::NotMine), "lead {lead}");
    }
}

#[test]
fn a_late_interrupt_of_a_pair_at_any_access_of_its_stop_is_claimed() {
    for delay in 0..ACCESSES {
        let bench = Processed::new();
        let mut session = bench.open();
        session.start().unwrap();
        bench.machine.wire.held.set(true);
        bench.machine.work(PERIOD + 80);
        bench.machine.release_after(delay);
        session.stop().unwrap();
        bench.machine.wire.held.set(false);
        bench.machine.deliver();
        assert!(bench.handled.borrow().iter().all(|handled| handled.is_mine()), "delay {delay}");
        assert_eq!((session.read(), bench.accounted()), (Ok([PERIOD + 80]), 1), "delay {delay}");
    }
}

/// Halves of two values beside each other may look as if the pair had overflowed.
#[test]
fn somebody_elses_interrupt_at_any_access_finds_no_overflow_in_a_pair() {
    for accesses in 0..ACCESSES {
        let bench = Processed::new();
        let mut session = bench.open();
        session.start().unwrap();
        bench.machine.work(PERIOD + (1 << 31) + 5);
        session.stop().unwrap();
        assert_eq!(bench.handled.take(), [Handled::Overflow]);
        bench.machine.interrupt_after(accesses);
        session.reset().unwrap();
        session.start().unwrap();
        bench.machine.work(1 << 32);
        session.stop().unwrap();
        drop(session);
        let mut other = bench.open();
        other.start().unwrap();
        other.stop().unwrap();
        assert_eq!((other.read(), bench.accounted()), (Ok([0]), 1), "access {accesses}");
        assert!(!bench.handled.borrow().contains(&Handled::Overflow), "access {accesses}");
    }
}

#[test]
fn a_threads_pair_goes_on_where_it_left_whatever_comes_amid_a_switch() {
    for lead in 0..ACCESSES {
        let bench = Processed::new();
        let [mut thread, mut other] = [1, 2].map(Context::<_, 1>::new);
        thread.bind(bench.pmu, [PAIR]).unwrap();
        other.bind(bench.pmu, [PAIR]).unwrap();
        bench.pmu.switch_in(&mut thread);
        bench.machine.work(PERIOD - lead);
        bench.machine.per_access.set(1);
        bench.pmu.switch(&mut thread, &mut other);
        bench.pmu.switch(&mut other, &mut thread);
        bench.machine.per_access.set(0);
        bench.machine.work(PERIOD);
        bench.pmu.switch_out(&mut thread);
        let [first, second] = [&thread, &other].map(|context| context.counts().unwrap().raw[0]);
        assert_eq!(first + second, bench.counted(), "lead {lead}");
        assert_eq!(bench.accounted(), first / PERIOD, "lead {lead}");
        assert!(!bench.handled.borrow().contains(&Handled::NotMine), "lead {lead}");
    }
}
