//! The host steps the guest while a counter wants to know what its instructions are, and each is counted once.

use core::arch::asm;

use harness::claim::claim;
use harness::{Guest as _, Named as _};
use pmu::CounterSet;
use pmu::driver::Plan as _;

use crate::guest::Here;
use crate::identity;

const ROUNDS: u64 = 100;

pub fn test() {
    let pmu = claim::<Here>();
    let catalogue = pmu.driver().catalogue();
    for &(name, a_round) in events() {
        let event = catalogue.named(name).expect("the processor has it");
        let mut session = pmu.open([catalogue.request(event)]).expect("nothing else counts");
        assert_eq!(Here::unfed(), CounterSet::EMPTY);
        let mut count = |rounds| {
            session.reset().expect("this is its CPU");
            session.start().expect("it is stopped");
            go(rounds);
            session.stop().expect("it runs");
            let [count] = session.read().expect("this is its CPU");
            count
        };
        count(1); // from now on the caches have what the loop and the driver need
        let (few, many) = (count(1), count(1 + ROUNDS));
        assert_eq!(many - few, a_round * ROUNDS, "{name}");
    }
}

/// The processor's events, and how often each is in a round of [`go`]. Stores go through the data cache.
fn events() -> &'static [(&'static str, u64)] {
    match identity::presented().name() {
        "ultrasparc-ii" => &[("DC_rd", 3), ("DC_wr", 2), ("EC_ref", 2), ("EC_hit", 2)],
        "ultrasparc-iii" => {
            &[("DC_rd", 3), ("DC_wr", 2), ("IU_Stat_Br_count_taken", 2), ("EC_ref", 2), ("EC_misses", 0)]
        }
        "ultrasparc-t2" => &[("Instr_ld", 3), ("Instr_st", 2), ("Br_completed", 3), ("Br_taken", 2)],
        _ => &[("DC_rd", 3), ("DC_wr", 2), ("IU_Stat_Br_count_taken", 2), ("L3_miss", 0)],
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
