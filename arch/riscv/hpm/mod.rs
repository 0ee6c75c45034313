//! The unit of the privileged architecture: mcycle, minstret and mhpmcounter3 to 31.
//!
//! # Two ways
//!
//! A kernel in machine mode has the registers themselves. A supervisor has them by delegation (Smcdeleg and Ssccfg), through
//! siselect and sireg, if the firmware has delegated counters to it. One driver does both: see [`Privilege`].
//!
//! # The interrupt
//!
//! It comes with the extension Sscofpmf: a counter that wraps sets OF in its mhpmevent, and the local interrupt 13 (LCOFI)
//! pending, unless OF is set already. OF and the pending bit stay until they are cleared: the driver clears the pending bit
//! while the unit is halted, in the handler, and OF of each counter that it has served. mcycle and minstret never interrupt,
//! so a period takes one of the other counters.
//!
//! T-Head's C906 and C910 came before Sscofpmf. Announce [`Extensions::THEAD`] for them. Their interrupt has number 17, and
//! mcounterof has a bit of each counter, mcycle and minstret among them. So it is on Andes' 45 series ([`Extensions::ANDES`]),
//! with number 18 and mcounterovf; there mcountermask_m, _s and _u say for each counter in which modes it does not count.
//! [`Capabilities::interrupt`] says which interrupt a unit has, and [`Interrupt::number`] its
//! number. A write of these registers replaces the bits of counters that overflow meanwhile, so that the driver halts all of
//! them while it clears an overflow.
//!
//! Elsewhere nothing interrupts, and a period is refused: use a [`Timer`](crate::Timer).
//!
//! # Counters that cannot stop
//!
//! mcountinhibit came with version 1.11 of the privileged architecture. Before it mcycle and minstret cannot be stopped:
//! they are not used, and the description says so (`used_by_others`). The other counters are stopped by selecting no event.
//!
//! # Limits
//!
//! - On T-Head's C906 and C910 all counters are halted for a few instructions when an overflow is cleared: at each sample, and at
//!   a stop that finds one. Their events meanwhile are not counted.
//! - A processor may keep less of a selection than it was given (mhpmevent is WARL). A session or a thread that asks for such an
//!   event is refused ([`Error::Swallowed`](crate::Error::Swallowed)), with mcountinhibit; one that the processor keeps and does
//!   not know counts 0, as in QEMU.
//! - T-Head's C906 and C910 have the same numbers and are told apart by their counters (8, 16 or 29). The C920 of SG2042 and SG2044
//!   is taken for a D1 unless [`Announced::with_model`] says otherwise. Of C906's codes those are taken that the D1's device tree
//!   and openc906 agree on: 1 to 7 and 0BH to 0FH.
//!
//! # Codes of events
//!
//! A code is the event in mhpmevent. The auxiliary value has the layout of mhpmevent too, and names modes that are not
//! counted besides those that a request leaves out: MINH, SINH, UINH, VSINH and VUINH in bits 62 to 58. So machine mode
//! counts supervisor mode alone by leaving itself out.
//!
//! Cycles and instructions are on mcycle and minstret, which have no code in hardware: here they are bits
//! 56 and 57. The generic events are those, or the processor's own on the other counters if it has them.

mod capabilities;
mod catalogue;
mod counters;
pub mod ctr;
mod device;
mod driver;
mod encode;
mod events;
mod extensions;
mod fields;
mod hardwired;
mod identity;
mod interrupt;
mod model;
mod period;
mod privilege;
mod program;
mod registers;
mod saved;
pub mod sbi;
mod state;
mod wide;

pub use capabilities::{Announced, Capabilities};
pub use device::Device;
pub use driver::Hpm;
pub use extensions::Extensions;
pub use identity::Identity;
pub use interrupt::Interrupt;
pub use model::Model;
pub use privilege::Privilege;
pub use registers::Select;
