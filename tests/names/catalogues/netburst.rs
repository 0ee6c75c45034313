//! The Pentium 4's tables, and its events as users of the three notations write them.

use pmu::arch::x86::Unattached;
use pmu::arch::x86::netburst::CounterGroup;
use pmu::arch::x86::netburst::{Capabilities, Netburst, Share, View};
use pmu::driver::Plan;
use pmu::request::Flag;
use pmu::text::{notation::Cpc, notation::Oprofile, notation::Perfmon, notation::Processor};
use pmu::{Event, Modes, Request, Set};

use crate::support::memory::Msrs;

/// Cycles while not halted (global_power_events: RUNNING).
const CYCLES: Event = Event::raw(CounterGroup::Bpu.code(0x13, 6, 1));
/// Branches retired that were taken (branch_retired: MMTP, MMTM).
const TAKEN_BRANCHES: Event = Event::raw(CounterGroup::Iq.code(0x06, 5, 0xC));

fn driver(model: u32, view: View) -> impl Plan {
    let mut capabilities = Capabilities::of_model(model);
    capabilities.view = view;
    Netburst::new(Msrs::new(), Unattached, capabilities)
}

fn read_by_libpfm(model: u32, text: &str) -> Result<Request, String> {
    let driver = driver(model, View::Bank);
    let here = Processor::of(&driver);
    let read: Result<Set<1>, _> = Perfmon::parse(text, here);
    read.map(|set| set.requests()[0]).map_err(|error| error.in_text(text).to_string())
}

fn read_by_cputrack(text: &str) -> Request {
    let driver = driver(2, View::Bank);
    let here = Processor::of(&driver);
    let read: Set<1> = Cpc::parse(text, here).unwrap_or_else(|error| panic!("{}", error.in_text(text)));
    read.requests()[0]
}

#[test]
fn the_pentium_4s_events_are_counted_and_come_back() {
    for model in [1, 2, 3, 4, 6] {
        for view in [View::Bank, View::All] {
            crate::catalogues::check(&driver(model, view));
        }
    }
}

#[test]
fn prescott_has_one_more_event() {
    let [early, prescott] = [2, 3].map(|model| driver(model, View::Bank).catalogue());
    assert_eq!((early.events.len(), prescott.events.len()), (46, 47));
    assert!(early.named("instr_completed").is_none() && prescott.named("instr_completed").is_some());
    assert!(early.is_unit("netburst") && prescott.is_unit("netburst_p") && prescott.is_unit("p4"));
}

#[test]
fn libpfms_masks_and_modifiers_are_read() {
    let read = |text| read_by_libpfm(2, text).unwrap();
    assert_eq!(read("netburst::global_power_events:RUNNING").event, CYCLES);
    assert_eq!(read("branch_retired:MMTP:MMTM").event, TAKEN_BRANCHES);
    let threshold = read("uop_queue_writes:FROM_ROM:thr=3:cmpl");
    assert_eq!((threshold.threshold, threshold.flags.contains(Flag::Invert)), (4, true));
    let cycles = read("execution_event:nbogus0:nbogus1:nbogus2:nbogus3:bogus0:bogus1:bogus2:bogus3:cmpl:thr=15");
    assert_eq!((cycles.event, cycles.threshold), (Event::raw(CounterGroup::Iq.code(0x0C, 5, 0xFF)), 16));
    let tagged = read("x87_FP_uop:ALL:TAG0:TAG2:u");
    assert_eq!(tagged.event, Event::raw(CounterGroup::Flame.code(0x04, 1, 0x8000) | 5 << 32));
    assert_eq!(tagged.modes, Modes::USER);
    assert_eq!(read("uops_type:TAGLOADS"), read("uop_type:TAGLOADS"));
    assert!(
        read_by_libpfm(2, "instr_completed:NBOGUS").is_err() && read_by_libpfm(3, "instr_completed:NBOGUS").is_ok()
    );
}

#[test]
fn every_replay_tag_of_libpfm_is_one_that_can_be_counted() {
    let driver = driver(2, View::Bank);
    let tags = driver.catalogue().named("replay_event").unwrap().masks.named.iter().skip(2);
    let counted = tags.map(|tag| read_by_libpfm(2, &format!("replay_event:NBOGUS:{}", tag.name)).unwrap());
    assert_eq!(counted.filter(|request| driver.encode(request).is_ok()).count(), 9);
}

