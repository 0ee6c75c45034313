//! What a record says of an op.

use super::*;

use pmu::branches::{Branch, BranchKind};
use pmu::precise::{DataSource, Operation, Translation};

/// The record that the driver makes of this op.
fn recorded(identity: &Identity, of: &Record) -> Record {
    let (device, records) = (device(identity), Records::<11, 1>::new());
    let sampler = op(identity, &device);
    start(&records, &sampler, ops_of(identity), PERIOD);
    device.advance(PERIOD, PERIOD);
    device.retire(of);
    assert_eq!(records.on_interrupt(&sampler, AT), Handled::Overflow);
    records.read(&sampler).unwrap().next().unwrap()
}

/// The same, without what the interrupt alone knows.
fn own(identity: &Identity, of: &Record) -> Record {
    let mut record = recorded(identity, of);
    assert_eq!((record.interrupted, record.mode, record.thread), (Some(AT.address), Some(AT.mode), AT.thread));
    assert_eq!((record.time, record.counters), (None, None), "there is no clock");
    (record.interrupted, record.mode, record.thread) = (None, None, 0);
    record
}

fn load() -> Record {
    let mut load = Record::new(0x40_1000);
    (load.operation, load.retirement) = (Some(Operation::Load), Some(60));
    (load.data_address, load.physical_address) = (Some(0x7FFF_0000_1238), Some(0x12_3456_7238));
    (load.translation, load.source) = (Some(Translation::Level1), Some(DataSource::Level1));
    (load.is_locked, load.is_misaligned) = (Some(false), Some(false));
    load
}

#[test]
fn a_load_comes_out_as_it_was() {
    let sources = [
        DataSource::Level1,
        DataSource::Pending,
        DataSource::Level2,
        DataSource::Level3,
        DataSource::NearCache,
        DataSource::FarCache,
        DataSource::Memory,
        DataSource::FarMemory,
        DataSource::PersistentMemory,
        DataSource::ExtensionMemory,
        DataSource::Device,
    ];
    for source in sources {
        for translation in [Translation::Level1, Translation::Level2, Translation::Missed] {
            for (is_locked, is_misaligned) in [(false, false), (true, false), (false, true)] {
                let mut load = load();
                (load.source, load.translation) = (Some(source), Some(translation));
                (load.is_locked, load.is_misaligned) = (Some(is_locked), Some(is_misaligned));
                load.latency = (source > DataSource::Level1).then_some(0xFFFF);
                assert_eq!(own(&ZEN_4, &load), load, "{load}");
            }
        }
    }
    let mut uncached = load();
    uncached.source = Some(DataSource::Uncached);
    assert_eq!(own(&ZEN_4, &uncached), uncached);
}

#[test]
fn a_stores_source_is_known_up_to_the_second_level() {
    for (source, known) in [
        (DataSource::Level1, Some(DataSource::Level1)),
        (DataSource::Level2, Some(DataSource::Level2)),
        (DataSource::Memory, None),
    ] {
        let mut store = load();
        (store.operation, store.source, store.latency) = (Some(Operation::Store), Some(source), Some(100));
        let found = own(&ZEN_4, &store);
        assert_eq!((found.operation, found.source, found.latency), (Some(Operation::Store), known, None));
    }
}

#[test]
fn before_zen_4_the_sources_are_coarse() {
    for (source, known) in [
        (DataSource::Level2, Some(DataSource::Level2)),
        (DataSource::Level3, Some(DataSource::NearCache)),
        (DataSource::NearCache, Some(DataSource::NearCache)),
        (DataSource::FarCache, Some(DataSource::FarCache)),
        (DataSource::FarMemory, Some(DataSource::FarMemory)),
        (DataSource::ExtensionMemory, None),
    ] {
        let mut load = load();
        load.source = Some(source);
        assert_eq!(own(&ZEN_2, &load).source, known, "{source}");
    }
}

#[test]
fn an_op_without_memory_says_nothing_of_it() {
    let mut plain = Record::new(0x10);
    (plain.operation, plain.retirement) = (Some(Operation::None), Some(0));
    for identity in ALL {
        assert_eq!(own(&identity, &plain), plain);
    }
}

#[test]
fn a_branch_has_its_target_and_what_became_of_it() {
    for (kind, known) in [
        (Some(BranchKind::Return), Some(BranchKind::Return)),
        (Some(BranchKind::NotTaken), Some(BranchKind::NotTaken)),
        (Some(BranchKind::Call), None),
        (None, None),
    ] {
        for is_mispredicted in [false, true] {
            let mut op = Record::new(0x40_1000);
            let mut branch = Branch::new(0x40_1000, 0x40_2000);
            (branch.kind, branch.is_mispredicted) = (kind, Some(is_mispredicted));
            op.branch = Some(branch);
            branch.kind = known;
            if kind == Some(BranchKind::NotTaken) {
                branch.to = 0;
            }
            assert_eq!(recorded(&ZEN_4, &op).branch, Some(branch));
            branch.to = 0;
            assert_eq!(recorded(&FAMILY_10H, &op).branch, Some(branch), "it does not record targets");
        }
    }
}

#[test]
fn an_address_that_hardware_does_not_know_is_none() {
    let mut op = Record::new(0);
    op.address = None;
    let record = recorded(&ZEN_4, &op);
    assert_eq!((record.address, record.interrupted), (None, Some(AT.address)));
}
