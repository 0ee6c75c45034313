//! The embedded cores' unit, sentence by sentence.

use pmu::arch::powerpc::Pmr;
use pmu::arch::powerpc::ProcessorState;
use pmu::arch::powerpc::embedded::{Device, Identity};
use pmu::virt::{self, Device as _, Fault, Kind, Kinds, Work};
use pmu::{CounterSet, Mode};

use super::pmr;
use crate::every_device::{Edge, Family, Judged, StateOf, filled};
use crate::power64::everything;
use crate::support::line::Level;

pub(crate) const PMGC0: u16 = 400;
pub(crate) const PMLCA0: u16 = 144;
pub(crate) const PMLCB0: u16 = 272;
pub(crate) const PMC0: u16 = 16;

// PMGC0 and PMLCa, as e500's manual numbers their bits, from 32 on.
pub(crate) const FAC: u64 = 1 << (63 - 32);
pub(crate) const PMIE: u64 = 1 << (63 - 33);
pub(crate) const FCECE: u64 = 1 << (63 - 34);
pub(crate) const FC: u64 = 1 << (63 - 32);
pub(crate) const FCS: u64 = 1 << (63 - 33);
pub(crate) const FCU: u64 = 1 << (63 - 34);
pub(crate) const FCM1: u64 = 1 << (63 - 35);
pub(crate) const FCM0: u64 = 1 << (63 - 36);
pub(crate) const CE: u64 = 1 << (63 - 37);
pub(crate) const FCGS1: u64 = 1 << (63 - 62);
pub(crate) const FCGS0: u64 = 1;
/// EVENT: instructions.
pub(crate) const INSTRUCTIONS: u64 = 2 << 16;

const PAST: u64 = 1 << 31;

pub(crate) type Unit = Device<Level>;

pub(crate) fn unit(identity: Identity) -> Unit {
    Device::new(&identity, Kinds::CLOCK, Level::default())
}

pub(crate) fn read(unit: &Unit, number: u16) -> u64 {
    unit.try_read(pmr(number)).unwrap()
}

pub(crate) fn write(unit: &Unit, number: u16, value: u64) {
    unit.try_write(pmr(number), value).unwrap();
}

fn advance(unit: &Unit, mode: Mode, instructions: u64) {
    unit.advance(&Work::instructions(mode, instructions));
}

/// PMC1 counts instructions, and is so many before its overflow, which interrupts.
fn sampling(left: u64) -> Unit {
    let unit = unit(Identity::E500_V2);
    write(&unit, PMC0 + 1, PAST - left);
    write(&unit, PMLCA0 + 1, INSTRUCTIONS | CE);
    write(&unit, PMGC0, PMIE);
    unit
}

fn line(unit: &Unit) -> (u64, bool) {
    (unit.trigger().rises(), unit.trigger().is_high())
}

struct Embedded;

impl Family for Embedded {
    lends! { pmu::arch::powerpc::embedded, ticks context; is_asserted }

    type Counter = u16;

    const COUNTERS: &'static [u16] = &[0, 1];
    const EDGE: Edge = Edge::negative(32);
    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::E300, |state| state.counters[3] = 1 << 32, Err(Fault::Reserved)),
        (Identity::E300, |state| state.thresholds[0] = 1, Err(Fault::Absent)),
        (Identity::E300, |state| state.locals[0] = 1, Err(Fault::Reserved)),
        (Identity::E300, |state| state.global = 1, Err(Fault::Reserved)),
        (Identity::E300, |state| state.global = PMIE, Ok(())),
        // What would freeze at once has frozen before a snapshot.
        (Identity::E300, |state| past(state, FCECE), Err(Fault::Reserved)),
        (Identity::E300, |state| past(state, FCECE | FAC), Ok(())),
        (Identity::E300, |state| past(state, PMIE), Ok(())),
    ];

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        let unit = Self::unit(identity);
        unit.set_processor(everything());
        let mut full = filled(&unit, (0..512).filter_map(Pmr::from_number));
        full.ticks = u64::MAX;
        vec![full]
    }

    fn start<D: virt::Device<Address = Pmr>>(unit: &D, _: &Identity, number: u16, value: u64) {
        unit.try_write(pmr(PMC0 + number), value).unwrap();
        unit.try_write(pmr(PMLCA0 + number), INSTRUCTIONS | CE).unwrap();
        unit.try_write(pmr(PMGC0), PMIE).unwrap();
    }

    fn value<D: virt::Device<Address = Pmr>>(unit: &D, number: u16) -> u64 {
        unit.try_read(pmr(PMC0 + number)).unwrap()
    }
}

