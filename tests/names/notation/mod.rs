//! The notations: texts are parsed, printed as the same text, and refused where they are wrong.

mod cpc;
#[path = "../../../src/event/catalogue/hash.rs"]
mod hash;
mod oprofile;
mod options;
#[path = "../../../xtask/src/events/pack.rs"]
mod pack;
mod perfex;
mod perfmon;
mod round_trip;
#[path = "../../../xtask/src/events/text.rs"]
mod text;

use std::sync::LazyLock;

use pmu::driver::{Description, Width};
use pmu::request::Flag;
use pmu::text::{
    catalogue::Attribute, catalogue::Catalogue, catalogue::Effect, catalogue::Events, catalogue::GenericEvent,
    catalogue::Groups, catalogue::MaskField, catalogue::OtherName, catalogue::Presets, catalogue::Table,
};
use pmu::text::{notation, notation::Error, notation::Processor};
use pmu::{CounterId, CounterSet, Event, Modes, Request};

const ANY: CounterSet = CounterSet::first(4);

const fn attribute(name: &'static str, effect: Effect, largest: u64) -> Attribute {
    Attribute { name, effect, largest }
}

/// One event of each kind.
const EVENTS: &str = "
masks states bitmask owned=0x8 shared=0x2 exclusive=0x4 modified=0x10
masks snoops bitmask self=0x40/0xc0 shared=0x42/0xf modified=0x48/0xf mesi=0x4f/0xf both_cores=0xc0/0xc0
masks either exclusive one=1 two=2

ARITH.ACTIVE            0x61   0-3  threshold=1
ARITH.STARTS            0x61   0-3  threshold=1 edge
CPU_CLK_UNHALTED        0x76   0-3  least=3000
DC_refill               0x42   0-3  masks=states:0x1e
DC_snoop                0x77   0-3  masks=snoops:0x4f
EITHER                  0x50   0-3  masks=either:1
INST_RETIRED.ANY_P      0xC0   0-3
INST_RETIRED.PREC_DIST  0x1C0  1    only
L2.REMOTE               0x1B7  0-3  beside=0x10001
misc2                   0x60   0-3  masks=unlisted:0
";

fn events() -> Events {
    let bytes = pack::pack(&text::read(EVENTS).expect("it is a table")).expect("there is room");
    Events::of(Box::leak(Box::new(Table::new(bytes.leak()))))
}

/// A processor that has one event of each kind.
static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue {
    costs: &[],
    groups: Groups::NONE,
    first_words: &[],
    parts: [0; 3],
    libpfm: Events::NONE,
    other_names: &[OtherName { name: "DC_refill_from_L2", code: 0x42 }, OtherName { name: "IC_miss", code: 0x81 }],
    unit: "toy",
    aliases: &["play"],
    events: events(),
    generic: const {
        &[GenericEvent::new("papi_tot_cyc", Event::raw(0x76)), GenericEvent::new("papi_tot_ins", Event::INSTRUCTIONS)]
    },
    presets: Presets::of("papi_ful_icy ARITH.ACTIVE\npapi_stl_icy papi_tot_cyc - ARITH.ACTIVE\n"),
    mask: MaskField { shift: 8, largest: 0xFF },
    attributes: const {
        &[
            attribute("umask", Effect::UnitMask, 0xFF),
            attribute("cmask", Effect::Threshold, 0xFF),
            attribute("edge", Effect::Flag(Flag::Edge), 1),
            attribute("inv", Effect::Flag(Flag::Invert), 1),
        ]
    },
    modifiers: const {
        &[
            attribute("k", Effect::Kernel, 1),
            attribute("u", Effect::User, 1),
            attribute("h", Effect::Hypervisor, 1),
            attribute("e", Effect::Flag(Flag::Edge), 1),
            attribute("i", Effect::Flag(Flag::Invert), 1),
            attribute("c", Effect::Threshold, 0xFF),
            attribute("period", Effect::Period, u64::MAX),
            attribute("offcore_rsp", Effect::Auxiliary(&[0x01B7, 0x01BB]), u64::MAX),
            attribute("ldlat", Effect::Auxiliary(&[0x01CD]), 0xFFFF),
        ]
    },
    default: "CPU_CLK_UNHALTED",
});

