//! The ways to the unit that have drivers of their own: its registers, and calls to the firmware. What a test needs of
//! either is [`Way`].

use core::fmt::Debug;

use harness::{Fresh, LITTLE_ROOM, ROOM};
use pmu::{CounterId, Result, Unit};

/// A unit with the harness's room, and one with less.
pub type Units<D> = (&'static Fresh<Unit<D, ROOM>>, &'static Fresh<Unit<D, LITTLE_ROOM>>);

/// A way to the unit.
pub trait Way: Debug + Sized + 'static {
    /// The driver.
    type Driver: pmu::driver::Driver + 'static;

    /// By so many instructions do the driver's start and stop differ from one time to the next.
    const VARIES: u64;
    /// The counters of cycles and of instructions alone.
    const FIXED: [CounterId; 2];
    /// A bit that no event's code has.
    const NO_CODE: u64;

    /// The unit of the harness's sentences, and one with less room.
    fn units() -> Units<Self::Driver>;
    /// Finds the unit, by real instructions.
    ///
    /// # Errors
    /// Those of the driver's detection.
    fn detect() -> Result<Self::Driver>;
    /// Stops every counter, and makes everything what it is after a reset. What lower modes may read is nothing.
    fn reset();
    /// A number that stays the same as long as the unit's registers do, of which this way has the last word; no counter runs.
    fn fingerprint() -> u64;
    /// Fills every register with something of its own; these may be read below. No counter runs.
    fn leave(readable: u32);
    /// Returns a clock that advances by one an instruction of the kernel's, and that its driver does not know.
    fn clock() -> u64;
    /// Does what `body` does without an overflow interrupt.
    fn without_interrupts(body: impl FnOnce());
    /// Raises the overflow interrupt, though no counter overflows.
    fn raise_interrupt();
}
