//! What cannot be together is named: the requests, and the register or the counters.

use pmu::{Conflict, Contention, CounterSet, CpuId, Error, Event, Modes, Request, Requests, Unit};

use crate::Shape;
use crate::amd::Amd;
use crate::arm::Arm;
use crate::intel::Intel;
use crate::pentium4::Pentium4;
use crate::power::Power;
use crate::processor::Processor;
use crate::ultrasparc::UltraSparc;

const fn raw(code: u64) -> Request {
    Request::new(Event::raw(code))
}

/// What refuses `new` while `kept` is open.
fn conflict<S: Shape, const K: usize, const N: usize>(kept: [Request; K], new: [Request; N]) -> Conflict {
    let unit: Unit<S::Backend, 0> = Unit::new();
    let pmu = unit.claim(S::backend(Processor::new()), || CpuId(0)).unwrap();
    let _kept = pmu.open(kept).unwrap();
    match pmu.open(new) {
        Err(Error::Conflict(conflict)) => conflict,
        other => panic!("{other:?}"),
    }
}

fn over_counters(requests: u64, counters: u64) -> Conflict {
    Conflict { requests: Requests::from_bits(requests), over: Contention::Counters(CounterSet::from_bits(counters)) }
}

fn over_register(requests: u64, name: &'static str) -> Conflict {
    Conflict { requests: Requests::from_bits(requests), over: Contention::Register(name) }
}

#[test]
fn a_third_value_for_two_event_selectors_names_one_of_them() {
    let [itlb, one, two, three] = [raw(0x118), raw(0x117), raw(0x217), raw(0x317)];
    assert_eq!(conflict::<Pentium4, 0, 4>([], [itlb, one, two, three]), over_register(0b1110, "MSR_FSB_ESCR0"));
    assert_eq!(conflict::<Pentium4, 2, 2>([one, two], [itlb, three]), over_register(0b10, "MSR_FSB_ESCR0"));
}

#[test]
fn a_fifth_request_for_four_counters_that_share_a_selector_names_the_counters() {
    assert_eq!(conflict::<Pentium4, 0, 5>([], [raw(0x117); 5]), over_counters(0b1_1111, 0b1111));
}

#[test]
fn a_second_unit_on_the_bus_names_mmcr1() {
    assert_eq!(conflict::<Power, 0, 3>([], [raw(0x01), raw(0x0381), raw(0x0482)]), over_register(0b110, "MMCR1"));
    assert_eq!(conflict::<Power, 1, 2>([raw(0x0381)], [raw(0x0382), raw(0x0483)]), over_register(0b10, "MMCR1"));
}

#[test]
fn other_modes_than_the_neighbours_name_pcr() {
    assert_eq!(conflict::<UltraSparc, 1, 1>([raw(0)], [raw(1).modes(Modes::KERNEL)]), over_register(0b1, "%pcr"));
}

#[test]
fn a_fourth_pair_names_the_counters_that_are_free() {
    let wide = raw(3).every(1 << 10);
    assert_eq!(conflict::<Arm, 0, 4>([], [wide; 4]), over_counters(0b1111, 0b01_0101));
    assert_eq!(conflict::<Amd, 1, 3>([raw(0x103)], [raw(0x103); 3]).requests.bits(), 0b111);
}

#[test]
fn a_pair_does_not_fit_between_single_counters() {
    let singles = conflict::<Amd, 5, 1>([raw(0x176); 5], [raw(0x103)]);
    assert_eq!(singles, over_counters(0b1, 0));
}

#[test]
fn a_third_offcore_value_names_an_auxiliary_register() {
    let offcore = |value| Request::new(Event::raw_with(0x1B7, value));
    let new = [raw(0xC0), offcore(1), offcore(2), offcore(3)];
    assert_eq!(conflict::<Intel, 0, 4>([], new), over_register(0b1110, "MSR_OFFCORE_RSP_0"));
}

#[test]
fn a_fixed_counter_makes_room_for_a_fifth_event() {
    let requests = [raw(0xC4), raw(0xC4), raw(0xC4), raw(0xC4), raw(0xC0), raw(0x3C)];
    let seventh = conflict::<Intel, 6, 1>(requests, [raw(0xC0)]);
    assert_eq!(seventh, over_counters(0b1, 0));
}
