//! Events by the names of OProfile's groups, and what a set of names has in common.

use pmu::arch::powerpc::Pvr;
use pmu::arch::powerpc::book3s::{Book3s, Device, Identity};
use pmu::driver::{Plan, counters_for};
use pmu::text::catalogue::NoGroup;
use pmu::text::{notation::Cpc, notation::Error, notation::Oprofile, notation::Perfmon};
use pmu::text::{notation::Problem, notation::Processor};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterId, Event, Modes, Request, Set};

fn driver(identity: &Identity, pvr: Pvr) -> Book3s<Device<Unconnected>> {
    let mut capabilities = identity.capabilities();
    capabilities.pvr = pvr;
    Book3s::new(Device::new(identity, Kinds::CLOCK, Unconnected), capabilities)
}

/// The processors whose lists have groups.
fn drivers() -> impl Iterator<Item = Book3s<Device<Unconnected>>> {
    let before_power8 = Identity::ALL.iter().filter(|identity| !identity.capabilities().has_freezes());
    before_power8.map(|identity| driver(identity, identity.capabilities().pvr)).chain([ppc970mp(), power5_plus_plus()])
}

fn ppc970mp() -> Book3s<Device<Unconnected>> {
    driver(&Identity::PPC970, Pvr::from_bits(0x0044_0100))
}

fn power5_plus_plus() -> Book3s<Device<Unconnected>> {
    driver(&Identity::POWER5_PLUS, Pvr::from_bits(0x003B_0300))
}

#[test]
fn a_970mp_has_a_table_of_its_own() {
    let driver = ppc970mp();
    crate::catalogues::check(&driver);
    assert_eq!(driver.catalogue().unit, "ppc64/970MP");
    let both = [driver.catalogue(), Identity::PPC970.capabilities().catalogue()];
    assert_eq!(both.map(|catalogue| catalogue.named("PM_DATA_FROM_MEM").unwrap().code), [0x2837, 0x3837]);
}

/// torvalds/linux, arch/powerpc/kernel/cputable.c, calls revision 3 of POWER5+ POWER5++; OProfile's ppc64/power5++ has
/// other groups, of which 43 selects the event by the code of PMC2, and 45 by that of PMC4 (event_mappings).
#[test]
fn power5_plus_plus_has_groups_of_its_own() {
    let driver = power5_plus_plus();
    crate::catalogues::check(&driver);
    let catalogue = driver.catalogue();
    assert_eq!(catalogue.unit, "ppc64/power5++");
    assert!(catalogue.is_unit("power5p"), "libpfm has one name for both");
    for (name, code, counter) in [
        ("PM_INST_DISP_GRP1", 0x30_0009, 2),
        ("pm_br_pred_ta_grp43", 0x22_3087, 1),
        ("PM_LD_REF_L1_GRP45", 0x4C_1090, 3),
        ("PM_MRK_DATA_FROM_RMEM_GRP176", 0x4C_7087, 3),
    ] {
        let (named, place) = catalogue.grouped(name).unwrap();
        let request = catalogue.request_at(named, place);
        assert!(matches!(request.event, Event::Raw { code: own, .. } if own == code), "{name}: {}", request.event);
        assert_eq!(request.counters, CounterId::new(counter).unwrap().only(), "{name}");
    }
    assert!(Identity::POWER5_PLUS.capabilities().catalogue().grouped("PM_MRK_DATA_FROM_RMEM_GRP176").is_none());
}

/// Each name is read as its event on its counter, which the driver takes there; and it is printed as something that is
/// read as the same.
#[test]
fn each_place_is_read_by_its_name_and_printed() {
    for driver in drivers() {
        let catalogue = driver.catalogue();
        let here = Processor::of(&driver);
        for named in catalogue.events {
            for (number, place) in catalogue.places_of(named).enumerate() {
                let name = format!("{}_GRP{}", named.name, place.group());
                let (found, first) = catalogue.grouped(&name).unwrap_or_else(|| panic!("{name}"));
                assert_eq!(found.name, named.name);
                let request = catalogue.request_at(named, first);
                assert_eq!(driver.encode(&request).err(), None, "{}: {name}", catalogue.unit);
                assert_eq!(request.counters, first.counter().only());
                come_back(&name, named.least, request, here);
                if number == 0 {
                    come_back_in_others_notations(&name, request, here);
                }
            }
        }
    }
}

fn come_back(name: &str, least: u64, request: Request, here: Processor) {
    let profiled = request.every(least);
    is_read(&format!("{name}:{least}"), Oprofile::parse, profiled, here);
    is_read(&Oprofile::of(&[profiled], here).unwrap().to_string(), Oprofile::parse, profiled, here);
}