#[test]
fn solaris_attributes_are_read_in_any_order() {
    // The third counter of the bank is MS0, and the fifth FLAME0.
    let first = read_by_cputrack("pic2=uop_queue_writes,emask2=0x4,compare2=1,threshold2=3,complement2=1,edge2");
    assert_eq!(first.event, Event::raw(CounterGroup::Ms.code(0x09, 0, 4)));
    assert_eq!((first.threshold, first.flags), (4, pmu::request::Flags::NONE.with(Flag::Invert).with(Flag::Edge)));
    let second = read_by_cputrack("threshold2=3,complement2=1,edge2,compare2=1,emask2=0x4,pic2=uop_queue_writes");
    assert_eq!(first, second);
    assert_eq!(read_by_cputrack("pic2=uop_queue_writes,compare2=1").threshold, 1);
    let tagged = read_by_cputrack("pic4=packed_SP_uop,tag4=1,emask4=0x8000");
    assert_eq!(tagged.event, Event::raw(CounterGroup::Flame.code(0x08, 1, 0x8000) | 1 << 32));
}

#[test]
fn oprofiles_default_event_is_the_clock() {
    let driver = driver(2, View::Bank);
    let here = Processor::of(&driver);
    let read: Set<1> = Oprofile::parse("GLOBAL_POWER_EVENTS:100000:1:1:1", here).unwrap();
    assert_eq!(read.requests()[0].event, CYCLES);
    assert!(Oprofile::parse::<1>("GLOBAL_POWER_EVENTS:2999:1:1:1", here).is_err());
}

/// The 39 events of OProfile's (events/i386/p4/events and unit_masks): the name, the part, the event's and the ESCR's number,
/// the default mask, and its bits.
const OF_OPROFILE: [(&str, CounterGroup, u8, u8, u16, u16); 39] = [
    ("GLOBAL_POWER_EVENTS", CounterGroup::Bpu, 0x13, 6, 0x1, 0x1),
    ("BRANCH_RETIRED", CounterGroup::Iq, 0x06, 5, 0xC, 0xF),
    ("MISPRED_BRANCH_RETIRED", CounterGroup::Iq, 0x03, 4, 0x1, 0x1),
    ("BPU_FETCH_REQUEST", CounterGroup::Bpu, 0x03, 0, 0x1, 0x1),
    ("ITLB_REFERENCE", CounterGroup::Bpu, 0x18, 3, 0x7, 0x7),
    ("MEMORY_CANCEL", CounterGroup::Flame, 0x02, 5, 0x8, 0xC),
    ("MEMORY_COMPLETE", CounterGroup::Flame, 0x08, 2, 0x3, 0x3),
    ("LOAD_PORT_REPLAY", CounterGroup::Flame, 0x04, 2, 0x2, 0x2),
    ("STORE_PORT_REPLAY", CounterGroup::Flame, 0x05, 2, 0x2, 0x2),
    ("MOB_LOAD_REPLAY", CounterGroup::Bpu, 0x03, 2, 0x3A, 0x3A),
    ("BSQ_CACHE_REFERENCE", CounterGroup::Bpu, 0x0C, 7, 0x73F, 0x73F),
    ("IOQ_ALLOCATION", CounterGroup::Bpu, 0x03, 6, 0xEFE1, 0xEFFF),
    ("IOQ_ACTIVE_ENTRIES", CounterGroup::Bpu, 0x1A, 6, 0xEFE1, 0xEFFF),
    ("BSQ_ALLOCATION", CounterGroup::Bpu, 0x05, 7, 0x21, 0x3FEF),
    ("X87_ASSIST", CounterGroup::Iq, 0x03, 5, 0x1F, 0x1F),
    ("MACHINE_CLEAR", CounterGroup::Iq, 0x02, 5, 0x1, 0x41),
    ("TC_MS_XFER", CounterGroup::Ms, 0x05, 0, 0x1, 0x1),
    ("UOP_QUEUE_WRITES", CounterGroup::Ms, 0x09, 0, 0x7, 0x7),
    ("FRONT_END_EVENT", CounterGroup::Iq, 0x08, 5, 0x1, 0x3),
    ("EXECUTION_EVENT", CounterGroup::Iq, 0x0C, 5, 0xF, 0xFF),
    ("REPLAY_EVENT", CounterGroup::Iq, 0x09, 5, 0x5, 0x3),
    ("INSTR_RETIRED", CounterGroup::Iq, 0x02, 4, 0x1, 0xF),
    ("UOPS_RETIRED", CounterGroup::Iq, 0x01, 4, 0x1, 0x3),
    ("UOP_TYPE", CounterGroup::Iq, 0x02, 2, 0x2, 0x6),
    ("RETIRED_MISPRED_BRANCH_TYPE", CounterGroup::Ms, 0x05, 2, 0x1F, 0x1F),
    ("RETIRED_BRANCH_TYPE", CounterGroup::Ms, 0x04, 2, 0x1F, 0x1F),
    ("TC_DELIVER_MODE", CounterGroup::Ms, 0x01, 1, 0x4, 0x24),
    ("PAGE_WALK_TYPE", CounterGroup::Bpu, 0x01, 4, 0x1, 0x3),
    ("FSB_DATA_ACTIVITY", CounterGroup::Bpu, 0x17, 6, 0x3F, 0x3F),
    ("BSQ_ACTIVE_ENTRIES", CounterGroup::Bpu, 0x06, 7, 0x21, 0x3FEF),
    ("SSE_INPUT_ASSIST", CounterGroup::Flame, 0x34, 1, 0x8000, 0x8000),
    ("PACKED_SP_UOP", CounterGroup::Flame, 0x08, 1, 0x8000, 0x8000),
    ("PACKED_DP_UOP", CounterGroup::Flame, 0x0C, 1, 0x8000, 0x8000),
    ("SCALAR_SP_UOP", CounterGroup::Flame, 0x0A, 1, 0x8000, 0x8000),
    ("SCALAR_DP_UOP", CounterGroup::Flame, 0x0E, 1, 0x8000, 0x8000),
    ("64BIT_MMX_UOP", CounterGroup::Flame, 0x02, 1, 0x8000, 0x8000),
    ("128BIT_MMX_UOP", CounterGroup::Flame, 0x1A, 1, 0x8000, 0x8000),
    ("X87_FP_UOP", CounterGroup::Flame, 0x04, 1, 0x8000, 0x8000),
    ("X87_SIMD_MOVES_UOP", CounterGroup::Flame, 0x2E, 1, 0x18, 0x18),
];

