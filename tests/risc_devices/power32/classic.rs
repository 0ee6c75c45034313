//! The classic units, sentence by sentence.

use pmu::arch::powerpc::classic::{Device, Identity};
use pmu::arch::powerpc::{ProcessorState, Spr};
use pmu::virt::{self, Device as _, Fault, Kind, Kinds, Work};
use pmu::{CounterSet, Mode};

use super::spr;
use crate::every_device::{Edge, Family, Judged, StateOf, filled};
use crate::power64::everything;
use crate::support::line::Line;

pub(crate) const MMCR0: u16 = 952;
pub(crate) const MMCR1: u16 = 956;
pub(crate) const MMCR2: u16 = 944;
pub(crate) const SIA: u16 = 955;
pub(crate) const SDA: u16 = 959;
/// PMC1 to PMC6.
pub(crate) const PMC: [u16; 6] = [953, 954, 957, 958, 945, 946];

// MMCR0, as the 7400's manual numbers its bits.
pub(crate) const FC: u64 = 1 << 31;
pub(crate) const FCS: u64 = 1 << (31 - 1);
pub(crate) const FCP: u64 = 1 << (31 - 2);
pub(crate) const FCM1: u64 = 1 << (31 - 3);
pub(crate) const FCM0: u64 = 1 << (31 - 4);
pub(crate) const PMXE: u64 = 1 << (31 - 5);
pub(crate) const FCECE: u64 = 1 << (31 - 6);
pub(crate) const PMC1CE: u64 = 1 << (31 - 16);
pub(crate) const PMCJCE: u64 = 1 << (31 - 17);
pub(crate) const TRIGGER: u64 = 1 << (31 - 18);
/// Instructions on PMC1, and on PMC2.
pub(crate) const FIRST: u64 = 2 << 6;
pub(crate) const SECOND: u64 = 2;

const NEGATIVE: u64 = 1 << 31;

pub(crate) type Unit = Device<Line>;

pub(crate) fn unit(identity: Identity) -> Unit {
    Device::new(&identity, Kinds::CLOCK, Line::default())
}

/// What the processor does at this instruction, which has this datum.
fn executing(instruction: u64, datum: Option<u64>) -> ProcessorState {
    let mut context = ProcessorState::default();
    (context.instruction, context.datum) = (instruction, datum);
    context
}

pub(crate) fn read(unit: &Unit, number: u16) -> u64 {
    unit.try_read(spr(number)).unwrap()
}

pub(crate) fn write(unit: &Unit, number: u16, value: u64) {
    unit.try_write(spr(number), value).unwrap();
}

fn advance(unit: &Unit, mode: Mode, instructions: u64) {
    unit.advance(&Work::instructions(mode, instructions));
}

/// PMC1 counts instructions, and is so many before its overflow; `more` is set in MMCR0 besides.
fn sampling(identity: Identity, left: u64, more: u64) -> Unit {
    let unit = unit(identity);
    write(&unit, PMC[0], NEGATIVE - left);
    write(&unit, MMCR0, FIRST | PMC1CE | PMXE | more);
    unit
}

fn rises(unit: &Unit) -> u64 {
    unit.trigger().rises()
}

struct Classic;

impl Family for Classic {
    lends! { pmu::arch::powerpc::classic, ticks context }

    type Counter = u8;

