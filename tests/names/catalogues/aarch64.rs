//! Arm's tables, each by a core that has it.

use pmu::arch::aarch64::pmuv3::{Announced, Capabilities, Device, Identity, Pmuv3, Share};
use pmu::driver::Plan;
use pmu::request::{Flag, Refusal};
use pmu::text::catalogue::Catalogue;
use pmu::text::notation::Cpc;
use pmu::text::{notation::Error, notation::Problem, notation::Processor};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterId, Event, Mode, Modes, Request, Set};

/// Creates a driver of this unit, with changed capabilities.
pub(crate) fn driver(identity: Identity, change: impl Fn(&mut Capabilities)) -> impl Plan {
    let registers = Device::new(&identity, Kinds::CLOCK, Unconnected).driven_from(Mode::Kernel);
    let mut capabilities = Capabilities::discover(&registers).expect("the identity has a unit");
    change(&mut capabilities);
    Pmuv3::new(registers, capabilities, Share::WHOLE)
}

/// Every common event is announced.
const ALL: Announced = Announced { low: u64::MAX, high: u64::MAX };

/// Creates a driver of this processor's unit, which is like that of the identity and announces all events.
fn relative(identity: Identity, processor: u32) -> impl Plan {
    driver(identity, move |capabilities| (capabilities.processor, capabilities.announced) = (processor, ALL))
}

#[test]
fn the_cores_events_are_counted_and_come_back() {
    for identity in [Identity::CORTEX_A57, Identity::NEOVERSE_N1, Identity::NEOVERSE_V1] {
        crate::catalogues::check(&driver(identity, |_| ()));
    }
}

#[test]
fn the_events_of_their_relatives_are_too() {
    for (identity, processor) in [
        (Identity::CORTEX_A57, 0x410F_D034),
        (Identity::CORTEX_A57, 0x410F_D011),
        (Identity::CORTEX_A57, 0x410F_D021),
        (Identity::CORTEX_A57, 0x410F_D041),
        (Identity::CORTEX_A57, 0x410F_D083),
        (Identity::NEOVERSE_N1, 0x414F_D0B1),
    ] {
        crate::catalogues::check(&relative(identity, processor));
    }
}

/// Each by an identity that has the counters for it and announces all events.
#[test]
fn the_events_of_later_cores_are_too() {
    for processor in [0xD05, 0xD09, 0xD15, 0xD0A, 0xD0D, 0xD41, 0xD44, 0xD46, 0xD47, 0xD48, 0xD49, 0xD4A, 0xD4F] {
        let processor = 0x410F_0000 | processor << 4;
        crate::catalogues::check(&relative(Identity::ARMV9_4, processor));
    }
    crate::catalogues::check(&relative(Identity::ARMV9_4, 0x3F0F_4120));
    crate::catalogues::check(&driver(Identity::NEOVERSE_N2, |_| ()));
}

#[test]
fn the_events_of_cores_since_armv9_1_are_too() {
    for processor in [0xD06, 0xD4D, 0xD4E, 0xD80, 0xD81, 0xD82, 0xD84, 0xD85, 0xD87, 0xD8E] {
        let processor = 0x410F_0000 | processor << 4;
        crate::catalogues::check(&relative(Identity::ARMV9_4, processor));
    }
}

/// MIDR_EL1 of cores that are not Arm's, their units, and what [`fingerprint`] is of the sources' names and numbers.
const OTHERS: [(u32, &str, u32); 9] = [
    (0x461F_0010, "arm/armv8-a64fx", 0x9D86_A2D3),
    (0xC00F_AC30, "arm/armv8-ampereone", 0x674B_4E59),
    (0xC00F_AC40, "arm/armv8-ampereonex", 0xAC13_C9A9),
    (0x503F_0000, "arm/armv8-xgene", 0xC216_382F),
    (0x460F_0030, "arm/armv9-monaka", 0x8E32_C0B3),
    (0x4E0F_0100, "arm/armv9-olympus", 0x7EDC_97F3),
    (0x431F_0AF1, "arm/armv8-thunderx2", 0x8BE2_57F3),
    (0x420F_5160, "arm/armv8-thunderx2", 0x8BE2_57F3),
    (0x481F_D010, "arm/armv8-tsv110", 0x3E35_271B),
];

