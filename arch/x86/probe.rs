//! Whether a unit is really there: what detection asks beyond CPUID.

use super::selector::{ENABLE, UNIT_MASK};
use super::{Index, Msr};
use crate::counter::{CounterId, CounterSet};
use crate::error::{Error, Result};
use crate::registers::Registers;

/// Accesses that the processor may refuse, which a kernel lends to detection: it answers `None`
/// where RDMSR or WRMSR raises #GP.
///
/// Old processors announce their unit by no CPUID bit, and a hypervisor that gives its guest none
/// cannot say so. Only a fault tells, and only the kernel can survive one.
pub trait Guarded {
    /// Reads a register, if it is there.
    fn try_read(&self, at: Msr) -> Option<u64>;

    /// Writes a register, if it is there.
    fn try_write(&self, at: Msr, value: u64) -> Option<()>;
}

/// What to write to a selector that holds `before`, to see whether it is kept: another unit mask,
/// which every selector has, and in which no counter runs any faster. EN must be off meanwhile.
const fn trial(before: u64) -> u64 {
    (before ^ UNIT_MASK) & !ENABLE
}

/// Does the selector at `at` keep what is written to it? Some emulators announce a unit and ignore
/// every write.
///
/// # Errors
/// [`Error::Swallowed`]; the selector is as it was.
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

/// The counters whose selectors neither fault nor swallow what is written to them.
pub(super) fn answering(
    guard: &impl Guarded,
    counters: CounterSet,
    select: impl Fn(CounterId) -> Option<Msr>,
) -> CounterSet {
    let answers = |counter: &CounterId| select(*counter).and_then(|at| keeps(guard, at)).unwrap_or(false);
    counters.into_iter().filter(answers).collect()
}

/// `None` if there is no such register.
fn keeps(guard: &impl Guarded, at: Msr) -> Option<bool> {
    let before = guard.try_read(at)?;
    guard.try_write(at, trial(before))?;
    let read = guard.try_read(at)?;
    guard.try_write(at, before)?;
    Some(read == trial(before))
}
