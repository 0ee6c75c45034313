//! The units with PerfCtl and PerfCnt in register 25 of coprocessor 0: R10000, R12000 and R14000, and the MIPS32 and MIPS64
//! cores 5K, 20K, 24K, 34K, 74K and 1004K.
//!
//! All have the same registers, so they have one driver, as in Linux, whose name for them this is. They differ in their
//! events, the number and width of the counters, and in how both are found.
//!
//! # The interrupt
//!
//! A counter interrupts while its top bit and its control's IE are set. On most processors the line is IP7, which the timer
//! of CP0 Count and Compare has too: Cause\[PCI\] and Cause\[TI\] tell them apart. The line is a level and nothing latches
//! it, so no interrupt comes after its overflow was accounted for: the driver never claims an interrupt of the timer, and
//! `Unit::on_overflow` answers that it is not the unit's. It reads the running counters first and stops none, so that the
//! timer's interrupts cost no events.

mod capabilities;
mod catalogue;
pub mod device;
mod driver;
mod encode;
pub mod events;
mod fields;
mod identity;
mod period;
mod registers;
mod saved;
mod state;

pub use capabilities::{Capabilities, Core};
pub use catalogue::Catalogues;
pub use device::Device;
pub use driver::Mipsxx;
pub use encode::Demand;
pub use fields::fields;
pub use identity::Identity;
pub use period::{LEAST_IN_KERNEL, LEAST_IN_USER, LEAST_OF_OTHERS_IN_KERNEL};
pub use registers::PerfCtl;
pub use saved::Saved;
