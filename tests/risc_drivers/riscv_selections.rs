//! Selections that the hardware does not keep: mhpmevent is WARL ("Hardware Performance Monitor"), so a processor may be given
//! an event that it does not have, and count nothing.

use std::cell::Cell;

use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::{Device, Hpm, Identity, Privilege};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Context, CounterId, Error, Event, Mode, Modes, Request, Unit};

use crate::support::registers::Altered;

type Plain = Device<Unconnected>;

const FEW: Identity = Identity::RV64.with_counters(0b1_1101);

type Narrow<'a> = Altered<'a, Plain>;

/// A unit whose selectors keep codes below 64 and every mode, and are 0 after others. Counts the reads of selectors.
fn narrow<'a>(identity: &Identity, reads: &'a Cell<u32>) -> Narrow<'a> {
    let is_select = |at: Csr| (0x323..=0x33F).contains(&at.number());
    Altered::new(Device::new(identity, Kinds::CLOCK, Unconnected))
        .reading(move |device, at| {
            reads.set(reads.get() + u32::from(is_select(at)));
            device.read(at)
        })
        .writing(move |device, at, value| {
            let code = value & ((1 << 56) - 1);
            device.write(at, if is_select(at) && code >= 64 { value ^ code } else { value });
        })
}

fn driver<'a>(registers: &'a Narrow<'a>, identity: &Identity) -> Hpm<&'a Narrow<'a>> {
    Hpm::detect(registers, Privilege::Machine, &identity.announced()).unwrap()
}

/// A code on a counter that others would have too.
fn on_3(code: u64) -> Request {
    Request::new(Event::raw(code)).pinned_to(CounterId::new(3).unwrap())
}

fn lost() -> Request {
    on_3(0x1_0019)
}

fn swallowed() -> Error {
    Error::Swallowed { register: 0x323, wrote: 0x1_0019, read: 0 }
}

#[test]
fn a_selection_that_is_not_kept_is_an_error_that_names_the_register_and_holds_nothing() {
    let reads = Cell::new(0);
    let registers = narrow(&FEW, &reads);
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&registers, &FEW)).unwrap();
    let before = registers.state();
    for _ in 0..2 {
        assert_eq!(pmu.open([Request::new(Event::INSTRUCTIONS), lost()]).err(), Some(swallowed()));
        assert_eq!(registers.state(), before);
    }
    let kept = on_3(2);
    let work = || registers.advance(&Work::instructions(Mode::User, 70));
    assert_eq!(pmu.count([kept, Request::new(Event::INSTRUCTIONS)], work).unwrap().0, [70, 70]);
}

#[test]
fn a_selection_is_compared_once() {
    let reads = Cell::new(0);
    let registers = narrow(&FEW, &reads);
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&registers, &FEW)).unwrap();
    reads.set(0);
    for (modes, expected) in [(Modes::ALL, 1), (Modes::ALL, 1), (Modes::USER, 2), (Modes::USER, 2)] {
        drop(pmu.open([on_3(2).modes(modes)]).unwrap());
        assert_eq!(reads.get(), expected, "{modes:?}");
    }
}

/// Each of three threads that take turns on one counter has another selection.
#[test]
fn a_threads_selection_is_compared_before_it_counts_and_further_switches_read_nothing_back() {
    for identity in [FEW, Identity::RV64_V1_10] {
        let reads = Cell::new(0);
        let registers = narrow(&identity, &reads);
        let unit = Unit::<_, 0>::new();
        let pmu = unit.claim(driver(&registers, &identity)).unwrap();
        let mut threads = [on_3(2), on_3(1), lost()].map(|request| {
            let mut thread = Context::<_, 1>::new(1);
            thread.bind(&pmu, [request]).map(|()| thread)
        });
        reads.set(0);
        for round in 0..3 {
            for (number, thread) in threads.iter_mut().flatten().enumerate() {
                pmu.switch_in(thread);
                registers.advance(&Work::instructions(Mode::User, 70));
                assert_eq!(thread.is_waiting(), number == 2);
                pmu.switch_out(thread);
            }
            assert_eq!(reads.get(), threads.len() as u32, "round {round}");
        }
        assert_eq!(threads[0].as_ref().unwrap().counts().unwrap().raw, [210]);
        assert_eq!(pmu.place(threads[2].as_mut().unwrap()), Err(swallowed()));
    }
}

/// Another thread has the counter when it is bound, so that nothing could be compared then.
#[test]
fn a_thread_whose_counter_was_anothers_when_it_was_bound_does_not_count_what_the_hardware_drops() {
    let reads = Cell::new(0);
    let registers = narrow(&FEW, &reads);
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&registers, &FEW)).unwrap();
    let [mut thread, mut other] = [1, 2].map(Context::<_, 1>::new);
    thread.bind(&pmu, [on_3(2)]).unwrap();
    pmu.switch_in(&mut thread);
    other.bind(&pmu, [lost()]).expect("counter 3 is in use");
    pmu.switch(&mut thread, &mut other);
    assert!(other.is_waiting());
    assert_eq!(pmu.place(&mut other), Err(swallowed()));
}

/// It was once refused, and a kernel's other threads were not; now it waits as they do, whoever has opened a session since.
#[test]
fn a_thread_with_a_selection_that_is_not_kept_waits_and_place_says_why() {
    let reads = Cell::new(0);
    let registers = narrow(&FEW, &reads);
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&registers, &FEW)).unwrap();
    let mut thread = Context::<_, 2>::new(1);
    thread.bind(&pmu, [Request::new(Event::INSTRUCTIONS), lost()]).unwrap();
    let work = || registers.advance(&Work::instructions(Mode::User, 70));
    for other in [None, Some(pmu.open([Event::CYCLES]).unwrap()), None] {
        pmu.switch_in(&mut thread);
        assert!(thread.is_waiting());
        work();
        assert_eq!(pmu.place(&mut thread), Err(swallowed()));
        assert!(thread.is_waiting());
        pmu.switch_out(&mut thread);
        drop(other);
    }
    let mut child = thread.inherit(2);
    pmu.switch_in(&mut child);
    assert!(child.is_waiting());
    pmu.switch_out(&mut child);
    let counts = thread.counts().unwrap();
    assert_eq!((counts.raw, counts.running, counts.enabled > 0), ([0, 0], 0, true));
    thread.unbind().unwrap();
    thread.bind(&pmu, [Request::new(Event::INSTRUCTIONS)]).unwrap();
    pmu.switch_in(&mut thread);
    work();
    pmu.switch_out(&mut thread);
    assert_eq!(thread.counts().unwrap().raw[0], 70);
}
