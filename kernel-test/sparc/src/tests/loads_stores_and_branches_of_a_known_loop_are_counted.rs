//! The host steps the guest while a counter wants to know what its instructions are, and each is counted once.

use core::arch::asm;

use harness::Guest as _;
use harness::claim::claim;
use pmu::arch::sparc::ultrasparc::Model;
use pmu::arch::sparc::ultrasparc::events::{DATA_READS, on};
use pmu::arch::sparc::{Half, niagara};
use pmu::{CounterSet, Event, Request};

use crate::guest::Here;
use crate::identity::{self, Processor};

const ROUNDS: u64 = 100;

pub fn test() {
    let pmu = claim::<Here>();
    for (event, a_round) in events() {
        let mut session = pmu.open([Request::new(*event)]).expect("nothing else counts");
        assert_eq!(Here::unfed(), CounterSet::EMPTY);
        let mut count = |rounds| {
            session.reset().expect("this is its CPU");
            session.start().expect("it is stopped");
            go(rounds);
            session.stop().expect("it runs");
            let [count] = session.read().expect("this is its CPU");
            count
        };
        let (few, many) = (count(1), count(1 + ROUNDS));
        assert_eq!(many - few, a_round * ROUNDS, "{event}");
    }
}

/// The processor's events, and how often each is in a round of [`go`].
fn events() -> &'static [(Event, u64)] {
    const TAKEN_OF_III: (Event, u64) = (on(Half::Pic0, 0x16), 2);
    const OF_III: &[(Event, u64)] = &[(DATA_READS, 3), (on(Half::Pic0, 0x0A), 2), TAKEN_OF_III];
    const OF_IV_PLUS: &[(Event, u64)] = &[(DATA_READS, 3), (on(Half::Pic1, 0x03), 2), (on(Half::Pic1, 0x1E), 2)];
    const OF_T2: &[(Event, u64)] = &[
        (niagara::events::LOADS, 3),
        (niagara::events::STORES, 2),
        (niagara::events::BRANCHES, 3),
        (niagara::events::TAKEN_BRANCHES, 2),
    ];
    match &identity::presented().processor {
        Processor::Niagara(_) => OF_T2,
        Processor::UltraSparc(processor) => match processor.capabilities().model {
            Model::Ultra12 => OF_III.split_at(2).0,
            Model::Ultra4Plus => OF_IV_PLUS,
            _ => OF_III,
        },
    }
}

/// Loads three times and stores twice in each round, which has three branches. One of them is never taken, and annuls its
/// delay slot; the loop's own is taken but for the last time.
fn go(rounds: u64) {
    let mut word = 1_u64;
    // SAFETY: this reads and writes `word`, and touches two registers beside it.
    unsafe {
        asm!(
            "1: ldx [{word}], {value}",
            "brz,a,pn {value}, 1b",
            "ldx [{word}], {value}",
            "stx {value}, [{word}]",
            "ldub [{word} + 7], {value}",
            "ba,a,pt %xcc, 2f",
            "stb %g0, [{word}]",
            "2: lduw [{word}], %g0",
            "subcc {rounds}, 1, {rounds}",
            "bne,pt %xcc, 1b",
            "stb %g0, [{word}]",
            word = in(reg) &raw mut word,
            value = out(reg) _,
            rounds = inout(reg) rounds => _,
            options(nostack)
        );
    }
}
