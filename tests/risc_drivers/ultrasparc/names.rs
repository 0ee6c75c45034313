//! The strings of cputrack, cpustat and libpfm, as their users type them.

use pmu::arch::sparc::Half::{self, Pic0, Pic1};
use pmu::arch::sparc::ultrasparc::Identity;
use pmu::driver::Plan;
use pmu::text::{notation::Cpc, notation::Error, notation::Perfmon, notation::Processor};
use pmu::{Event, Modes, Request, Set};

use crate::ultrasparc::{PIC0, driver, pic1};

/// Cycles (Cycle_cnt); both counters.
const CYCLES: Event = Event::raw(0);
/// Hits in the external cache (EC_hit); I and II, pic1.
const EXTERNAL_HITS: Event = Event::raw(0x20C);
/// Misses in the external cache (EC_misses); III to IV, pic1.
const EXTERNAL_MISSES: Event = Event::raw(0x20C);
/// References to the external cache (EC_ref); I to IV, pic0.
const EXTERNAL_REFERENCES: Event = Event::raw(0x10C);
/// Instructions completed (Instr_cnt); both counters.
const INSTRUCTIONS: Event = Event::raw(1);
/// Misses in the third-level cache (L3_miss); IV+, pic1.
const L3_MISSES: Event = Event::raw(0x231);

/// The event that `half` counts by this selector.
const fn on(half: Half, select: u8) -> Event {
    Event::raw(1 << (8 + half.number()) | select as u64)
}

fn read(identity: &Identity, parse: impl Fn(Processor) -> Result<Set<2>, Error>) -> Result<Vec<Request>, Error> {
    let driver = driver(identity);
    let set = parse(Processor::of(&driver))?;
    set.requests().iter().for_each(|request| assert_eq!(driver.encode(request).err(), None, "{request:?}"));
    Ok(set.requests().to_vec())
}

fn of_cpc(identity: &Identity, text: &str) -> Vec<Request> {
    read(identity, |here| Cpc::parse(text, here)).expect("it is read")
}

fn pinned(event: Event, number: u8) -> Request {
    let counter = if number == 0 { PIC0 } else { pic1() };
    Request::new(event).modes(Modes::USER).pinned_to(counter)
}

/// cpustat(1M), "Examples".
#[test]
fn the_pair_of_solaris_manual_works_as_typed() {
    for identity in &Identity::ALL[..3] {
        let expected = [pinned(EXTERNAL_REFERENCES, 0), pinned(EXTERNAL_HITS, 1)];
        assert_eq!(of_cpc(identity, "pic0=EC_ref,pic1=EC_hit"), expected, "{}", identity.name());
        let first_version = read(identity, |here| Cpc::parse_ultrasparc("pic0=EC_ref,pic1=EC_hit", here));
        assert_eq!(first_version.expect("it is read"), expected);
    }
}

#[test]
fn solaris_strings_work_on_every_processor() {
    for identity in &Identity::ALL {
        let expected = [pinned(CYCLES, 0), pinned(INSTRUCTIONS, 1)];
        assert_eq!(of_cpc(identity, "pic0=Cycle_cnt,pic1=Instr_cnt"), expected, "{}", identity.name());
        let both = |request: Request| request.modes(Modes::ALL);
        assert_eq!(of_cpc(identity, "Cycle_cnt,Instr_cnt,sys"), expected.map(both), "{}", identity.name());
    }
    let misses = [pinned(EXTERNAL_REFERENCES, 0), pinned(EXTERNAL_MISSES, 1)];
    assert_eq!(of_cpc(&Identity::III, "pic0=EC_ref,pic1=EC_misses"), misses);
    let l3 = [pinned(on(Pic0, 0x28), 0), pinned(L3_MISSES, 1)];
    assert_eq!(of_cpc(&Identity::IV_PLUS, "pic0=L3_rd_miss,pic1=L3_miss"), l3);
}

