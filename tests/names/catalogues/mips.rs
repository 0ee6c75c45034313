//! The MIPS tables, each by a processor that has it.

use pmu::arch::mips::mipsxx::{Device, Identity, Mipsxx, Model};
use pmu::driver::{Plan, Slot, Steps};
use pmu::text::{notation::Oprofile, notation::Processor};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterSet, Event, Request, Set};

fn driver(identity: &Identity) -> Mipsxx<Device<Unconnected>> {
    Mipsxx::new(Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

#[test]
fn the_mips_cores_events_are_counted_and_come_back() {
    for identity in &Identity::ALL {
        crate::catalogues::check(&driver(identity));
    }
}

/// libperfex(3C), the table of events: 0 to 15 are one counter's, 16 to 31 the other's.
#[test]
fn r10000_has_libperfex_32_events_each_on_its_counter() {
    for model in [Model::R10000V2, Model::R10000, Model::R12000] {
        let mut codes: Vec<_> = model.catalogue().events.iter().map(|event| event.code).collect();
        codes.sort_unstable();
        assert_eq!(codes, (0..32).collect::<Vec<u64>>(), "{model:?}");
    }
    let driver = driver(&Identity::R10000);
    for code in 0..32 {
        let counters = pmu::driver::counters_for(&driver, &Request::new(Event::raw(code)));
        assert_eq!(counters, CounterSet::from_bits(if code < 16 { 1 } else { 2 }), "{code}");
    }
}

/// What OProfile's users type: the events of its lists, whose default is the first of these (libop/op_events.c).
#[test]
fn oprofiles_users_find_their_events_of_r10000_and_r12000() {
    let read = |identity: &Identity, text: &str| {
        let (driver, model) = (driver(identity), identity.capabilities().model);
        let here = Processor::new(driver.description(), model.catalogue());
        let set: Set<1> = Oprofile::parse(text, here).unwrap_or_else(|error| panic!("{}", error.in_text(text)));
        set.requests()[0]
    };
    let typed = [
        (Identity::R10000, "INSTRUCTIONS_GRADUATED:100000:0:1:1", 17),
        (Identity::R10000, "INSTRUCTION_CACHE_MISSES:500", 9),
        (Identity::R10000, "SCACHE_MISSES_DATA:500", 26),
        (Identity::R12000, "INSTRUCTIONS_GRADUATED:100000:0:1:1", 15),
        (Identity::R12000, "SCACHE_MISSES:500", 26),
    ];
    for (identity, text, code) in typed {
        assert_eq!(read(&identity, text).event, Event::raw(code), "{text} on {}", identity.name());
    }
    let driver = driver(&Identity::R10000);
    let here = Processor::new(driver.description(), Model::R10000.catalogue());
    assert!(Oprofile::parse::<1>("INSTRUCTIONS_ISSUED:499", here).is_err());
}

/// OProfile's list has the name twice, with a number for each counter; branches are counter 0's.
#[test]
fn a_5ks_insns_execed_is_counted_on_the_counter_that_is_free() {
    let driver = driver(&Identity::M5K);
    let here = Processor::of(&driver);
    let set: Set<2> = Oprofile::parse("INSNS_EXECED:500,BRANCHES_EXECED:500", here).unwrap();
    let demands: Vec<_> = set.requests().iter().map(|request| driver.encode(request).unwrap()).collect();
    let mut slots = [Slot::EMPTY; 2];
    driver.place(&CounterSet::EMPTY, &demands, Steps::OPEN, &mut slots).unwrap();
    assert_eq!(slots.map(|slot| (slot.counter.number(), slot.bits >> 5 & 0xF)), [(1, 1), (0, 6)]);
}

/// pmc.octeon(3) of FreeBSD, whose names are Cavium's; Octeon II has three more.
#[test]
fn an_octeon_counts_caviums_events_on_both_counters() {
    for (model, count) in [(Model::Octeon, 53), (Model::OcteonII, 56)] {
        let catalogue = model.catalogue();
        let counters = |name: &str| catalogue.named(name).map(|event| (event.code, event.counters));
        assert_eq!(catalogue.events.len(), count, "{model:?}");
        let [cycles, misses] = ["CLK", "DMLDS"].map(counters);
        assert_eq!((cycles, misses), (Some((1, CounterSet::first(2))), Some((46, CounterSet::first(2)))));
    }
    assert!(Model::Octeon.catalogue().named("HAZTR").is_none());
    assert_eq!(Model::OcteonII.catalogue().named("HAZTR").map(|event| event.code), Some(66));
}

/// OProfile, events/mips/1004K: 34K's 99, and 15 of coherence.
#[test]
fn the_1004k_has_the_34ks_events_and_those_of_its_coherent_caches() {
    let [of_34k, of_1004k] = [Model::M34K, Model::M1004K].map(Model::catalogue);
    assert_eq!((of_34k.events.len(), of_1004k.events.len()), (99, 114));
    assert!(of_34k.events.iter().all(|event| of_1004k.named(&event.name.to_string()).is_some()));
    let interventions = of_1004k.named("INTERVENTION_COUNT").map(|named| (named.code, named.counters));
    assert_eq!(interventions, Some((0x438, CounterSet::from_bits(0b1010))));
    assert!(of_34k.named("INTERVENTION_COUNT").is_none());
}
