//! How many bytes of memory do a unit and a thread's context take?

use core::fmt::Display;

use pmu::{Context, Unit};

use super::cost::line;
use super::{Bench, Measured};

/// Prints the figures: a unit with room for so many samples, a context with room for so many requests.
pub(super) fn measure<S: Measured>() {
    print::<S, Unit<S::Driver, 0>>("unit.0");
    print::<S, Unit<S::Driver, 1024>>("unit.1024");
    print::<S, Context<S::Driver, 1>>("context.1");
    print::<S, Context<S::Driver, 4>>("context.4");
    print::<S, Context<S::Driver, 8>>("context.8");
}

fn print<S: Measured, T>(name: impl Display) {
    line::<S::Kernel>(format_args!("figure {}.bytes.{name} {} bytes static", S::Kernel::NAME, size_of::<T>()));
}
