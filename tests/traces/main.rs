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
mod loongarch;
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

use std::fmt::Debug;

use pmu::driver::{Recorder, Registers};

/// Every access since the last call, as the manual names it.
fn trace<R, const N: usize>(recorder: &Recorder<R, N>) -> Vec<String>
where
    R: Registers<Address: Debug, Index: Debug>,
{
    assert!(recorder.len() <= N, "the recorder has room for {N} accesses, and there were {}", recorder.len());
    let lines = (0..recorder.len()).filter_map(|number| recorder.access(number));
    let lines = lines.map(|access| format!("{access:?}")).collect();
    recorder.clear();
    lines
}
