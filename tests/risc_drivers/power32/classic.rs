//! The classic units: events belong to counters, and all counters share their modes.

use pmu::arch::powerpc::classic::{Capabilities, Classic};
use pmu::arch::powerpc::{Pvr, Spr};
use pmu::driver::{Control, Counters, Image as _, Plan, Recorder, Registers, Remaining, Slot};
use pmu::request::{Conflict, Contention, Flag, Generic, Refusal};
use pmu::{CounterId, CounterSet, Event, Modes, Request};

use crate::support::bare::over;
use crate::support::memory::Memory;

/// Processor cycles; any counter.
const CYCLES: Event = Event::raw(1);
/// Instructions completed, without folded branches; any counter, of the 745x PMC1 to PMC4.
const INSTRUCTIONS: Event = Event::raw(2);
/// Misses of the first-level data cache; 750.
const P750_L1_DATA_MISSES: Event = Event::raw(0x305);

/// The event with a threshold.
const fn exceeding(counter: u8, select: u8, threshold: u16) -> Event {
    Event::raw_with((counter as u64) << 8 | select as u64, threshold as u64)
}

/// The event that `counter`, 1 for PMC1, counts by this selector.
const fn on(counter: u8, select: u8) -> Event {
    Event::raw((counter as u64) << 8 | select as u64)
}

const P604: u32 = 0x0004_0103;
const P750: u32 = 0x0008_3100;
const P7400: u32 = 0x000C_0209;
const P7450: u32 = 0x8000_0201;

type Driver = Classic<Memory<Spr>>;

fn driver(pvr: u32) -> Driver {
    Classic::new(Memory::new(), Capabilities::discover(Pvr::from_bits(pvr)).unwrap())
}

fn refusal(pvr: u32, request: Request) -> Option<Refusal> {
    driver(pvr).encode(&request).err()
}

/// The counters that a request could be placed on, one after the other.
fn counters(pvr: u32, event: Event) -> CounterSet {
    let able = |number| refusal(pvr, Request::new(event).pinned_to(CounterId::new(number).unwrap())).is_none();
    (0..6).filter(|&number| able(number)).filter_map(CounterId::new).collect()
}

/// Places these requests on an empty unit.
fn place<const N: usize>(driver: &Driver, requests: [Request; N]) -> Result<[Slot; N], Conflict> {
    let nothing = <Driver as Counters>::Image::BLANK;
    place_beside(driver, &nothing, requests)
}

fn place_beside<const N: usize>(
    driver: &Driver,
    kept: &<Driver as Counters>::Image,
    requests: [Request; N],
) -> Result<[Slot; N], Conflict> {
    let demands = requests.map(|request| driver.encode(&request).unwrap());
    let mut slots = [Slot::EMPTY; N];
    driver.place(&kept.occupancy(), &demands, pmu::driver::Steps::OPEN, &mut slots).map(|()| slots)
}

#[test]
fn events_that_all_counters_have_are_counted_by_all() {
    let first = CounterSet::first;
    assert_eq!([P604, P750, P7450].map(|pvr| counters(pvr, CYCLES)), [first(2), first(4), first(6)]);
    assert_eq!([P604, P750, P7450].map(|pvr| counters(pvr, INSTRUCTIONS)), [first(2), first(4), first(4)]);
}

#[test]
fn the_7450_has_classes_of_events() {
    let counted = [7, 8, 13, 14, 22].map(|select| counters(P7450, Event::raw(select)).bits());
    assert_eq!(counted, [0b1111, 0b1011, 0b1011, 0b0011, 0b0011]);
    assert_eq!(refusal(P7450, Request::new(Event::raw(23))), Some(Refusal::UnknownEvent));
}

#[test]
fn an_event_of_one_counter_is_counted_there_alone() {
    assert_eq!(counters(P750, P750_L1_DATA_MISSES).bits(), 0b100);
    let elsewhere = Request::new(P750_L1_DATA_MISSES).pinned_to(CounterId::ZERO);
    assert_eq!(refusal(P750, elsewhere), Some(Refusal::CounterCannot(CounterId::ZERO)));
}

#[test]
fn an_event_of_a_counter_that_is_not_there_is_unknown() {
    for event in [on(3, 1), on(7, 1), on(1, 0), on(2, 64), Event::raw(0)] {
        assert_eq!(refusal(P604, Request::new(event)), Some(Refusal::UnknownEvent), "{event:?}");
    }
    assert_eq!(refusal(P604, Request::new(Event::raw(0x1_0001))), Some(Refusal::ReservedBits(0x1_0000)));
}

