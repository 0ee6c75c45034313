//! Tests through [`Unit`] and [`Session`] for every shape: it counts correctly, samples on the event, and does not
//! disturb other sessions.

use std::cell::RefCell;
use std::rc::Rc;

use pmu::driver::Driver;
use pmu::{CounterId, Handled, Pmu, Request, Session, Unit};

use crate::shapes::Shape;
use crate::shapes::processor::Processor;

const SAMPLES: usize = 64;

/// More register accesses than any operation makes.
const ACCESSES: u64 = 40;

const PERIOD: u64 = 100;

/// A claimed unit with its interrupt wired.
struct Bench<S: Shape> {
    processor: &'static Processor<S>,
    unit: &'static Unit<S::Driver, SAMPLES>,
    pmu: Pmu<'static, S::Driver>,
    handled: Rc<RefCell<Vec<Handled>>>,
}

impl<S: Shape> Bench<S> {
    fn new() -> Self {
        let processor = Processor::<S>::new();
        let unit: &'static Unit<S::Driver, SAMPLES> = Box::leak(Box::new(Unit::new()));
        let pmu = unit.claim(S::driver(processor)).expect("nobody has claimed it");
        let handled = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&handled);
        processor.on_interrupt(move |at| log.borrow_mut().push(unit.on_overflow(at)));
        Self { processor, unit, pmu, handled }
    }

    /// What the counter counted in all, by the chip's own account.
    fn tally(&self, counter: CounterId) -> u64 {
        self.processor.file.tally(counter)
    }

    /// Overflows that left a sample, or are known to have left none.
    fn accounted(&self) -> u64 {
        let mut samples = self.unit.samples().unwrap();
        samples.by_ref().count() as u64 + samples.lost().total()
    }

    fn assert_all_claimed(&self) {
        assert!(!self.handled.borrow().contains(&Handled::NotMine));
    }
}

fn counter<D: Driver, const N: usize>(session: &Session<'_, D, N>, request: usize) -> CounterId {
    session.counter(request).unwrap()
}

pub(crate) fn counts_are_right_over_many_wraps<S: Shape>() {
    for first in S::REQUESTS {
        for second in S::REQUESTS {
            let bench = Bench::<S>::new();
            let Ok(mut session) = bench.pmu.open([*first, *second]) else { continue };
            bench.processor.work(100);
            session.start().unwrap();
            bench.processor.work(6000);
            let expected = [first, second].map(|request| 6000 / S::every(request));
            let near = |(count, expected): (u64, u64)| count.abs_diff(expected) <= 1;
            let counts = session.read().unwrap();
            assert!(counts.into_iter().zip(expected).all(near), "{counts:?} of {expected:?}: {first:?}, {second:?}");
            session.stop().unwrap();
            bench.processor.work(100);
            assert_eq!(session.read().unwrap(), counts);
            assert_eq!(counts, [0, 1].map(|request| bench.tally(counter(&session, request))));
            bench.assert_all_claimed();
        }
    }
}

pub(crate) fn a_read_is_of_its_moment<S: Shape>() {
    for request in S::REQUESTS {
        let bench = Bench::<S>::new();
        let mut session = bench.pmu.open([*request]).unwrap();
        session.start().unwrap();
        bench.processor.per_access.set(1);
        for moment in 0_u64..6000 {
            bench.processor.work(moment * moment % 7);
            let before = bench.tally(counter(&session, 0));
            let count = session.read().unwrap()[0];
            let after = bench.tally(counter(&session, 0));
            assert!((before..=after).contains(&count), "{count} not in {before}..={after}: {request:?}");
        }
    }
}

pub(crate) fn the_nth_event_interrupts<S: Shape>() {
    for request in S::REQUESTS {
        for period in 100..140 {
            let bench = Bench::<S>::new();
            let request = request.every(period);
            let mut session = bench.pmu.open([request]).unwrap();
            session.start().unwrap();
            let arrives = |_: &u64| {
                bench.processor.work(1);
                bench.accounted() > 0
            };
            (0..2000).find(arrives).expect("it interrupts");
            assert_eq!(session.read(), Ok([period]), "{request:?}");
            bench.processor.work(5000);
            session.stop().unwrap();
            assert_eq!(1 + bench.accounted(), session.read().unwrap()[0] / period, "{request:?}");
            bench.assert_all_claimed();
        }
    }
}

pub(crate) fn a_one_shot_stops_at_its_overflow<S: Shape>() {
    for request in S::REQUESTS {
        let bench = Bench::<S>::new();
        let request = request.once_after(PERIOD);
        let mut session = bench.pmu.open([request]).unwrap();
        session.start().unwrap();
        bench.processor.work(3000);
        assert_eq!((session.read(), bench.accounted()), (Ok([PERIOD]), 1), "{request:?}");
    }
}

