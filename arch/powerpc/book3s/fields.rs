//! The fields of Book3S 64's registers, by the manual's names.
//!
//! Source: Power ISA 3.1 Book III, "Performance Monitor Facility"; PowerPC 970 User's Manual, "MMCR0" for PMC1SEL and PMC2SEL.

use super::generation::Generation;
use super::registers::Control;
use super::spr;
use crate::arch::powerpc::Spr;
use crate::contract::Field;

/// MMCR0 with the selectors of two counters.
const FIRST_CONTROL: &[Field] = &[
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
    Field::new("PMC1SEL", Control::SELECT_1.bits()),
    Field::new("PMC2SEL", Control::SELECT_2.bits()),
];
/// MMCR0 from POWER5 to POWER7.
const MIDDLE_CONTROL: &[Field] = &[
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
    Field::new("FC1-4", Control::FREEZE_FIRST_FOUR.bits()),
    Field::new("FC5-6", Control::FREEZE_LAST_TWO.bits()),
];
/// MMCR0 from POWER8 on.
const CONTROL: &[Field] = &[
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
    Field::new("BHRBA", Control::BRANCH_HISTORY.bits()),
    Field::new("EBE", Control::EVENT_BRANCH.bits()),
    Field::new("PMCC", Control::PROBLEM_ACCESS.bits()),
    Field::new("FCPC", Control::FREEZE_PROBLEM_IF.bits()),
    Field::new("CC56RUN", Control::ALWAYS_RUN.bits()),
    Field::new("FC1-4", Control::FREEZE_FIRST_FOUR.bits()),
    Field::new("FC5-6", Control::FREEZE_LAST_TWO.bits()),
    Field::new("FC1-4WAIT", Control::FREEZE_WAITING.bits()),
];
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
/// MMCR2: the states in which each counter does not count.
const FREEZES: &[Field] = &[
    Field::new("FC1S", 1 << 63),
    Field::new("FC1P0", 1 << 62),
    Field::new("FC1P1", 1 << 61),
    Field::new("FC1M1", 1 << 60),
    Field::new("FC1M0", 1 << 59),
    Field::new("FC1WAIT", 1 << 58),
    Field::new("FC1H", 1 << 57),
    Field::new("FC2S", 1 << 54),
    Field::new("FC2P0", 1 << 53),
    Field::new("FC2P1", 1 << 52),
    Field::new("FC2M1", 1 << 51),
    Field::new("FC2M0", 1 << 50),
    Field::new("FC2WAIT", 1 << 49),
    Field::new("FC2H", 1 << 48),
    Field::new("FC3S", 1 << 45),
    Field::new("FC3P0", 1 << 44),
    Field::new("FC3P1", 1 << 43),
    Field::new("FC3M1", 1 << 42),
    Field::new("FC3M0", 1 << 41),
    Field::new("FC3WAIT", 1 << 40),
    Field::new("FC3H", 1 << 39),
    Field::new("FC4S", 1 << 36),
    Field::new("FC4P0", 1 << 35),
    Field::new("FC4P1", 1 << 34),
    Field::new("FC4M1", 1 << 33),
    Field::new("FC4M0", 1 << 32),
    Field::new("FC4WAIT", 1 << 31),
    Field::new("FC4H", 1 << 30),
    Field::new("FC5S", 1 << 27),
    Field::new("FC5P0", 1 << 26),
    Field::new("FC5P1", 1 << 25),
    Field::new("FC5M1", 1 << 24),
    Field::new("FC5M0", 1 << 23),
    Field::new("FC5WAIT", 1 << 22),
    Field::new("FC5H", 1 << 21),
    Field::new("FC6S", 1 << 18),
    Field::new("FC6P0", 1 << 17),
    Field::new("FC6P1", 1 << 16),
    Field::new("FC6M1", 1 << 15),
    Field::new("FC6M0", 1 << 14),
    Field::new("FC6WAIT", 1 << 13),
    Field::new("FC6H", 1 << 12),
];

/// Returns the fields of a register of this generation; none if it is one number, or its fields differ by unit.
#[must_use]
pub const fn fields(at: Spr, generation: Generation) -> &'static [Field] {
    let has_freezes = matches!(generation, Generation::Power8 | Generation::Power9 | Generation::Power10);
    match at {
        spr::MMCR0 if has_freezes => CONTROL,
        spr::MMCR0 if matches!(generation, Generation::Power4 | Generation::Ppc970) => FIRST_CONTROL,
        spr::MMCR0 => MIDDLE_CONTROL,
        spr::MMCR1 if has_freezes => SELECTS,
        spr::MMCR2 if has_freezes => FREEZES,
        _ => &[],
    }
}
