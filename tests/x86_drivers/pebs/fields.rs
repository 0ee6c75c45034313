//! What a record says of an instruction.

use super::*;

use pmu::precise::{DataSource, Operation, Translation};
use pmu::{CounterId, CounterSet};

/// Records the instruction, as the event with this code on Skylake or Sapphire Rapids.
fn recorded(identity: &Identity, event: Event, work: Work, instruction: &Record) -> Record {
    let device = device(identity, Page::new());
    let (of, records) = (sampler(identity, &device), Records::<10, 2>::new());
    start(&records, &of, event, 2);
    device.set_time(4711);
    let outcomes = [(); 3].map(|()| retire(&device, &work, instruction));
    assert_eq!(outcomes, [Outcome::Nothing, Outcome::Nothing, Outcome::Recorded]);
    assert_eq!(records.on_interrupt(&of, AT), Handled::Overflow);
    records.read(&of).unwrap().next().unwrap()
}

/// BR_INST_RETIRED.NEAR_TAKEN.
const TAKEN: Event = Event::raw(0x20C4);

fn load() -> Record {
    let mut load = Record::new(0x40_1000);
    (load.operation, load.data_address) = (Some(Operation::Load), Some(0x7000_0040));
    (load.source, load.latency) = (Some(DataSource::Memory), Some(412));
    (load.translation, load.is_locked) = (Some(Translation::Missed), Some(true));
    load
}

#[test]
fn a_load_is_recorded_with_the_address_of_its_data() {
    for identity in BOTH {
        for (code, kind, operation) in [(LOADS, Kind::Loads, Operation::Load), (STORES, Kind::Stores, Operation::Store)]
        {
            let record = recorded(&identity, Event::raw(code), one().with(kind, 1), &load());
            assert_eq!((record.address, record.data_address), (Some(0x40_1000), Some(0x7000_0040)));
            assert_eq!((record.operation, record.latency, record.source), (Some(operation), None, None));
            assert_eq!((record.time, record.counters), (Some(4711), Some(CounterSet::from_bits(1))));
            assert_eq!((record.interrupted, record.thread), (Some(AT.address), 7));
            assert_eq!(record.mode, Some(Mode::User), "it is the instruction's: one mode alone is sampled");
        }
    }
}

#[test]
fn an_event_of_no_access_says_nothing_of_data() {
    for (identity, event) in [(SKYLAKE, TAKEN), (SAPPHIRE_RAPIDS, TAKEN), (SAPPHIRE_RAPIDS, Event::INSTRUCTIONS)] {
        let record = recorded(&identity, event, one().with(Kind::TakenBranches, 1), &load());
        assert_eq!((record.address, record.operation, record.data_address), (Some(0x40_1000), None, None));
    }
}

#[test]
fn a_load_of_some_latency_is_recorded_with_all_of_it() {
    let latency = |least| Event::raw_with(LATENCY, least);
    let record = recorded(&SKYLAKE, latency(411), one(), &load());
    assert_eq!((record.source, record.latency), (Some(DataSource::Memory), Some(412)));
    assert_eq!((record.translation, record.is_locked), (Some(Translation::Missed), Some(true)));
    let device = device(&SKYLAKE, Page::new());
    let (of, records) = (sampler(&SKYLAKE, &device), Records::<10, 2>::new());
    start(&records, &of, latency(412), 2);
    assert_eq!([(); 9].map(|()| retire(&device, &one(), &load())), [Outcome::Nothing; 9], "each is too short");
}

#[test]
fn each_source_is_named() {
    let sources = [
        DataSource::Level1,
        DataSource::Pending,
        DataSource::Level2,
        DataSource::Level3,
        DataSource::NearCache,
        DataSource::FarCache,
        DataSource::Memory,
        DataSource::FarMemory,
        DataSource::Device,
        DataSource::Uncached,
    ];
    for source in sources {
        let mut load = load();
        (load.source, load.is_locked, load.translation) = (Some(source), None, Some(Translation::Level1));
        let record = recorded(&SKYLAKE, Event::raw_with(LATENCY, 3), one(), &load);
        assert_eq!((record.source, record.translation, record.is_locked), (Some(source), None, Some(false)));
    }
}

#[test]
fn the_counter_that_is_pinned_is_the_records() {
    for (identity, event, last) in [(SKYLAKE, EVENT, 3), (SAPPHIRE_RAPIDS, Event::INSTRUCTIONS, 7)] {
        let device = device(&identity, Page::new());
        let (of, records) = (sampler(&identity, &device), Records::<10, 2>::new());
        let counter = CounterId::new(last).unwrap();
        let request = Request::new(event).modes(Modes::USER).every(PERIOD).pinned_to(counter);
        records.start(&of, records.encode(&of, &request).unwrap());
        device.advance(&many(PERIOD));
        retire_all(&device, &records, &of, [1]);
        assert_eq!(records.read(&of).unwrap().next().unwrap().counters, Some(counter.only()));
    }
}
