//! Whether a register keeps what is written to it.

use crate::contract::Registers;
use crate::event::{Error, Result};

/// Writes `trial` to a register, reads it, and writes `restored`.
///
/// # Errors
/// Returns [`Error::Swallowed`] if one of the bits in `among` was not kept.
pub(crate) fn check_kept<R: Registers>(
    registers: &R,
    at: R::Address,
    number: u32,
    [trial, restored, among]: [u64; 3],
) -> Result<()> {
    registers.write(at, trial);
    let read = registers.read(at);
    registers.write(at, restored);
    if (read ^ trial) & among == 0 { Ok(()) } else { Err(Error::Swallowed { register: number, wrote: trial, read }) }
}
