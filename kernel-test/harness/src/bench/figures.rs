//! The figures of one driver: how they are printed, and what they are measured with.

use core::fmt::Display;

use pmu::{Context, Pmu, Request, Session};

use super::cost::line;
use super::requests::choose;
use super::{Bench, Cost, Measured, Reached};

/// The figures of one driver.
pub(super) struct Figures<S: Measured> {
    pub(super) pmu: Pmu<'static, S::Driver>,
}

impl<S: Measured> Figures<S> {
    pub(super) const fn new(pmu: Pmu<'static, S::Driver>) -> Self {
        Self { pmu }
    }

    /// Prints a figure. One that the unit has too few counters for is named, and why it is not there.
    pub(super) fn print(&self, name: impl Display, cost: Option<S::Cost>, reached: Reached) {
        let unit = self.pmu.description();
        let (general, fixed) = (unit.general.len(), unit.fixed.len());
        match cost {
            Some(cost) => cost.print::<S::Kernel>(format_args!("{}.{name}", S::Kernel::name()), reached),
            None if fixed == 0 => self.absent(name, format_args!("the unit has {general} counters")),
            None => self.absent(name, format_args!("the unit has {general} general and {fixed} fixed counters")),
        }
    }

    /// Names a figure that is not there, and says why.
    pub(super) fn absent(&self, name: impl Display, why: impl Display) {
        line::<S::Kernel>(format_args!("absent {}.{name} {why}", S::Kernel::name()));
    }

    /// Opens a session of the first `N` requests.
    pub(super) fn open<const N: usize>(&self) -> Option<Session<'static, S::Driver, N>> {
        self.pmu.open(choose(&self.pmu, &[], None)?).ok()
    }

    /// Creates a thread that asks for these.
    pub(super) fn thread<const N: usize>(&self, number: u32, requests: [Request; N]) -> Option<Context<S::Driver, N>> {
        let mut thread = Context::new(number);
        thread.bind(&self.pmu, requests).is_ok().then_some(thread)
    }
}
