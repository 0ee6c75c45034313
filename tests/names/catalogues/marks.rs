//! What Intel's lists say of events beside their codes, and the periods that they sample them with.

use pmu::text::catalogue::Catalogue;
use pmu::text::{catalogue::Marks, catalogue::NamedEvent};

fn named(catalogue: &Catalogue, name: &str) -> NamedEvent {
    catalogue.named(name).unwrap_or_else(|| panic!("{} has no {name}", catalogue.unit))
}

fn marks(catalogue: &Catalogue, name: &str) -> String {
    named(catalogue, name).marks.to_string()
}

/// intel/perfmon, skylake_core.json: PEBS, Errata, TakenAlone, Deprecated.
#[test]
fn an_event_has_the_marks_of_its_makers_list() {
    assert_eq!(marks(Catalogue::SKYLAKE, "BR_INST_RETIRED.NEAR_CALL"), "erratum precise");
    assert_eq!(marks(Catalogue::SKYLAKE, "LONGEST_LAT_CACHE.MISS"), "erratum");
    assert_eq!(marks(Catalogue::SKYLAKE, "FRONTEND_RETIRED.DSB_MISS"), "precise alone");
    assert_eq!(marks(Catalogue::SKYLAKE, "UOPS_ISSUED.ANY"), "");
    assert!(named(Catalogue::SKYLAKE, "MEM_LOAD_RETIRED.L1_HIT").marks.has(Marks::PRECISE));
}

#[test]
fn a_deprecated_name_is_known_and_marked() {
    let old = named(Catalogue::ICE_LAKE_SP, "OCR.DEMAND_DATA_RD.REMOTE_DRAM");
    assert!(!old.marks.has(Marks::DEPRECATED), "{old:?}");
    let deprecated = |catalogue: &'static Catalogue| {
        catalogue.events.iter().filter(|event| event.marks.has(Marks::DEPRECATED)).count()
    };
    assert_eq!(
        [Catalogue::SKYLAKE, Catalogue::ICE_LAKE_SP, Catalogue::CLEARWATER_FOREST, Catalogue::NEHALEM].map(deprecated),
        [1, 3, 10, 0]
    );
}

/// intel/perfmon, SampleAfterValue: prime numbers, or nearly so, which do not fall into step with loops.
#[test]
fn an_event_has_the_period_that_its_makers_list_samples_it_with() {
    let period = |catalogue, name| named(catalogue, name).customary;
    assert_eq!(period(Catalogue::SKYLAKE, "CPU_CLK_UNHALTED.THREAD_P"), 2_000_003);
    assert_eq!(period(Catalogue::SKYLAKE, "BR_MISP_RETIRED.ALL_BRANCHES"), 400_009);
    assert_eq!(period(Catalogue::BROADWELL, "MEM_LOAD_UOPS_RETIRED.L3_MISS"), 100_007);
    let intel = [
        Catalogue::NEHALEM,
        Catalogue::BROADWELL,
        Catalogue::SKYLAKE,
        Catalogue::ICE_LAKE_SP,
        Catalogue::CLEARWATER_FOREST,
    ];
    let without = intel.into_iter().flat_map(|it| it.events).filter(|event| event.customary == 0);
    assert_eq!(without.map(|event| event.name.to_string()).collect::<Vec<_>>(), Vec::<String>::new());
}
