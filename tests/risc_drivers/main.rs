//! What the drivers of Arm, MIPS, PowerPC, RISC-V and SPARC do to their units: finding them, encoding, placing,
//! presetting, sharing and saving.

#![allow(clippy::duplicate_mod, reason = "families whose suites are alike have them once, each for its own driver")]

mod aarch64;
mod mips;
mod niagara;
mod power32;
mod power64;
mod power_ends;
mod riscv;
mod riscv_calls;
mod riscv_claims;
mod riscv_clock;
mod riscv_lying;
mod riscv_manufacturers;
mod riscv_records;
mod riscv_sbi;
mod riscv_selections;
mod sparc_detecting;
#[path = "../support/mod.rs"]
mod support;
mod ultrasparc;
