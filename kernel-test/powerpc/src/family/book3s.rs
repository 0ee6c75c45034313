//! Book3S 64.

use core::array;

use pmu::arch::powerpc::access::{Hardware, User};
use pmu::arch::powerpc::book3s::{Book3s, Model, Privilege, ProblemAccess};
use pmu::arch::powerpc::{Pvr, Spr};
use pmu::driver::Registers;
use pmu::{CounterId, CounterSet, Event, Mode, Request, Result};

pub use pmu::arch::powerpc::Spr as Register;

use super::{detect, hardware};
use crate::identity::{self, Processor};
use crate::masking::Here;

/// The driver.
pub type Driver = Book3s<Hardware<Here>>;

/// The driver of a processor with this version.
///
/// # Errors
/// Those of [`Driver::detect`].
pub fn detect_as(version: Pvr) -> Result<Driver> {
    let hardware = hardware();
    Driver::detect(version, Privilege::of_machine_state(hardware.machine_state()), hardware)
}

/// Reads a register.
pub fn read(at: Register) -> u64 {
    hardware().read(at)
}

/// Writes a register.
pub fn write(at: Register, value: u64) {
    hardware().write(at, value);
}

/// There are no performance monitor registers.
pub fn is_embedded() -> bool {
    false
}

/// Nor registers that name vectors.
pub fn has_vectors_of_its_own() -> bool {
    false
}

/// Lets its unit's copies for user programs be seen by the host: what problem state reads traps.
pub fn shows_copies() -> bool {
    true
}

/// Does whatever lets it count enable the exception, though one is on its way? That one is a bit of the unit's here.
pub fn reopens_line() -> bool {
    false
}

/// What controls all counters.
pub fn control() -> Register {
    Spr::MMCR0
}

/// In it: overflows alert (PMAE), which the alert clears (Power ISA 3.1 Book III, "Monitor Mode Control
/// Register 0").
pub fn enable() -> u64 {
    1 << 26
}

/// In it: an alert has occurred (PMAO).
pub const ALERT: u64 = 1 << 7;

/// A counter.
pub fn counter(counter: CounterId) -> Register {
    Spr::pmc(counter)
}

/// The counters of this processor that can be asked for.
pub fn counters(processor: &Processor) -> CounterSet {
    processor.capabilities().usable
}

/// Every register that the processor's unit has, but for those that say what was sampled.
pub fn registers(processor: &Processor) -> impl Iterator<Item = Register> + use<> {
    let capabilities = processor.capabilities();
    let freezes = capabilities.has_freezes().then_some(Spr::MMCR2);
    let sources = capabilities.has_sources().then_some(Spr::MMCR3);
    let controls = [Some(Spr::MMCR0), Some(Spr::MMCR1), Some(Spr::MMCRA), freezes, sources];
    controls.into_iter().flatten().chain(capabilities.counters.into_iter().map(counter))
}

/// Does this counter count instructions? Where there are six, the sixth counts cycles alone.
pub fn counts_instructions(processor: &Processor, counter: CounterId) -> bool {
    const PMC6: u8 = 5;
    processor.capabilities().counters.len() != 6 || counter.number() != PMC6
}

/// Can each counter be frozen in modes of its own?
pub fn has_freezes_of_its_own(driver: &Driver) -> bool {
    driver.capabilities().has_freezes()
}

/// Are counters closed to user programs until they are lent?
pub fn closes_counters(driver: &Driver) -> bool {
    has_freezes_of_its_own(driver)
}

/// Reads the counter with this number as a user program does, which its kernel let.
pub fn read_as_user(number: u32) -> u64 {
    // SAFETY: the kernel has lent the counters of which a page has numbers.
    let user = unsafe { User::claim() };
    Spr::from_number(number as u16).map_or(0, |counter| user.read(counter))
}

/// Does the unit note where an overflow came?
pub fn notes_addresses() -> bool {
    true
}

/// The address of the instruction that was sampled last, if the unit has noted it.
pub fn sampled_address(driver: &Driver) -> Option<u64> {
    driver.sampled().address
}

