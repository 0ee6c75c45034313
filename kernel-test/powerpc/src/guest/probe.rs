//! Accesses that may be refused: a program exception, or one that the facility is not lent, is an
//! answer.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::frame::Frame;
use crate::{assembly, family};

/// Set by the handler when an access was refused.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

/// The access was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused;

unsafe extern "C" {
    static probe_begin: u8;
    static probe_end: u8;
}

/// Is this one of the instructions that may be refused?
pub fn is_probe(address: usize) -> bool {
    (&raw const probe_begin as usize..&raw const probe_end as usize).contains(&address)
}

/// Reads the first counter by its own number.
pub fn read_counter() -> Result<usize, Refused> {
    try_access(if family::is_embedded() { probe_read_monitor } else { probe_read_counter }, 0)
}

/// Writes it.
pub fn write_counter(value: usize) -> Result<usize, Refused> {
    try_access(if family::is_embedded() { probe_write_monitor } else { probe_write_counter }, value)
}

/// Reads the first counter by the number that problem state has for it.
pub fn read_users_counter() -> Result<usize, Refused> {
    try_access(if family::is_embedded() { probe_read_users_monitor } else { probe_read_users_counter }, 0)
}

/// Writes it.
pub fn write_users_counter(value: usize) -> Result<usize, Refused> {
    try_access(if family::is_embedded() { probe_write_users_monitor } else { probe_write_users_counter }, value)
}

/// Reads a register that no unit has.
pub fn read_stranger() -> Result<usize, Refused> {
    try_access(if family::is_embedded() { probe_read_strange_monitor } else { probe_read_stranger }, 0)
}

/// Calls one of the accesses.
fn try_access(access: unsafe extern "C" fn(usize) -> usize, value: usize) -> Result<usize, Refused> {
    REFUSED.store(0, Relaxed);
    // SAFETY: the accesses read and write registers of the unit, which the test has.
    let result = unsafe { access(value) };
    if REFUSED.load(Relaxed) == 0 { Ok(result) } else { Err(Refused) }
}

/// Where every program exception of a guest's arrives that the host hands on.
pub extern "C" fn on_program(frame: &mut Frame) {
    assert!(is_probe(frame.address), "an instruction was refused at {:#x}", frame.address);
    REFUSED.store(1, Relaxed);
    frame.address += 4;
}

unsafe extern "C" {
    fn probe_read_counter(_: usize) -> usize;
    fn probe_write_counter(value: usize) -> usize;
    fn probe_read_users_counter(_: usize) -> usize;
    fn probe_write_users_counter(value: usize) -> usize;
    fn probe_read_stranger(_: usize) -> usize;
    fn probe_read_monitor(_: usize) -> usize;
    fn probe_write_monitor(value: usize) -> usize;
    fn probe_read_users_monitor(_: usize) -> usize;
    fn probe_write_users_monitor(value: usize) -> usize;
    fn probe_read_strange_monitor(_: usize) -> usize;
}

assembly!(
    harness::by_width!(
        "
    .set PMC1, 787
    .set UPMC1, 771
        ",
        "
    .set PMC1, 953
    .set UPMC1, 937
        "
    ),
    r#"
    .macro probe name, instruction:vararg
    .global \name
\name:
    \instruction
    blr
    .endm
    .text
    .global probe_begin
probe_begin:
    probe probe_read_counter, mfspr 3, PMC1
    probe probe_write_counter, mtspr PMC1, 3
    probe probe_read_users_counter, mfspr 3, UPMC1
    probe probe_write_users_counter, mtspr UPMC1, 3
    probe probe_read_stranger, mfspr 3, 1020
    # MFPMR and MTPMR of PMC0, of UPMC0, and of a number that is no register's.
    probe probe_read_monitor, .long 0x7c60029c | 16 << 16
    probe probe_write_monitor, .long 0x7c60039c | 16 << 16
    probe probe_read_users_monitor, .long 0x7c60029c
    probe probe_write_users_monitor, .long 0x7c60039c
    probe probe_read_strange_monitor, .long 0x7c60029c | 31 << 16
    .global probe_end
probe_end:
    "#
);