pub(crate) fn an_interrupt_of_somebody_else_is_not_claimed<S: Shape>() {
    for request in S::REQUESTS {
        let bench = Bench::<S>::new();
        let mut session = bench.pmu.open([*request]).unwrap();
        session.start().unwrap();
        bench.processor.work(4);
        bench.processor.interrupt();
        session.stop().unwrap();
        bench.processor.interrupt();
        assert_eq!(*bench.handled.borrow(), [Handled::NotMine; 2], "{request:?}");
    }
}

/// An overflow at every register access of another session's life, its interrupt at once or some
/// accesses late: whatever the chip counted is in the count, once, and each overflow is accounted
/// for.
pub(crate) fn a_neighbour_comes_and_goes_unnoticed<S: Shape>() {
    for (first, second) in pairs::<S>() {
        for lead in 0..ACCESSES {
            let bench = Bench::<S>::new();
            let Ok(mut session) = bench.pmu.open([first.every(PERIOD)]) else { continue };
            session.start().unwrap();
            bench.processor.work(until::<S>(&first).saturating_sub(lead));
            bench.processor.file.latency.set(lead % 4);
            bench.processor.per_access.set(1);
            let Ok(mut other) = bench.pmu.open([second]) else { continue };
            let before = bench.tally(counter(&other, 0));
            other.start().unwrap();
            bench.processor.work(lead);
            other.stop().unwrap();
            assert_eq!(other.read().unwrap()[0], bench.tally(counter(&other, 0)) - before, "{first:?}, {second:?}");
            drop(other);
            bench.processor.per_access.set(0);
            bench.processor.work(1000);
            session.stop().unwrap();
            let count = bench.tally(counter(&session, 0));
            assert_eq!(
                (session.read(), bench.accounted()),
                (Ok([count]), count / PERIOD),
                "{first:?}, {second:?}, {lead}"
            );
            bench.assert_all_claimed();
        }
    }
}

/// A one-shot that ends while a neighbour is opened, started or stopped stays ended.
pub(crate) fn a_one_shot_that_ends_amid_a_neighbour_stays_ended<S: Shape>() {
    for (first, second) in pairs::<S>() {
        for lead in 0..ACCESSES {
            let bench = Bench::<S>::new();
            let Ok(mut session) = bench.pmu.open([first.once_after(PERIOD)]) else { continue };
            session.start().unwrap();
            bench.processor.work(until::<S>(&first).saturating_sub(lead));
            bench.processor.per_access.set(1);
            let Ok(mut other) = bench.pmu.open([second]) else { continue };
            other.start().unwrap();
            other.stop().unwrap();
            bench.processor.per_access.set(0);
            bench.processor.work(3000);
            let ended = (session.read(), bench.accounted());
            assert_eq!(ended, (Ok([PERIOD]), 1), "{first:?}, {second:?}, {lead}");
        }
    }
}

/// The unit is suspended in the middle of a period, and each of its registers holds something else when it wakes.
pub(crate) fn counts_go_on_after_a_sleep_that_loses_every_register<S: Shape>() {
    for (first, second) in pairs::<S>() {
        for garbage in [0, u64::MAX, 0x5555_5555_5555_5555] {
            let bench = Bench::<S>::new();
            let first = first.every(PERIOD);
            let Ok(mut session) = bench.pmu.open([first, second]) else { continue };
            session.start().unwrap();
            bench.processor.work(1234);
            bench.pmu.suspend().unwrap();
            bench.processor.work(1000);
            S::REGISTERS.iter().for_each(|at| bench.processor.file.set(*at, garbage));
            bench.unit.resume().unwrap();
            bench.processor.work(4321);
            session.stop().unwrap();
            let counts = [0, 1].map(|request| bench.tally(counter(&session, request)));
            assert_eq!(session.read(), Ok(counts), "{first:?}, {second:?}");
            assert_eq!(bench.accounted(), counts[0] / PERIOD, "{first:?}, {second:?}");
            assert!(counts[0].abs_diff(5555 / S::every(&first)) <= 1, "{counts:?} of {first:?}");
        }
    }
}

pub(crate) fn what_the_registers_held_is_back_after_a_release<S: Shape>() {
    let processor = Processor::<S>::new();
    let held = |at: u32| u64::from(at) << 2;
    S::REGISTERS.iter().for_each(|at| processor.file.set(*at, held(*at)));
    let unit = Unit::<S::Driver, 0>::new();
    let pmu = unit.claim(S::driver(processor)).unwrap();
    let mut session = pmu.open([S::REQUESTS[0]]).unwrap();
    session.start().unwrap();
    processor.work(100);
    drop(session);
    pmu.release().unwrap();
    assert!(S::REGISTERS.iter().all(|at| processor.file.get(*at) == held(*at)));
}

/// The steps until the first period of a request ends.
fn until<S: Shape>(request: &Request) -> u64 {
    PERIOD * S::every(request)
}

fn pairs<S: Shape>() -> impl Iterator<Item = (Request, Request)> {
    S::REQUESTS.iter().flat_map(|first| S::REQUESTS.iter().map(|second| (*first, *second)))
}
