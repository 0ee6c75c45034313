//! The unit as a supervisor has it from its firmware: by calls of the SBI's PMU extension.
//!
//! A kernel in supervisor mode reads counters by an instruction, and everything else is a call to the firmware, which costs
//! several hundred instructions. [`Sbi`] is the driver, over `arch::riscv::access::Firmware` or a
//! [`Host`], which is the firmware in software.
//!
//! # Counters
//!
//! A counter's number is the firmware's index. Every call names counters by a mask whose base is 0, and a request for an
//! event names one counter, so the driver places requests and not the firmware. Only counters that fit into such a mask are
//! used: 64 of them, or 32 where registers have 32 bits.
//!
//! Which counters can count an event is asked when the unit is detected, for the events of the specification and for those
//! that the kernel names. What was not asked is refused. Of a counter that has an event then nothing is known: an earlier kernel
//! has left it, and the claim takes it and asks; or it is in use, and a further detection changes nothing.
//!
//! # Calls
//!
//! A read is no call. A start or a stop is one call for all counters that change, and one more for each value that counters
//! are preset to: a preset is kept until the counter starts. The interrupt of one counter is two calls: a stop, and a start.
//!
//! A counter is configured when it gets another event, which is two calls more. Different events prefer different counters, so
//! that those of several threads stay configured, as far as there are counters: a switch between these is two calls.
//!
//! # The firmware's own counters
//!
//! They count what the firmware does for the supervisor: the events of type 15. They do not
//! interrupt, count in every mode, and are read by a call.
//!
//! # The interrupt
//!
//! It is a value at run time ([`Line`]): the local interrupt 13 (LCOFI), which waits while interrupts are off, or the
//! firmware's software event 0x10000 (SSE), which does not: an NMI in all but name. On T-Head's C906 and C910 the local
//! interrupt has number 17, and on Andes' 45 series the cause 274 ([`Interrupt`](super::Interrupt)), and cycle and instret
//! interrupt too.
//!
//! The driver finds the counters that have overflowed by their values, and never reads scountovf. So it samples in VS too, where
//! scountovf shows nothing of a unit in software.
//!
//! # What OpenSBI 1.5.1 does otherwise
//!
//! - At boot every mhpmevent has OF set, so scountovf shows overflows of all counters. It is not read: a counter of the
//!   driver's has overflowed if its value is past its overflow.
//! - A request whose counters are all taken is answered with cycle or instret if these can count the event, even if the mask
//!   does not contain them: an answer that is not the counter that was asked for is a refusal.
//! - cycle and instret run from boot on, and a start leaves one that runs with the value that it has: the driver stops one when
//!   a request takes it.
//! - Of several counters in a mask the highest is taken. The masks here have one.
//! - A request for a firmware event with a base other than 0 makes the firmware fail. The base is always 0.
//! - Snapshot memory is refused. It is not used.
//!
//! # Codes of events
//!
//! A code below 2^20 is the specification's index: the type in bits 19 to 16, the event in bits 15 to 0. Type 0 are the
//! general events, type 1 the cache's, and type 15 the firmware's. A code with bit 63 is the
//! processor's own: its lower bits are what mhpmevent selects.
//!
//! The [`state`](crate::virt::Device::state) of a [`Host`] has these fields. `unit`: the processor's unit; `configured`: the counters
//! that have an event; `running`: the firmware's counters that count; `events`: the events of the firmware's counters,
//! one more than their numbers, four in each word; `values`: the values of the firmware's counters; `readable_in_user`:
//! scounteren; `memory`: the snapshot memory's address and 1, or 0; `taken`: which of cycle and instret the guest has
//! configured: they count from boot on.

mod asked;
mod configure;
mod device;
mod driver;
mod encode;
mod events;
mod program;
mod saved;
mod state;

pub use crate::arch::riscv::sbi::{Address, Call, SbiError};
pub use asked::{Capabilities, Line};
pub use device::{Host, Memory, NoMemory};
pub use driver::Sbi;