#[test]
fn what_no_counter_sees_whole_has_no_generic_event() {
    for pvr in [P750, P7400] {
        assert_eq!(refusal(pvr, Request::new(Event::BRANCHES)), Some(Refusal::UnknownEvent));
    }
    for generic in [Generic::CacheReferences, Generic::ReferenceCycles, Generic::Slots] {
        assert_eq!(refusal(P7450, Request::new(Event::Generic(generic))), Some(Refusal::UnknownEvent));
    }
}

#[test]
fn thresholds_belong_to_the_events_that_compare() {
    assert_eq!(refusal(P750, Request::new(exceeding(1, 0x0A, 63))), None);
    assert_eq!(refusal(P750, Request::new(exceeding(1, 0x0B, 1))), Some(Refusal::Auxiliary(1)));
    let multiplied = exceeding(1, 0x0A, 1 << 8 | 1);
    assert_eq!(refusal(P750, Request::new(multiplied)), Some(Refusal::Auxiliary(1 << 8)));
    assert_eq!(refusal(P7400, Request::new(exceeding(1, 11, 1 << 8 | 1))), None);
}

#[test]
fn requests_that_disagree_on_modes_are_named_with_the_reason() {
    let [user, kernel] = [Modes::USER, Modes::KERNEL].map(|modes| Request::new(Event::CYCLES).modes(modes));
    let (requests, reason) = over(place(&driver(P750), [user, user, kernel]));
    assert_eq!(requests, 0b101);
    assert!(reason.contains("FCS and FCP"), "{reason}");
    assert!(place(&driver(P750), [kernel, kernel]).is_ok());
}

#[test]
fn a_request_that_disagrees_with_what_is_there_is_named_until_that_is_gone() {
    let (driver, kept) = (driver(P750), <Driver as Counters>::Image::BLANK);
    let [user, both] = [Modes::USER, Modes::ALL].map(|modes| Request::new(Event::CYCLES).modes(modes));
    let slots = place(&driver, [user]).unwrap();
    driver.load(&kept, &(), &slots);
    assert_eq!(over(place_beside(&driver, &kept, [user, both])).0, 0b10);
    driver.release(&kept, kept.counters());
    assert!(place_beside(&driver, &kept, [both]).is_ok());
}

#[test]
fn thresholds_are_shared_among_those_that_compare() {
    let comparing = |select, threshold| Request::new(exceeding(1, select, threshold));
    let other = Request::new(exceeding(3, 0x11, 5));
    assert!(over(place(&driver(P7450), [comparing(0x1E, 4), other])).1.contains("THRESHOLD"));
    assert!(place(&driver(P7450), [comparing(0x1E, 5), other]).is_ok());
    assert!(over(place(&driver(P7450), [comparing(0x28, 1 << 8 | 5), other])).1.contains("THRESHMULT"));
    assert!(place(&driver(P7450), [comparing(0x1E, 4), Request::new(Event::CYCLES)]).is_ok());
}

#[test]
fn a_placement_that_exists_is_found_whatever_the_order() {
    let requests = [Event::CYCLES, on(2, 5), on(1, 5), INSTRUCTIONS].map(Request::new);
    let slots = place(&driver(P750), requests).unwrap();
    assert_eq!((slots[1].counter.number(), slots[2].counter.number()), (1, 0));
    let two_of_one = [on(1, 5), on(1, 6)].map(Request::new);
    let conflict = place(&driver(P750), two_of_one).unwrap_err();
    assert_eq!((conflict.requests.bits(), conflict.over), (0b11, Contention::Counters(CounterSet::first(1))));
}

/// Moving an overflowed value into a counter may raise a false exception ("MPC7400 RISC Microprocessor User's
/// Manual", "Performance Monitor Counter Registers (PMC1-PMC4)"; the 750GX does).
#[test]
fn a_negative_counter_is_given_back_while_exceptions_are_off() {
    let recorder = Recorder::<_, 64>::new(Memory::<Spr>::new());
    recorder.write(Spr::CLASSIC_PMCS[0], 0x9000_0000);
    recorder.write(Spr::CLASSIC_MMCR0, 0x0400_8042);
    let driver = Classic::new(&recorder, Capabilities::discover(Pvr::from_bits(P750)).unwrap());
    let saved = <Classic<&Recorder<Memory<Spr>, 64>> as Control>::NOTHING_SAVED;
    driver.save(&saved);
    recorder.clear();
    driver.restore(&saved);
    let lines: Vec<_> = (0..recorder.len()).map(|number| format!("{:?}", recorder.access(number).unwrap())).collect();
    assert_eq!(lines[..2], ["write MMCR0 <- 0x80000000", "write PMC1 <- 0x90000000"]);
    assert_eq!(lines.last().unwrap(), "write MMCR0 <- 0x4008042");
    assert_eq!(lines.iter().filter(|line| line.contains("MMCR0")).count(), 2);
}