/// What to do with the toy.
fn with_toy<T>(use_it: impl FnOnce(Processor) -> T) -> T {
    let width = Width::wrapping(48).expect("48 is a width");
    let mut description = Description::new("toy", "no manual", width);
    description.general = ANY;
    use_it(Processor::new(description, &CATALOGUE))
}

fn counter(number: u8) -> CounterId {
    CounterId::new(number).expect("it is below 64")
}

#[track_caller]
fn says(error: Result<(), Error>, text: &str, answer: &str) {
    let said = error.expect_err("it is wrong").in_text(text).to_string();
    assert!(said.ends_with(answer), "{said}");
}

#[test]
fn a_number_of_more_than_64_bits_is_too_large_in_every_notation() {
    let answer = "the value must be from 0 to 18446744073709551615";
    for number in ["0x1ffffffffffffffff", "99999999999999999999", "07777777777777777777777"] {
        let oprofiles = format!("{number}:3000");
        says(with_toy(|toy| notation::Perfmon::parse::<1>(number, toy).map(drop)), number, answer);
        says(with_toy(|toy| notation::Cpc::parse::<1>(number, toy).map(drop)), number, answer);
        says(with_toy(|toy| notation::Oprofile::parse::<1>(&oprofiles, toy).map(drop)), &oprofiles, answer);
        let perfexs = format!("-e {number}");
        says(with_toy(|toy| notation::PerfexCommand::parse(&perfexs, toy).map(drop)), &perfexs, answer);
    }
    for text in ["r1ffffffffffffffff", "misc2:period=0x1ffffffffffffffff"] {
        says(with_toy(|toy| notation::Perfmon::parse::<1>(text, toy).map(drop)), text, answer);
    }
    let text = "misc2,umask=99999999999999999999";
    says(with_toy(|toy| notation::Cpc::parse::<1>(text, toy).map(drop)), text, "the value must be from 0 to 255");
}

#[test]
fn the_option_before_an_event_is_to_be_left_out() {
    let answer = "expected an event alone: leave out --event=, which notation::Options reads";
    let text = "--event=CPU_CLK_UNHALTED:3000";
    says(with_toy(|toy| notation::Oprofile::parse::<1>(text, toy).map(drop)), text, answer);
    says(with_toy(|toy| notation::Perfmon::parse::<1>(text, toy).map(drop)), text, answer);
    let text = "--e=CPU_CLK_UNHALTED";
    says(
        with_toy(|toy| notation::Perfmon::parse::<1>(text, toy).map(drop)),
        text,
        "and no option: notation::Options reads those",
    );
}

#[test]
fn a_generic_event_with_more_than_modes_is_not_printed() {
    let edges = Request::new(Event::BRANCHES).flag(Flag::Edge);
    for wanted in [edges, Request::new(Event::BRANCHES).threshold(2)] {
        let pinned = [wanted.pinned_to(CounterId::ZERO).modes(Modes::USER)];
        let reasons = with_toy(|toy| {
            let perfmon = notation::Perfmon::of(&[wanted], toy).map(|text| text.to_string());
            [perfmon, notation::Cpc::of(&pinned, toy).map(|text| text.to_string())]
        });
        let reason = "no attribute says its threshold or one of its flags";
        assert_eq!(reasons.map(|reason| reason.map_err(|error| error.reason)), [Err(reason), Err(reason)]);
    }
}

#[test]
fn the_toys_events_are_sorted() {
    let names: Vec<_> = CATALOGUE.events.iter().map(|event| event.name).collect();
    assert!(
        names.is_sorted_by(|one, other| pmu::text::catalogue::EventName::compare(&one.text(), &other.text()).is_lt()),
        "{names:?}"
    );
}