    const COUNTERS: &'static [u8] = &[0, 1];
    const EDGE: Edge = Edge::negative(32);
    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::P750, |state| state.counters[4] = 1, Err(Fault::Absent)),
        (Identity::P750, |state| state.extension = 1 << 31, Err(Fault::Absent)),
        (Identity::P750, |state| state.selects = 1 << 21, Err(Fault::Reserved)),
        (Identity::P750, |state| state.counters[0] = 1 << 32, Err(Fault::Reserved)),
        (Identity::P750, |state| state.datum = 1, Err(Fault::Reserved)),
        (Identity::P750, |state| state.counters[3] = 0xFFFF_FFFF, Ok(())),
        // What would follow at once has followed before a snapshot. The 750 freezes only where it interrupts.
        (Identity::P750, |state| negative(state, PMXE | PMC1CE), Err(Fault::Reserved)),
        (Identity::P750, |state| negative(state, TRIGGER), Err(Fault::Reserved)),
        (Identity::P750, |state| negative(state, PMXE), Ok(())),
        (Identity::P750, |state| negative(state, PMC1CE), Ok(())),
        (Identity::P750, |state| negative(state, FCECE | PMC1CE), Ok(())),
        (Identity::P750, |state| negative(state, FC | PMC1CE), Ok(())),
    ];

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        let unit = Self::unit(identity);
        unit.set_processor(everything());
        let mut full = filled(&unit, (928..960).filter_map(Spr::from_number));
        full.ticks = u64::MAX;
        vec![full]
    }

    fn start<D: virt::Device<Address = Spr>>(unit: &D, _: &Identity, number: u8, value: u64) {
        let counting = [FIRST | PMC1CE, SECOND | PMCJCE][usize::from(number)] | PMXE;
        unit.try_write(spr(PMC[usize::from(number)]), value).unwrap();
        unit.try_write(spr(MMCR0), unit.try_read(spr(MMCR0)).unwrap() | counting).unwrap();
    }

    fn value<D: virt::Device<Address = Spr>>(unit: &D, number: u8) -> u64 {
        unit.try_read(spr(PMC[usize::from(number)])).unwrap()
    }
}

/// Contents with PMC1 past its overflow.
fn negative(state: &mut StateOf<Classic>, control: u64) {
    (state.counters[0], state.control) = (NEGATIVE, control);
}

every_device! { Classic, judged, interrupts, latches, pulses }

#[test]
fn every_counter_has_its_selector_where_the_manual_has_it() {
    let unit = unit(Identity::P7450);
    write(&unit, MMCR0, 1 << 6 | 1);
    write(&unit, MMCR1, 1 << 27 | 1 << 22 | 1 << 17 | 1 << 11);
    advance(&unit, Mode::User, 7);
    assert_eq!(PMC.map(|number| read(&unit, number)), [7; 6]);
    write(&unit, MMCR0, 0);
    write(&unit, MMCR1, 1 << 22);
    advance(&unit, Mode::User, 1);
    assert_eq!(PMC.map(|number| read(&unit, number)), [7, 7, 7, 8, 7, 7]);
}

#[test]
fn the_last_two_counters_of_the_7450_count_no_instructions() {
    let unit = unit(Identity::P7450);
    write(&unit, MMCR1, 2 << 17 | 2 << 11);
    advance(&unit, Mode::User, 7);
    assert_eq!((read(&unit, PMC[4]), unit.unfed()), (0, CounterSet::from_bits(0b11_0000)));
}

#[test]
fn each_processor_has_branches_where_its_table_has_them() {
    let counted = |identity, control: u64, selects: u64, kind| {
        let unit = Device::new(&identity, Kinds::NONE.with(kind), Line::default());
        write(&unit, MMCR0, control);
        unit.try_write(spr(MMCR1), selects).ok();
        unit.advance(&Work::none(Mode::User).with(kind, 5));
        PMC.iter().filter_map(|&number| unit.try_read(spr(number)).ok()).sum::<u64>()
    };
    assert_eq!(counted(Identity::P604, 0x08, 0, Kind::Branches), 5);
    assert_eq!(counted(Identity::P604E, 0x07 << 6, 0, Kind::MispredictedBranches), 5);
    assert_eq!(counted(Identity::P750, 0, 0x08 << 22, Kind::MispredictedBranches), 5);
    assert_eq!(counted(Identity::P7400, 0, 0x05 << 27, Kind::TakenBranches), 5);
    assert_eq!(counted(Identity::P7400, 0x0B, 0, Kind::Loads), 5);
    assert_eq!(counted(Identity::P7450, 0x22 << 6, 0, Kind::Branches), 5);
    assert_eq!(counted(Identity::P7450, 0x14, 0, Kind::Stores), 5);
    assert_eq!(counted(Identity::P750, 0x22 << 6, 0, Kind::Branches), 0);
}

