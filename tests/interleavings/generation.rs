//! A thread's operations, and overflow interrupts amid them.

use loom::thread;

use super::in_every_order_on_a_cpu;
use super::toy::{Toy, ToyUnit, claimed};
use crate::event::{Event, Mode, Request, Result};
use crate::measure::{Context, Session};
use crate::sample::Interrupted;
use crate::sync::atomic::Cpu;

/// The toy's counters wrap at 16.
const NEARLY: u64 = 14;

/// Makes this number of events happen, with their interrupts. Returns how many of them were counted.
fn events(number: u64, toy: &Toy, unit: &ToyUnit<2>) -> u64 {
    let mut counted = 0;
    for _ in 0..number {
        counted += u64::from(!toy.running().is_empty());
        if toy.event() {
            let _ = unit.on_overflow(Interrupted::new(0, Mode::Kernel));
        }
    }
    counted
}

#[test]
fn a_count_is_from_before_or_behind_an_interrupt_and_never_between() {
    in_every_order_on_a_cpu(|| {
        let (unit, toy) = claimed::<2>();
        let mut session = unit.here().unwrap().open([Request::new(Event::CYCLES)]).unwrap();
        session.start().unwrap();
        assert_eq!(events(NEARLY, toy, unit), NEARLY);
        let cpu = Cpu::idle();
        let here = cpu.clone();
        let interrupt = thread::spawn(move || here.interrupt(|| assert_eq!(events(4, toy, unit), 4)));
        let [count] = cpu.run(|| session.read().unwrap());
        interrupt.join().unwrap();
        assert!([NEARLY, NEARLY + 4].contains(&count), "{count} events were counted");
        assert_eq!(session.read().unwrap(), [NEARLY + 4]);
    });
}

#[test]
fn no_event_is_lost_or_counted_twice_by_an_overflow_amid_a_stop() {
    in_every_order_on_a_cpu(|| amid(|_, session| session.stop()));
}

#[test]
fn no_event_is_lost_or_counted_twice_by_an_overflow_amid_a_start() {
    in_every_order_on_a_cpu(|| {
        amid(|_, session| {
            session.stop()?;
            session.start()
        });
    });
}

#[test]
fn no_event_is_lost_or_counted_twice_by_an_overflow_while_others_come_and_go() {
    in_every_order_on_a_cpu(|| {
        amid(|unit, _| {
            let mut other = unit.here()?.open([Request::new(Event::CYCLES)])?;
            other.start()
        });
    });
}

#[test]
fn no_event_is_lost_or_counted_twice_by_an_overflow_amid_a_sleep() {
    in_every_order_on_a_cpu(|| {
        amid(|unit, _| {
            unit.here()?.suspend()?;
            unit.resume().map(drop)
        });
    });
}

/// The counter's range is the 8 events from 8 to its wrap. It goes on from what it holds if half of them are left; else it is
/// preset.
#[test]
fn no_event_is_lost_or_counted_twice_by_an_overflow_amid_a_switch() {
    in_every_order_on_a_cpu(|| amid_switch(9, |unit, toy| events(8, toy, unit)));
    in_every_order_on_a_cpu(|| amid_switch(NEARLY, |unit, toy| events(4, toy, unit)));
}

#[test]
fn an_overflow_before_a_switch_whose_interrupt_comes_amid_it_is_counted_once() {
    in_every_order_on_a_cpu(|| {
        amid_switch(NEARLY + 4, |unit, _| {
            unit.on_overflow(Interrupted::new(0, Mode::Kernel));
            0
        });
    });
}

/// A thread makes way for another one on a counter, which is at this position then; it wraps at 16. Meanwhile this interrupt
/// comes, and says how many events it counted.
fn amid_switch(position: u64, interrupt: impl FnOnce(&'static ToyUnit<2>, &'static Toy) -> u64 + Send + 'static) {
    let (unit, toy) = claimed::<2>();
    let pmu = unit.here().unwrap();
    let [mut one, mut other] = [1, 2].map(|thread| {
        let mut context = Context::<_, 1>::new(thread);
        context.bind(&pmu, [Request::new(Event::CYCLES)]).unwrap();
        context
    });
    pmu.switch_in(&mut one);
    let before = position - toy.raw(0);
    (0..before).for_each(|_| _ = toy.event());
    let cpu = Cpu::idle();
    let here = cpu.clone();
    let interrupt = thread::spawn(move || here.interrupt(|| interrupt(unit, toy)));
    cpu.run(|| pmu.switch(&mut one, &mut other));
    let sum = before + interrupt.join().unwrap();
    pmu.switch_out(&mut other);
    let counted = [one, other].map(|thread| thread.counts().unwrap().raw[0]);
    assert_eq!(counted[0] + counted[1], sum, "{counted:?}");
}

type ToySession = Session<'static, &'static Toy, 1>;

/// An operation beside a session that counts. Meanwhile a period ends and another begins.
fn amid(operation: impl FnOnce(&'static ToyUnit<2>, &mut ToySession) -> Result<()>) {
    let (unit, toy) = claimed::<2>();
    let mut session = unit.here().unwrap().open([Request::new(Event::CYCLES).every(4)]).unwrap();
    session.start().unwrap();
    events(3, toy, unit);
    let cpu = Cpu::idle();
    let here = cpu.clone();
    let interrupt = thread::spawn(move || here.interrupt(|| events(2, toy, unit)));
    cpu.run(|| operation(unit, &mut session)).unwrap();
    let count = 3 + interrupt.join().unwrap();
    assert_eq!(session.read().unwrap(), [count]);
    let samples = unit.sample_statistics();
    assert_eq!(samples.received + samples.lost.total(), count / 4);
}

#[test]
fn a_one_shot_that_ends_while_others_start_and_stop_stays_ended() {
    in_every_order_on_a_cpu(|| {
        let (unit, toy) = claimed::<2>();
        let pmu = unit.here().unwrap();
        let mut session = pmu.open([Request::new(Event::CYCLES).once_after(4)]).unwrap();
        let mut other = pmu.open([Request::new(Event::CYCLES)]).unwrap();
        session.start().unwrap();
        events(3, toy, unit);
        let cpu = Cpu::idle();
        let here = cpu.clone();
        let interrupt = thread::spawn(move || here.interrupt(|| events(1, toy, unit)));
        cpu.run(|| {
            other.start()?;
            other.stop()
        })
        .unwrap();
        events(3 - interrupt.join().unwrap(), toy, unit);
        assert_eq!((session.read().unwrap(), session.has_ended(0)), ([4], true));
        assert_eq!(unit.sample_statistics().received, 1);
    });
}
