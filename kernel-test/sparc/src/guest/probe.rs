//! Accesses that may be refused: a trap is an answer.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::assembly;

unsafe extern "C" {
    static probe_begin: u8;
    static probe_end: u8;
    safe fn probe_read_control();
    safe fn probe_read_counters();
    safe fn probe_write_counters();
    safe fn probe_read_stranger();
}

/// %pic is read; %pic is written, with 0; %pcr is read; and a register is read that no processor of the family has.
pub const ACCESSES: [extern "C" fn(); 4] =
    [probe_read_counters, probe_write_counters, probe_read_control, probe_read_stranger];

/// Is this one of the instructions that may be refused?
pub fn is_probe(address: u64) -> bool {
    (&raw const probe_begin as u64..&raw const probe_end as u64).contains(&address)
}

/// Set by the trap's entry when an access was refused.
static REFUSED: AtomicU64 = AtomicU64::new(0);

/// Tries an access. Returns true if it is refused.
pub fn is_refused(access: extern "C" fn()) -> bool {
    REFUSED.store(0, Relaxed);
    access();
    REFUSED.load(Relaxed) != 0
}

assembly!(
    r#"
    .text
    .global probe_begin, probe_end, probe_read_control, probe_read_counters, probe_write_counters, probe_read_stranger
probe_begin:
probe_read_control:
    retl
    rd %asr16, %g0
probe_read_counters:
    retl
    rd %asr17, %g0
probe_write_counters:
    retl
    wr %g0, 0, %asr17
probe_read_stranger:
    retl
    rd %asr28, %g0
probe_end:

    ! The instruction is left out. These are the alternate globals.
    .global refused_entry
refused_entry:
    set {refused}, %g1
    mov 1, %g2
    stx %g2, [%g1]
    done
    "#,
    refused = sym REFUSED,
);