/// Does the unit note the addresses of marked instructions alone?
pub fn samples_only_marked(driver: &Driver) -> bool {
    driver.capabilities().samples_only_marked()
}

/// Instructions on this counter of a 970, which are marked: the auxiliary value is MMCRA's SAMPLE_ENABLE.
pub fn marked_instructions(counter: CounterId) -> Request {
    const INSTRUCTIONS: u64 = 0x01;
    Request::new(Event::raw_with(INSTRUCTIONS, 1)).pinned_to(counter)
}

/// The mode of the instruction that was sampled last, if the unit notes it.
pub fn sampled_mode() -> Option<Mode> {
    detect().ok()?.sampled().mode
}

/// Is what it notes to be trusted? On the 970 it is of marked instructions alone, and not on POWER10.
pub fn notes_mode(processor: &Processor) -> bool {
    !matches!(processor.capabilities().model, Model::Ppc970 | Model::Power10)
}

/// Cycles, as this counter counts them: PM_CYC, which is 1EH on PMC1 to PMC4 from POWER6 on (IBM's event
/// lists of POWER8, POWER9 and POWER10), or as the driver's table has it.
pub fn cycles(counter: CounterId) -> Event {
    if counter.number() < 4 { Event::raw(0x1e) } else { Event::CYCLES }
}

/// Requests that count one event an instruction and can be counted together. On a POWER10 two counters count
/// instructions, and those that are asked for here count cycles.
pub fn one_an_instruction<const N: usize>() -> [Request; N] {
    let counts_cycles = identity::presented().processor.capabilities().model == Model::Power10;
    array::from_fn(|number| match CounterId::new(number as u8).filter(|_| counts_cycles) {
        Some(counter) => Request::new(cycles(counter)).pinned_to(counter),
        None => Request::new(Event::INSTRUCTIONS),
    })
}

/// The driver, that lets user programs read counters.
pub fn lent(driver: Driver) -> Driver {
    driver.with_problem_access(ProblemAccess::Reads)
}

/// Instructions, as this counter counts them: PM_INST_CMPL, which is 2 on PMC1 to PMC4 from POWER6 on, or
/// as the driver's table has it.
pub fn instructions(counter: CounterId) -> Event {
    let has_one_code = identity::presented().processor.capabilities().counters.len() == 6;
    if has_one_code && counter.number() < 4 { Event::raw(2) } else { Event::INSTRUCTIONS }
}

/// Marked instructions that took longer than a threshold (PM_THRESH_MET, 1ECH on each of PMC1 to PMC4: IBM's
/// event lists of POWER8, POWER9 and POWER10), which is the upper `bits` of a mantissa * 4^exponent; and what
/// is then where in MMCRA. `None` where there is no threshold.
pub fn over_threshold(counter: CounterId, exponent: u64, bits: u64) -> Option<(Event, u64, u64)> {
    /// Which events the time is between, and which it is counted in.
    const CONTROL: u64 = 0x64;
    const EVENT: u64 = 4;
    let (mantissa, shift) = match identity::presented().processor.capabilities().model {
        Model::Power8 => (7, 32),
        Model::Power9 => (7, 45),
        Model::Power10 => (8, 45),
        _ => return None,
    };
    let value = exponent << mantissa | bits << (mantissa - 2);
    let code = 0x1EC | u64::from(counter.number() + 1) << 16 | EVENT << 29 | CONTROL << 32;
    let event = if mantissa == 8 { Event::raw_with(code, value) } else { Event::raw(code | value << 40) };
    // SAMPLE_ENABLE, THRESH_START and THRESH_STOP, THRESH_SEL, THRESH_CMP.
    let all = 1 | 0xFFFF << 8 & 0x7_FF00 | ((8 << mantissa) - 1) << shift;
    Some((event, all, 1 | CONTROL << 8 | EVENT << 16 | value << shift))
}

/// MMCRA now.
pub fn sampling() -> u64 {
    read(Spr::MMCRA)
}