/// Contents with PMC0 past its overflow.
fn past(state: &mut StateOf<Embedded>, global: u64) {
    (state.counters[0], state.locals[0], state.global) = (PAST, CE, global);
}

every_device! { Embedded, judged, interrupts, levels }

#[test]
fn each_counter_counts_its_own_event_in_its_own_states() {
    let unit = unit(Identity::E500_V2);
    write(&unit, PMLCA0, INSTRUCTIONS);
    write(&unit, PMLCA0 + 1, 1 << 16 | FCS);
    write(&unit, PMLCA0 + 2, INSTRUCTIONS | FCU);
    write(&unit, PMLCA0 + 3, INSTRUCTIONS | FC);
    advance(&unit, Mode::User, 5);
    advance(&unit, Mode::Kernel, 3);
    assert_eq!([0, 1, 2, 3].map(|n| read(&unit, PMC0 + n)), [8, 5, 3, 0]);
    write(&unit, PMGC0, FAC);
    advance(&unit, Mode::User, 5);
    assert_eq!([0, 1, 2, 3].map(|n| read(&unit, PMC0 + n)), [8, 5, 3, 0]);
}

#[test]
fn a_marked_process_can_be_told_apart_and_on_e500mc_a_guest() {
    let after = |local: u64, context| {
        let unit = unit(Identity::E500MC);
        unit.set_processor(context);
        write(&unit, PMLCA0, INSTRUCTIONS | local);
        advance(&unit, Mode::User, 3);
        read(&unit, PMC0)
    };
    let [mut marked, mut guest] = [ProcessorState::default(); 2];
    (marked.marked, guest.guest) = (true, true);
    assert_eq!([after(FCM1, marked), after(FCM1, guest)], [0, 3]);
    assert_eq!([after(FCM0, marked), after(FCM0, guest)], [3, 0]);
    assert_eq!([after(FCGS1, marked), after(FCGS1, guest)], [3, 0]);
    assert_eq!([after(FCGS0, marked), after(FCGS0, guest)], [0, 3]);
}

#[test]
fn an_overflow_interrupts_for_as_long_as_it_lasts() {
    let unit = sampling(10);
    advance(&unit, Mode::User, 9);
    assert_eq!(line(&unit), (0, false));
    advance(&unit, Mode::User, 1);
    assert_eq!(line(&unit), (1, true));
    advance(&unit, Mode::User, 1);
    assert_eq!((line(&unit), read(&unit, PMGC0)), ((1, true), PMIE));
    write(&unit, PMC0 + 1, 0);
    assert_eq!(line(&unit), (1, false));
}

#[test]
fn an_interrupt_whose_cause_is_disabled_is_gone() {
    for (number, value) in [(PMGC0, 0), (PMGC0, FAC), (PMLCA0 + 1, INSTRUCTIONS)] {
        let unit = sampling(1);
        advance(&unit, Mode::User, 1);
        write(&unit, number, value);
        assert_eq!(line(&unit), (1, false), "{number} <- {value:#x}");
    }
}

#[test]
fn the_processor_clears_the_enable_as_it_takes_the_interrupt() {
    let unit = sampling(1);
    advance(&unit, Mode::User, 1);
    unit.interrupted();
    assert_eq!((line(&unit), read(&unit, PMGC0)), ((1, false), 0));
    write(&unit, PMGC0, PMIE);
    assert_eq!(line(&unit), (2, true), "the counter is past its overflow still");
}

#[test]
fn a_counter_that_is_put_past_its_overflow_interrupts_at_once() {
    let unit = sampling(10);
    write(&unit, PMC0 + 1, PAST);
    assert_eq!(line(&unit), (1, true));
}

