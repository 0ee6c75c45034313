//! What did the kernel's demo say, all together?

use anyhow::{Result, bail};

use super::lines::{Count, Line, Sample, Sampled};

/// All of the demo's lines in their places.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) unit: String,
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) workload: String,
    pub(crate) clock: Option<u64>,
    pub(crate) counts: Vec<Count>,
    pub(crate) refusals: Vec<(String, String)>,
    /// Address of a function, event, number.
    shares: Vec<(u64, String, u64)>,
    pub(crate) samplings: Vec<Sampling>,
}

/// One run of the workload under overflow interrupts.
#[derive(Default)]
pub(crate) struct Sampling {
    pub(crate) title: String,
    pub(crate) requests: Vec<Sampled>,
    pub(crate) samples: Vec<Sample>,
    pub(crate) lost: Vec<(String, u64)>,
    pub(crate) overflows: u64,
}

impl Record {
    pub(crate) fn hear(&mut self, line: Line) {
        match line {
            Line::Unit(name) => self.unit = name,
            Line::Fact { key, value } => self.facts.push((key, value)),
            Line::Workload(name) => self.workload = name,
            Line::Clock(ticks) => self.clock = Some(ticks),
            Line::Count(count) => self.counts.push(count),
            Line::Refused { event, reason } => self.refusals.push((event, reason)),
            Line::Share { address, event, value } => self.shares.push((address, event, value)),
            Line::Sampling(title) => self.samplings.push(Sampling { title, ..Sampling::default() }),
            Line::Sampled(request) => self.sampling().requests.push(request),
            Line::Sample(sample) => self.sampling().samples.push(sample),
            Line::Lost { cause, number } => self.sampling().lost.push((cause, number)),
            Line::Overflows(number) => self.sampling().overflows = number,
        }
    }

    /// The sampling that a line belongs to; one without a name if none was announced.
    fn sampling(&mut self) -> &mut Sampling {
        if self.samplings.is_empty() {
            self.samplings.push(Sampling::default());
        }
        self.samplings.last_mut().expect("there is one now")
    }

    /// How many of `event` the functions of the workload had when each was counted alone: by address, and all together.
    pub(crate) fn exactly(&self, event: &str) -> (Vec<(u64, u64)>, u64) {
        let of_event = self.shares.iter().filter(|(_, counted, _)| counted == event);
        let shares: Vec<_> = of_event.map(|(address, _, value)| (*address, *value)).collect();
        let whole = shares.iter().map(|(_, value)| value).sum();
        (shares, whole)
    }

    /// Is it whole, and do samples and losses explain every overflow?
    ///
    /// # Errors
    /// The unit, the counts or the samples are missing, or samples and losses are not as many as the overflows.
    pub(crate) fn check(&self) -> Result<()> {
        if self.unit.is_empty() || self.counts.is_empty() || self.samplings.is_empty() {
            bail!("the kernel's demo ended without unit, counts and samples");
        }
        self.samplings.iter().try_for_each(Sampling::check)
    }
}

impl Sampling {
    pub(crate) fn lost(&self) -> u64 {
        self.lost.iter().map(|(_, number)| number).sum()
    }

    pub(crate) fn received(&self) -> u64 {
        self.samples.len() as u64
    }

    fn check(&self) -> Result<()> {
        let (received, lost, overflows) = (self.received(), self.lost(), self.overflows);
        if received == 0 || received + lost != overflows {
            bail!("{} received and {} lost samples do not explain {} overflows", received, lost, overflows);
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::lines;
    use super::*;

    pub(in super::super) fn record(text: &str) -> Record {
        let mut record = Record::default();
        text.lines().filter_map(|line| lines::parse(line).unwrap()).for_each(|line| record.hear(line));
        record
    }

    const WHOLE: &str = "unit U\ncount a general-0 1 observed\nsampling one event\nsample 0x10 general-0 kernel\n";

    #[test]
    fn every_overflow_must_be_explained() {
        assert!(record(&format!("{WHOLE}overflows 1")).check().is_ok());
        assert!(record(&format!("{WHOLE}sample-lost full 2\noverflows 3")).check().is_ok());
        assert!(record(&format!("{WHOLE}overflows 2")).check().is_err());
    }

    #[test]
    fn a_demo_without_counts_is_not_whole() {
        assert!(record("unit U\nsampling one\nsample 0x10 general-0 kernel\noverflows 1").check().is_err());
    }

    #[test]
    fn samples_belong_to_the_sampling_before_them() {
        let record = record(&format!("{WHOLE}overflows 1\nsampling two\nsample 0x20 general-0 kernel\noverflows 1"));
        assert_eq!(record.samplings.iter().map(|one| one.samples[0].address).collect::<Vec<_>>(), [0x10, 0x20]);
    }

    #[test]
    fn what_functions_had_alone_adds_up_by_event() {
        let record = record("share 0x10 a 3\nshare 0x20 a 4\nshare 0x20 b 100\n");
        assert_eq!(record.exactly("a"), (vec![(0x10, 3), (0x20, 4)], 7));
    }
}
