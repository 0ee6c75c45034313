//! What the drivers of x86 do to their units: finding them, encoding, placing, presetting, sharing and saving.

mod amd;
mod defects;
mod detecting;
mod generations;
mod hybrid;
mod intel;
mod intel_capabilities;
mod lacking;
mod late;
mod lines;
mod netburst;
mod p5;
mod p6;
#[path = "../support/mod.rs"]
mod support;
mod switching;
