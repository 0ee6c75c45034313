//! The native events of the generic events on each processor, and their counters.

use pmu::arch::aarch64::pmuv3::{self, Pmuv3, Share};
use pmu::arch::powerpc::{book3s, classic, embedded};
use pmu::arch::sparc::{niagara, ultrasparc};
use pmu::arch::x86::{Unattached, amd, intel, p5};
use pmu::driver::{Plan, counters_for};
use pmu::request::{Generic, Refusal};
use pmu::text::{native::Derivation, native::Native, native::Sign};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterSet, Event, Mode, Request};

use crate::catalogues::intel as intels;

/// The native event that a driver returns is the one that it counts for the generic event.
pub(crate) fn are_the_processors_own(driver: &impl Plan) {
    let catalogue = driver.catalogue();
    for generic in Generic::ALL {
        let asked = Request::new(Event::Generic(generic));
        let own = driver.native(generic);
        assert_eq!(own.err(), driver.encode(&asked).err(), "{}: {}", catalogue.unit, generic.name());
        let Ok(own) = own else { continue };
        assert!(matches!(own, Event::Raw { .. }), "{}: {} is {own}", catalogue.unit, generic.name());
        let (by_code, by_name) = (counters_for(driver, &own.into()), counters_for(driver, &asked));
        let alike = !by_code.is_empty() && by_name.covers(by_code);
        assert!(alike, "{}: {} is on {by_name}, {own} on {by_code}", catalogue.unit, generic.name());
    }
    assert_eq!(
        Native::all(driver).count(),
        catalogue.generic.len() + catalogue.presets.iter().count(),
        "{}",
        catalogue.unit
    );
    for native in Native::all(driver) {
        let name = native.name().text();
        let found = Native::of(driver, &name).map(|found| found.to_string());
        assert_eq!(found, Ok(native.to_string()), "{}", catalogue.unit);
        assert!(native.terms().all(|term| !term.counters.is_empty()), "{}: {native}", catalogue.unit);
    }
}

/// The codes of these generic events, in their order.
fn codes(driver: &impl Plan, generic: [Generic; 4]) -> [Option<u64>; 4] {
    generic.map(|generic| match driver.native(generic) {
        Ok(Event::Raw { code, .. }) => Some(code),
        Ok(Event::Generic(generic)) => panic!("{generic:?} is none of the processor's own"),
        Err(refusal) => {
            assert_eq!(refusal, Refusal::UnknownEvent);
            None
        }
        Ok(other) => panic!("{other} has no code"),
    })
}

const FOUR: [Generic; 4] = [Generic::Instructions, Generic::Cycles, Generic::Branches, Generic::CacheMisses];

/// SDM vol. 3, table "Architectural Performance Events".
#[test]
fn intels_have_the_architectures_codes() {
    let driver = intels::driver(&intel::Identity::SKYLAKE);
    assert_eq!(codes(&driver, FOUR), [Some(0x00C0), Some(0x003C), Some(0x00C4), Some(0x412E)]);
    assert_eq!(driver.native(Generic::ReferenceCycles), Ok(Event::raw(0x0300)), "a fixed counter's");
    assert_eq!(driver.native(Generic::Slots), Err(Refusal::UnknownEvent));
}

/// Erratum AAJ80 of Nehalem: the event that stands in for the one that is hidden.
#[test]
fn nehalems_branch_misses_are_those_executed() {
    let driver = intels::driver(&intel::Identity::NEHALEM);
    assert_eq!(driver.native(Generic::BranchMisses), Ok(Event::raw(0x7F89)));
}

/// BKDG 26094, "Performance Monitor Events"; PPR for family 17h, "Core Performance Monitor Counters".
#[test]
fn amds_differ_by_family() {
    let driver = |identity: &amd::Identity| {
        let device = amd::Device::new(identity, Kinds::CLOCK, Unconnected);
        amd::Amd::new(device, Unattached, identity.capabilities())
    };
    assert_eq!(codes(&driver(&amd::Identity::K8), FOUR), [Some(0xC0), Some(0x76), Some(0xC2), Some(0x077E)]);
    assert_eq!(codes(&driver(&amd::Identity::ZEN_2), FOUR), [Some(0xC0), Some(0x76), Some(0xC2), Some(0x0964)]);
    assert_eq!(codes(&driver(&amd::Identity::K7), FOUR), [Some(0xC0), Some(0x76), Some(0xC2), None]);
}

