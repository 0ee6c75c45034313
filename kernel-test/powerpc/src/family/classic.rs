//! The classic processors of 32 bits.

use pmu::arch::powerpc::access::Hardware;
use pmu::arch::powerpc::classic::{Classic, spr};
use pmu::arch::powerpc::{Pvr, Spr};
use pmu::{CounterId, Event, Mode, Registers, Request, Result};

pub use pmu::arch::powerpc::classic::{Device, Identity as Processor};

use crate::guest::unit;
use crate::identity::{Identity, Worlds};

/// The driver.
pub type Driver = Classic<Hardware>;

/// Every processor that there is.
pub const ALL: &[Identity] =
    &[Identity::new("750", Processor::P750, Worlds::Hosted), Identity::new("7450", Processor::P7450, Worlds::Hosted)];

/// The driver of a processor with this version.
///
/// # Errors
/// Those of [`Driver::detect`].
pub fn detect_as(version: Pvr, hardware: Hardware) -> Result<Driver> {
    Driver::detect(version, hardware)
}

/// What controls all counters.
pub const CONTROL: Spr = spr::MMCR0;

/// A counter.
pub fn counter(counter: CounterId) -> Spr {
    spr::PMCS[usize::from(counter.number())]
}

/// Every register that the processor's unit has, but for those that say what was sampled.
pub fn registers(processor: &Processor) -> impl Iterator<Item = Spr> + use<> {
    let facts = processor.facts();
    let selects = facts.has_selects().then_some(spr::MMCR1);
    let extension = facts.has_extension().then_some(spr::MMCR2);
    [Some(spr::MMCR0), selects, extension].into_iter().flatten().chain(facts.counters.into_iter().map(counter))
}

/// Does this counter count instructions? The last two of six do not.
pub fn counts_instructions(_: &Processor, counter: CounterId) -> bool {
    counter.number() < 4
}

/// Can each counter be frozen in modes of its own?
pub fn has_freezes_of_its_own(_: &Driver) -> bool {
    false
}

/// The address of the instruction that was sampled last.
pub fn sampled_address(_: &Driver) -> Option<u64> {
    Some(unit::hardware().read(spr::SIAR))
}

/// The unit notes every sample's.
pub fn notes_marked_alone(_: &Driver) -> bool {
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

/// The driver as it is: user programs may read counters always.
pub fn lent(driver: Driver) -> Driver {
    driver
}

/// Instructions, which the first four counters count alike.
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
