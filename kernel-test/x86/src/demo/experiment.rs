//! The classic experiment: one of several functions makes misaligned references; which?
//!
//! The program runs in ring 3, and only that is counted. First each of its functions is counted
//! alone, by every event that its instructions can be looked at for: the answer to compare with.
//! Then the program is sampled as one would who does not know: an overflow each so many misaligned
//! references, an NMI, the program counter.

use core::hint::black_box;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::demo::ledger::{self, PARTS};
use harness::println;
use pmu::driver::Plan;
use pmu::text::catalogue::EventName;
use pmu::virt::Kind;
use pmu::{Event, Modes, Pmu, Request, Session};

use super::Show;
use crate::guest::unit::Driver;
use crate::guest::{events, user};
use crate::identity::{self, Processor};

/// Misaligned references from one sample to the next.
const PERIOD: u64 = 100;

/// What is counted of each function.
const KINDS: [Kind; 6] =
    [Kind::Instructions, Kind::Branches, Kind::TakenBranches, Kind::Loads, Kind::Stores, Kind::MisalignedReferences];

/// Prints what each function does, and who makes misaligned references.
pub fn run(demo: &mut Show) {
    println!("experiment {}", ledger::TITLE);
    (0..PARTS.len()).for_each(|number| count(demo.pmu, number));
    match (event(Kind::MisalignedReferences), identity::presented().processor.misaligned_across()) {
        (Some(event), Some(boundary)) => sample(demo, event, boundary),
        _ => println!("rule no event of this processor counts misaligned references by a rule that its manual names"),
    }
}

fn sample(demo: &mut Show, event: Event, boundary: u64) {
    println!("rule a data reference is misaligned if it crosses a boundary of {boundary} bytes ({})", source());
    println!("sampling the experiment");
    demo.sample(name(demo.pmu, Kind::MisalignedReferences), in_ring_3(event), PERIOD, || user::run(run_ledger));
}

/// Where the processor's manual says so.
fn source() -> &'static str {
    match (&identity::presented().processor, identity::presented().name) {
        (Processor::Amd(_), "k8") => "AMD BKDG 26094, event 47h",
        (Processor::Amd(_), "family10h") => "AMD BKDG 31116, event 47h",
        (Processor::Amd(_), _) => "AMD BKDG 42301, event 47h",
        _ => "Intel SDM vol. 3, event 05H of the P6 family",
    }
}

/// Prints what a function does beside being called and returning: what is counted, less what is
/// counted of a function that does just that.
fn count(pmu: &Pmu<'static, Driver>, number: usize) {
    let mut kinds = KINDS.into_iter().filter_map(|kind| Some((kind, event(kind)?))).peekable();
    while kinds.peek().is_some() {
        let mut watches = KINDS.map(|_| {
            let &(kind, event) = kinds.peek()?;
            let watch = Watch { kind, session: pmu.open([in_ring_3(event)]).ok()? };
            kinds.next();
            Some(watch)
        });
        assert!(watches[0].is_some(), "a counter is free for the first");
        let nothing = seen(&mut watches, NOTHING);
        let all = seen(&mut watches, number);
        for (at, watch) in watches.iter().flatten().enumerate() {
            println!("share {:#x} {} {}", PARTS[number].address(), name(pmu, watch.kind), all[at] - nothing[at]);
        }
    }
}

/// A kind of work, and who counts it.
struct Watch {
    kind: Kind,
    session: Session<'static, Driver, 1>,
}

/// As many as can be open at once.
type Watches = [Option<Watch>; KINDS.len()];

/// What the watches see of a part of the program in ring 3.
fn seen(watches: &mut Watches, part: usize) -> [u64; KINDS.len()] {
    let before = counts(watches);
    watches.iter_mut().flatten().for_each(|watch| watch.session.start().expect("it is stopped"));
    PART.store(part, Relaxed);
    user::run(visit);
    watches.iter_mut().flatten().for_each(|watch| watch.session.stop().expect("it is started"));
    let after = counts(watches);
    core::array::from_fn(|number| after[number] - before[number])
}

/// Which part of the program ring 3 is to call.
static PART: AtomicUsize = AtomicUsize::new(0);
/// None of them.
const NOTHING: usize = usize::MAX;

extern "C" fn visit() {
    let number = PART.load(Relaxed);
    black_box(PARTS.get(number).map_or(nothing as fn() -> u64, |part| part.run))();
}

fn counts(watches: &Watches) -> [u64; KINDS.len()] {
    let mut counts = [0; KINDS.len()];
    for (count, watch) in counts.iter_mut().zip(watches.iter().flatten()) {
        [*count] = watch.session.read().expect("this is the unit's CPU");
    }
    counts
}

/// The least that a function can do.
#[inline(never)]
fn nothing() -> u64 {
    0
}

extern "C" fn run_ledger() {
    ledger::run();
}

fn in_ring_3(event: Event) -> Request {
    Request::new(event).modes(Modes::USER)
}

fn event(kind: Kind) -> Option<Event> {
    if kind == Kind::Instructions { Some(Event::INSTRUCTIONS) } else { events::of(kind) }
}

/// The kind as a column's title; misaligned references by the name that the processor's table has for the event.
fn name(pmu: &Pmu<Driver>, kind: Kind) -> EventName {
    let name = match kind {
        Kind::Instructions => "instructions",
        Kind::Branches => "branches",
        Kind::TakenBranches => "taken",
        Kind::Loads => "loads",
        Kind::Stores => "stores",
        _ => {
            return event(kind)
                .and_then(|event| name_of(pmu, event))
                .expect("the table has the events that are counted");
        }
    };
    EventName::new(name)
}

/// The name by which the experiment's authors knew the event, Solaris' if there is one, or else the processor's own.
fn name_of(pmu: &Pmu<Driver>, event: Event) -> Option<EventName> {
    let Event::Raw { code, .. } = event else { return None };
    let catalogue = pmu.driver().catalogue();
    let other = catalogue.other_names.iter().find(|other| other.code == code).map(|other| EventName::new(other.name));
    other.or_else(|| catalogue.of_code(code).map(|(named, _)| named.name))
}
