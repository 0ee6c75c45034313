//! What the drivers of x86 do to their units: finding them, encoding, placing, presetting, sharing and saving.

#![allow(clippy::duplicate_mod, reason = "families whose suites are alike have them once, each for its own driver")]

mod amd;
mod branches;
mod defects;
mod detecting;
mod generations;
mod hybrid;
mod ibs;
mod intel;
mod intel_capabilities;
mod lacking;
mod late;
mod lines;
mod netburst;
mod p5;
mod p6;
mod pebs;
#[path = "../support/mod.rs"]
mod support;
mod switching;
