//! Translating a thread's requests to another kind of unit than the one that they were bound on.
//!
//! Generic events mean the same everywhere. A code means something else, or nothing. An event by name is looked up by
//! that name in the other unit's catalogue.
//!
//! Only [`Context::bind_by_name`] names the function that reaches a catalogue. So a kernel that does not call it links no
//! names, whatever moves between its processor's cores.

use super::Context;
use crate::contract::{Driver, Plan};
use crate::event::catalogue::Number;
use crate::event::{Codes, Error, Event, Refusal, Request, Result, Set};
use crate::measure::open::{check_period, encode};

/// Finds an event by name on another kind of unit: returns the number of the request's name in that unit's catalogue, and
/// the request for it. Looks the name up unless its number is known.
pub(super) type Find<P> = fn(&P, &Request, Option<Number>) -> Option<(Number, Request)>;

/// Finds it in the catalogue of the unit's driver.
pub(super) fn find<P: Plan>(unit: &P, request: &Request, known: Option<Number>) -> Option<(Number, Request)> {
    let catalogue = unit.catalogue();
    let number = known.or_else(|| catalogue.number_like(request.name?))?;
    Some((number, catalogue.translate(request, number)?.of_codes(unit.kind().codes())))
}

impl<D: Driver, const N: usize> Context<D, N> {
    /// Returns whose codes its requests have: those of the kind of unit that it was bound on.
    pub(super) fn home(&self) -> Codes {
        self.set.requests().first().map_or(Codes::UNKNOWN, |request| request.codes)
    }

    /// Returns what the requests are on this driver's kind of unit, which is not the one that they were bound on. No name
    /// is looked up: that takes too long for a switch.
    ///
    /// # Errors
    /// [`Error::Refused`]: a request is a code, or an event whose name this kind of unit does not have, or whose name was
    /// not looked up yet.
    pub(super) fn translated(&self, driver: &D) -> Result<Set<N>> {
        let mut set = self.set;
        for (number, (request, name)) in set.requests_mut().iter_mut().zip(self.names_away).enumerate() {
            let here = self.translate(driver, request, name);
            *request = here.ok_or_else(|| Error::refused(number, request, Refusal::UnknownEvent))?;
        }
        Ok(set)
    }

    /// Checks what this driver's unit, which is of another kind, knows of these requests: those that wait on it can ask for
    /// anything but a period that no unit has.
    ///
    /// # Errors
    /// [`Error::Refused`] for a request that the unit knows and cannot do, or that no unit can do.
    pub(super) fn check_abroad(&self, driver: &D, set: &Set<N>) -> Result<()> {
        for (number, (request, name)) in set.requests().iter().zip(self.names_away).enumerate() {
            let here = self.translate(driver, request, name);
            here.map_or(check_period(request), |here| encode(driver, &here).map(drop))
                .map_err(|reason| Error::refused(number, request, reason))?;
        }
        Ok(())
    }

    /// Returns what a request is on this driver's unit, which is of another kind, where it may have this name.
    fn translate(&self, driver: &D, request: &Request, name: Option<Number>) -> Option<Request> {
        match request.event {
            Event::Generic(_) => Some(*request),
            Event::Raw { .. } => {
                let known = name.filter(|_| self.away == driver.kind().codes())?;
                self.names?(driver, request, Some(known)).map(|(_, request)| request)
            }
        }
    }

    /// Looks the requests' names up for this driver's kind of unit, and remembers them or that there are none. A context
    /// knows the names of one kind beside its own.
    pub(super) fn look_names_up(&mut self, driver: &D) {
        let Some(find) = self.names.filter(|_| ![self.home(), self.away].contains(&driver.kind().codes())) else {
            return;
        };
        self.away = driver.kind().codes();
        for (name, request) in self.names_away.iter_mut().zip(self.set.requests()) {
            *name = find(driver, request, None).map(|(number, _)| number);
        }
    }
}
