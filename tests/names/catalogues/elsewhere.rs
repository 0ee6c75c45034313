//! libpfm's tables of processors that its library is not built for where the tests run: UltraSPARC I to IV+, T1 and T2, and
//! MIPS 74K.
//!
//! Each row has an event's name, its selector, a bit for each counter, and libpfm's units: what lib/events/sparc_*.h and
//! mips_74k_events.h of version 4.13 have (MIT), read once. `oracles` asks the library itself about x86.

use pmu::arch::mips::mipsxx::{self, Mipsxx};
use pmu::arch::sparc::niagara::{self, Niagara};
use pmu::arch::sparc::ultrasparc::{self, UltraSparc};
use pmu::driver::Plan;
use pmu::text::{notation::Perfmon, notation::Processor};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterId, Event, Request};

const OF_LIBPFM: &str = include_str!("elsewhere_of_libpfm.txt");

/// What libpfm has wrong, by `docs/tables.md`: unit, name and counters as libpfm has them.
const DISAGREEMENTS: [(&str, &str, u64); 10] = [
    ("ultra3", "Dispatch0_rs_mispred", 0b01),
    ("ultra3", "FM_pipe_completion", 0b01),
    ("ultra3p", "Dispatch0_rs_mispred", 0b01),
    ("ultra3p", "FM_pipe_completion", 0b01),
    ("ultra3i", "Dispatch0_rs_mispred", 0b01),
    ("ultra3i", "FM_pipe_completion", 0b01),
    ("ultra3i", "MC_page_close_stall", 0b10),
    ("ultra3i", "MC_reads", 0b10),
    ("ultra3i", "MC_writes", 0b10),
    ("ultra4p", "IU_Stat_Br_Count_taken", 0b01),
];

const SPARC: [(&str, ultrasparc::Identity); 5] = [
    ("ultra12", ultrasparc::Identity::II),
    ("ultra3", ultrasparc::Identity::III),
    ("ultra3p", ultrasparc::Identity::III_PLUS),
    ("ultra3i", ultrasparc::Identity::III_I),
    ("ultra4p", ultrasparc::Identity::IV_PLUS),
];

/// A row: name, selector, counters, unit.
fn rows() -> impl Iterator<Item = (&'static str, u64, u64, &'static str)> {
    OF_LIBPFM.lines().flat_map(|row| {
        let [name, code, counters, units] = row.split(' ').collect::<Vec<_>>().try_into().expect("it has four columns");
        let code = u64::from_str_radix(code.trim_start_matches("0x"), 16).unwrap();
        units.split(',').map(move |unit| (name, code, counters.parse().unwrap(), unit))
    })
}

fn parsed(driver: &impl Plan, text: &str) -> Option<Request> {
    let processor = Processor::of(driver);
    Some(Perfmon::parse::<1>(text, processor).ok()?.requests()[0])
}

/// The counters that can count the request.
fn counters(driver: &impl Plan, request: &Request) -> u64 {
    pmu::driver::counters_for(driver, request).bits()
}

/// The selector that a counter has for a code: bits 8 and 9 of it are the counters, bits 16 to 21 the selector of pic1 if
/// both have the event by different ones.
fn selector(event: Event, counter: CounterId) -> Option<u64> {
    let Event::Raw { code, .. } = event else { return None };
    match (code >> 8 & 3, counter.number()) {
        (0, _) | (1, 0) | (2, 1) | (3, 0) => Some(code & 0x3F),
        (3, 1) => Some(code >> 16 & 0x3F),
        _ => None,
    }
}

#[test]
fn every_ultrasparc_event_of_libpfms_has_its_selector_or_is_a_known_disagreement() {
    let mut disagreements = Vec::new();
    let mut agreed = 0;
    for (unit, identity) in SPARC {
        let device = ultrasparc::Device::new(&identity, Kinds::CLOCK, Unconnected);
        let driver = UltraSparc::new(device, identity.capabilities());
        for (name, code, pics, _) in rows().filter(|row| row.3 == unit) {
            let request = parsed(&driver, &format!("{unit}::{name}:u"));
            let on = |request: Request, number: u8| {
                let counter = CounterId::new(number).unwrap();
                counters(&driver, &request) >> number & 1 == 1 && selector(request.event, counter) == Some(code)
            };
            let is_same =
                request.is_some_and(|request| (0..2).all(|number| pics >> number & 1 == 0 || on(request, number)));
            if is_same { agreed += 1 } else { disagreements.push((unit, name, pics)) }
        }
    }
    assert_eq!(disagreements, DISAGREEMENTS);
    assert_eq!(agreed + disagreements.len(), 324);
}

/// What libpfm has wrong of T2, by `docs/tables.md`.
const DISAGREEMENTS_OVER_T2: [(&str, u64); 3] =
    [("Instr_cnt:Stores", 0x210), ("mem:cpu_store", 0x510), ("mem:mmu_load", 0x520)];

#[test]
fn every_event_and_mask_of_t1_and_t2_of_libpfms_has_its_code_or_is_a_known_disagreement() {
    let mut compared = 0;
    for (unit, identity) in [("niagara1", niagara::Identity::T1), ("niagara2", niagara::Identity::T2)] {
        let device = niagara::Device::new(&identity, Kinds::CLOCK, Unconnected);
        let driver = Niagara::new(device, identity.capabilities());
        for (name, code, pics, _) in rows().filter(|row| row.3 == unit) {
            let request = parsed(&driver, &format!("{unit}::{name}:u")).unwrap_or_else(|| panic!("{name} is unknown"));
            let Event::Raw { code: ours, .. } = request.event else { panic!("{name} is generic") };
            let known = DISAGREEMENTS_OVER_T2.iter().find(|(known, _)| *known == name);
            // pic1 of T1 counts instructions without a selector, which bit 8 stands for here.
            let theirs = known.map_or(if unit == "niagara1" { code | pics >> 1 << 8 } else { code }, |known| known.1);
            assert_eq!((ours, counters(&driver, &request)), (theirs, pics), "{unit}::{name}");
            compared += 1;
        }
    }
    assert_eq!(compared, 46);
}

#[test]
fn every_74k_event_of_libpfms_has_its_number_and_counters() {
    let identity = mipsxx::Identity::M74K;
    let driver = Mipsxx::new(mipsxx::Device::new(&identity, Kinds::CLOCK, Unconnected), identity.capabilities());
    let mut compared = 0;
    for (name, code, of, _) in rows().filter(|row| row.3 == "mips_74k") {
        let request = parsed(&driver, &format!("mips_74k::{name}:u")).unwrap_or_else(|| panic!("{name} is unknown"));
        let Event::Raw { code: ours, .. } = request.event else { panic!("{name} is generic") };
        assert_eq!((ours & 0x7F, counters(&driver, &request)), (code, of), "{name}");
        compared += 1;
    }
    assert_eq!(compared, 122);
}
