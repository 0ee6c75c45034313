//! Interrupts on one CPU, and the reader of their samples on another.

use loom::thread;

use super::in_every_order;
use super::toy::{Toy, ToyUnit, claimed};
use crate::error::Error;
use crate::event::{Event, Mode, Request};
use crate::sample::{Interrupted, Sample};

/// A unit that samples every event, whose ring has been once round, so that all its words exist.
fn sampling() -> (&'static ToyUnit<2>, &'static Toy) {
    let (unit, toy) = claimed::<2>();
    let pmu = unit.here().unwrap();
    let session = Box::leak(Box::new(pmu.open([Request::new(Event::CYCLES).every(1)]).unwrap()));
    session.start().unwrap();
    (1..=3).for_each(|address| overflow(unit, toy, address));
    assert_eq!(unit.samples().unwrap().count(), 2);
    assert_eq!(unit.sample_statistics().lost.ring_full, 1);
    (unit, toy)
}

fn overflow(unit: &ToyUnit<2>, toy: &Toy, address: u64) {
    assert!(toy.event());
    let at = Interrupted::new(address, Mode::User).in_thread(address as u32);
    assert!(unit.on_overflow(at).is_mine());
}

fn addresses(samples: impl Iterator<Item = Sample>) -> Vec<u64> {
    let whole = samples.inspect(|sample| assert_eq!(sample.address, u64::from(sample.thread)));
    whole.map(|sample| sample.address).collect()
}

#[test]
fn samples_are_read_whole_in_their_order_and_each_is_received_or_lost() {
    in_every_order(|| {
        let (unit, toy) = sampling();
        let reader = thread::spawn(move || addresses(unit.samples().unwrap()));
        (11..=13).for_each(|address| overflow(unit, toy, address));
        let mut read = reader.join().unwrap();
        read.extend(addresses(unit.samples().unwrap()));
        let (received, lost) = (read.len() as u64, unit.sample_statistics().lost.ring_full - 1);
        assert!([11, 12, 13].starts_with(&read) && received >= 2 && received + lost == 3, "{read:?}, {lost} lost");
    });
}

#[test]
fn what_waits_is_never_more_than_fits() {
    in_every_order(|| {
        let (unit, toy) = sampling();
        let reader = thread::spawn(move || {
            assert!(unit.waiting_samples() <= 2);
            unit.samples().unwrap().discard();
        });
        (11..=13).for_each(|address| overflow(unit, toy, address));
        assert!(unit.waiting_samples() <= 2);
        reader.join().unwrap();
        let waiting = unit.waiting_samples();
        assert_eq!(addresses(unit.samples().unwrap()).len(), waiting);
    });
}

#[test]
fn of_two_readers_at_once_one_is_refused_or_they_take_turns() {
    in_every_order(|| {
        let (unit, toy) = sampling();
        (11..=12).for_each(|address| overflow(unit, toy, address));
        let other = thread::spawn(move || unit.samples().map(addresses));
        let here = unit.samples().map(addresses);
        let there = other.join().unwrap();
        let refused = [&here, &there].iter().filter(|read| read.as_ref().err() == Some(&Error::ReaderTaken)).count();
        assert!(refused <= 1);
        let mut read: Vec<_> = [here, there].into_iter().flatten().flatten().collect();
        read.sort_unstable();
        assert_eq!(read, [11, 12]);
    });
}
