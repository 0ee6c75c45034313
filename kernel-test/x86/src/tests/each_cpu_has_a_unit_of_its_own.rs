//! Four CPUs claim, count and sample, each with its unit and its ring, in turns: no count and no sample is another's, and no
//! session is used elsewhere. One CPU sleeps and another's unit is given up, while the others count on.

use core::array;

use harness::{Chance, Fact, Guest};
use pmu::{CpuId, Error, Interrupted, Request, Session};

use super::clocked;
use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{CPUS, Here, enter_nmi_at, go_on_on};

const TURNS: u64 = 100;
/// Each CPU has another one.
const PERIODS: [u64; CPUS] = [5_003, 7_001, 9_001, 11_003];
/// The CPU that sleeps for a time, and the one whose unit is given up.
const SLEEPER: usize = 1;
const LEAVER: usize = 2;

static UNITS: [Unit<64>; CPUS] = [const { Unit::new() }; CPUS];

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = unit::here(&UNITS).on_overflow(at);
}

/// A CPU's session, and what is known of it.
struct Counting {
    session: Session<'static, Driver, 1>,
    request: Request,
    /// What its counter has counted, by the host's book.
    booked: u64,
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let mut all: [Counting; CPUS] = array::from_fn(|cpu| {
        go_on_on(cpu);
        let pmu = unit::claim(&UNITS[cpu]);
        let counter = clocked::counters(&pmu.description()).lowest().expect("every unit has counters");
        let request = clocked::request(counter);
        let session = pmu.open([request.every(PERIODS[cpu])]).expect("the counter is free");
        Counting { session, request, booked: 0 }
    });
    go_on_on(0);
    assert_eq!(all[1].session.start(), Err(Error::WrongCpu { owner: CpuId(1), here: CpuId(0) }));

    let mut chance = Chance::new(1);
    count(&mut all, &mut chance, &[0, 1, 2, 3]);

    go_on_on(SLEEPER);
    UNITS[SLEEPER].here().expect("it is claimed").suspend().expect("no thread is in");
    go_on_on(LEAVER);
    UNITS[LEAVER].here().expect("it is claimed").revoke().expect("it is this CPU's");
    assert_eq!(all[LEAVER].session.start(), Err(Error::Invalidated));
    count(&mut all, &mut chance, &[0, 3]);

    go_on_on(SLEEPER);
    UNITS[SLEEPER].resume().expect("it sleeps");
    go_on_on(LEAVER);
    let again = UNITS[LEAVER].reclaim().expect("it was given up");
    let request = all[LEAVER].request.every(PERIODS[LEAVER]);
    let session = again.open([request]).expect("nobody has a counter");
    all[LEAVER] = Counting { session, request: all[LEAVER].request, booked: 0 };
    count(&mut all, &mut chance, &[0, 1, 2, 3]);

    for (cpu, counting) in all.into_iter().enumerate() {
        go_on_on(cpu);
        drop(counting);
        UNITS[cpu].here().expect("it is claimed").release().expect("nothing is open");
        assert_eq!(UNITS[cpu].spurious().foreign, 0, "no interrupt was another CPU's");
    }
}

/// Lets these CPUs count in turns, and looks at what they have.
fn count(all: &mut [Counting; CPUS], chance: &mut Chance, cpus: &[usize]) {
    for _ in 0..TURNS {
        let cpu = cpus[chance.below(cpus.len() as u64) as usize];
        go_on_on(cpu);
        let before = all[cpu].book();
        all[cpu].session.start().expect("this is its CPU");
        exactly(10 + chance.below(3_000));
        all[cpu].session.stop().expect("this is its CPU");
        all[cpu].booked += all[cpu].book() - before;
        all[cpu].check(cpu);
    }
}

impl Counting {
    fn book(&self) -> u64 {
        let counter = self.request.counters.lowest().expect("it is pinned");
        Here::call(harness::Call::Truth, Fact::Counted as u64, counter.number().into())
    }

    fn check(&self, cpu: usize) {
        assert_eq!(self.session.read(), Ok([self.booked]), "CPU {cpu}");
        let mut samples = UNITS[cpu].samples().expect("nobody else reads");
        for sample in samples.by_ref() {
            assert_eq!(self.session.request_of(&sample), Some(0), "{sample:?} on CPU {cpu}");
        }
    }
}
