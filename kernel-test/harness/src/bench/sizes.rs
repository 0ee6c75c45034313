//! How many bytes of memory do a unit, a thread's context and the names of events take?

use core::fmt::Display;

use pmu::driver::Plan as _;
use pmu::text::catalogue::Catalogue;
use pmu::text::catalogue::Events;
use pmu::{Context, Unit};

use super::cost::line;
use super::figures::Figures;
use super::{Bench, Measured};

/// Prints the figures: a unit with room for so many samples, a context with room for so many requests. So do the names
/// of the processor's events, with their codes: as a whole, an event, and a name that can be typed, libpfm's and unit
/// masks' among them.
pub(super) fn measure<S: Measured>(figures: &Figures<S>) {
    print::<S, Unit<S::Driver, 0>>("unit.0");
    print::<S, Unit<S::Driver, 1024>>("unit.1024");
    print::<S, Context<S::Driver, 1>>("context.1");
    print::<S, Context<S::Driver, 4>>("context.4");
    print::<S, Context<S::Driver, 8>>("context.8");
    let Catalogue { events, libpfm, .. } = figures.pmu.driver().catalogue();
    print_bytes::<S>("names", events.size());
    print_bytes::<S>("names.event", events.size().div_ceil(events.len()));
    print_bytes::<S>("names.libpfm", libpfm.size());
    let typed = names(*events) + names(*libpfm);
    print_bytes::<S>("names.typed", (events.size() + libpfm.size()).div_ceil(typed));
}

/// The number of names that can be typed: the events', and of each event those of its unit masks.
fn names(events: Events) -> usize {
    events.iter().map(|event| 1 + event.masks.named.iter().count()).sum()
}

fn print<S: Measured, T>(name: impl Display) {
    print_bytes::<S>(name, size_of::<T>());
}

fn print_bytes<S: Measured>(name: impl Display, bytes: usize) {
    line::<S::Kernel>(format_args!("figure {}.bytes.{name} {bytes} bytes static", S::Kernel::name()));
}