/// A sleep leaves anything in the registers.
#[test]
fn a_claim_halts_the_unit_and_leaves_no_counter_past_its_overflow() {
    let (driver, image) = (driver(P7400), <Driver as Counters>::Image::BLANK);
    let all = [Spr::CLASSIC_MMCR0, Spr::CLASSIC_MMCR1, Spr::CLASSIC_MMCR2].into_iter().chain(Spr::CLASSIC_PMCS);
    all.for_each(|register| driver.registers().write(register, 0xFFFF_FFFF));
    let saved = <Driver as Control>::NOTHING_SAVED;
    driver.save(&saved);
    driver.reload(&image);
    let [control, extension] =
        [Spr::CLASSIC_MMCR0, Spr::CLASSIC_MMCR2].map(|register| driver.registers().read(register));
    assert_eq!((control, extension), (0x8000_0000, 0));
    let counters = Spr::CLASSIC_PMCS.map(|register| driver.registers().read(register));
    assert_eq!(counters, [0, 0, 0, 0, 0xFFFF_FFFF, 0xFFFF_FFFF], "it has four");
}

#[test]
fn only_counters_past_their_overflow_have_overflowed_and_each_by_its_own_events() {
    let (driver, image) = (driver(P7450), <Driver as Counters>::Image::BLANK);
    let values = [0x8000_0003, 0x7FFF_FFFF, 0xFFFF_FFFF, 0, 0x8000_0000, 0x8000_0009];
    Spr::CLASSIC_PMCS.iter().zip(values).for_each(|(register, value)| driver.registers().write(*register, value));
    let mut found = Vec::new();
    driver.overflowed(&image, CounterSet::first(5), |counter, past| found.push((counter.number(), past)));
    assert_eq!(found, [(0, 3), (2, 0x7FFF_FFFF), (4, 0)]);
}

#[test]
fn a_counter_is_preset_to_no_more_than_its_top_bit_lets_it_wait() {
    let (driver, image) = (driver(P604), <Driver as Counters>::Image::BLANK);
    let preset = |events| driver.preset(&image, CounterId::ZERO, Remaining::events(events)).count();
    assert_eq!([1, 1 << 31, (1 << 31) + 1, u64::MAX].map(preset), [1, 1 << 31, 1 << 31, 1 << 31]);
    assert_eq!(driver.registers().read(Spr::CLASSIC_PMCS[0]), 0);
}

#[test]
fn refinements_that_there_are_none_of_are_refused() {
    let cycles = Request::new(Event::CYCLES);
    assert_eq!(refusal(P604, cycles.flag(Flag::Edge)), Some(Refusal::Flag(Flag::Edge)));
    assert_eq!(refusal(P604, cycles.threshold(1)), Some(Refusal::ThresholdTooLarge { largest: 0 }));
    assert_eq!(refusal(P604, cycles.modes(Modes::HYPERVISOR)), Some(Refusal::Modes { able: Modes::ALL }));
    assert_eq!(refusal(P604, cycles.modes(Modes::NONE)), Some(Refusal::Modes { able: Modes::ALL }));
}

/// A program that is interrupted each few instructions never gets from LWARX to STWCX.
#[test]
fn a_period_in_programs_leaves_room_for_an_atomic_operation() {
    let least = |event| refusal(P750, Request::new(event).every(1).modes(Modes::USER));
    let room = Some(Refusal::PeriodTooShort { least: 128 });
    assert_eq!([Event::INSTRUCTIONS, Event::CYCLES, on(3, 2)].map(least), [room; 3]);
    assert_eq!(least(P750_L1_DATA_MISSES), None);
}

#[test]
fn a_period_in_the_kernel_is_longer_for_cycles_than_for_instructions() {
    let least = |event| refusal(P750, Request::new(event).every(2));
    assert_eq!(least(Event::INSTRUCTIONS), Some(Refusal::PeriodTooShort { least: 256 }));
    assert_eq!(least(on(3, 2)), Some(Refusal::PeriodTooShort { least: 256 }));
    assert_eq!(least(Event::CYCLES), Some(Refusal::PeriodTooShort { least: 2000 }));
    assert_eq!(refusal(P604, Request::new(Event::BRANCHES).every(256)), None);
}
