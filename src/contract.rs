//! The contracts of a processor and a kernel: the registers, which hardware and devices implement; the driver, in three
//! traits; and the kernel, which returns the number of the CPU.

pub(crate) mod bit_set;
mod branches;
mod description;
mod driver;
mod field;
mod kernel;
mod kind;
mod late;
mod one_of;
mod registers;
mod sampler;
mod slot;
mod steps;

pub(crate) use bit_set::bit_set;
pub use branches::Branches;
pub use description::{Description, Lending, Overflow};
pub use driver::{Control, Counter, Counters, Driver, Image, Plan, counters_for};
pub use field::Field;
pub use kernel::{Kernel, Masked, OneCpu, WithKernel};
pub use kind::Kind;
pub use late::Late;
pub(crate) use one_of::one_of;
pub use registers::{Access, Recorder, Registers};
pub use sampler::Sampler;
pub use slot::Slot;
pub use steps::Steps;