fn come_back_in_others_notations(name: &str, request: Request, here: Processor) {
    is_read(name, Perfmon::parse, request, here);
    is_read(&Perfmon::of(&[request], here).unwrap().to_string(), Perfmon::parse, request, here);
    let (counter, user) = (request.counters.lowest().unwrap(), request.modes(Modes::USER));
    is_read(&format!("pic{}={name}", counter.number()), Cpc::parse, user, here);
    is_read(&Cpc::of(&[user], here).unwrap().to_string(), Cpc::parse, user, here);
}

type Parse = fn(&str, Processor) -> Result<Set<1>, Error>;

fn is_read(text: &str, parse: Parse, request: Request, here: Processor) {
    let read = parse(text, here).unwrap_or_else(|error| panic!("{}", error.in_text(text)));
    assert_eq!(read.requests(), [request], "{text}");
}

/// OProfile's events/ppc64/power5, power5+ and power7: each group has the same events on PMC5 and PMC6, which are not used.
#[test]
fn what_every_group_has_on_pmc5_and_pmc6_is_counted_by_another_counter() {
    for (identity, name, code, counters) in [
        (Identity::POWER5, "PM_INST_CMPL_GRP1", 0x50_0009, 0b0011),
        (Identity::POWER5, "pm_run_cyc_grp148", 0x60_0005, 0b0001),
        (Identity::POWER5_PLUS, "PM_RUN_INST_CMPL_GRP1", 0x50_0009, 0b0011),
        (Identity::POWER5_PLUS, "PM_RUN_CYC_GRP153", 0x60_0005, 0b0001),
        (Identity::POWER7, "PM_RUN_INST_CMPL_GRP268", 0x5_00FA, 0b1000),
        (Identity::POWER7, "PM_RUN_CYC_GRP268", 0x6_00F4, 0b0010),
    ] {
        let driver = driver(&identity, identity.capabilities().pvr);
        let (here, expected) = (Processor::of(&driver), Request::new(Event::raw(code)));
        is_read(&format!("{name}:100000"), Oprofile::parse, expected.every(100_000), here);
        is_read(name, Perfmon::parse, expected, here);
        assert_eq!(counters_for(&driver, &expected).bits(), counters, "{name}");
        is_read(
            &Oprofile::of(&[expected.every(100_000)], here).unwrap().to_string(),
            Oprofile::parse,
            expected.every(100_000),
            here,
        );
        let counter = expected.counters.and(counters_for(&driver, &expected)).lowest().unwrap();
        is_read(
            &format!("pic{}={name}", counter.number()),
            Cpc::parse,
            expected.pinned_to(counter).modes(Modes::USER),
            here,
        );
        assert!(Oprofile::parse_with_counter(&format!("{name}:100000"), CounterId::new(4).unwrap(), here).is_err());
    }
    let power5 = Identity::POWER5.capabilities().catalogue();
    assert!(power5.grouped("PM_INST_CMPL_GRP149").is_none() && power5.grouped("PM_CYC_GRP149").is_none());
}

/// POWER5's group 1 has PMC5's event beside others on PMC1 and PMC2, which alone count it here.
#[test]
fn a_group_that_is_full_without_pmc5_says_so() {
    let driver = driver(&Identity::POWER5, Identity::POWER5.capabilities().pvr);
    let place = |text: &str| {
        let set: Set<4> = Perfmon::parse(text, Processor::of(&driver)).unwrap();
        let demands: Vec<_> = set.requests().iter().map(|request| driver.encode(request).unwrap()).collect();
        let mut slots = [pmu::driver::Slot::EMPTY; 4];
        driver
            .place(&Default::default(), &demands, pmu::driver::Steps::OPEN, &mut slots[..demands.len()])
            .map(|_| slots[0])
    };
    let beside_one = place("PM_INST_CMPL_GRP1,PM_RUN_CYC_GRP1,PM_INST_DISP_GRP1,PM_CYC_GRP1").unwrap();
    assert_eq!(beside_one.counter.number(), 1);
    assert!(place("PM_INST_CMPL_GRP1,PM_RUN_CYC_GRP1,PM_IOPS_CMPL_GRP1").is_err());
}

