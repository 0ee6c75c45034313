//! What OProfile prints above its tables: the processor, and the events that were sampled.

use core::fmt;

/// The lines that `opreport` prints before a table such as [`SymbolSummary`](super::SymbolSummary) (OProfile's
/// `libpp/op_header.cpp`).
///
/// ```
/// use pmu::output::{report::OpreportHeader, report::SampledEvent};
///
/// let event = SampledEvent {
///     name: "CPU_CLK_UNHALTED",
///     description: "Clock cycles when not halted",
///     unit_mask: 0,
///     mask_description: Some("No unit mask"),
///     count: 100_000,
/// };
/// let header = OpreportHeader { processor: "Intel Sandy Bridge microarchitecture", megahertz: Some(2401), events: &[event] };
/// assert_eq!(
///     header.to_string(),
///     "CPU: Intel Sandy Bridge microarchitecture, speed 2401 MHz (estimated)\n\
///      Counted CPU_CLK_UNHALTED events (Clock cycles when not halted) with a unit mask of 0x00 (No unit mask) count 100000\n"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpreportHeader<'a> {
    /// The processor's name.
    pub processor: &'a str,
    /// Its clock's frequency, if it is known.
    pub megahertz: Option<u64>,
    /// The events that were sampled.
    pub events: &'a [SampledEvent<'a>],
}

/// An event that was sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SampledEvent<'a> {
    /// The event's name.
    pub name: &'a str,
    /// What it counts.
    pub description: &'a str,
    /// Its unit mask.
    pub unit_mask: u64,
    /// What the unit mask selects; `None` if it is a combination, for which OProfile prints `multiple flags`.
    pub mask_description: Option<&'a str>,
    /// The period: the number of events from one sample to the next.
    pub count: u64,
}

impl fmt::Display for OpreportHeader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CPU: {}", self.processor)?;
        if let Some(megahertz) = self.megahertz {
            write!(f, ", speed {megahertz} MHz (estimated)")?;
        }
        f.write_str("\n")?;
        self.events.iter().try_for_each(|event| writeln!(f, "{event}"))
    }
}

impl fmt::Display for SampledEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, description, unit_mask, mask_description, count } = self;
        let mask = mask_description.unwrap_or("multiple flags");
        write!(f, "Counted {name} events ({description}) with a unit mask of 0x{unit_mask:02x} ({mask}) count {count}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_not_known_and_a_mask_of_several_are_printed_as_oprofile_does() {
        let event = SampledEvent {
            name: "L2_LINES",
            description: "lines",
            unit_mask: 0x1F0,
            mask_description: None,
            count: 500,
        };
        let header = OpreportHeader { processor: "Core 2", megahertz: None, events: &[event, event] };
        let line = "Counted L2_LINES events (lines) with a unit mask of 0x1f0 (multiple flags) count 500\n";
        assert_eq!(header.to_string(), format!("CPU: Core 2\n{line}{line}"));
    }
}
