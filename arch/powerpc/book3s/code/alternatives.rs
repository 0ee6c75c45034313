//! The pairs of codes that count the same on different counters.
//!
//! The kernel's user gives either of them, and the placement may use both. Pairs with an event of the bus, before POWER7,
//! are left out: the two need different things in shared fields.
//!
//! Source: torvalds/linux arch/powerpc/perf/{power5+,power6,power7,power8,power9,power10}-pmu.c, the tables of alternatives,
//! and power9-events-list.h; Microwatt's pmu.vhdl.

use super::isa207::{CYCLES, INSTRUCTIONS};
use crate::arch::powerpc::book3s::model::Model;

/// Returns the codes of the same event, if there are two: a code of PMC5 or PMC6 comes first.
#[inline(always)]
pub(super) fn pair(model: Model, code: u64) -> Option<(u64, u64)> {
    if is_of_any(code) { None } else { pair_of_counter(model, code) }
}

#[inline(never)]
fn pair_of_counter(model: Model, code: u64) -> Option<(u64, u64)> {
    pairs(model).iter().copied().find(|&(one, other)| code == one || code == other)
}

/// Returns true for a code without a counter. It needs no alternative.
const fn is_of_any(code: u64) -> bool {
    code <= 0xFF
}

const fn pairs(model: Model) -> &'static [(u64, u64)] {
    match model {
        Model::Power5Plus => &[(0x10_0009, 0x20_0009), (0x20_0015, 0x30_0015), (0x30_0009, 0x40_0009)],
        Model::Power6 => &POWER6,
        Model::Power7 => &[(0x2_00F2, 0x3_00F2)],
        Model::Power8 => &POWER8,
        Model::Power9 => &POWER9,
        Model::Microwatt => &[(INSTRUCTIONS, 0x4_00FA), (CYCLES, 0x2_00F4), (0x2_00F2, 0x3_00F2)],
        Model::Power10 => &[(0x1_00FE, 0x02), (0x1_00F0, 0x1E)],
        _ => &[],
    }
}

const POWER6: [(u64, u64); 18] = [
    (0x10_000A, 0x20_00F4),
    (0x10_000B, 0x20_00F5),
    (0x10_000E, 0x40_0010),
    (0x10_0010, 0x40_00F8),
    (0x10_001A, 0x20_0010),
    (0x10_0026, 0x30_00F8),
    (0x10_0054, 0x20_00F0),
    (0x10_0056, 0x20_00FC),
    (0x10_00F0, 0x40_000A),
    (0x10_00F8, 0x20_0008),
    (0x10_00FC, 0x40_0006),
    (0x20_000E, 0x40_0007),
    (0x20_0012, 0x30_0012),
    (0x20_00F2, 0x30_00F2),
    (0x20_00F8, 0x30_0010),
    (0x20_00FE, 0x30_0056),
    (0x30_00F6, 0x40_000E),
    (0x30_00FE, 0x40_0056),
];

const POWER8: [(u64, u64); 11] = [
    (INSTRUCTIONS, 0x4_00FA),
    (CYCLES, 0x2_00F4),
    (0x1_0134, 0x3_01E2),
    (0x1_0138, 0x4_0138),
    (0x1_8082, 0x3_E05E),
    (0x1_D14E, 0x4_01E8),
    (0x1_E054, 0x4_000A),
    (0x2_0036, 0x4_0036),
    (0x2_00F2, 0x3_00F2),
    (0x2_013C, 0x3_012E),
    (0x3_E054, 0x4_00F0),
];

const POWER9: [(u64, u64); 5] =
    [(INSTRUCTIONS, 0x4_00FA), (CYCLES, 0x2_00F4), (0x2_0036, 0x4_0036), (0x2_00F2, 0x3_00F2), (0x3_E054, 0x4_00F0)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_in_one_pair_and_each_of_two_finds_the_other() {
        for model in Model::ALL {
            for &(one, other) in pairs(model) {
                let of_other = if is_of_any(other) { None } else { Some((one, other)) };
                assert_eq!([pair(model, one), pair(model, other)], [Some((one, other)), of_other]);
            }
        }
    }
}
