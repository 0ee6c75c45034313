//! Where is the program when a counter overflows?
//!
//! The interrupt's handler puts its samples into the unit's ring, and here they are taken out. Every
//! overflow is accounted for: received, or lost for a reason that is said.

use pmu::driver::Driver;
use pmu::request::Generic;
use pmu::samples::Lost;
use pmu::text::catalogue::EventName;
use pmu::{Event, Request, Session};

use super::Demo;
use super::counter::Counter;
use crate::println;

impl<B: Driver + 'static> Demo<'_, B> {
    /// Samples a program by one event, of this name.
    pub fn sample(&mut self, name: EventName, request: Request, period: u64, program: fn()) {
        let asked = self.ask(name, request, period).expect("any counter will do");
        self.run_sampled(&mut [Some(asked)], program);
    }

    /// Samples the program with every counter that has something to count, all at once.
    pub(super) fn sample_every_counter(&mut self) {
        println!("sampling every counter at once");
        let (unit, event_of) = (self.pmu.description(), self.event_of);
        let mut counters = unit.fixed.into_iter().chain(unit.general);
        let mut asked = self.program.periods.map(|period| {
            let counter = counters.by_ref().find(|counter| event_of(*counter).is_some())?;
            // Where not every counter counts cycles, it counts instructions too.
            let events = [event_of(counter)?, Generic::Instructions];
            let ask = |event: Generic| {
                self.ask(EventName::new(event.name()), Request::new(Event::Generic(event)).pinned_to(counter), period)
            };
            events.into_iter().find_map(ask)
        });
        self.run_sampled(&mut asked, self.program.run);
    }

    /// `None` if the unit refuses the request.
    fn ask(&self, event: EventName, request: Request, period: u64) -> Option<Asked<B>> {
        let session = self.pmu.open([request.every(period)]).ok()?;
        Some(Asked { event, period, session })
    }

    /// Runs a program with these sessions started, and prints what came of it.
    fn run_sampled(&mut self, asked: &mut [Option<Asked<B>>], program: fn()) {
        let mut samples = self.unit.samples().expect("there is no other reader");
        let before = samples.lost();
        sessions(asked).for_each(|asked| asked.session.start().expect("it is stopped"));
        program();
        sessions(asked).for_each(|asked| asked.session.stop().expect("it is started"));
        let overflows: u64 = sessions(asked).map(|asked| self.report(asked)).sum();
        for sample in samples.by_ref() {
            let counter = Counter::new(self.pmu, sample.counter);
            println!("sample {:#x} {counter} {}", sample.address, sample.mode);
        }
        self.report_losses(before, samples.lost());
        println!("overflows {overflows}");
    }

    /// Prints the request; how often has it overflowed, by its own count?
    fn report(&mut self, asked: &Asked<B>) -> u64 {
        let [count] = asked.session.read().expect("this is the unit's CPU");
        let counter = Counter::of(self.pmu, &asked.session);
        println!("sampled {} {counter} {} {count}", asked.event, asked.period);
        count / asked.period
    }

    fn report_losses(&mut self, before: Lost, after: Lost) {
        println!("sample-lost ring-full {}", after.ring_full - before.ring_full);
        println!("sample-lost outrun {}", after.outrun - before.outrun);
        println!("sample-lost stopped {}", after.stopped - before.stopped);
    }
}

/// A request, and the session that counts it.
struct Asked<B: Driver + 'static> {
    event: EventName,
    period: u64,
    session: Session<'static, B, 1>,
}

fn sessions<B: Driver>(asked: &mut [Option<Asked<B>>]) -> impl Iterator<Item = &mut Asked<B>> {
    asked.iter_mut().flatten()
}
