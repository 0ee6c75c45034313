//! Golden traces: a driver's writes are compared with those that the manual requires.
//!
//! Each trace was written by hand from the section that it cites; none was recorded from a
//! driver. A driver and its device share an author, and would share a misreading; the manual's
//! bits, written out as numbers, do not.

mod aarch64;
mod amd;
mod before_power8;
mod classic;
mod embedded;
mod intel;
mod mips;
mod netburst;
mod niagara;
mod p5;
mod p6;
mod powerpc64;
mod program;
mod riscv;
mod riscv_sbi;
#[path = "../support/mod.rs"]
mod support;
mod ultrasparc;

use program::trace;
