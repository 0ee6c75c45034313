//! The units of x86 in software behave as their manuals say, and a guest cannot misuse them.

#![allow(clippy::duplicate_mod, reason = "families whose suites are alike have them once, each for its own device")]

#[path = "../every_device/mod.rs"]
#[macro_use]
mod every_device;
mod amd;
mod beneath;
mod branches;
mod ibs;
mod intel;
mod netburst;
mod p5;
mod p6;
mod pebs;
#[path = "../support/mod.rs"]
mod support;
