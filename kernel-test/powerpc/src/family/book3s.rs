//! Book3S 64.

use pmu::arch::powerpc::access::Hardware;
use pmu::arch::powerpc::book3s::{Book3s, Generation, Privilege, ProblemAccess, spr};
use pmu::arch::powerpc::{Pvr, Spr};
use pmu::{CounterId, Event, Mode, Request, Result};

pub use pmu::arch::powerpc::book3s::{Device, Identity as Processor};

use crate::identity::{self, Identity, Worlds};

/// The driver.
pub type Driver = Book3s<Hardware>;

/// Every processor that there is.
pub const ALL: &[Identity] = &[
    Identity::new("power8", Processor::POWER8, Worlds::Both),
    Identity::new("power9", Processor::POWER9, Worlds::Both),
    Identity::new("power10", Processor::POWER10, Worlds::Both),
    Identity::new("powernv8", Processor::POWER8.above_all(), Worlds::Native),
    Identity::new("powernv9", Processor::POWER9.above_all(), Worlds::Native),
    Identity::new("powernv10", Processor::POWER10.above_all(), Worlds::Native),
    Identity::new("970", Processor::PPC970, Worlds::Hosted),
];

/// The driver of a processor with this version.
///
/// # Errors
/// Those of [`Driver::detect`].
pub fn detect_as(version: Pvr, hardware: Hardware) -> Result<Driver> {
    Driver::detect(version, Privilege::of_machine_state(hardware.machine_state()), hardware)
}

/// What controls all counters.
pub const CONTROL: Spr = spr::MMCR0;

/// A counter.
pub fn counter(counter: CounterId) -> Spr {
    spr::pmc(counter)
}

/// Every register that the processor's unit has, but for those that say what was sampled.
pub fn registers(processor: &Processor) -> impl Iterator<Item = Spr> + use<> {
    let facts = processor.facts();
    let freezes = facts.has_freezes().then_some(spr::MMCR2);
    let sources = facts.has_sources().then_some(spr::MMCR3);
    let controls = [Some(spr::MMCR0), Some(spr::MMCR1), Some(spr::MMCRA), freezes, sources];
    controls.into_iter().flatten().chain(facts.counters.into_iter().map(counter))
}

/// Does this counter count instructions? Where there are six, the sixth counts cycles alone.
pub fn counts_instructions(processor: &Processor, counter: CounterId) -> bool {
    const PMC6: u8 = 5;
    processor.facts().counters.len() != 6 || counter.number() != PMC6
}

/// Can each counter be frozen in modes of its own?
pub fn has_freezes_of_its_own(driver: &Driver) -> bool {
    driver.facts().has_freezes()
}

/// The address of the instruction that was sampled last, if the unit has noted it.
pub fn sampled_address(driver: &Driver) -> Option<u64> {
    driver.sampled().address
}

/// Does the unit note the addresses of marked instructions alone?
pub fn notes_marked_alone(driver: &Driver) -> bool {
    driver.facts().notes_marked_alone()
}

/// Instructions on this counter of a 970, which are marked: the auxiliary value is MMCRA's SAMPLE_ENABLE.
pub fn marked_instructions(counter: CounterId) -> Request {
    const INSTRUCTIONS: u64 = 0x01;
    Request::new(Event::raw_with(INSTRUCTIONS, 1)).pinned_to(counter)
}

/// The mode of the instruction that was sampled last, if the unit notes it.
pub fn sampled_mode() -> Option<Mode> {
    crate::guest::unit::detect().ok()?.sampled().mode
}

/// Is what it notes to be trusted? On the 970 it is of marked instructions alone, and not on POWER10.
pub fn notes_mode(processor: &Processor) -> bool {
    !matches!(processor.facts().generation, Generation::Ppc970 | Generation::Power10)
}

/// Cycles, as this counter counts them: PM_CYC, which is 1EH on PMC1 to PMC4 from POWER6 on (IBM's event
/// lists of POWER8, POWER9 and POWER10), or as the driver's table has it.
pub fn cycles(counter: CounterId) -> Event {
    if counter.number() < 4 { Event::raw(0x1e) } else { Event::CYCLES }
}

/// The driver, that lets user programs read counters.
pub fn lent(driver: Driver) -> Driver {
    driver.with_problem_access(ProblemAccess::Reads)
}

/// Instructions, as this counter counts them: PM_INST_CMPL, which is 2 on PMC1 to PMC4 from POWER6 on, or
/// as the driver's table has it.
pub fn instructions(counter: CounterId) -> Event {
    let has_one_code = identity::presented().processor.facts().counters.len() == 6;
    if has_one_code && counter.number() < 4 { Event::raw(2) } else { Event::INSTRUCTIONS }
}

/// Marked instructions that took longer than a threshold (PM_THRESH_MET, 1ECH on each of PMC1 to PMC4: IBM's
/// event lists of POWER8, POWER9 and POWER10), which is the upper `bits` of a mantissa * 4^exponent; and what
/// is then where in MMCRA. `None` where there is no threshold.
pub fn over_threshold(counter: CounterId, exponent: u64, bits: u64) -> Option<(Event, u64, u64)> {
    /// Which events the time is between, and which it is counted in.
    const CONTROL: u64 = 0x64;
    const EVENT: u64 = 4;
    let (mantissa, shift) = match identity::presented().processor.facts().generation {
        Generation::Power8 => (7, 32),
        Generation::Power9 => (7, 45),
        Generation::Power10 => (8, 45),
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
    use pmu::Registers as _;
    crate::guest::unit::hardware().read(spr::MMCRA)
}
