//! The output of `cputrack -h` and `cpustat -h`: how events are written, and which events there are.

use core::fmt;

use crate::event::CounterSet;
use crate::event::catalogue::{EventName, Preset};
use crate::naming::notation::Processor;

/// A processor's counters, events and attributes, for a person who wants to request some.
///
/// Events that the same counters have are listed together: `event[0-3]:`. Lines are wrapped at 72
/// columns, and further lines are indented.
#[derive(Clone, Copy, Debug)]
pub struct Listing {
    /// The processor.
    pub processor: Processor,
}

const COLUMNS: usize = 72;
const INDENT: usize = 8;

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Processor { ref description, catalogue, .. } = self.processor;
        writeln!(f, "CPU performance counter interface: {}\n", description.name)?;
        writeln!(f, "event specification syntax:")?;
        writeln!(f, "[picn=]<eventn>[,attr[n][=<val>]][,[picn=]<eventn>[,attr[n][=<val>]],...]\n")?;
        let presets = catalogue.presets.iter().filter(Preset::is_one).map(|preset| preset.name);
        if !catalogue.generic.is_empty() {
            let generic = catalogue.generic.iter().map(|event| event.name);
            Folded::begin(f, "generic events:")?.words(generic.chain(presets).map(EventName::new))?;
        }
        self.events(f)?;
        if !catalogue.other_names.is_empty() {
            let others = catalogue.other_names.iter().map(|other| EventName::new(other.name));
            Folded::begin(f, "other names of events:")?.words(others)?;
        }
        let modes = ["nouser", "sys"];
        let attributes = catalogue.attributes.iter().map(|attribute| attribute.name).chain(modes);
        Folded::begin(f, "attributes:")?.words(attributes.map(EventName::new))?;
        write!(f, "See {}", description.manual)
    }
}

impl Listing {
    /// Prints the events in groups that have the same counters, in the order of their first events.
    fn events(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Processor { ref description, catalogue, .. } = self.processor;
        let events = || catalogue.events_of(description.counters().collect());
        for (at, event) in events().enumerate() {
            let is_first = events().take(at).all(|other| other.counters != event.counters);
            if is_first {
                let alike = events().filter(|other| other.counters == event.counters);
                Folded::begin(f, Title { listing: self, counters: event.counters })?
                    .words(alike.map(|event| event.name))?;
            }
        }
        Ok(())
    }
}

/// The counters of a group, as the numbers of `picN`: `event[0-3]:` or `event[0,2]:`.
struct Title<'a> {
    listing: &'a Listing,
    counters: CounterSet,
}

impl fmt::Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.listing.processor.description.counters();
        let places = all.enumerate().filter(|(_, counter)| self.counters.contains(*counter)).map(|(place, _)| place);
        let (first, last) = (places.clone().next().unwrap_or(0), places.clone().last().unwrap_or(0));
        if places.clone().count() == last - first + 1 && last > first {
            return write!(f, "event[{first}-{last}]:");
        }
        write!(f, "event[")?;
        for (number, place) in places.enumerate() {
            write!(f, "{}{place}", if number > 0 { "," } else { "" })?;
        }
        write!(f, "]:")
    }
}

/// Words that follow a title, on as many lines as they need.
struct Folded<'f, 'a> {
    f: &'f mut fmt::Formatter<'a>,
    column: usize,
}

impl<'f, 'a> Folded<'f, 'a> {
    fn begin(f: &'f mut fmt::Formatter<'a>, title: impl fmt::Display) -> Result<Self, fmt::Error> {
        write!(f, "{title}")?;
        Ok(Self { f, column: COLUMNS / 4 })
    }

    fn words(mut self, mut words: impl Iterator<Item = EventName>) -> fmt::Result {
        words.try_for_each(|word| self.word(&word.text()))?;
        write!(self.f, "\n\n")
    }

    fn word(&mut self, word: &str) -> fmt::Result {
        if self.column + 1 + word.len() > COLUMNS {
            self.column = INDENT + word.len();
            return write!(self.f, "\n{:INDENT$}{word}", "");
        }
        self.column += 1 + word.len();
        write!(self.f, " {word}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Description;
    use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent};
    use crate::event::{Event, Flag, Width};

    const BOTH: CounterSet = CounterSet::first(2);

    #[test]
    fn events_with_the_same_counters_are_listed_together() {
        static GENERIC: [GenericEvent; 1] = [GenericEvent::new("papi_tot_cyc", Event::raw(1))];
        let catalogue = Catalogue {
            events: Events::of_text("Cycle_cnt 1 0-1\nEC_misses 2 1\nInstr_cnt 3 0-1"),
            generic: &GENERIC,
            attributes: &[Attribute { name: "edge", effect: Effect::Flag(Flag::Edge), largest: 1 }],
            ..Catalogue::EMPTY
        };
        let width = Width::wrapping(32).expect("32 is a width");
        let description = Description { general: BOTH, ..Description::new("Toy", "the toy's manual", width) };
        let listing = Listing { processor: Processor::new(description, Box::leak(Box::new(catalogue))) };
        let wanted = "CPU performance counter interface: Toy

event specification syntax:
[picn=]<eventn>[,attr[n][=<val>]][,[picn=]<eventn>[,attr[n][=<val>]],...]

generic events: papi_tot_cyc

event[0-1]: Cycle_cnt Instr_cnt

event[1]: EC_misses

attributes: edge nouser sys

See the toy's manual";
        assert_eq!(listing.to_string(), wanted);
    }

    #[test]
    fn long_lists_are_folded() {
        let many: String = (10..22).map(|number| format!("an_event_with_quite_a_name_{number} 1 0-1\n")).collect();
        let catalogue = Catalogue { events: Events::of_text(&many), ..Catalogue::EMPTY };
        let width = Width::wrapping(32).expect("32 is a width");
        let description = Description { general: BOTH, ..Description::new("Toy", "", width) };
        let listing = Listing { processor: Processor::new(description, Box::leak(Box::new(catalogue))) }.to_string();
        let folded = listing.lines().filter(|line| line.contains("an_event"));
        assert!(folded.clone().count() > 3 && folded.clone().all(|line| line.len() <= COLUMNS + INDENT), "{listing}");
    }
}
