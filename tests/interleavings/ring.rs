//! Interrupts on one CPU, and the reader of their samples on another.

use loom::thread;

use super::in_every_order;
use super::toy::{Toy, ToyUnit, claimed};
use crate::event::{Error, Event, Mode, Request};
use crate::sample::chain::{Callers, Chains};
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
fn whoever_sees_a_sample_sees_its_own_chain_if_it_was_kept() {
    in_every_order(|| {
        let (unit, toy) = sampling();
        let chains: &Chains<1, 1> = Box::leak(Box::default());
        let overflow = move |address| {
            assert!(toy.event());
            let called = |callers: &mut Callers<'_>| {
                callers.push(address + 100);
                Ok(())
            };
            assert!(unit.on_overflow_chained(Interrupted::new(address, Mode::User), chains, called).is_mine());
        };
        overflow(10);
        assert_eq!(called(unit, chains), [(10, Some(110))]);
        let reader = thread::spawn(move || called(unit, chains));
        (11..=12).for_each(overflow);
        let mut read = reader.join().unwrap();
        read.extend(called(unit, chains));
        let lost = chains.statistics().ring_full;
        let kept = read.iter().filter(|(address, chain)| *chain == Some(address + 100)).count() as u64;
        let bare = read.iter().filter(|(_, chain)| chain.is_none()).count() as u64;
        assert!(read.len() == 2 && kept + bare == 2 && bare == lost, "{read:?}, {lost} lost");
    });
}

/// The samples that are there now, and who called.
fn called(unit: &ToyUnit<2>, chains: &Chains<1, 1>) -> Vec<(u64, Option<u64>)> {
    let pairs = chains.pair(unit.samples().unwrap()).unwrap();
    pairs.map(|(sample, chain)| (sample.address, chain.and_then(|chain| chain.callers().first().copied()))).collect()
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
