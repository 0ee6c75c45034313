//! OProfile on a Pentium 4: its default event, the cycles of `GLOBAL_POWER_EVENTS`, and two more, all sampled at once. Each
//! has a table, as `opreport -l -w event:NAME` prints it.
//!
//! The events are those that this kernel's host shows to the unit. Of the caches, the bus and the micro-operations it
//! knows nothing.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use harness::{Guest, println};
use pmu::output::{profile::Profile, profile::Resolver};
use pmu::output::{report::OpreportHeader, report::ProfileReport, report::SampledEvent, report::SymbolSummary};
use pmu::text::{notation::Oprofile, notation::Processor};
use pmu::{Interrupted, Pmu, Request};

use super::processes::{Images, THREADS};
use super::{title, with_pmu};
use crate::guest::unit::{Driver, Unit};
use crate::guest::{Here, enter_nmi_at};
use crate::identity::{self, Processor as Presented};

/// What is sampled. The counts are primes, so that samples do not keep step with a loop, and above OProfile's minimum.
const TEXT: &str = "GLOBAL_POWER_EVENTS:3011:1,INSTR_RETIRED:3019:1,BRANCH_RETIRED:3001:0xc";
const EVENTS: [SampledEvent; 3] = [
    SampledEvent {
        name: "GLOBAL_POWER_EVENTS",
        description: "cycles in which the processor is not stopped",
        unit_mask: 1,
        mask_description: Some("mandatory"),
        count: 3011,
    },
    SampledEvent {
        name: "INSTR_RETIRED",
        description: "retired instructions",
        unit_mask: 1,
        mask_description: Some("not bogus, not tagged"),
        count: 3019,
    },
    SampledEvent {
        name: "BRANCH_RETIRED",
        description: "retired branches",
        unit_mask: 0xC,
        mask_description: None,
        count: 3001,
    },
];

/// How the host knows of each.
const SOURCES: [&str; 3] = [
    "the emulator's clock, one cycle an instruction",
    "each instruction as it retires",
    "each instruction as it retires: the branches that were taken, predicted or not",
];

const ROOM: usize = 1024;
/// Places of an event's samples that there is room for. The profiles are on the stack.
const PLACES: usize = 256;

static UNIT: Unit<ROOM> = Unit::new();
/// The thread that runs.
static WHO: AtomicU32 = AtomicU32::new(0);

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = UNIT.on_overflow(at.in_thread(WHO.load(Relaxed)));
}

/// Shows nothing on a processor that has no such events.
pub fn run() {
    let Presented::Netburst(presented) = &identity::presented().processor else { return };
    let capabilities = presented.capabilities();
    enter_nmi_at(Nmi::address());
    with_pmu(&UNIT, |pmu| {
        let processor = Processor::new(pmu.description(), capabilities.catalogue());
        match Oprofile::parse::<3>(TEXT, processor).map(|set| set.exactly()) {
            Ok(Some(requests)) => show(pmu, requests),
            Ok(None) => panic!("there are three events"),
            Err(error) => panic!("{}", error.in_text(TEXT)),
        }
    });
}

fn show(pmu: &Pmu<'static, Driver>, requests: [Request; 3]) {
    title(format_args!("operf --events {TEXT}"));
    let images = Images::new();
    let profiles = sample(pmu, requests, &images);
    for ((event, source), profile) in EVENTS.iter().zip(SOURCES).zip(&profiles) {
        println!("# opreport -l -w event:{}", event.name);
        let processor = identity::presented().processor.name();
        let header = OpreportHeader { processor, megahertz: None, events: &[*event] };
        println!("{header}{}# counted: {source}\n", SymbolSummary::new(profile, &images).show_addresses());
        assert!(ProfileReport::by_image(profile, &images).rows().count() > 1, "{} was sampled", event.name);
    }
}

/// Runs a thread of each process, and returns the samples of each event.
fn sample(pmu: &Pmu<'static, Driver>, requests: [Request; 3], images: &impl Resolver) -> [Profile<PLACES>; 3] {
    let mut profiles = [const { Profile::new() }; 3];
    let mut session = pmu.open(requests).expect("they can be counted together");
    for thread in THREADS.iter().take(2) {
        WHO.store(thread.number, Relaxed);
        session.start().expect("it is stopped");
        (thread.run)();
        session.stop().expect("it runs");
        let mut samples = UNIT.samples().expect("nobody else reads");
        for sample in samples.by_ref() {
            let request = session.request_of(&sample).expect("it is this session's");
            profiles[request].sample(&sample, images);
        }
        assert_eq!(samples.lost().ring_full, 0, "the ring has room for all");
    }
    assert!(Here::unfed().is_empty(), "the host shows every event");
    profiles
}
