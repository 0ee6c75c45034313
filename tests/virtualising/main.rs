//! A guest's unit and its host: what the guest finds, what the host feeds and filters, and what a move keeps.

mod arm_hosts;
#[path = "../../arch/families.rs"]
mod families;
mod feeders;
mod feeding;
mod filters;
mod guest_branches;
mod guest_exits;
mod guest_units;
mod masking;
mod mediated;
mod rates;
mod riscv_host;
mod riscv_memory;
mod snapshots;
#[path = "../support/mod.rs"]
mod support;
mod x86_hosts;