#[test]
fn a_freeze_is_for_all_counters() {
    let after = |control: u64, mode, marked| {
        let unit = unit(Identity::P7400);
        let mut context = ProcessorState::default();
        context.marked = marked;
        unit.set_processor(context);
        write(&unit, MMCR0, FIRST | SECOND | control);
        advance(&unit, mode, 3);
        [read(&unit, PMC[0]), read(&unit, PMC[1])]
    };
    assert_eq!(after(FC, Mode::User, false), [0; 2]);
    assert_eq!([after(FCS, Mode::Kernel, false), after(FCS, Mode::Hypervisor, false)], [[0; 2]; 2]);
    assert_eq!([after(FCS, Mode::User, false), after(FCP, Mode::Kernel, false)], [[3; 2]; 2]);
    assert_eq!([after(FCP, Mode::User, false), after(FCM1, Mode::User, true)], [[0; 2]; 2]);
    assert_eq!([after(FCM0, Mode::User, false), after(FCM1, Mode::User, false)], [[0; 2], [3; 2]]);
}

#[test]
fn an_overflow_interrupts_once_and_clears_its_enable() {
    for identity in Identity::ALL {
        let unit = sampling(identity, 10, 0);
        advance(&unit, Mode::User, 9);
        assert_eq!(rises(&unit), 0, "{}", identity.name());
        advance(&unit, Mode::User, 1);
        assert_eq!((rises(&unit), read(&unit, MMCR0) & PMXE), (1, 0), "{}", identity.name());
        advance(&unit, Mode::User, 100);
        assert_eq!((rises(&unit), read(&unit, PMC[0])), (1, NEGATIVE + 100), "{}", identity.name());
    }
}

#[test]
fn who_enables_with_a_negative_counter_has_his_interrupt_at_once() {
    let unit = sampling(Identity::P750, 1, 0);
    advance(&unit, Mode::User, 1);
    write(&unit, MMCR0, FC | FIRST | PMC1CE | PMXE);
    assert_eq!(rises(&unit), 2);
    write(&unit, PMC[0], 0);
    write(&unit, MMCR0, FIRST | PMC1CE | PMXE);
    assert_eq!(rises(&unit), 2);
}

#[test]
fn an_overflow_that_is_not_let_through_does_not_interrupt() {
    let unit = unit(Identity::P7450);
    write(&unit, PMC[0], NEGATIVE - 1);
    write(&unit, MMCR0, FIRST | PMCJCE | PMXE);
    advance(&unit, Mode::User, 5);
    assert_eq!(rises(&unit), 0);
    write(&unit, PMC[5], NEGATIVE);
    assert_eq!(rises(&unit), 1);
}

#[test]
fn a_condition_freezes_the_counters_and_on_the_old_processors_only_if_it_interrupts() {
    let frozen = |identity, enable| {
        let unit = sampling(identity, 1, FCECE);
        write(&unit, MMCR0, FIRST | PMC1CE | FCECE | enable);
        advance(&unit, Mode::User, 1);
        read(&unit, MMCR0) & FC != 0
    };
    for identity in Identity::ALL {
        let is_new = matches!(identity.name(), "PowerPC 7400" | "PowerPC 7450");
        assert_eq!((frozen(identity, PMXE), frozen(identity, 0)), (true, is_new), "{}", identity.name());
    }
}

#[test]
fn a_trigger_lets_the_others_go_when_pmc1_is_negative() {
    let unit = sampling(Identity::P7400, 3, TRIGGER | SECOND);
    write(&unit, MMCR0, FIRST | SECOND | TRIGGER);
    advance(&unit, Mode::User, 2);
    assert_eq!((read(&unit, PMC[1]), read(&unit, MMCR0) & TRIGGER), (0, TRIGGER));
    assert_eq!(unit.until_overflow(&Work::instructions(Mode::User, 1)), Some(1));
    advance(&unit, Mode::User, 1);
    advance(&unit, Mode::User, 4);
    assert_eq!((read(&unit, PMC[1]), read(&unit, MMCR0) & TRIGGER, rises(&unit)), (4, 0, 0));
}

#[test]
fn the_instruction_that_overflowed_is_kept() {
    let unit = sampling(Identity::P604, 1, 0);
    unit.set_processor(executing(0x1234, Some(0x5678)));
    advance(&unit, Mode::User, 1);
    assert_eq!((read(&unit, SIA), read(&unit, SDA)), (0x1234, 0x5678));
}

