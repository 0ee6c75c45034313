//! A session that is dropped on another CPU, while its own goes on.

use loom::thread;

use super::in_every_order;
use super::toy::{Toy, ToyUnit, claimed, on_cpu};
use crate::event::{Event, Mode, Request};
use crate::sample::Interrupted;

const CYCLES: Request = Request::new(Event::CYCLES);

/// A unit whose two counters were both dropped on another CPU before, so that all its words exist.
fn once_dropped() -> (&'static ToyUnit<2>, &'static Toy) {
    let (unit, toy) = claimed::<2>();
    let pmu = unit.here().unwrap();
    let sessions = [(); 2].map(|()| pmu.open([CYCLES]).unwrap());
    on_cpu(1, || drop(sessions));
    (unit, toy)
}

#[test]
fn a_session_that_is_dropped_abroad_is_freed_by_an_operation_at_home() {
    in_every_order(|| {
        let (unit, toy) = once_dropped();
        let pmu = unit.here().unwrap();
        let mut session = pmu.open([CYCLES]).unwrap();
        session.start().unwrap();
        let abroad = thread::spawn(move || on_cpu(1, || drop(session)));
        let mut other = pmu.open([CYCLES]).unwrap();
        other.start().unwrap();
        assert!(!toy.event());
        abroad.join().unwrap();
        let third = pmu.open([CYCLES]).expect("the counter is free");
        assert!(!toy.event());
        assert_eq!((other.read(), third.read()), (Ok([2]), Ok([0])));
        drop((other, third));
        assert!(toy.running().is_empty());
    });
}

#[test]
fn a_session_that_is_dropped_abroad_is_stopped_by_the_next_overflow_at_home() {
    in_every_order(|| {
        let (unit, toy) = once_dropped();
        let pmu = unit.here().unwrap();
        let mut session = pmu.open([CYCLES]).unwrap();
        let mut other = pmu.open([CYCLES.every(1)]).unwrap();
        session.start().unwrap();
        other.start().unwrap();
        let overflow = || {
            assert!(toy.event());
            assert!(unit.on_overflow(Interrupted::new(0, Mode::Kernel)).is_mine());
        };
        overflow();
        let abroad = thread::spawn(move || on_cpu(1, || drop(session)));
        overflow();
        abroad.join().unwrap();
        overflow();
        assert_eq!(toy.running(), other.counter(0).unwrap().only());
        assert_eq!(other.read(), Ok([3]));
    });
}
