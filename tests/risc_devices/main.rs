//! The units of Arm, MIPS, PowerPC, RISC-V and SPARC in software behave as their manuals say, and a guest cannot
//! misuse them.

#![allow(clippy::duplicate_mod, reason = "families whose suites are alike have them once, each for its own device")]

#[path = "../every_device/mod.rs"]
#[macro_use]
mod every_device;
mod aarch64;
mod mips_guests;
mod niagara;
mod power32;
mod power64;
mod riscv_guests;
mod riscv_overflows;
mod riscv_records;
mod sparc_guest;
#[path = "../support/mod.rs"]
mod support;
mod ultrasparc;
