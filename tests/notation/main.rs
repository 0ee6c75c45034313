//! The notations: texts are parsed, printed as the same text, and refused where they are wrong.

mod cpc;
mod oprofile;
mod options;
mod perfex;
mod perfmon;
mod round_trip;

use pmu::catalogue::{
    Attribute, Catalogue, Effect, Events, GenericEvent, Groups, MaskField, MaskKind, MaskNames, NamedEvent, OtherName,
    Preset, UnitMask, UnitMasks,
};
use pmu::notation::Processor;
use pmu::{CounterId, CounterSet, Description, Event, Flag, Width};

const ANY: CounterSet = CounterSet::first(4);

const fn attribute(name: &'static str, effect: Effect, largest: u64) -> Attribute {
    Attribute { name, effect, largest }
}

/// A processor that has one event of each kind.
static CATALOGUE: Catalogue = Catalogue {
    costs: &[],
    groups: Groups::NONE,
    other_names: &[OtherName { name: "DC_refill_from_L2", code: 0x42 }, OtherName { name: "IC_miss", code: 0x81 }],
    unit: "toy",
    aliases: &["play"],
    events: Events::of(&[
        NamedEvent::new("ARITH.ACTIVE", 0x61, ANY).threshold(1),
        NamedEvent::new("ARITH.STARTS", 0x61, ANY).threshold(1).flag(Flag::Edge),
        NamedEvent { least: 3000, ..NamedEvent::new("CPU_CLK_UNHALTED", 0x76, ANY) },
        NamedEvent {
            masks: UnitMasks {
                kind: MaskKind::Bitmask,
                default: 0x1E,
                named: MaskNames::of(&[
                    UnitMask::new("owned", 0x08),
                    UnitMask::new("shared", 0x02),
                    UnitMask::new("exclusive", 0x04),
                    UnitMask::new("modified", 0x10),
                ]),
            },
            ..NamedEvent::new("DC_refill", 0x42, ANY)
        },
        NamedEvent {
            masks: UnitMasks {
                kind: MaskKind::Bitmask,
                default: 0x4F,
                named: MaskNames::of(&[
                    UnitMask::new("self", 0x40).within(0xC0),
                    UnitMask::new("shared", 0x42).within(0x0F),
                    UnitMask::new("modified", 0x48).within(0x0F),
                    UnitMask::new("mesi", 0x4F).within(0x0F),
                    UnitMask::new("both_cores", 0xC0).within(0xC0),
                ]),
            },
            ..NamedEvent::new("DC_snoop", 0x77, ANY)
        },
        NamedEvent {
            masks: UnitMasks {
                kind: MaskKind::Exclusive,
                default: 1,
                named: MaskNames::of(&[UnitMask::new("one", 1), UnitMask::new("two", 2)]),
            },
            ..NamedEvent::new("EITHER", 0x50, ANY)
        },
        NamedEvent::new("INST_RETIRED.ANY_P", 0x00C0, ANY),
        NamedEvent::only_on("INST_RETIRED.PREC_DIST", 0x01C0, CounterSet::from_bits(0b10)),
        NamedEvent::new("L2.REMOTE", 0x01B7, ANY).beside(0x1_0001),
        NamedEvent { masks: UnitMasks::UNLISTED, ..NamedEvent::new("misc2", 0x60, ANY) },
    ]),
    generic: &[
        GenericEvent { name: "papi_tot_cyc", event: Event::raw(0x76) },
        GenericEvent { name: "papi_tot_ins", event: Event::INSTRUCTIONS },
    ],
    presets: &[
        Preset { name: "papi_ful_icy", plus: &["ARITH.ACTIVE"], minus: &[] },
        Preset { name: "papi_stl_icy", plus: &["papi_tot_cyc"], minus: &["ARITH.ACTIVE"] },
    ],
    mask: MaskField { shift: 8, largest: 0xFF },
    attributes: &[
        attribute("umask", Effect::UnitMask, 0xFF),
        attribute("cmask", Effect::Threshold, 0xFF),
        attribute("edge", Effect::Flag(Flag::Edge), 1),
        attribute("inv", Effect::Flag(Flag::Invert), 1),
    ],
    modifiers: &[
        attribute("k", Effect::Kernel, 1),
        attribute("u", Effect::User, 1),
        attribute("h", Effect::Hypervisor, 1),
        attribute("e", Effect::Flag(Flag::Edge), 1),
        attribute("i", Effect::Flag(Flag::Invert), 1),
        attribute("c", Effect::Threshold, 0xFF),
        attribute("period", Effect::Period, u64::MAX),
        attribute("offcore_rsp", Effect::Auxiliary(&[0x01B7, 0x01BB]), u64::MAX),
        attribute("ldlat", Effect::Auxiliary(&[0x01CD]), 0xFFFF),
    ],
    default: "CPU_CLK_UNHALTED",
};

/// What to do with the toy.
fn with_toy<T>(use_it: impl FnOnce(Processor) -> T) -> T {
    let width = Width::wrapping(48).expect("48 is a width");
    let mut description = Description::new("toy", "no manual", width);
    description.general = ANY;
    use_it(Processor { description: &description, catalogue: &CATALOGUE })
}

fn counter(number: u8) -> CounterId {
    CounterId::new(number).expect("it is below 64")
}

#[test]
fn the_toys_events_are_sorted() {
    let names: Vec<_> = CATALOGUE.events.iter().map(|event| event.name).collect();
    assert!(names.is_sorted_by(|one, other| pmu::catalogue::compare(&one.text(), &other.text()).is_lt()), "{names:?}");
}