#[test]
fn a_condition_freezes_all_counters_whether_or_not_it_interrupts() {
    let unit = sampling(1);
    write(&unit, PMLCA0, INSTRUCTIONS);
    write(&unit, PMGC0, FCECE);
    advance(&unit, Mode::User, 1);
    assert_eq!(read(&unit, PMGC0), FCECE | FAC);
    advance(&unit, Mode::User, 5);
    assert_eq!((read(&unit, PMC0), line(&unit)), (1, (0, false)));
}

#[test]
fn an_overflow_without_its_condition_is_none() {
    let unit = sampling(1);
    write(&unit, PMLCA0 + 1, INSTRUCTIONS);
    write(&unit, PMGC0, PMIE | FCECE);
    assert_eq!(unit.until_overflow(&Work::instructions(Mode::User, 1)), None);
    advance(&unit, Mode::User, 5);
    assert_eq!((line(&unit), read(&unit, PMGC0)), ((0, false), PMIE | FCECE));
}

#[test]
fn each_core_has_its_registers_and_bits() {
    let kept = |identity, number| {
        let unit = unit(identity);
        unit.try_write(pmr(number), !PMIE).map(|()| read(&unit, number))
    };
    let cores = |number| Identity::ALL.map(|identity| kept(identity, number));
    assert_eq!(cores(PMLCA0), [0xBC7F_0000, 0xBC7F_0000, 0xBC7F_0000, 0xBCFF_0003].map(Ok));
    assert_eq!(cores(PMLCB0 + 3), [Err(Fault::Absent), Ok(0x73F), Ok(0x73F), Ok(0x73F)]);
    assert_eq!([kept(Identity::E500_V1, PMGC0), kept(Identity::E500_V2, PMGC0)], [Ok(0xA000_0000), Ok(0xA000_1900)]);
    assert_eq!(kept(Identity::E300, PMC0 + 3), Ok(0xBFFF_FFFF));
}

#[test]
fn user_programs_read_copies_and_write_nothing() {
    let unit = sampling(10);
    assert_eq!(unit.read_from(Mode::User, pmr(1)), Ok(PAST - 10));
    assert_eq!(unit.read_from(Mode::User, pmr(384)), Ok(PMIE));
    assert_eq!(unit.read_from(Mode::User, pmr(PMGC0)), Err(Fault::Trapped(Mode::Kernel)));
    assert_eq!(unit.write_from(Mode::User, pmr(PMC0), 0), Err(Fault::Trapped(Mode::Kernel)));
    assert_eq!(unit.write_from(Mode::User, pmr(1), 0), Err(Fault::ReadOnly));
    assert_eq!(unit.try_write(pmr(1), 0), Err(Fault::ReadOnly), "the kernel cannot either");
}

#[test]
fn every_event_of_the_table_that_is_work_is_counted() {
    let table = [
        (1, Kind::Cycles),
        (2, Kind::Instructions),
        (8, Kind::Branches),
        (9, Kind::Loads),
        (10, Kind::Stores),
        (13, Kind::TakenBranches),
        (15, Kind::MispredictedBranches),
        (34, Kind::MisalignedReferences),
    ];
    for (event, kind) in table {
        let unit = Device::new(&Identity::E500_V2, Kinds::NONE.with(kind), Level::default());
        write(&unit, PMLCA0, event << 16);
        unit.advance(&Work::none(Mode::User).with(kind, 5));
        assert_eq!((read(&unit, PMC0), unit.wanted(), unit.unfed()), (5, Kinds::NONE.with(kind), CounterSet::EMPTY));
    }
}

#[test]
fn an_event_that_nobody_feeds_is_said_to_be() {
    let unit = unit(Identity::E300);
    write(&unit, PMLCA0 + 2, 34 << 16);
    write(&unit, PMLCA0 + 3, 0x52 << 16);
    assert_eq!((unit.unfed(), unit.wanted()), (CounterSet::from_bits(0b1100), Kinds::NONE));
}

#[test]
fn only_counters_are_read_as_counters() {
    let unit = sampling(10);
    assert_eq!(unit.try_read_counter(Pmr::counter(1).unwrap()), Ok(PAST - 10));
    assert_eq!(unit.try_read_counter(Pmr::GLOBAL), Err(Fault::Absent));
}
