//! The bench: what the crate's hot paths cost, in instructions and in accesses to registers.
//!
//! What is measured stands in [`harness::bench`]. The stopwatch is the host's count of the guest's instructions.
//! `cargo xtask bench --identity r10000` sets the figures beside what they are compared with.

use pmu::arch::mips::access::Hardware;
use pmu::arch::mips::mipsxx::Mipsxx;

use crate::guest::{Here, instructions, time};

harness::bench_of! { Here, "mips": Mipsxx over Hardware }
