//! `cpustat` and `cputrack`, as Solaris' users typed them on this processor: a row for each function of the program, and
//! their sum.

use harness::demo::cputrack;
use harness::demo::program::PARTS;
use harness::{Console, Guest, println};
use pmu::arch::sparc::ultrasparc::Model;
use pmu::notation::cpc;
use pmu::report::{Columns, CpustatOf, CpustatRow, CpustatTitle, Reading};
use pmu::{Pmu, Registers as _, Set};

use crate::guest::Here;
use crate::guest::unit::{Driver, Unit, detect, hardware};
use crate::identity::{self, Processor as Presented};

static UNIT: Unit<0> = Unit::new();

/// What Solaris' manual pages print (cpustat(1M), cputrack(1)); T1's first counter counts no instructions.
fn specifications() -> &'static [&'static str] {
    let identity = identity::presented();
    match &identity.processor {
        Presented::UltraSparc(_) if !identity.has_interrupts() => {
            &["pic0=Cycle_cnt,pic1=Instr_cnt,sys", "pic0=EC_ref,pic1=EC_hit,sys"]
        }
        Presented::UltraSparc(processor) if processor.capabilities().model == Model::Ultra4Plus => {
            &["pic0=Cycle_cnt,pic1=Instr_cnt,sys", "pic0=L2_ref,pic1=L2_miss,sys"]
        }
        Presented::UltraSparc(_) => &["pic0=Cycle_cnt,pic1=Instr_cnt,sys", "pic0=EC_ref,pic1=EC_misses,sys"],
        Presented::Niagara(_) if identity.is_t1() => &["pic0=IC_miss,pic1=Instr_cnt,sys"],
        Presented::Niagara(_) => &["pic0=Instr_cnt,pic1=Instr_ld,sys"],
    }
}

/// What the guest runs.
pub fn run() {
    let pmu = UNIT.claim(detect()).expect("nobody else claims it");
    specifications().iter().for_each(|specification| show(&pmu, specification));
    pmu.release().expect("nothing is open any more");
}

fn show(pmu: &Pmu<'static, Driver>, specification: &'static str) {
    println!("cpustat -c {specification}");
    println!("{}", CpustatTitle(Columns { tick: None, counters: &[0, 1] }));
    let requests = *parse(pmu, specification).requests().first_chunk::<2>().expect("it asks for both counters");
    let mut session = pmu.open(requests).expect("they are free");
    let (began, mut shown) = (now(), [0; 2]);
    session.start().expect("it is stopped");
    let unfed = Here::unfed();
    for part in &PARTS {
        part.check();
        let counts = session.read().expect("this is its CPU");
        let since = [0, 1].map(|at| counts[at] - shown[at]);
        shown = counts;
        row(CpustatOf::Cpu(0), now() - began, &since);
    }
    session.stop().expect("it runs");
    row(CpustatOf::Total(1), now() - began, &shown);
    for counter in unfed {
        println!("# counter {counter} counts what the host does not observe: 0");
    }
    assert!(
        pmu.description().general.without(unfed).into_iter().all(|counter| shown[usize::from(counter.number())] > 0)
    );
}

/// The program's functions as threads that are switched, and the counts of each.
pub fn track() {
    let pmu = UNIT.claim(detect()).expect("nobody else claims it");
    let specification = specifications()[0];
    println!("cputrack -c {specification} program");
    let sums = cputrack::run::<Here>(Console, &pmu, parse(&pmu, specification), now);
    assert!(sums.into_iter().any(|sum| sum > 0), "the threads were counted");
    pmu.release().expect("nothing is open any more");
}

fn parse(pmu: &Pmu<'static, Driver>, specification: &'static str) -> Set<2> {
    let processor = pmu.processor();
    cpc::parse(specification, processor).unwrap_or_else(|error| panic!("{}", error.in_text(specification)))
}

fn row(of: CpustatOf, time: u64, counts: &[u64]) {
    println!("{}", CpustatRow { of, reading: Reading { time, tick: None, counts }, set: None });
}

/// The time in nanoseconds: the guest's clock advances by one with each instruction of the guest's.
fn now() -> u64 {
    hardware().ticks()
}
