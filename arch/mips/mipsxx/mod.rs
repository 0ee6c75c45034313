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
//!
//! # Codes of events
//!
//! A code on R10000 is libperfex's number: 0 to 15 are counter 0's events, 16 to 31 counter 1's. On R12000 it is the number
//! in the control, which both counters have. On the MIPS32 and MIPS64 cores it is OProfile's: the number in the control,
//! with bit 10 set for what the number means on the odd counters, where that is something else; 5K's instructions, which
//! have a number on each counter, are 15 on either. On Octeon it is the number in the control.
//!
//! The auxiliary value has the layout of the control. Bit 0 (EXL) counts the kernel at exception level too, and bit 2 (S)
//! supervisor mode; the kernel's events are those at exception level too without it. On 34K and 1004K it also limits an
//! event to a VPE or a TC: MT_EN in bits 20 and 21, VPEID in 16 to 19, TCID in 22 to 29.

mod capabilities;
mod catalogue;
mod device;
mod driver;
mod encode;
mod events;
mod fields;
mod identity;
mod period;
mod registers;

pub use capabilities::{Capabilities, Model};
pub use device::{Device, Thread};
pub use driver::Mipsxx;
pub use identity::Identity;
pub use registers::PerfCtl;
