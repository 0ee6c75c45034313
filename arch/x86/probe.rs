//! Checks that a unit really exists, beyond what CPUID says.

use super::selector::{ENABLE, UNIT_MASK};
use super::{Index, Msr};
use crate::contract::Registers;
use crate::event::{CounterId, CounterSet, Error, Result};

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
pub(super) fn check_kept<R>(registers: &R, at: Msr) -> Result<()>
where
    R: Registers<Address = Msr, Index = Index>,
{
    let before = registers.read(at);
    let wrote = trial(before);
    registers.write(at, wrote);
    let read = registers.read(at);
    registers.write(at, before);
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
