//! What is counted, beside what the core's own wires report for the same window.

use pmu::arch::riscv::Csr;
use pmu::driver::{Plan as _, Registers as _};
use pmu::text::catalogue::EventName;
use pmu::{CounterId, CounterSet, Event, Pmu, Request, Session};

use crate::unit::{Core, Driver};
use crate::{bench, work};

type Unit = Pmu<'static, Driver>;

/// An event by the name in the core's manual, its code, and the counters of this core that have it.
struct Counted {
    name: EventName,
    code: u64,
    counters: CounterSet,
}

fn events(pmu: Unit) -> impl Iterator<Item = Counted> {
    let description = pmu.description();
    let all = description.general.or(description.fixed);
    pmu.driver().catalogue().events.iter().map(move |event| Counted {
        name: event.name,
        code: event.code,
        counters: event.counters.and(all),
    })
}

fn open(pmu: Unit, code: u64, counter: CounterId) -> Session<'static, Driver, 1> {
    let session = pmu.open([Request::new(Event::raw(code)).pinned_to(counter)]).expect("the counter has the event");
    bench::watch(counter, code);
    session
}

/// Counts so many turns, and returns the count, which is the bench's.
fn counted(pmu: Unit, code: u64, counter: CounterId, turns: u32) -> u64 {
    let mut session = open(pmu, code, counter);
    session.start().expect("it is at home");
    work::turns(turns);
    session.stop().expect("it is at home");
    let [count] = session.read().expect("it is at home");
    assert_eq!(count, bench::count(counter), "{code:#x} on {counter}: the crate's count and the core's own wires");
    count
}

/// Each event of the catalogue on each counter that has it, in windows of several lengths.
pub fn every_event_on_every_counter_counts_what_the_cores_wires_report(core: &Core) {
    core.with_unit(|pmu| {
        let mut windows = 0;
        for event in events(pmu) {
            assert!(!event.counters.is_empty(), "{}", event.name);
            for counter in event.counters {
                for turns in [1, 10, 40] {
                    counted(pmu, event.code, counter, turns);
                    windows += 1;
                }
            }
        }
        metal::println!("windows compared: {windows}");
    });
}

/// The window's own instructions are the same each time, so that two lengths differ by the loop's.
pub fn loops_have_their_length(core: &Core) {
    core.with_unit(|pmu| {
        for event in events(pmu) {
            let Some(of_a_turn) = work::of_a_turn(event.name) else { continue };
            for counter in event.counters {
                let [short, long] = [30, 100].map(|turns| counted(pmu, event.code, counter, turns));
                assert_eq!(long - short, 70 * of_a_turn, "{} on {counter}", event.name);
            }
        }
    });
}

/// Every counter with another event, started and stopped by one write.
pub fn all_counters_count_the_same_window(core: &Core) {
    core.with_unit(|pmu| {
        let mut sessions: [Option<Session<'static, Driver, 1>>; 16] = [const { None }; 16];
        let mut placed = [None; 16];
        let mut used = CounterSet::EMPTY;
        for (at, event) in events(pmu).enumerate() {
            let Some(counter) = event.counters.without(used).lowest() else { continue };
            used = used.or(counter.only());
            sessions[at] = Some(open(pmu, event.code, counter));
            placed[at] = Some(counter);
        }
        let description = pmu.description();
        assert_eq!(used, description.general.or(description.fixed), "each counter has an event");
        sessions.iter_mut().flatten().for_each(|session| session.start().expect("it is at home"));
        work::turns(50);
        sessions.iter_mut().flatten().for_each(|session| session.stop().expect("it is at home"));
        for (session, counter) in sessions.iter().flatten().zip(placed.into_iter().flatten()) {
            assert_eq!(
                session.read(),
                Ok([bench::count(counter)]),
                "{counter}: the crate's count and the core's own wires"
            );
        }
    });
}

/// Whatever the core executes between.
pub fn a_count_stays_after_a_stop_and_a_start_goes_on(core: &Core) {
    core.with_unit(|pmu| {
        for event in events(pmu) {
            let counter = event.counters.lowest().expect("a counter has it");
            let mut session = open(pmu, event.code, counter);
            for _ in 0..3 {
                session.start().expect("it is at home");
                work::turns(20);
                session.stop().expect("it is at home");
                let [count] = session.read().expect("it is at home");
                work::turns(20);
                assert_eq!(session.read(), Ok([count]), "{}: it stays", event.name);
                assert_eq!(count, bench::count(counter), "{}: the crate's count and the core's own wires", event.name);
            }
        }
    });
}

/// Moves a stopped counter to `value`, and returns how far that is.
fn moved(pmu: Unit, counter: CounterId, value: u64) -> u64 {
    let at = Csr::counter(counter.number() & 31).expect("there are 32");
    let registers = pmu.driver().registers();
    let before = registers.read(at.high()) << 32 | registers.read(at);
    registers.write(at, value & 0xFFFF_FFFF);
    registers.write(at.high(), value >> 32);
    value - before
}

/// A counter on its way is moved to the last values before its width ends.
pub fn a_count_goes_on_over_the_wrap_of_its_counter(core: &Core) {
    core.with_unit(|pmu| {
        let description = pmu.description();
        for event in events(pmu).filter(|event| work::of_a_turn(event.name).is_some()) {
            for counter in event.counters {
                let is_fixed = description.fixed.contains(counter);
                let width = if is_fixed { description.fixed_width } else { description.general_width };
                let mut session = open(pmu, event.code, counter);
                let mut run = || {
                    session.start().expect("it is at home");
                    work::turns(20);
                    session.stop().expect("it is at home");
                    let [count] = session.read().expect("it is at home");
                    count
                };
                let before = run();
                let far = moved(pmu, counter, width.mask() - 5);
                let after = run();
                assert!(bench::count(counter) - before > 6, "{}: it wraps", event.name);
                assert_eq!(after, bench::count(counter) + far, "{} on {counter}", event.name);
            }
        }
    });
}

/// The lower half carries into the upper one at each place of the reading in turn.
pub fn a_count_is_read_without_a_tear_while_its_halves_carry(core: &Core) {
    core.with_unit(|pmu| {
        let [(code, _), _] = bench::FIXED;
        let counter = CounterId::new(32).expect("it is below 64");
        for lead in 0..400 {
            let mut session = open(pmu, code, counter);
            let far = moved(pmu, counter, 0x8000_0001_FFFF_FFFF - lead);
            session.start().expect("it is at home");
            let before = bench::count(counter) + far;
            let [count] = session.read().expect("it is at home");
            let after = bench::count(counter) + far;
            session.stop().expect("it is at home");
            assert!((before..after).contains(&count), "{count:#x} is not between {before:#x} and {after:#x}");
        }
    });
}
