//! The Pentium's tables, without MMX and with it.

use pmu::arch::x86::p5::{Device, Identity, P5};
use pmu::driver::Plan;
use pmu::request::Flag;
use pmu::text::{notation::Cpc, notation::Perfmon, notation::Problem, notation::Processor};
use pmu::virt::Kinds;
use pmu::{CounterId, CounterSet, Event, Modes, Request, Set};

pub(crate) fn driver(identity: &Identity) -> impl Plan {
    P5::new(Device::new(identity, Kinds::CLOCK), identity.capabilities())
}

#[test]
fn the_pentiums_events_are_counted_and_come_back() {
    for identity in &Identity::ALL {
        crate::catalogues::check(&driver(identity));
    }
}

/// SDM vol. 3, "Pentium Processor Performance Monitoring Events": 38 events, and with MMX 18 more numbers, each of which is
/// another event on counter 0 and on counter 1, but for 39H of counter 1, which is reserved.
#[test]
fn each_number_of_the_manuals_table_is_there() {
    let counts = Identity::ALL.map(|identity| identity.capabilities().catalogue().events.len());
    assert_eq!(counts, [38, 38 + 2 * 18 - 1]);
    let catalogue = Identity::P5_MMX.capabilities().catalogue();
    for number in (0..0x3C).filter(|number| ![0x10, 0x11, 0x20, 0x21].contains(number)) {
        let named = |code| catalogue.events.iter().filter(|named| named.code == code).count();
        let expected = match number {
            ..0x2A => [1, 0],
            0x39 => [1, 0],
            _ => [1, 1],
        };
        assert_eq!([named(number), named(0x1_0000 | number)], expected, "{number:#x}");
    }
}

/// The same table, some lines: the number, the counters and the name.
#[test]
fn events_have_the_numbers_and_counters_of_the_manuals_table() {
    let catalogue = Identity::P5_MMX.capabilities().catalogue();
    let found = |name| catalogue.named(name).map(|named| (named.code, named.counters));
    let (first, second, both) = (CounterSet::from_bits(1), CounterSet::from_bits(2), CounterSet::first(2));
    assert_eq!(found("DATA_READ"), Some((0x00, both)));
    assert_eq!(found("ANY_SEGMENT_REGISTER_LOADED"), Some((0x0F, both)));
    assert_eq!(found("INSTRUCTIONS_EXECUTED_V_PIPE"), Some((0x17, both)));
    assert_eq!(found("DATA_READ_MISS_OR_WRITE_MISS"), Some((0x29, both)));
    assert_eq!(found("MMX_INSTRUCTIONS_EXECUTED_U_PIPE"), Some((0x2B, first)));
    assert_eq!(found("MMX_INSTRUCTIONS_EXECUTED_V_PIPE"), Some((0x1_002B, second)));
    assert_eq!(found("TAKEN_BRANCHES"), Some((0x1_0032, second)));
    assert_eq!(found("STALL_ON_MMX_INSTRUCTION_WRITE_TO_E_OR_M_STATE_LINE"), Some((0x1_003B, second)));
    assert!(Identity::P5.capabilities().catalogue().named("TAKEN_BRANCHES").is_none());
}

/// Parses events for cputrack.
fn typed(driver: &impl Plan, text: &str) -> Result<Vec<Request>, Problem> {
    let set: Result<Set<4>, _> = Cpc::parse(text, Processor::of(driver));
    set.map(|set| set.requests().to_vec()).map_err(|error| error.problem)
}

/// illumos-gate, usr/src/uts/intel/pcbe/p123_pcbe.c: `noedge` is bit 8 of a counter's half of CESR, `pc` bit 9.
#[test]
fn solaris_attributes_count_clocks_and_set_the_pin() {
    let driver = driver(&Identity::P5);
    let one = CounterId::new(1).unwrap();
    let wanted = [
        Request::new(Event::raw(0x0119)).modes(Modes::USER).pinned_to(CounterId::ZERO),
        Request::new(Event::raw(0x16)).modes(Modes::ALL).flag(Flag::PinControl).pinned_to(one),
    ];
    assert_eq!(typed(&driver, "pic0=clks_full_wbufs,pic1=instr_exec,noedge0,sys1,pc1"), Ok(wanted.to_vec()));
}

#[test]
fn solaris_names_are_the_events_that_they_are_there() {
    for identity in &Identity::ALL {
        let (driver, catalogue) = (driver(identity), identity.capabilities().catalogue());
        assert!(catalogue.other_names.len() >= 20, "{}", catalogue.unit);
        for other in catalogue.other_names {
            let requests = typed(&driver, other.name).expect("it is a name");
            assert_eq!(requests.iter().map(|request| request.event).collect::<Vec<_>>(), [Event::raw(other.code)]);
            assert!(driver.encode(&requests[0]).is_ok(), "{}", other.name);
            assert!(catalogue.named(other.name).is_none(), "{} is Intel's own name", other.name);
        }
    }
    let of_mmx = typed(&driver(&Identity::P5_MMX), "pic0=mmx_instr_upipe,pic1=mmx_instr_vpipe").unwrap();
    assert_eq!([of_mmx[0].event, of_mmx[1].event], [0x2B, 0x1_002B].map(Event::raw));
}

#[test]
fn an_event_is_refused_on_the_counter_that_does_not_have_it() {
    let mmx = driver(&Identity::P5_MMX);
    assert_eq!(typed(&mmx, "pic1=mmx_instr_upipe"), Err(Problem::CounterCannot { able: CounterSet::first(1) }));
    assert_eq!(
        typed(&mmx, "emms_instr,rets"),
        Err(Problem::NoCounterLeft { able: CounterSet::first(1) }),
        "counter 0 has both"
    );
    assert_eq!(typed(&driver(&Identity::P5), "emms_instr"), Err(Problem::UnknownEvent));
}

#[test]
fn clocks_are_a_unit_mask() {
    let driver = driver(&Identity::P5);
    let processor = Processor::of(&driver);
    let set: Set<1> = Perfmon::parse("BUS_CYCLE_DURATION:clocks:u", processor).unwrap();
    assert_eq!(set.requests(), [Request::new(Event::raw(0x0118)).modes(Modes::USER)]);
}
