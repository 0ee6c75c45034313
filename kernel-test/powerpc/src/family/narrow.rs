//! The processors of 32 bits: the classic ones, whose unit has special-purpose registers, and e300 and e500,
//! whose unit has performance monitor registers. The kernel finds out which by [`Detected::detect`].

use pmu::arch::powerpc::access::{self, Hardware};
use pmu::arch::powerpc::classic;
use pmu::arch::powerpc::{Detected, Pmr, Pvr, Spr, embedded};
use pmu::driver::Registers;
use pmu::{CounterId, CounterSet, Event, Mode, Request, Result};

use super::hardware;
use crate::identity::{self, Processor};
use crate::masking::Here;

/// The driver.
pub type Driver = Detected<Hardware<Here>, access::Embedded<Here>>;

/// The counters of this processor that can be asked for.
pub fn counters(processor: &Processor) -> CounterSet {
    match processor {
        Processor::Classic(processor) => processor.capabilities().counters,
        Processor::Embedded(processor) => processor.capabilities().counters,
    }
}

/// A register of either family's unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Register {
    /// By MFSPR and MTSPR.
    Special(Spr),
    /// By MFPMR and MTPMR.
    Monitor(Pmr),
}

/// Reads a register.
pub fn read(at: Register) -> u64 {
    match at {
        Register::Special(at) => hardware().read(at),
        Register::Monitor(at) => monitor().read(at),
    }
}

/// Writes a register.
pub fn write(at: Register, value: u64) {
    match at {
        Register::Special(at) => hardware().write(at, value),
        Register::Monitor(at) => monitor().write(at, value),
    }
}

/// The embedded cores' registers.
fn monitor() -> access::Embedded<Here> {
    // SAFETY: as for `hardware`.
    unsafe { access::Embedded::claim(Here) }
}

/// The driver of a processor with this version.
///
/// # Errors
/// Those of [`Detected::detect`].
pub fn detect_as(version: Pvr) -> Result<Driver> {
    Detected::detect(version, hardware(), monitor())
}

/// Has the processor that is presented performance monitor registers?
pub fn is_embedded() -> bool {
    matches!(identity::presented().processor, Processor::Embedded(_))
}

/// Does the processor that is presented find its handlers by registers, as book E has it?
pub fn has_vectors_of_its_own() -> bool {
    match identity::presented().processor {
        Processor::Embedded(processor) => processor.capabilities().model != embedded::Model::E300,
        Processor::Classic(_) => false,
    }
}

/// Lets its unit's copies for user programs be seen by the host: QEMU's classic processors answer by
/// themselves what problem state reads, and knows no performance monitor register.
pub fn shows_copies() -> bool {
    is_embedded()
}

/// Does whatever lets it count enable the interrupt, though one is on its way? An embedded one keeps the line up.
pub fn reopens_line() -> bool {
    !is_embedded()
}

/// What controls all counters.
pub fn control() -> Register {
    if is_embedded() { Register::Monitor(Pmr::GLOBAL) } else { Register::Special(Spr::CLASSIC_MMCR0) }
}

/// In it: overflows interrupt (PMXE, or PMIE), which the interrupt clears.
pub fn enable() -> u64 {
    if is_embedded() { 1 << 30 } else { 1 << 26 }
}

/// In it: an overflow has interrupted. There is none.
pub const ALERT: u64 = 0;

/// A counter.
pub fn counter(counter: CounterId) -> Register {
    match Pmr::counter(counter.number()).filter(|_| is_embedded()) {
        Some(counter) => Register::Monitor(counter),
        None => Register::Special(Spr::CLASSIC_PMCS[usize::from(counter.number())]),
    }
}

/// Every register that the processor's unit has, but for those that say what was sampled.
pub fn registers(processor: &Processor) -> impl Iterator<Item = Register> + use<> {
    let (classic, embedded) = match processor {
        Processor::Classic(processor) => (Some(of_classic(&processor.capabilities())), None),
        Processor::Embedded(processor) => (None, Some(of_embedded(&processor.capabilities()))),
    };
    classic.into_iter().flatten().chain(embedded.into_iter().flatten())
}

