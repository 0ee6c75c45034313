//! Which instruction makes misaligned accesses? The experiment's program is sampled twice: by an overflow each so many
//! misaligned references, which interrupts behind the instruction, and by IBS, whose records name it. Those are kept
//! that say it was misaligned.

use harness::demo::{ledger, program};
use harness::println;
use pmu::arch::x86::amd::ibs::Op;
use pmu::output::profile::{Profile, Resolver, Symbol};
use pmu::output::report::ProfileReport;
use pmu::virt::Kind;
use pmu::{Event, Handled, Mode, Modes, Request};

use super::{processes, title, with_pmu};
use crate::guest::sampling::{self, Room, interrupted};
use crate::guest::unit::Unit;
use crate::guest::{enter_nmi_at, entry, events, user};
use crate::identity;
use crate::trap::Frame;

/// Misaligned references from one overflow to the next.
const PERIOD: u64 = 100;
/// Ops from one record to the next.
const OPS: u64 = 160;
const ROOM: usize = 256;

static UNIT: Unit<ROOM> = Unit::new();
static RECORDS: Room = Room::new();

pmu::nmi_entry!(Nmi, |at| _ = UNIT.on_overflow(at));

/// Shows nothing on a processor without sampling, or without an event for it that the host can tell.
pub fn run() {
    let presented = &identity::presented().processor;
    let Some(event) = events::of(Kind::MisalignedReferences).filter(|_| presented.has_sampling()) else { return };
    title(format_args!("misaligned: which instruction makes misaligned accesses? (function+offset)"));
    let symbols = processes::symbols(processes::PARTS_OF_BOOKS, &ledger::PARTS);
    let overflows = by_overflow(event);
    println!("an overflow each {PERIOD} misaligned references; the next instruction is known:");
    println!("{}", ProfileReport::by_address(&overflows, &symbols[..]));
    let [named, behind] = by_record();
    println!("a record each {OPS} ops, those that were misaligned; the instruction itself is known:");
    println!("{}", ProfileReport::by_address(&named, &symbols[..]));
    check(&symbols, &overflows, &named, &behind);
}

fn by_overflow(event: Event) -> Profile<ROOM> {
    let mut profile = Profile::new();
    enter_nmi_at(Nmi::address());
    with_pmu(&UNIT, |pmu| {
        let request = Request::new(event).modes(Modes::USER).every(PERIOD);
        let mut session = pmu.open([request]).expect("any counter will do");
        session.start().expect("it is stopped");
        user::run(books);
        session.stop().expect("it runs");
        profile.extend(UNIT.samples().expect("nobody else reads"));
        let [references] = session.read().expect("this is the unit's CPU");
        assert_eq!(profile.total(), references / PERIOD, "each overflow left a sample");
    });
    profile
}

/// The misaligned accesses of ring 3 by the address of their instruction, and by the one where the interrupt came.
fn by_record() -> [Profile<ROOM>; 2] {
    enter_nmi_at(entry::nmi_stub());
    sampling::open(|frame: &mut Frame| {
        assert_eq!(RECORDS.on_interrupt(&sampling::ops(), interrupted(frame)), Handled::Overflow);
    });
    let sampler = sampling::ops();
    let program = RECORDS.encode(&sampler, &Request::new(Op::OPS).every(OPS)).expect("it can be sampled");
    RECORDS.start(&sampler, program);
    user::run(books);
    RECORDS.stop(&sampler, 0).expect("it was started");
    let mut profiles = [Profile::new(), Profile::new()];
    for record in RECORDS.read(&sampler).expect("nobody else reads") {
        if record.mode == Some(Mode::User) && record.is_misaligned == Some(true) {
            let addresses = [record.address, record.interrupted].map(|address| address.expect("an NMI took it in"));
            profiles.iter_mut().zip(addresses).for_each(|(profile, address)| profile.add(address, 1));
        }
    }
    assert_eq!(RECORDS.statistics().lost.total(), 0, "the ring has room for all");
    profiles
}

/// Each overflow came behind an instruction that a record names, and all of these are in the function to blame.
fn check(symbols: &[Symbol], overflows: &Profile<ROOM>, named: &Profile<ROOM>, behind: &Profile<ROOM>) {
    assert!(overflows.total() > 20 && named.total() > 20);
    let is_to_blame = |place| symbols.resolve(place).is_some_and(|symbol| symbol.name == "book_packed");
    assert!(named.hits().iter().all(|hits| is_to_blame(hits.place) && overflows.at(hits.place) == 0));
    assert!(overflows.hits().iter().all(|hits| behind.at(hits.place) > 0));
    assert_eq!(named.hits().len(), behind.hits().len());
}

/// The functions that book: the others make no misaligned access.
extern "C" fn books() {
    ledger::PARTS[..2].iter().for_each(program::Part::check);
}
