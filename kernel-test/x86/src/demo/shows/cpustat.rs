//! `cpustat`: more sets than are counted at once take turns on the CPU; each row says whose it is,
//! and what is estimated of the whole comes with its error.

use core::array;

use harness::println;
use pmu::output::{report::Columns, report::CpustatOf, report::CpustatRow, report::CpustatTitle, report::Reading};
use pmu::{Multiplex, Pmu};

use super::{Cause, Watcher, first_counts_instructions, now, requests, run_program, title, with_pmu};
use crate::guest::unit::{Driver, Unit};

/// The sets, one counter each.
const SPECIFICATIONS: [&str; 2] = ["pic0=PAPI_tot_ins,sys", "pic0=PAPI_tot_cyc,sys"];
/// Instructions of a turn.
const TURN: u64 = 1_000_000;

static UNIT: Unit<0> = Unit::new();

pub fn run() {
    if !first_counts_instructions("cpustat") {
        return;
    }
    title(format_args!("cpustat -c {} -c {} 0.001", SPECIFICATIONS[0], SPECIFICATIONS[1]));
    with_pmu(&UNIT, |pmu| {
        println!("{}", CpustatTitle(Columns { tick: None, counters: &[0] }));
        let mut sets = Multiplex::new(0);
        sets.bind(pmu, SPECIFICATIONS.map(|text| requests::<1>(pmu, text))).expect("a set has one request");
        pmu.switch_in(sets.context());
        let mut turns = Turns { pmu, sets, shown: [0; SPECIFICATIONS.len()], began: now() };
        run_program(&mut turns, TURN);
        turns.end();
    });
}

/// Whose turn it is, and what was shown of each set.
struct Turns<'p> {
    pmu: &'p Pmu<'static, Driver>,
    sets: Multiplex<Driver, { SPECIFICATIONS.len() }, 1>,
    shown: [u64; SPECIFICATIONS.len()],
    began: u64,
}

impl Watcher for Turns<'_> {
    fn comes(&mut self, _: usize) {}

    /// The CPU is counted, whichever thread it runs, and its kernel too.
    fn left(&mut self, _: usize, _: Cause) {
        let set = self.sets.current();
        self.pmu.rotate(&mut self.sets);
        let count = self.sets.counts(set).expect("its turn has ended").raw[0];
        let since = count - core::mem::replace(&mut self.shown[set], count);
        self.show(CpustatOf::Cpu(0), set, since);
    }
}

impl Turns<'_> {
    fn show(&self, of: CpustatOf, set: usize, count: u64) {
        let reading = Reading { time: now() - self.began, tick: None, counts: &[count] };
        println!("{}", CpustatRow { of, reading, set: Some(SPECIFICATIONS[set]) });
    }

    /// What each set has counted in its turns, and what that says of the whole.
    fn end(&mut self) {
        self.pmu.switch_out(self.sets.context());
        let estimates: [u64; SPECIFICATIONS.len()] = array::from_fn(|set| {
            let counts = self.sets.counts(set).expect("it is out");
            self.show(CpustatOf::Total(1), set, counts.raw[0]);
            let [scaled] = self.sets.scaled(set).expect("it is out");
            let scaled = scaled.expect("it has had its turns");
            let error = scaled.error.expect("it has had more than one");
            let (running, enabled) = (counts.running, counts.enabled);
            println!(
                "# {running} of {enabled} ticks were counted: in all about {}, give or take {error}",
                scaled.estimate
            );
            scaled.estimate
        });
        // Here every instruction is one cycle, so the sets are estimates of the same number.
        let [instructions, cycles] = estimates;
        assert!(instructions.abs_diff(cycles) < instructions / 100, "{instructions} instructions in {cycles} cycles");
    }
}
