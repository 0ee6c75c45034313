//! `cpustat` and `cputrack`, as Solaris' users typed them on this processor: a row for each function of the program, and
//! their sum; and the example program of libcpc's manual.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use harness::demo::cputrack;
use harness::demo::program::PARTS;
use harness::{Guest, println};
use pmu::arch::sparc::ultrasparc::Model;
use pmu::driver::Registers as _;
use pmu::output::{report::Columns, report::CpustatOf, report::CpustatRow, report::CpustatTitle, report::Reading};
use pmu::text::notation::Cpc;
use pmu::{Pmu, Set};

use crate::guest::Here;
use crate::guest::unit::{Driver, Unit, detect, hardware};
use crate::identity::{self, Processor as Presented};

static UNIT: Unit<0> = Unit::new();

/// What Solaris' manual pages print (cpustat(1M), cputrack(1)); T1's first counter counts no instructions.
fn specification() -> &'static str {
    let identity = identity::presented();
    match &identity.processor {
        Presented::UltraSparc(_) => "pic0=Cycle_cnt,pic1=Instr_cnt,sys",
        Presented::Niagara(_) if identity.is_t1() => "pic0=IC_miss,pic1=Instr_cnt,sys",
        Presented::Niagara(_) => "pic0=Instr_cnt,pic1=Instr_ld,sys",
    }
}

/// What the experiment counts: references to the external cache and hits, where there are such events.
fn of_the_external_cache() -> Option<&'static str> {
    let Presented::UltraSparc(processor) = &identity::presented().processor else { return None };
    Some(match processor.capabilities().model {
        Model::Ultra12 => "pic0=EC_ref,pic1=EC_hit,sys",
        Model::Ultra4Plus => "pic0=Instr_cnt,pic1=L3_miss,sys",
        _ => "pic0=EC_ref,pic1=EC_misses,sys",
    })
}

/// What the guest runs.
pub fn run() {
    let pmu = UNIT.claim(detect()).expect("nobody else claims it");
    show(&pmu, specification());
    of_the_external_cache().into_iter().for_each(|specification| experiment(&pmu, specification));
    pmu.release().expect("nothing is open any more");
}

/// 64 KB: four times the data cache, and an eighth of the external one.
static WORDS: [AtomicU64; 8192] = [const { AtomicU64::new(1) }; 8192];
/// The words of a line of the data cache.
const LINE: usize = 4;

/// The example of cpc_bind_event(3CPC): a computation is measured twenty times. What it reads is in the external cache from the
/// second time on.
fn experiment(pmu: &Pmu<'static, Driver>, specification: &'static str) {
    println!("libcpc {specification}");
    let requests = *parse(pmu, specification).requests().first_chunk::<2>().expect("it asks for both counters");
    let mut session = pmu.open(requests).expect("they are free");
    assert!(Here::unfed().is_empty(), "the host observes it");
    session.start().expect("it is stopped");
    for iteration in 1..=20 {
        let before = session.read().expect("this is its CPU");
        let sum: u64 = WORDS.iter().step_by(LINE).map(|word| word.load(Relaxed)).sum();
        let after = session.read().expect("this is its CPU");
        let counted = [0, 1].map(|event| after[event] - before[event]);
        assert_eq!(sum, (WORDS.len() / LINE) as u64);
        check(iteration, counted);
        println!("{iteration:>3}: {} {}", counted[0], counted[1]);
    }
    session.stop().expect("it runs");
}

/// Each line is referred to, and each two lines of the data cache are one of the external cache, which misses once. The
/// counters are read one after the other, so that the second may have a few events more.
fn check(iteration: u32, [first, second]: [u64; 2]) {
    let lines = (WORDS.len() / LINE) as u64;
    let (least, most) = if iteration == 1 { (lines / 2, lines / 2 + SOME) } else { (0, SOME) };
    let Presented::UltraSparc(processor) = &identity::presented().processor else { unreachable!() };
    let misses = if processor.capabilities().model == Model::Ultra12 { first.abs_diff(second) } else { second };
    assert!((least..=most).contains(&misses), "{misses} misses, the {iteration}. time");
    assert!(first >= lines, "{first} of {lines}");
}

/// What the driver refers to between two readings, at most.
const SOME: u64 = 100;

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
    let specification = specification();
    println!("cputrack -c {specification} program");
    let sums = cputrack::run::<Here>(&pmu, parse(&pmu, specification), now);
    assert!(sums.into_iter().any(|sum| sum > 0), "the threads were counted");
    pmu.release().expect("nothing is open any more");
}

fn parse(pmu: &Pmu<'static, Driver>, specification: &'static str) -> Set<2> {
    let processor = pmu.processor();
    Cpc::parse(specification, processor).unwrap_or_else(|error| panic!("{}", error.in_text(specification)))
}

fn row(of: CpustatOf, time: u64, counts: &[u64]) {
    println!("{}", CpustatRow { of, reading: Reading { time, tick: None, counts }, set: None });
}

/// The time in nanoseconds: the guest's clock advances by one with each instruction of the guest's.
fn now() -> u64 {
    hardware().ticks()
}