#[test]
fn oprofiles_users_find_all_events_of_a_pentium_4_with_each_of_their_masks() {
    for model in [2, 3] {
        let driver = driver(model, View::Bank);
        let here = Processor::of(&driver);
        let read = |text: &str| {
            let set = Oprofile::parse::<1>(text, here).unwrap_or_else(|error| panic!("{}", error.in_text(text)));
            set.requests()[0]
        };
        for (name, part, event, select, default, masks) in OF_OPROFILE {
            let is = |mask| Event::raw(part.code(event, select, mask));
            assert_eq!(read(&format!("{name}:6000")).event, is(default), "{name}");
            for mask in (0..16).map(|bit| 1 << bit).filter(|bit| masks & bit != 0).chain([masks]) {
                let request = read(&format!("{name}:6000:{mask:#x}:1:1"));
                assert_eq!(request.event, is(mask), "{name}:{mask:#x}");
                // What a replay event counts has to be tagged, by a mask that OProfile does not have.
                assert_eq!(driver.encode(&request).is_ok(), name != "REPLAY_EVENT", "{name}:{mask:#x}");
            }
        }
    }
}

#[test]
fn a_thread_has_oprofiles_other_unit_and_solaris_states_of_the_threads() {
    let mut capabilities = Capabilities::of_model(3);
    capabilities.share = Share::Thread0;
    let driver = Netburst::new(Msrs::new(), Unattached, capabilities);
    let catalogue = driver.catalogue();
    assert_eq!((catalogue.unit, catalogue.named("instr_retired").unwrap().least), ("i386/p4-ht", 6000));
    let here = Processor::of(&driver);
    let text = "pic0=global_power_events,active_thread0=1";
    let read: Set<1> = Cpc::parse(text, here).unwrap();
    let Event::Raw { code, .. } = read.requests()[0].event else { panic!("a code") };
    assert_eq!(!(code >> 36) & 3, 1, "a code has the states of the threads inverted");
    let printed = Cpc::of(read.requests(), here).unwrap().to_string();
    assert_eq!(Cpc::parse::<1>(&printed, here).unwrap(), read, "{printed}");
}
