//! Who is measured, and when? Groups of requests that take turns, programs that read their own counters, and samples
//! by the kernel's tick.

mod multiplex;
mod timer;
mod user;

pub use multiplex::{GroupRefused, Member, Multiplex, Scaled};
pub use timer::Timer;
pub use user::UserPage;
