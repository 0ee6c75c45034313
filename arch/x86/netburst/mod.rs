//! The Pentium 4 family: Willamette, Northwood, Prescott, and the Xeons of the time (family 15, NetBurst).
//!
//! A counter's number is that of the hardware, by which RDPMC reads it, in both [views](View) of the unit. OProfile
//! numbers the counters of the independent bank otherwise ([`View::bank_number`]).
//!
//! # Errata
//!
//! The first write may not reach a counter (erratum N15 of the Pentium 4), so the driver writes it twice.
//!
//! A counter that is stopped in the very clock in which its low 32 bits carry into the upper eight may lose the carry, and
//! then reads 2^32 too little ("Intel Xeon Processor MP Specification Update", erratum O9). Nothing is done about that: the
//! erratum is told of in that document alone, of no other processor of the family, and was not seen. A counter comes to a
//! carry once in 2^32 events, or at its overflow; the stop would have to meet that clock. A count that goes back by 2^32
//! from one reading to the next has met it.
//!
//! # Codes of events
//!
//! An event code has these fields:
//!
//! | bits | contents |
//! |---|---|
//! | 0 to 5 | the event, as the ESCR has it |
//! | 8 to 10 | the number of the ESCR, as the CCCR has it |
//! | 12 and 13 | the part of the processor: 0 BPU, 1 MS, 2 FLAME, 3 IQ |
//! | 16 to 31 | the event's mask, as the ESCR has it |
//! | 32 to 35 | the tag that the ESCR tags with; 0 tags nothing |
//! | 36 and 37 | the states of the threads in which it counts, as the CCCR has them, but inverted: 0 counts in any |
//!
//! The first two are libpfm's code of an event. They do not say which event it is: memory_cancel (FLAME) and
//! machine_clear (IQ) have the same.
//!
//! A replay event (number 9 of IQ) also says what is tagged: by one of the bits of its mask that the hardware does not have
//! (2 to 10, as libpfm names them), or by an [auxiliary value](crate::Event::Raw), which is IA32_PEBS_ENABLE in bits 0 to
//! 31 and MSR_PEBS_MATRIX_VERT in bits 32 to 63. One that says neither would count nothing, and is refused.
//!
//! Front-end tagging and execution tagging need another request: what uop_type counts, and what an event with a tag
//! counts, is tagged while that request is loaded, and front_end_event or execution_event counts it when it retires.

mod capabilities;
mod catalogue;
mod device;
mod driver;
mod encode;
mod events;
mod fields;
mod identity;
mod place;
mod program;
mod registers;
mod replay;
mod saved;
mod share;
mod state;

pub use capabilities::Capabilities;
pub use device::Device;
pub use driver::Netburst;
pub use events::CounterGroup;
pub use identity::Identity;
pub use registers::{Cccr, Escr, EscrId, Half};
use registers::{Misc, PebsEnable};
pub use share::{Share, View};
