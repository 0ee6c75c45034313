//! The units of x86 in software behave as their manuals say, and a guest cannot misuse them.

mod amd;
mod beneath;
mod intel;
mod netburst;
mod p5;
mod p6;
#[path = "../support/mod.rs"]
mod support;
