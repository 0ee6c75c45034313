//! All lines of the kernel's demo.

use anyhow::{Result, bail};

use super::lines::{Count, Line, Sample, Sampled};

/// The parsed lines of the demo.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) unit: String,
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) workload: String,
    pub(crate) clock: Option<u64>,
    pub(crate) counts: Vec<Count>,
    pub(crate) refusals: Vec<(String, String)>,
    pub(crate) shares: Vec<Share>,
    pub(crate) samplings: Vec<Sampling>,
    pub(crate) experiment: Option<Experiment>,
}

/// The count of an event in a function that was counted alone.
pub(crate) struct Share {
    pub(crate) address: u64,
    pub(crate) event: String,
    pub(crate) number: u64,
}

/// A program of which every instruction was observed.
#[derive(Default)]
pub(crate) struct Experiment {
    pub(crate) title: String,
    pub(crate) rule: String,
    pub(crate) shares: Vec<Share>,
    /// `None` if the processor has no event for it.
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
            Line::Share { address, event, value: number } => self.shares().push(Share { address, event, number }),
            Line::Sampling(title) => self.samplings().push(Sampling { title, ..Sampling::default() }),
            Line::Sampled(request) => self.sampling().requests.push(request),
            Line::Sample(sample) => self.sampling().samples.push(sample),
            Line::Lost { cause, number } => self.sampling().lost.push((cause, number)),
            Line::Overflows(number) => self.sampling().overflows = number,
            Line::Experiment(title) => self.experiment = Some(Experiment { title, ..Experiment::default() }),
            Line::Rule(rule) => self.experiment.get_or_insert_default().rule = rule,
        }
    }

    fn shares(&mut self) -> &mut Vec<Share> {
        self.experiment.as_mut().map_or(&mut self.shares, |experiment| &mut experiment.shares)
    }

    fn samplings(&mut self) -> &mut Vec<Sampling> {
        self.experiment.as_mut().map_or(&mut self.samplings, |experiment| &mut experiment.samplings)
    }

    /// Returns the sampling that a line belongs to; one without a name if none was announced.
    fn sampling(&mut self) -> &mut Sampling {
        let samplings = self.samplings();
        if samplings.is_empty() {
            samplings.push(Sampling::default());
        }
        samplings.last_mut().expect("there is one now")
    }

    /// Checks that it is complete, and that every overflow is a sample or a loss.
    ///
    /// # Errors
    /// The unit, the counts or the samples are missing, samples and losses are not as many as the overflows, or the
    /// experiment finds the wrong function.
    pub(crate) fn check(&self) -> Result<()> {
        let is_counted = !self.counts.is_empty() && !self.samplings.is_empty();
        let is_experiment = self.experiment.as_ref().is_some_and(|experiment| !experiment.samplings.is_empty());
        if self.unit.is_empty() || !(is_counted || is_experiment) {
            bail!("the kernel's demo ended without unit, counts and samples");
        }
        self.samplings.iter().try_for_each(Sampling::check)?;
        self.experiment.iter().try_for_each(Experiment::check)
    }
}

/// Returns the counts of `event` in the functions, by address.
pub(crate) fn exactly<'s>(shares: &'s [Share], event: &'s str) -> impl Iterator<Item = (u64, u64)> {
    shares.iter().filter(move |share| share.event == event).map(|share| (share.address, share.number))
}

impl Experiment {
    fn check(&self) -> Result<()> {
        self.samplings.iter().try_for_each(|sampling| {
            sampling.check()?;
            let event = sampling.requests.first().map_or("", |request| &request.event);
            let most = exactly(&self.shares, event).max_by_key(|(_, number)| *number).map(|(address, _)| address);
            let blamed = sampling.samples.iter().filter(|sample| self.function(sample.address) == most).count();
            if blamed * 2 <= sampling.samples.len() {
                bail!("the samples of {event} do not blame the function that has most of them");
            }
            Ok(())
        })
    }

    /// Returns the last of its functions that begins at or before this address.
    fn function(&self, address: u64) -> Option<u64> {
        self.shares.iter().map(|share| share.address).filter(|begin| *begin <= address).max()
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
    fn an_experiment_must_blame_the_function_that_has_most() {
        let shares =
            "unit U\nexperiment two\nshare 0x10 a 9000\nshare 0x20 a 10\nsampling it\nsampled a general-0 100 9010\n";
        assert!(record(&format!("{shares}sample 0x1f general-0 kernel\noverflows 1")).check().is_ok());
        assert!(record(&format!("{shares}sample 0x20 general-0 kernel\noverflows 1")).check().is_err());
    }

    #[test]
    fn what_functions_had_alone_is_known_by_event() {
        let record = record("share 0x10 a 3\nshare 0x20 a 4\nshare 0x20 b 100\n");
        assert_eq!(exactly(&record.shares, "a").collect::<Vec<_>>(), [(0x10, 3), (0x20, 4)]);
    }
}
