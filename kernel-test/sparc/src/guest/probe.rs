//! Accesses that may be refused: a trap is an answer.

use core::arch::global_asm;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Set by the trap's entry when an access was refused.
static REFUSED: AtomicU64 = AtomicU64::new(0);

/// The access was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused;

unsafe extern "C" {
    static probe_begin: u8;
    static probe_end: u8;
    fn probe_read_control() -> u64;
    fn probe_read_counters() -> u64;
    fn probe_write_counters() -> u64;
    fn probe_read_stranger() -> u64;
}

/// Is this one of the instructions that may be refused?
pub fn is_probe(address: u64) -> bool {
    (&raw const probe_begin as u64..&raw const probe_end as u64).contains(&address)
}

/// Reads %pcr.
///
/// # Errors
/// It is refused.
pub fn read_control() -> Result<u64, Refused> {
    try_access(probe_read_control)
}

/// Reads %pic.
///
/// # Errors
/// It is refused.
pub fn read_counters() -> Result<u64, Refused> {
    try_access(probe_read_counters)
}

/// Writes 0 to %pic.
///
/// # Errors
/// It is refused.
pub fn write_counters() -> Result<u64, Refused> {
    try_access(probe_write_counters)
}

/// Reads a register that no processor of the family has.
///
/// # Errors
/// It is refused.
pub fn read_stranger() -> Result<u64, Refused> {
    try_access(probe_read_stranger)
}

fn try_access(access: unsafe extern "C" fn() -> u64) -> Result<u64, Refused> {
    REFUSED.store(0, Relaxed);
    // SAFETY: the accesses read and write registers of the unit, which the test has.
    let result = unsafe { access() };
    if REFUSED.load(Relaxed) == 0 { Ok(result) } else { Err(Refused) }
}

global_asm!(
    r#"
    .register %g2, #scratch
    .text
    .global probe_begin
probe_begin:
    .global probe_read_control
probe_read_control:
    retl
    rd %asr16, %o0
    .global probe_read_counters
probe_read_counters:
    retl
    rd %asr17, %o0
    .global probe_write_counters
probe_write_counters:
    retl
    wr %g0, 0, %asr17
    .global probe_read_stranger
probe_read_stranger:
    retl
    rd %asr28, %o0
    .global probe_end
probe_end:

    ! The instruction is left out. These are the alternate globals.
    .global refused_entry
refused_entry:
    sethi %hi({refused}), %g1
    or %g1, %lo({refused}), %g1
    mov 1, %g2
    stx %g2, [%g1]
    done
    "#,
    refused = sym REFUSED,
);
