//! Measuring: a session (a CPU), a context (a thread), its user page, groups that take turns, the timer.

mod context;
mod counts;
mod multiplex;
mod open;
mod session;
mod timer;
mod user;

pub use context::Context;
pub use counts::Counts;
pub use multiplex::{GroupRefused, Member, Multiplex, Scaled};
use session::Reservation;
pub use session::{Reader, Session};
pub use timer::Timer;
pub use user::UserPage;