/// OProfile's ppc64/970, group 1: "PM_RUN_CYC_GRP1" on counter 0, "PM_CYC_GRP1" on counter 1.
#[test]
fn a_name_is_its_event_on_the_groups_counter() {
    let driver = driver(&Identity::PPC970, Identity::PPC970.capabilities().pvr);
    let (named, place) = driver.catalogue().grouped("pm_cyc_grp1").unwrap();
    let cycles = Request::new(Event::raw(0x07)).pinned_to(CounterId::new(1).unwrap());
    assert_eq!((named.name, driver.catalogue().request_at(named, place)), ("PM_CYC".into(), cycles));
    assert!(driver.catalogue().grouped("PM_CYC_GRP999").is_none());
    assert!(driver.catalogue().grouped("PM_NONE_GRP1").is_none());
}

/// OProfile's ppc64/power7, groups 98 and 102, and power6, group 8: PMC2 and PMC3 have other selectors for these.
#[test]
fn a_group_that_selects_an_event_otherwise_has_its_own_code() {
    for (identity, name, code) in [
        (Identity::POWER7, "PM_DATA_FROM_L3_GRP98", 0x2_C040),
        (Identity::POWER7, "pm_data_from_dmem_grp102", 0x2_C042),
        (Identity::POWER6, "PM_DATA_FROM_L2MISS_GRP8", 0x30_0056),
    ] {
        let driver = driver(&identity, identity.capabilities().pvr);
        let (named, place) = driver.catalogue().grouped(name).unwrap();
        let request = driver.catalogue().request_at(named, place);
        assert_eq!((request.event, request.counters), (Event::raw(code), place.counter().only()), "{name}");
        is_read(&format!("{name}:100000"), Oprofile::parse, request.every(100_000), Processor::of(&driver));
    }
}

/// POWER4's PM_INST_CMPL has another code on another counter.
#[test]
fn a_code_that_names_its_counter_names_the_groups() {
    let catalogue = Identity::POWER4.capabilities().catalogue();
    let (named, place) = catalogue.grouped("PM_INST_CMPL_GRP2").unwrap();
    let request = catalogue.request_at(named, place);
    assert_eq!((request.event, request.counters), (Event::raw(0x6001), CounterId::new(5).unwrap().only()));
}

/// OProfile's ppc64/970, group 25, "pm_branch_analysis".
#[test]
fn names_find_their_group_and_those_that_have_none_are_told_apart() {
    let catalogue = Identity::PPC970.capabilities().catalogue();
    let names = ["PM_BR_ISSUED", "PM_BR_MPRED_CR", "PM_BR_MPRED_TA", "PM_CYC"];
    let group = catalogue.common_group(&names).unwrap();
    let has = |name: &str| catalogue.group(group).any(|(_, named)| named.name == name);
    assert!(names.into_iter().all(has), "group {group}");
    let apart = catalogue.common_group(&["PM_CYC", "PM_FPU_STF", "PM_BR_ISSUED"]);
    assert_eq!(apart, Err(NoGroup::Apart("PM_FPU_STF", "PM_BR_ISSUED")));
    assert_eq!(catalogue.common_group(&["PM_CYC", "PM_CYCLE"]), Err(NoGroup::Unknown("PM_CYCLE")));
    let other = catalogue.common_group(&["PM_CYC_GRP1", "PM_BR_ISSUED"]).unwrap_err().to_string();
    assert_eq!(other, "PM_CYC_GRP1 and PM_BR_ISSUED have no group in common");
}

/// Events without a common group can be counted together, because a driver places events and not groups.
#[test]
fn groups_do_not_bind_the_driver() {
    let driver = driver(&Identity::PPC970, Identity::PPC970.capabilities().pvr);
    let apart = ["PM_TB_BIT_TRANS", "PM_GCT_EMPTY_SRQ_FULL"];
    assert!(driver.catalogue().common_group(&apart).is_err());
    let demands = apart.map(|name| {
        let named = driver.catalogue().named(name).unwrap();
        driver.encode(&driver.catalogue().request(named)).unwrap()
    });
    let mut slots = [pmu::driver::Slot::EMPTY; 2];
    assert!(driver.place(&Default::default(), &demands, pmu::driver::Steps::OPEN, &mut slots).is_ok());
}

/// POWER6 has both PM_FPU_1FLOP and PM_FPU1_FLOP.
#[test]
fn a_name_without_separators_that_two_events_have_is_refused() {
    let driver = driver(&Identity::POWER6, Identity::POWER6.capabilities().pvr);
    let code = |text| Perfmon::parse::<1>(text, Processor::of(&driver)).map(|set| set.requests()[0].event);
    assert_eq!(code("pm.fpu.1flop").unwrap_err().problem, Problem::UnknownEvent);
    assert_eq!(code("PMFPU1STF").unwrap(), code("PM_FPU1_STF").unwrap());
    assert_ne!(code("PM_FPU_1FLOP").unwrap(), code("PM_FPU1_FLOP").unwrap());
}