#[test]
fn the_events_of_other_makers_cores_are_too() {
    for (processor, unit, _) in OTHERS {
        let driver = relative(Identity::NEOVERSE_N1, processor);
        assert_eq!(driver.catalogue().unit, unit);
        crate::catalogues::check(&driver);
    }
}

/// FNV-1a of each name and its number, in the order of the names.
fn fingerprint(catalogue: &Catalogue) -> u32 {
    let rows = catalogue.events.iter().map(|own| format!("{} {:#06x}\n", &*own.name.text(), own.code));
    rows.collect::<String>().bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[test]
fn other_makers_names_and_numbers_are_those_that_their_sources_have() {
    for (processor, unit, sources) in OTHERS {
        let ours = fingerprint(relative(Identity::NEOVERSE_N1, processor).catalogue());
        assert_eq!(ours, sources, "{unit}: {ours:#x}");
    }
}

/// ThunderX2 had OP_RETIRED before the architecture did.
#[test]
fn an_event_of_the_architectures_name_has_its_number() {
    let [common, ..] = Catalogue::ARM_COMMON;
    for (processor, unit, _) in OTHERS {
        let driver = relative(Identity::NEOVERSE_N1, processor);
        let named = driver.catalogue().events.iter().filter_map(|own| {
            let name = own.name.text();
            Some((own.code, common.named(&name)?.code, name))
        });
        let (alike, others): (Vec<_>, Vec<_>) = named.partition(|(own, common, _)| own == common);
        assert!(alike.len() > 45, "{unit}: {}", alike.len());
        assert!(others.iter().all(|(code, _, _)| (unit, *code) == ("arm/armv8-thunderx2", 0xE8)), "{unit}: {others:?}");
    }
}

#[test]
fn the_common_events_are_where_they_are_announced() {
    crate::catalogues::check(&driver(Identity::ARMV9_4, |capabilities| capabilities.announced = ALL));
}

#[test]
fn each_core_has_its_own_table() {
    let unit =
        |processor| driver(Identity::NEOVERSE_N1, |capabilities| capabilities.processor = processor).catalogue().unit;
    let units = [0x410F_D034, 0x411F_D070, 0x410F_D083, 0x414F_D0B1, 0x414F_D0C1, 0x411F_D402].map(unit);
    let all = ["ca53", "ca57", "ca72", "ca76", "neoverse-n1", "neoverse-v1"];
    assert_eq!(units, all.map(|core| format!("arm/armv8-{core}")));
    let units = [0x411F_D010, 0x411F_D020, 0x410F_D041, 0x410F_D151, 0x3F0F_4120].map(unit);
    assert_eq!(units, ["ca32", "ca34", "ca35", "cr82", "rainier"].map(|core| format!("arm/armv8-{core}")));
    let later = [
        0x411F_D4D0,
        0x410F_D4E0,
        0x410F_D801,
        0x410F_D811,
        0x410F_D821,
        0x410F_D840,
        0x410F_D8E0,
        0x410F_D870,
        0x410F_D850,
    ]
    .map(unit);
    let all = ["ca715", "cx3", "ca520", "ca720", "cx4", "neoverse-v3", "neoverse-n3", "ca725", "cx925"];
    assert_eq!(later, all.map(|core| format!("arm/armv9-{core}")));
    let relatives = [
        (0xD43, 0xD06),
        (0xD0E, 0xD0B),
        (0xD4B, 0xD41),
        (0xD4C, 0xD44),
        (0xD83, 0xD84),
        (0xD42, 0xD41),
        (0xD88, 0xD80),
        (0xD89, 0xD81),
        (0xD14, 0xD15),
    ];
    assert!(relatives.iter().all(|&(one, other)| unit(0x410F_0000 | one << 4) == unit(0x410F_0000 | other << 4)));
    assert_eq!([0x420F_1000, 0x6D0F_D490].map(unit), ["arm/armv8-ca53", "arm/armv9-neoverse-n2"]);
    assert_eq!(unit(0x610F_0220), "arm/armv8-pmuv3");
}

/// Parses cputrack's text for a unit, and prints the requests.
fn told(driver: &impl Plan, text: &str) -> Result<(Set<2>, String), Error> {
    let processor = Processor::of(driver);
    let set = Cpc::parse(text, processor)?;
    let printed = Cpc::of(set.requests(), processor).expect("what was read can be said").to_string();
    Ok((set, printed))
}

#[test]
fn thresholds_and_edges_have_words_and_come_back() {
    let driver = driver(Identity::ARMV9_4, |_| ());
    let text = "pic0=0x8,pic1=0x8,threshold0=0x3,edge1,equal1,threshold1=0x2";
    let (set, printed) = told(&driver, text).unwrap_or_else(|error| panic!("{}", error.in_text(text)));
    let on = |counter| Request::new(Event::raw(8)).modes(Modes::USER).pinned_to(CounterId::new(counter).unwrap());
    assert_eq!(set.requests(), [on(0).threshold(3), on(1).threshold(2).flag(Flag::Equal).flag(Flag::Edge)]);
    assert_eq!(told(&driver, &printed).unwrap().0.requests(), set.requests(), "{printed}");
    assert!(printed.ends_with(",threshold0=0x3,edge1,equal1,threshold1=0x2"), "{printed}");
    assert!(set.requests().iter().all(|request| driver.encode(request).is_ok()));
}

#[test]
fn a_unit_has_the_words_of_what_it_can_compare() {
    let problem = |identity, text: &str| told(&driver(identity, |_| ()), text).map(drop).map_err(|error| error.problem);
    for word in ["threshold=3", "inv", "equal", "edge"] {
        assert_eq!(problem(Identity::NEOVERSE_N1, &format!("0x8,{word}")), Err(Problem::UnknownAttribute), "{word}");
    }
    assert_eq!(problem(Identity::ARMV8_8, "0x8,threshold=3,inv"), Ok(()));
    assert_eq!(problem(Identity::ARMV8_8, "0x8,threshold=3,edge"), Err(Problem::UnknownAttribute));
    assert_eq!(problem(Identity::ARMV9_4, "0x8,threshold=256"), Err(Problem::OutOfRange { largest: 255 }));
}

#[test]
fn a_threshold_beyond_the_units_is_refused_with_the_largest() {
    let driver = driver(Identity::ARMV8_8, |_| ());
    let refusal = |text| driver.encode(&told(&driver, text).unwrap().0.requests()[0]).map(drop);
    assert_eq!(refusal("0x8,threshold=15"), Ok(()));
    assert_eq!(refusal("0x8,threshold=16"), Err(Refusal::ThresholdTooLarge { largest: 15 }));
    assert_eq!(refusal("0x8,inv"), Err(Refusal::NeedsThreshold(Flag::Invert)));
}

/// events/arm/armv8-ca57/events and armv8-xgene/events of OProfile.
#[test]
fn oprofiles_names_of_reads_and_writes_are_known() {
    let driver = driver(Identity::CORTEX_A57, |_| ());
    for (name, own) in [("L1D_CACHE_LD", "L1D_CACHE_RD"), ("mem_access_st", "MEM_ACCESS_WR")] {
        let read = |name: &str| Cpc::parse::<1>(&format!("pic0={name}"), Processor::of(&driver)).unwrap();
        assert_eq!(read(name).requests(), read(own).requests());
    }
}