#[test]
fn from_the_750_on_sda_may_be_written_and_holds_nothing() {
    for identity in [Identity::P750, Identity::P7400, Identity::P7450] {
        let unit = sampling(identity, 1, 0);
        unit.set_processor(executing(4, Some(8)));
        advance(&unit, Mode::User, 1);
        write(&unit, SDA, 0xFFFF_FFFF);
        assert_eq!((read(&unit, SIA), read(&unit, SDA)), (4, 0), "{}", identity.name());
    }
}

#[test]
fn nothing_is_kept_while_the_counters_are_frozen() {
    let unit = unit(Identity::P7400);
    unit.set_processor(executing(4, None));
    write(&unit, PMC[0], NEGATIVE);
    write(&unit, MMCR0, FC | PMC1CE | PMXE);
    assert_eq!((rises(&unit), read(&unit, SIA)), (1, 0));
}

#[test]
fn each_processor_has_its_registers_and_no_others() {
    let had = |identity: &Identity| {
        let unit = unit(*identity);
        let kernels = (944..960).filter_map(pmu::arch::powerpc::Spr::from_number);
        kernels.filter(|at| unit.try_read(*at).is_ok()).map(|at| at.number()).collect::<Vec<_>>()
    };
    let [p604, p604e, p750, p7400, p7450] = [0, 1, 2, 3, 4].map(|it: usize| had(&Identity::ALL[it]));
    assert_eq!(p604, [952, 953, 954, 955, 959]);
    assert_eq!(p604e, [952, 953, 954, 955, 956, 957, 958, 959]);
    assert_eq!(p750, p604e);
    assert_eq!(p7400, [&[944], &p750[..]].concat());
    assert_eq!(p7450, [&[944, 945, 946], &p750[..]].concat());
}

#[test]
fn bits_that_a_register_does_not_have_are_dropped() {
    let kept = |identity, number| {
        let unit = unit(identity);
        write(&unit, number, u64::MAX);
        read(&unit, number)
    };
    assert_eq!(kept(Identity::P750, MMCR1), 0xFFC0_0000);
    assert_eq!(kept(Identity::P7450, MMCR1), 0xFFFF_F800);
    assert_eq!([kept(Identity::P7400, MMCR2), kept(Identity::P7450, MMCR2)], [0xE000_0000, 0x8000_0000]);
    assert_eq!(kept(Identity::P604, PMC[1]), 0xFFFF_FFFF);
}

#[test]
fn user_programs_read_copies_and_write_nothing() {
    let unit = sampling(Identity::P7450, 10, 0);
    assert_eq!(unit.read_from(Mode::User, spr(PMC[0] - 16)), Ok(NEGATIVE - 10));
    assert_eq!(unit.read_from(Mode::User, spr(MMCR2 - 16)), Ok(0));
    assert_eq!(unit.read_from(Mode::User, spr(MMCR0)), Err(Fault::Trapped(Mode::Kernel)));
    assert_eq!(unit.write_from(Mode::User, spr(PMC[0]), 0), Err(Fault::Trapped(Mode::Kernel)));
    assert_eq!(unit.write_from(Mode::User, spr(PMC[0] - 16), 0), Err(Fault::ReadOnly));
    assert_eq!(unit.try_write(spr(PMC[0] - 16), 0), Err(Fault::ReadOnly), "the kernel cannot either");
    let old = super::classic::unit(Identity::P604E);
    assert_eq!(old.read_from(Mode::User, spr(PMC[0] - 16)), Err(Fault::Absent));
}

#[test]
fn what_counters_count_is_what_the_host_is_asked_for() {
    let unit = unit(Identity::P604);
    write(&unit, MMCR0, 0x07 << 6 | 0x08);
    let branches = Kinds::NONE.with(Kind::Branches).with(Kind::MispredictedBranches);
    assert_eq!((unit.wanted(), unit.unfed()), (branches, CounterSet::from_bits(0b11)));
    write(&unit, MMCR0, FC | 0x07 << 6);
    assert_eq!((unit.wanted(), unit.unfed()), (Kinds::NONE, CounterSet::EMPTY));
}
