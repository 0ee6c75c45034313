//! Counters that are opened to user programs.

use pmu::arch::aarch64::SystemRegister;
use pmu::driver::{Counters, Plan};
use pmu::{CounterSet, Error, Event, Request, Unit};

use pmu::arch::aarch64::pmuv3::{Pmuv3, Share};

use crate::aarch64::{Bench, counter, newest, plain, with};
use crate::support::file::File;

#[test]
fn nothing_is_opened_while_another_counter_counts() {
    let bench = Bench::new(plain());
    bench.file().set(SystemRegister::ENABLE_SET, 0b11);
    assert_eq!(bench.driver.open_user_reads(counter(0).only()), Err(Error::InUse(counter(1).only())));
    assert_eq!(bench.file().get(SystemRegister::USER_ENABLE), 0);
}

#[test]
fn nothing_is_opened_while_another_counter_holds_something() {
    let bench = Bench::new(plain());
    bench.file().set(SystemRegister::CYCLES, 12_345);
    assert_eq!(bench.driver.open_user_reads(counter(0).only()), Err(Error::InUse(counter(31).only())));
    bench.file().set(SystemRegister::CYCLES, 0);
    assert_eq!(bench.driver.open_user_reads(counter(0).only()), Ok(()));
}

#[test]
fn a_session_can_be_shown_alone() {
    let file = File::new(plain());
    let unit = Unit::<_, 0>::new();
    for id in plain().counters() {
        file.set(SystemRegister::any_counter(id), 0x1234);
    }
    let pmu = unit.claim(Pmuv3::new(file, plain(), Share::WHOLE)).unwrap();
    let session = pmu.open([Request::new(Event::BRANCHES)]).unwrap();
    let lent = counter(5).only();
    let others = plain().counters().without(lent);
    assert_eq!(pmu.driver().open_user_reads(lent), Err(Error::InUse(others)), "before the others are emptied");
    pmu.show_only(&session).unwrap();
    assert_eq!(pmu.driver().open_user_reads(lent), Ok(()));
}

#[test]
fn each_counter_is_opened_by_itself_from_version_9_on() {
    let bench = Bench::new(newest());
    bench.file().set(SystemRegister::CYCLES, 12_345);
    let lent = CounterSet::from_bits(1 << 32 | 0b100);
    assert_eq!(bench.driver.open_user_reads(lent), Ok(()));
    assert_eq!(bench.file().get(SystemRegister::USER_ACCESS), lent.bits());
}

/// PMUSERENR_EL0: IR, of FEAT_PMUv3_ICNTR, is bit 5.
#[test]
fn the_instruction_counter_is_opened_where_there_is_one() {
    const INSTRUCTIONS: u64 = 1 << 5;
    for has_instruction_counter in [true, false] {
        let bench = Bench::new(with(newest(), |it| it.has_instruction_counter = has_instruction_counter));
        bench.driver.open_user_reads(counter(0).only()).unwrap();
        let opened = bench.file().get(SystemRegister::USER_ENABLE);
        assert_eq!(opened & INSTRUCTIONS != 0, has_instruction_counter, "{opened:#x}");
    }
}

/// Before version 9 programs cannot read it, whatever is opened.
#[test]
fn the_instruction_counter_keeps_nothing_from_being_opened_before_version_9() {
    let bench = Bench::new(with(plain(), |it| it.has_instruction_counter = true));
    bench.file().set(SystemRegister::ENABLE_SET, 1 << 32);
    assert_eq!(bench.driver.open_user_reads(counter(0).only()), Ok(()));
}

#[test]
fn a_closed_unit_is_closed() {
    for capabilities in [plain(), newest()] {
        let bench = Bench::new(capabilities);
        bench.driver.open_user_reads(counter(0).only()).unwrap();
        bench.driver.close_user_reads();
        let at = [SystemRegister::USER_ENABLE, SystemRegister::USER_ACCESS];
        assert_eq!(at.map(|at| bench.file().get(at)), [0, 0]);
    }
}

#[test]
fn a_pair_is_shown_with_both_its_halves() {
    let bench = Bench::new(plain());
    let [slot] = bench.open([Request::new(Event::BRANCHES).every(1 << 40)]).unwrap();
    bench.driver.run(&bench.image, slot.counter.only());
    assert_eq!(bench.driver.open_user_reads(slot.counter.only()), Err(Error::InUse(slot.partner.unwrap().only())));
    assert_eq!(bench.driver.open_user_reads(slot.occupies()), Ok(()));
}

#[test]
fn a_program_reads_a_counter_by_its_number_and_a_pair_not_at_all() {
    let bench = Bench::new(plain());
    let requests = [Request::new(Event::CYCLES), Request::new(Event::BRANCHES).every(1 << 40)];
    let [cycles, pair] = bench.open(requests).unwrap();
    assert_eq!([cycles, pair].map(|slot| bench.driver.counter(&slot).user_index), [Some(31), None]);
}
