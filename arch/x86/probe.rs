//! Checks that a unit really exists, beyond what CPUID says.

use super::selector::{ENABLE, UNIT_MASK};
use super::{Msr, Msrs, Window};
use crate::event::{CounterId, CounterSet, Error, Result, Width};

/// Register accesses that may fault, provided by the kernel. They return `None` if RDMSR or WRMSR raises #GP.
///
/// Old processors have no CPUID bit for their unit, so a hypervisor whose guests have none cannot announce that.
/// Only a fault shows it, and only the kernel can handle one.
pub trait Guarded {
    /// Reads a register. Returns `None` if it does not exist.
    fn try_read(&self, at: Msr) -> Option<u64>;

    /// Writes a register. Returns `None` if it does not exist.
    fn try_write(&self, at: Msr, value: u64) -> Option<()>;
}

/// Returns a value to write to a selector that holds `before`, in order to see whether it is kept: with another unit
/// mask, which every selector has, and with which no counter starts to run. EN must be 0.
const fn trial(before: u64) -> u64 {
    (before ^ UNIT_MASK) & !ENABLE
}

/// Checks that the selector at `at` keeps what is written to it. Some emulators announce a unit and ignore
/// every write.
///
/// # Errors
/// Returns [`Error::Swallowed`] if it does not. The selector has its old value then.
pub(super) fn check_kept<R: Msrs>(registers: &R, at: Msr) -> Result<()> {
    check(registers, at, trial, |value| registers.write(at, value))
}

/// Checks that a counter that does not count keeps what is written to it: some emulators and hypervisors keep selectors,
/// and drop values of counters. The low 16 bits are changed, as Linux changes them (`check_hw_exists` in
/// arch/x86/events/core.c).
///
/// Where only the low 32 bits of the counter are written, and the others follow bit 31, a value is left alone that could
/// not be restored.
///
/// # Errors
/// Returns [`Error::Swallowed`] if it does not. The counter has its old value then.
pub(super) fn check_counter<R: Msrs>(registers: &R, at: Msr, width: Width, window: Window) -> Result<()> {
    let written = match window {
        Window::Full => u64::MAX,
        Window::Narrow if follows_bit_31(registers.read(at), width) => u32::MAX.into(),
        Window::Narrow => return Ok(()),
    };
    check(registers, at, |before| before ^ 0xFFFF, |value| registers.write(at, value & written))
}

/// Returns true if the upper bits of a counter are what a write of the low 32 makes them.
const fn follows_bit_31(value: u64, width: Width) -> bool {
    let upper = value & width.mask() >> 31 << 31;
    upper == 0 || upper == width.mask() >> 31 << 31
}

/// Checks that a register keeps another value. It has its old value then.
///
/// # Errors
/// Returns [`Error::Swallowed`] if it does not.
pub(super) fn check<R: Msrs>(registers: &R, at: Msr, trial: impl Fn(u64) -> u64, write: impl Fn(u64)) -> Result<()> {
    let before = registers.read(at);
    let wrote = trial(before);
    write(wrote);
    let read = registers.read(at);
    write(before);
    if read == wrote { Ok(()) } else { Err(Error::Swallowed { register: at.address(), wrote, read }) }
}

/// Returns the counters whose selectors neither fault nor ignore writes.
pub(super) fn answering(
    guard: &impl Guarded,
    counters: CounterSet,
    select: impl Fn(CounterId) -> Option<Msr>,
) -> CounterSet {
    let answers = |counter: &CounterId| select(*counter).and_then(|at| keeps(guard, at)).unwrap_or(false);
    counters.into_iter().filter(answers).collect()
}

/// Returns whether a register keeps a value, or `None` if there is no such register.
fn keeps(guard: &impl Guarded, at: Msr) -> Option<bool> {
    let before = guard.try_read(at)?;
    guard.try_write(at, trial(before))?;
    let read = guard.try_read(at)?;
    guard.try_write(at, before)?;
    Some(read == trial(before))
}
