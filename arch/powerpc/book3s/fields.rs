//! The fields of Book3S 64's registers, by the manual's names.
//!
//! Source: Power ISA 3.1 Book III, "Performance Monitor Facility"; PowerPC 970 User's Manual, "MMCR0" for PMC1SEL and PMC2SEL.

use super::capabilities::Capabilities;
use super::generation::Generation;
use super::registers::Control;
use crate::arch::powerpc::Spr;
use crate::contract::Field;

/// What MMCR0 has in every generation.
const IN_ALL: [Field; 14] = [
    Field::new("FC", Control::FREEZE.bits()),
    Field::new("FCS", Control::FREEZE_SUPERVISOR.bits()),
    Field::new("FCP", Control::FREEZE_PROBLEM.bits()),
    Field::new("FCM1", Control::FREEZE_MARKED.bits()),
    Field::new("FCM0", Control::FREEZE_UNMARKED.bits()),
    Field::new("PMAE", Control::ALERT.bits()),
    Field::new("FCECE", Control::FREEZE_ON_CONDITION.bits()),
    Field::new("TBSEL", Control::TIME_BASE_BIT.bits()),
    Field::new("TBEE", Control::TIME_BASE.bits()),
    Field::new("PMC1CE", Control::FIRST.bits()),
    Field::new("PMCjCE", Control::OTHERS.bits()),
    Field::new("TRIGGER", Control::TRIGGER.bits()),
    Field::new("PMAO", Control::ALERTED.bits()),
    Field::new("FCH", Control::FREEZE_HYPERVISOR.bits()),
];
/// MMCR0 with the selectors of two counters.
const FIRST_CONTROL: &[Field] =
    &control::<16>(&[Field::new("PMC1SEL", Control::SELECT_1.bits()), Field::new("PMC2SEL", Control::SELECT_2.bits())]);
/// MMCR0 from POWER5 to POWER7.
const MIDDLE_CONTROL: &[Field] = &control::<16>(&[
    Field::new("FC1-4", Control::FREEZE_FIRST_FOUR.bits()),
    Field::new("FC5-6", Control::FREEZE_LAST_TWO.bits()),
]);
/// MMCR0 from POWER8 on.
const CONTROL: &[Field] = &control::<22>(&[
    Field::new("BHRBA", Control::BRANCH_HISTORY.bits()),
    Field::new("EBE", Control::EVENT_BRANCH.bits()),
    Field::new("PMCC", Control::PROBLEM_ACCESS.bits()),
    Field::new("FCPC", Control::FREEZE_PROBLEM_IF.bits()),
    Field::new("CC56RUN", Control::ALWAYS_RUN.bits()),
    Field::new("FC1-4", Control::FREEZE_FIRST_FOUR.bits()),
    Field::new("FC5-6", Control::FREEZE_LAST_TWO.bits()),
    Field::new("FC1-4WAIT", Control::FREEZE_WAITING.bits()),
]);

/// Returns the fields of an MMCR0 that has these beside those of all.
const fn control<const N: usize>(own: &[Field]) -> [Field; N] {
    assert!(N == IN_ALL.len() + own.len());
    let (mut all, mut field) = ([IN_ALL[0]; N], 0);
    while field < N {
        all[field] = if field < IN_ALL.len() { IN_ALL[field] } else { own[field - IN_ALL.len()] };
        field += 1;
    }
    all
}

/// MMCR1 from POWER8 on.
const SELECTS: &[Field] = &[
    Field::new("PMC4SEL", 0xFF),
    Field::new("PMC3SEL", 0xFF << 8),
    Field::new("PMC2SEL", 0xFF << 16),
    Field::new("PMC1SEL", 0xFF << 24),
    Field::new("PMC4UNIT", 0xF << 48),
    Field::new("PMC3UNIT", 0xF << 52),
    Field::new("PMC2UNIT", 0xF << 56),
    Field::new("PMC1UNIT", 0xF << 60),
];
macro_rules! freezes {
    ($($counter:literal: $first:literal)*) => {
        &[$(
            Field::new(concat!("FC", $counter, "S"), 1 << $first),
            Field::new(concat!("FC", $counter, "P0"), 1 << ($first - 1)),
            Field::new(concat!("FC", $counter, "P1"), 1 << ($first - 2)),
            Field::new(concat!("FC", $counter, "M1"), 1 << ($first - 3)),
            Field::new(concat!("FC", $counter, "M0"), 1 << ($first - 4)),
            Field::new(concat!("FC", $counter, "WAIT"), 1 << ($first - 5)),
            Field::new(concat!("FC", $counter, "H"), 1 << ($first - 6)),
        )*]
    };
}
/// MMCR2: the states in which each counter does not count, from the highest bit of each on.
const FREEZES: &[Field] = freezes!(1: 63 2: 54 3: 45 4: 36 5: 27 6: 18);

impl Capabilities {
    /// Returns the fields of a register; none if it is one number, or its fields differ by unit.
    #[must_use]
    pub const fn fields(&self, at: Spr) -> &'static [Field] {
        let has_freezes = self.generation.has_freezes();
        match at {
            Spr::MMCR0 if has_freezes => CONTROL,
            Spr::MMCR0 if matches!(self.generation, Generation::Power4 | Generation::Ppc970) => FIRST_CONTROL,
            Spr::MMCR0 => MIDDLE_CONTROL,
            Spr::MMCR1 if has_freezes => SELECTS,
            Spr::MMCR2 if has_freezes => FREEZES,
            _ => &[],
        }
    }
}
