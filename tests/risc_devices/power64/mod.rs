//! Book3S 64's unit in software behaves as the architecture says, and a guest cannot misuse it.

mod alerts;
mod counting;
mod freezing;
mod guests;
mod oracle;
mod problem;
mod registers;
mod strict;

use pmu::arch::powerpc::ProcessorState;
use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::book3s::{Device, Identity};
use pmu::virt::{self, Device as _, Fault, Kinds, Work};
use pmu::{CounterId, Mode};

use crate::every_device::{Edge, Family, Judged, StateOf, filled};
use crate::support::line::Level;

pub(crate) type Unit = Device<Level>;

pub(crate) fn unit(identity: &Identity) -> Unit {
    Device::new(identity, Kinds::CLOCK, Level::default())
}

/// PMC1 and so on, by the manual's number.
pub(crate) fn pmc(number: u8) -> Spr {
    Spr::pmc(CounterId::new(number - 1).unwrap())
}

pub(crate) fn at(number: u16) -> Spr {
    Spr::from_number(number).unwrap()
}

pub(crate) fn read<D: virt::Device<Address = Spr>>(unit: &D, at: Spr) -> u64 {
    unit.try_read(at).unwrap()
}

pub(crate) fn write<D: virt::Device<Address = Spr>>(unit: &D, at: Spr, value: u64) {
    unit.try_write(at, value).unwrap();
}

pub(crate) fn advance(unit: &Unit, mode: Mode, instructions: u64) {
    unit.advance(&Work::instructions(mode, instructions));
}

/// What the processor does at this instruction, which has no data.
pub(crate) fn executing(instruction: u64) -> ProcessorState {
    let mut context = ProcessorState::default();
    context.instruction = instruction;
    context
}

/// A processor that does not run.
pub(crate) fn waiting() -> ProcessorState {
    let mut context = ProcessorState::default();
    context.running = false;
    context
}

/// MMCR1 with instructions on PMC1 to PMC4, of POWER6 to POWER10.
pub(crate) const INSTRUCTIONS: u64 = 0x0202_0202;
/// The same of Microwatt, whose PMC2 counts cycles, which are as many.
const INSTRUCTIONS_OF_MICROWATT: u64 = 0xFEF4_F4FA;
/// The same with cycles.
pub(crate) const CYCLES: u64 = 0x1E1E_1E1E;

/// MMCR1 with instructions on PMC1 to PMC4 of a processor since POWER6.
pub(crate) fn instructions(identity: &Identity) -> u64 {
    if identity.name() == "Microwatt" { INSTRUCTIONS_OF_MICROWATT } else { INSTRUCTIONS }
}

// MMCR0, as Power ISA 2.07B numbers its bits.
pub(crate) const FC: u64 = 1 << (63 - 32);
pub(crate) const FCS: u64 = 1 << (63 - 33);
pub(crate) const FCP: u64 = 1 << (63 - 34);
pub(crate) const FCM1: u64 = 1 << (63 - 35);
pub(crate) const FCM0: u64 = 1 << (63 - 36);
pub(crate) const PMAE: u64 = 1 << (63 - 37);
pub(crate) const FCECE: u64 = 1 << (63 - 38);
pub(crate) const EBE: u64 = 1 << (63 - 43);
pub(crate) const PMCC: u64 = 0b11 << (63 - 45);
pub(crate) const PMC1CE: u64 = 1 << (63 - 48);
pub(crate) const PMCJCE: u64 = 1 << (63 - 49);
pub(crate) const TRIGGER: u64 = 1 << (63 - 50);
pub(crate) const FCPC: u64 = 1 << (63 - 51);
pub(crate) const CC56RUN: u64 = 1 << (63 - 55);
pub(crate) const PMAO: u64 = 1 << (63 - 56);
pub(crate) const FC1_4: u64 = 1 << (63 - 58);
pub(crate) const FC5_6: u64 = 1 << (63 - 59);
pub(crate) const FC1_4WAIT: u64 = 1 << (63 - 62);
pub(crate) const FCH: u64 = 1;

/// A processor all of whose state is set.
pub(crate) fn everything() -> ProcessorState {
    let mut context = executing(u64::MAX);
    context.datum = Some(u64::MAX);
    (context.marked, context.running, context.guest) = (true, true, true);
    context
}

struct Book3s;

impl Family for Book3s {
    lends! { pmu::arch::powerpc::book3s, ticks context; is_asserted }

    type Counter = u8;

    const COUNTERS: &'static [u8] = &[1, 2];
    const EDGE: Edge = Edge::negative(32);
    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::POWER7, |state| state.freezes = 1, Err(Fault::Absent)),
        (Identity::POWER7, |state| state.counters[6] = 1, Err(Fault::Absent)),
        (Identity::POWER7, |state| state.control = 1 << 32, Err(Fault::Reserved)),
        (Identity::POWER7, |state| state.counters = [1 << 32; 8], Err(Fault::Reserved)),
        // What would follow at once has followed before a snapshot.
        (Identity::POWER7, |state| negative(state, PMAE | PMC1CE), Err(Fault::Reserved)),
        (Identity::POWER7, |state| negative(state, FCECE | PMC1CE), Err(Fault::Reserved)),
        (Identity::POWER7, |state| negative(state, TRIGGER), Err(Fault::Reserved)),
        (Identity::POWER7, |state| negative(state, PMAE), Ok(())),
        (Identity::POWER7, |state| negative(state, FCECE | PMC1CE | FC), Ok(())),
        (Identity::POWER7, |state| negative(state, PMC1CE), Ok(())),
    ];

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        let unit = Self::unit(identity);
        unit.set_processor(everything());
        // An alert changes MMCRA and SIER.
        let mut full = filled(&unit, (736..800).chain([752, 753, 784, 786]).filter_map(Spr::from_number));
        full.ticks = u64::MAX;
        vec![full]
    }

    /// Selectors of instructions, or of cycles, which are as many, on PMC1 and PMC2.
    fn start<D: virt::Device<Address = Spr>>(unit: &D, identity: &Identity, number: u8, value: u64) {
        let (low, selects) = match identity.name() {
            "POWER4" => (0x0D0E, 0x4A56_75AC),
            "PowerPC 970" => (0x051E, 0x0A46_F18C),
            "POWER5" | "POWER5+" => (0, 0x1212_1212),
            _ => (0, instructions(identity)),
        };
        let enable = if number == 1 { PMC1CE } else { PMCJCE };
        write(unit, at(798), selects);
        write(unit, pmc(number), value);
        write(unit, at(795), read(unit, at(795)) & !(FC | PMAO) | low | PMAE | enable);
    }

    fn value<D: virt::Device<Address = Spr>>(unit: &D, number: u8) -> u64 {
        read(unit, pmc(number))
    }
}

/// Contents with PMC1 past its overflow.
fn negative(state: &mut StateOf<Book3s>, control: u64) {
    (state.counters[0], state.control) = (1 << 31, control);
}

every_device! { Book3s, judged, interrupts, latches, levels }
