//! The processor whose events a text names.
//!
//! Its counters and its names belong together, so both are asked of the same unit.

use crate::contract::{Description, Driver, Plan};
use crate::event::{Catalogue, Codes};
use crate::unit::Pmu;

/// The processor whose events a text names: [`Pmu::processor`] of a unit that is claimed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Processor {
    /// Its counters.
    pub description: Description,
    /// Its names.
    pub catalogue: &'static Catalogue,
    /// Whose codes its events have, if there is a unit.
    pub(crate) codes: Codes,
}

impl Processor {
    /// Returns the processor that a driver is for.
    #[must_use]
    pub fn of(driver: &impl Plan) -> Self {
        Self { codes: driver.kind().codes(), ..Self::new(driver.description(), driver.catalogue()) }
    }

    /// Puts a processor together of its counters and names, where there is no driver: in a tool that knows others' names.
    #[must_use]
    pub const fn new(description: Description, catalogue: &'static Catalogue) -> Self {
        Self { description, catalogue, codes: Codes::UNKNOWN }
    }
}

impl<D: Driver> Pmu<'_, D> {
    /// Returns the processor of this unit, whose events the [notations](crate::text::notation) read. A kernel that calls it links
    /// the tables of names.
    #[must_use]
    pub fn processor(&self) -> Processor {
        Processor::of(self.driver())
    }

    /// Returns this processor's events by name. A kernel that calls it links the tables of names.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        self.driver().catalogue()
    }
}