fn of_classic(capabilities: &classic::Capabilities) -> impl Iterator<Item = Register> + use<> {
    let selects = capabilities.has_selects().then_some(Spr::CLASSIC_MMCR1);
    let extension = capabilities.has_extension().then_some(Spr::CLASSIC_MMCR2);
    let controls = [Some(Spr::CLASSIC_MMCR0), selects, extension].into_iter().flatten();
    let counters = capabilities.counters.into_iter().map(|counter| Spr::CLASSIC_PMCS[usize::from(counter.number())]);
    controls.chain(counters).map(Register::Special)
}

fn of_embedded(capabilities: &embedded::Capabilities) -> impl Iterator<Item = Register> + use<> {
    let thresholds = capabilities.has_threshold();
    let of_counter = move |counter: CounterId| {
        let number = counter.number();
        [Pmr::counter(number), Pmr::local(number), Pmr::threshold(number).filter(|_| thresholds)]
    };
    let counters = capabilities.counters.into_iter().flat_map(of_counter).flatten();
    core::iter::once(Pmr::GLOBAL).chain(counters).map(Register::Monitor)
}

/// Does this counter count instructions? The last two of a classic unit's six do not.
pub fn counts_instructions(_: &Processor, counter: CounterId) -> bool {
    counter.number() < 4
}

/// Can each counter be frozen in modes of its own?
pub fn has_freezes_of_its_own(_: &Driver) -> bool {
    is_embedded()
}

/// Are counters closed to user programs until they are lent? Copies are open always.
pub fn closes_counters(_: &Driver) -> bool {
    false
}

/// Reads the counter with this number as a user program does, which its kernel let.
pub fn read_as_user(number: u32) -> u64 {
    // SAFETY: user programs may read all counters, and the number is that of one.
    let user = unsafe { access::User::claim() };
    match is_embedded() {
        true => Pmr::from_number(number as u16).map_or(0, |counter| user.read_monitor(counter)),
        false => Spr::from_number(number as u16).map_or(0, |counter| user.read(counter)),
    }
}

/// Does the unit note where an overflow came? An embedded one does not.
pub fn notes_addresses() -> bool {
    !is_embedded()
}

/// The address of the instruction that was sampled last.
pub fn sampled_address(_: &Driver) -> Option<u64> {
    notes_addresses().then(|| hardware().read(Spr::CLASSIC_SIAR))
}

/// A unit that notes addresses notes every sample's.
pub fn samples_only_marked(_: &Driver) -> bool {
    false
}

/// Instructions on this counter: none is marked.
pub fn marked_instructions(counter: CounterId) -> Request {
    Request::new(Event::INSTRUCTIONS).pinned_to(counter)
}

/// The unit notes no mode.
pub fn sampled_mode() -> Option<Mode> {
    None
}

/// As [`sampled_mode`] says.
pub fn notes_mode(_: &Processor) -> bool {
    false
}

/// Cycles, which every counter counts alike.
pub fn cycles(_: CounterId) -> Event {
    Event::CYCLES
}

/// Requests that count one event an instruction and can be counted together.
pub fn one_an_instruction<const N: usize>() -> [Request; N] {
    [Request::new(Event::INSTRUCTIONS); N]
}

/// The driver as it is: user programs may read counters always.
pub fn lent(driver: Driver) -> Driver {
    driver
}

/// Instructions, which all of four counters count alike, and the first four of six.
pub fn instructions(_: CounterId) -> Event {
    Event::INSTRUCTIONS
}

/// No event of theirs has one in its code.
pub fn over_threshold(_: CounterId, _: u64, _: u64) -> Option<(Event, u64, u64)> {
    None
}

/// There is no such register.
pub fn sampling() -> u64 {
    0
}
