//! The bench: what the crate's hot paths cost, in instructions and in accesses to registers.
//!
//! What is measured stands in [`harness::bench`]. The stopwatch is the host's count of the guest's instructions.
//! `cargo xtask bench --identity loongson-3a5000` sets the figures beside what they are compared with.

use pmu::arch::loongarch::access::Hardware;
use pmu::arch::loongarch::la64::La64;

use crate::guest::{Here, instructions, time};

harness::bench_of! { Here, "loongarch": La64 over Hardware }
