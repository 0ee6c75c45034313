//! How often does each event happen during the program, and how much of it is each function's?

use pmu::driver::Driver;
use pmu::request::Generic;
use pmu::{Error, Event, Result};

use super::Demo;
use super::counter::Counter;
use crate::println;

/// What the emulator shows of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Each one as it happens.
    Observed,
    /// A clock that advances by one with each instruction.
    Virtual,
    /// Nothing: the counter stands still whatever happens.
    Unobserved,
    /// It takes a look at each instruction, for which this program is too long: another one shows it.
    Below,
}

impl<B: Driver + 'static> Demo<'_, B> {
    /// Prints every event's count, then every function's share.
    pub(super) fn count(&mut self) {
        for event in Generic::ALL {
            match self.count_event(event) {
                Ok(()) => {}
                Err(Error::Refused { reason, .. }) => println!("refused {} {reason}", event.name()),
                Err(error) => panic!("{error}"),
            }
        }
        for part in self.program.parts {
            let counted = self.pmu.count([Event::INSTRUCTIONS], || part.check());
            let ([instructions], ()) = counted.expect("every unit can");
            let name = Generic::Instructions.name();
            println!("share {:#x} {name} {instructions}", part.address());
        }
    }

    fn count_event(&mut self, event: Generic) -> Result<()> {
        let mut session = self.pmu.open([Event::Generic(event)])?;
        let counter = Counter::of(self.pmu, &session);
        session.start()?;
        let source = (self.source)(event, counter.id);
        if source == Source::Below {
            println!("count {} {counter} 0 {}", event.name(), source.name());
            return Ok(());
        }
        (self.program.run)();
        session.stop()?;
        let counts = session.counts()?;
        println!("count {} {counter} {} {}", event.name(), counts.raw[0], source.name());
        if event == Generic::Instructions {
            println!("clock {}", counts.enabled);
        }
        Ok(())
    }
}

impl Source {
    const fn name(self) -> &'static str {
        match self {
            Self::Observed => "observed",
            Self::Virtual => "virtual",
            Self::Unobserved => "unobserved",
            Self::Below => "below",
        }
    }
}
