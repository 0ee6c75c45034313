//! The families' units, as the machine finds their registers.

mod amd;
mod intel;
mod netburst;
mod p5;
mod p6;