/// SDM vol. 3, "Pentium Processor Performance Monitoring Events": only with MMX does it count cycles, on counter 0.
#[test]
fn the_pentium_counts_cycles_with_mmx() {
    let own = |identity| codes(&crate::catalogues::p5::driver(&identity), FOUR);
    assert_eq!(own(p5::Identity::P5), [Some(0x16), None, Some(0x12), Some(0x29)]);
    assert_eq!(own(p5::Identity::P5_MMX), [Some(0x16), Some(0x30), Some(0x12), Some(0x29)]);
    let able = counters_for(&crate::catalogues::p5::driver(&p5::Identity::P5_MMX), &Event::CYCLES.into());
    assert_eq!(able, CounterSet::from_bits(1));
}

/// DDI 0487, D14.2, table "Event index": INST_RETIRED, CPU_CYCLES, BR_RETIRED, L2D_CACHE_REFILL.
#[test]
fn arms_are_what_the_core_announces() {
    let identity = pmuv3::Identity::CORTEX_A57;
    let registers = pmuv3::Device::new(&identity, Kinds::CLOCK, Unconnected).driven_from(Mode::Kernel);
    let capabilities = pmuv3::Capabilities::discover(&registers).unwrap();
    let driver = Pmuv3::new(registers, capabilities, Share::WHOLE);
    assert_eq!(codes(&driver, FOUR), [Some(0x08), Some(0x11), None, Some(0x17)]);
    let cycles = Native::of(&driver, "papi_tot_cyc").unwrap().terms().next().unwrap();
    assert!(cycles.counters.covers(CounterSet::from_bits(1 << 31)), "the cycle counter has them too");
}

