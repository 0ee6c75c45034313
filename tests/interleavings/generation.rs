//! A thread's operations, and overflow interrupts amid them.

use loom::thread;

use super::in_every_order_on_a_cpu;
use super::toy::{Toy, ToyUnit, claimed};
use crate::event::{Event, Mode, Request, Result};
use crate::sample::Interrupted;
use crate::session::Session;
use crate::sync::atomic::Cpu;

/// The toy's counters wrap at 16.
const NEARLY: u64 = 14;

/// So many events come, with the interrupts that they cause; answers how many found the unit counting.
fn events(number: u64, toy: &Toy, unit: &ToyUnit<2>) -> u64 {
    let mut counted = 0;
    for _ in 0..number {
        counted += u64::from(!toy.is_halted());
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
    in_every_order_on_a_cpu(|| amid(Session::stop));
}

#[test]
fn no_event_is_lost_or_counted_twice_by_an_overflow_amid_a_start() {
    in_every_order_on_a_cpu(|| {
        amid(|session| {
            session.stop()?;
            session.resume()
        });
    });
}

/// An operation on a session that counts, amid which a period ends and another begins.
fn amid(operation: impl FnOnce(&mut Session<'static, &'static Toy, 1>) -> Result<()>) {
    let (unit, toy) = claimed::<2>();
    let mut session = unit.here().unwrap().open([Request::new(Event::CYCLES).every(4)]).unwrap();
    session.start().unwrap();
    events(3, toy, unit);
    let cpu = Cpu::idle();
    let here = cpu.clone();
    let interrupt = thread::spawn(move || here.interrupt(|| events(2, toy, unit)));
    cpu.run(|| operation(&mut session)).unwrap();
    let count = 3 + interrupt.join().unwrap();
    assert_eq!(session.read().unwrap(), [count]);
    let samples = unit.sample_statistics();
    assert_eq!(samples.received + samples.lost.total(), count / 4);
}
