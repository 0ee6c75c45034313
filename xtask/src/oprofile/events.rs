//! Parses OProfile's `events`, one event a line:
//! `event:0x79 counters:0,1 um:zero minimum:6000 name:CPU_CLK_UNHALTED : description`.

use anyhow::{Context, Result, ensure};

use super::line::{Tags, each};

const TAGS: [&str; 7] = ["event", "counters", "um", "minimum", "name", "ext", "filter"];

/// One event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) code: u64,
    pub(crate) counters: Counters,
    /// The names of its unit masks, which are merged if there are several.
    pub(crate) masks: Vec<String>,
    /// The shortest period.
    pub(crate) minimum: u64,
}

/// The counters that have an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Counters {
    /// A bit for each.
    These(u64),
    /// As many as the processor announces (`counters:cpuid`, or no word of them).
    Announced,
    /// None: a separate facility counts it (`ext:`).
    Extended,
}

/// Read a file of events and add them to `events`. Returns the processors that it includes.
///
/// # Errors
/// A line is wrong.
pub(crate) fn read(text: &str, events: &mut Vec<Event>) -> Result<Vec<String>> {
    each(text, |line| {
        events.push(Event::read(line)?);
        Ok(())
    })
}

impl Event {
    fn read(line: &str) -> Result<Self> {
        let tags = Tags::read(line, &TAGS)?;
        let code = tags.hexadecimal("event")?;
        ensure!(u32::try_from(code).is_ok(), "the event's code {code:#x} has more than 32 bits");
        let minimum = tags.need("minimum")?;
        Ok(Self {
            name: tags.name("name")?.to_owned(),
            code,
            counters: if tags.get("ext").is_some() { Counters::Extended } else { counters(tags.get("counters"))? },
            masks: tags.need("um")?.split(',').map(str::to_owned).collect(),
            minimum: minimum.parse().with_context(|| format!("minimum:{minimum} is no number"))?,
        })
    }
}

/// Parses numbers with commas between them, or `cpuid`.
fn counters(text: Option<&str>) -> Result<Counters> {
    let Some(text) = text.filter(|text| *text != "cpuid") else { return Ok(Counters::Announced) };
    let bits = text.split(',').try_fold(0, |bits, number| {
        let number: u32 = number.parse().ok()?;
        Some(bits | 1_u64.checked_shl(number)?)
    });
    bits.map(Counters::These).with_context(|| format!("counters:{text} are no counters' numbers"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Result<Event> {
        let mut events = Vec::new();
        read(line, &mut events)?;
        Ok(events.remove(0))
    }

    #[test]
    fn an_event_is_read_from_its_tags() {
        let event = one("event:0x2a counters:0,3 um:core,prefetch minimum:500 filter:2 name:L2_ST : stores").unwrap();
        let masks = vec!["core".to_owned(), "prefetch".to_owned()];
        let counters = Counters::These(0b1001);
        assert_eq!(event, Event { name: "L2_ST".to_owned(), code: 0x2a, counters, masks, minimum: 500 });
    }

    #[test]
    fn counters_may_be_the_processors_to_announce_or_none() {
        let counters =
            |words| one(&format!("event:0x1 {words} um:zero minimum:1 name:A : a")).map(|event| event.counters);
        assert_eq!(counters("counters:cpuid").unwrap(), Counters::Announced);
        assert_eq!(counters("").unwrap(), Counters::Announced);
        assert_eq!(counters("ext:ibs_fetch").unwrap(), Counters::Extended);
        assert!(counters("counters:0,x").is_err() && counters("counters:64").is_err());
    }

    #[test]
    fn a_code_has_32_bits_at_the_most() {
        let code = |code| one(&format!("event:{code} counters:0 um:zero minimum:1 name:A : a")).is_ok();
        assert_eq!(["0xffffffff", "0x100000000", "79"].map(code), [true, false, false]);
    }
}