/// "POWER9 Performance Monitor Unit User's Guide"; POWER4's PM_INST_CMPL has PMC1's code, and four
/// counters more.
#[test]
fn powers_differ_by_generation() {
    let driver = |identity: &book3s::Identity| {
        book3s::Book3s::new(book3s::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
    };
    let power9 = codes(&driver(&book3s::Identity::POWER9), FOUR);
    assert_eq!(power9, [Some(0x02), Some(0x1E), Some(0x4_D05E), Some(0x3_00FE)]);
    let power4 = driver(&book3s::Identity::POWER4);
    assert_eq!(codes(&power4, FOUR), [Some(0x1001), Some(0x07), Some(0x330), Some(0x3C10)]);
    let instructions = Native::of(&power4, "papi_tot_ins").unwrap().terms().next().unwrap();
    assert_eq!(instructions.counters, CounterSet::from_bits(0b1110_1001));
}

/// "PowerPC 604 RISC Microprocessor User's Manual", tables 9-2 and 9-3, where a code names its counter.
#[test]
fn the_classic_processors_codes_name_their_counters() {
    let driver = |identity: &classic::Identity| {
        classic::Classic::new(classic::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
    };
    assert_eq!(codes(&driver(&classic::Identity::P604E), FOUR), [Some(2), Some(1), Some(0x208), None]);
    assert_eq!(codes(&driver(&classic::Identity::P750), FOUR), [Some(2), Some(1), None, None]);
}

/// "PowerPC e500 Core Family Reference Manual", table "Performance Monitor Event Selection".
#[test]
fn the_embedded_cores_have_theirs_in_common() {
    let identity = &embedded::Identity::E500_V2;
    let device = embedded::Device::new(identity, Kinds::CLOCK, Unconnected);
    let driver = embedded::Embedded::new(device, identity.capabilities());
    assert_eq!(codes(&driver, FOUR), [Some(2), Some(1), Some(8), Some(41)]);
}

/// illumos-gate, niagara_pcbe.c and niagara2_pcbe.c: libcpc names no cycles and no misses of the last level.
#[test]
fn niagaras_are_libcpcs() {
    let driver = |identity: &niagara::Identity| {
        niagara::Niagara::new(niagara::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
    };
    assert_eq!(codes(&driver(&niagara::Identity::T1), FOUR), [Some(0x100), None, None, None]);
    assert_eq!(codes(&driver(&niagara::Identity::T3), FOUR), [Some(0x2FD), None, Some(0x201), None]);
}

/// illumos-gate, us234_pcbe.c: the last level is EC_misses of III to IV and L3_miss of IV+, and I and II count hits.
#[test]
fn ultrasparcs_are_libcpcs() {
    let driver = |identity: &ultrasparc::Identity| {
        ultrasparc::UltraSparc::new(
            ultrasparc::Device::new(identity, Kinds::CLOCK, Unconnected),
            identity.capabilities(),
        )
    };
    assert_eq!(codes(&driver(&ultrasparc::Identity::II), FOUR), [Some(1), Some(0), None, None]);
    assert_eq!(codes(&driver(&ultrasparc::Identity::III), FOUR), [Some(1), Some(0), None, Some(0x20C)]);
    assert_eq!(codes(&driver(&ultrasparc::Identity::IV_PLUS), FOUR), [Some(1), Some(0), None, Some(0x231)]);
}

#[test]
fn a_generic_event_of_several_says_which_they_are() {
    let driver = intels::driver(&intel::Identity::SKYLAKE);
    let predicted = Native::of(&driver, "PAPI_BR_PRC").unwrap();
    let text = "papi_br_prc: BR_INST_RETIRED.CONDITIONAL (event 0xc4, mask 0x1) \
                - BR_MISP_RETIRED.CONDITIONAL (event 0xc5, mask 0x1)";
    assert_eq!((predicted.derivation(), predicted.to_string()), (Derivation::Difference, text.into()));
    assert_eq!(predicted.terms().map(|term| term.sign).collect::<Vec<_>>(), [Sign::Plus, Sign::Minus]);
    assert_eq!([predicted.value(&[9, 2]), predicted.value(&[9])], [Some(7), None]);
    let both = Native::of(&driver, "papi_lst_ins").unwrap();
    assert_eq!((both.derivation(), both.requests().count()), (Derivation::Sum, 2));
}

/// PAPI's difference of a last level's references and misses is one of two generic events.
#[test]
fn a_term_that_is_generic_itself_is_followed_to_its_code() {
    let driver = intels::driver(&intel::Identity::SKYLAKE);
    let hits = Native::of(&driver, "papi_l3_tch").unwrap();
    let terms: Vec<_> = hits.terms().map(|term| (term.code, term.mask)).collect();
    assert_eq!(terms, [(0x2E, 0x4F), (0x2E, 0x41)]);
    let asked: Vec<_> = hits.requests().map(|request| request.event).collect();
    assert_eq!(asked, [Event::CACHE_REFERENCES, Event::CACHE_MISSES]);
}

#[test]
fn a_generic_event_that_the_unit_lacks_is_named_with_the_way_out() {
    let driver = intels::driver(&intel::Identity::CORE_DUO);
    let absent = Native::of(&driver, "papi_l3_tcm").unwrap_err();
    let text = "papi_l3_tcm: no event of this processor is known to count it; Native::all lists the generic events of this unit";
    assert_eq!((absent.reason, absent.to_string()), (Refusal::UnknownEvent, text.into()));
    let slots = Native::of_generic(&driver, Generic::Slots).unwrap_err();
    assert_eq!((slots.name, slots.reason), ("slots", Refusal::UnknownEvent));
}

/// A detected driver passes the call on.
#[test]
fn a_driver_that_was_found_out_knows_its_generic_events() {
    let device = intel::Device::new(&intel::Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let driver = pmu::arch::x86::Detected::detect(&intel::Identity::SKYLAKE, &device, Unattached).unwrap();
    let branches = Native::of_generic(&driver, Generic::Branches).unwrap().to_string();
    assert_eq!(branches, "branches: BR_INST_RETIRED.ALL_BRANCHES (event 0xc4)");
}