/// The specifications of cpustat(1M) and cputrack(1), their attributes' numbers and order as users choose them.
#[test]
fn modes_are_for_both_counters_or_for_the_one_that_is_numbered() {
    let pair = |first: Modes, second: Modes| [pinned(CYCLES, 0).modes(first), pinned(INSTRUCTIONS, 1).modes(second)];
    let typed = |text: &str| of_cpc(&Identity::II, text);
    assert_eq!(typed("pic0=Cycle_cnt,pic1=Instr_cnt,nouser,sys"), pair(Modes::KERNEL, Modes::KERNEL));
    assert_eq!(typed("sys,pic1=Instr_cnt,pic0=Cycle_cnt,nouser").len(), 2);
    assert_eq!(typed("Cycle_cnt,Instr_cnt"), pair(Modes::USER, Modes::USER));
    assert_eq!(typed("Cycle_cnt,pic1=Instr_cnt,sys0,sys1"), pair(Modes::ALL, Modes::ALL));
    assert_eq!(typed("EC_hit,EC_ref"), [pinned(EXTERNAL_HITS, 1), pinned(EXTERNAL_REFERENCES, 0)]);
}

#[test]
fn one_event_is_enough() {
    assert_eq!(of_cpc(&Identity::II, "pic1=EC_hit"), [pinned(EXTERNAL_HITS, 1)]);
    assert_eq!(of_cpc(&Identity::II, "EC_hit"), [pinned(EXTERNAL_HITS, 1)]);
}

#[test]
fn an_event_with_a_selector_for_each_counter_is_on_either() {
    let event = Event::raw(0x28_031B);
    assert_eq!(of_cpc(&Identity::III_PLUS, "pic1=EC_miss_mtag_remote"), [pinned(event, 1)]);
    assert_eq!(of_cpc(&Identity::IV, "pic0=EC_miss_mtag_remote"), [pinned(event, 0)]);
    assert_eq!(of_cpc(&Identity::IV_PLUS, "pic1=SW_count_NOP"), [pinned(Event::raw(0x1C_0314), 1)]);
}

#[test]
fn a_selector_of_the_counter_is_read_as_a_number() {
    assert_eq!(of_cpc(&Identity::III, "pic0=0xc,pic1=0xc"), [pinned(Event::raw(0xC), 0), pinned(Event::raw(0xC), 1)]);
}

/// cpc_strtoevent(3CPC), "Notes": pic0 and pic1 take numbers. Cycle_cnt's selector is 0.
#[test]
fn a_selector_of_zero_is_the_event_that_has_it() {
    for zero in ["0x0", "0"] {
        let text = format!("pic0={zero},pic1=0x1");
        assert_eq!(of_cpc(&Identity::II, &text), [pinned(Event::raw(0), 0), pinned(Event::raw(1), 1)], "{text}");
    }
}

#[test]
fn an_event_of_the_other_counter_is_refused() {
    let refused = read(&Identity::II, |here| Cpc::parse("pic0=EC_hit,pic1=EC_ref", here));
    assert!(refused.unwrap_err().to_string().contains("counter"));
    let unknown = read(&Identity::II, |here| Cpc::parse("pic1=EC_misses", here));
    assert!(unknown.is_err(), "I and II count hits");
}

/// Each is put on a counter that has it, also where the string names none.
#[test]
fn papis_names_are_libcpcs() {
    let misses = [pinned(Event::CYCLES, 0), pinned(EXTERNAL_MISSES, 1)];
    assert_eq!(of_cpc(&Identity::III, "PAPI_tot_cyc,PAPI_l2_tcm"), misses);
    assert_eq!(of_cpc(&Identity::III, "pic0=PAPI_tot_cyc,pic1=PAPI_l2_tcm"), misses);
    assert_eq!(of_cpc(&Identity::II, "PAPI_l2_tch"), [pinned(EXTERNAL_HITS, 1)]);
    assert_eq!(of_cpc(&Identity::IV_PLUS, "PAPI_br_tkn"), [pinned(on(Pic1, 0x1E), 1)]);
    let refused = read(&Identity::III, |here| Cpc::parse("pic0=PAPI_l2_tcm", here));
    assert!(refused.is_err(), "pic0 does not have it");
}

#[test]
fn libpfms_names_are_read_too() {
    let of_libpfm = |identity, text| read(identity, |here| Perfmon::parse(text, here)).expect("it is read")[0].event;
    assert_eq!(of_libpfm(&Identity::III, "ultra3::EC_misses:u"), EXTERNAL_MISSES);
    assert_eq!(of_libpfm(&Identity::III_PLUS, "ultra3p::SW_count0:u"), on(Pic0, 0x14));
    assert_eq!(of_libpfm(&Identity::II, "ultra12::Cycle_cnt:u:k"), CYCLES);
    assert_eq!(of_libpfm(&Identity::IV_PLUS, "ultra4p::IU_Stat_Br_miss_taken:u"), on(Pic0, 0x15));
}
