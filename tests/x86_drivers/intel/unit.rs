//! Starting, stopping and presetting.

use pmu::arch::x86::intel::{Capabilities, Device, Identity, Intel, Select};
use pmu::arch::x86::{CpuIdReader as _, CpuIdResult};
use pmu::arch::x86::{Msr, Unattached, Window};
use pmu::driver::{Control, Counters, Plan, Registers, Remaining, Slot};
use pmu::request::Refusal;
use pmu::virt::{Device as _, Kinds, Unconnected};
use pmu::{CounterId, CounterSet, Event, Interrupted, Mode, Modes, Request, Unit};

use crate::intel::{Bench, counter};

/// Every counter of the unit, each counting instructions if it can and cycles otherwise.
pub(crate) fn open_all(bench: &Bench) -> Vec<Slot> {
    let able = |id: &CounterId| id.number() < 34;
    let event = |id: CounterId| if id.number() == 33 { Event::CYCLES } else { Event::INSTRUCTIONS };
    let open = |id| bench.open([Request::from(event(id)).pinned_to(id)]).unwrap()[0];
    bench.driver.capabilities().counters_of_all_kinds().into_iter().filter(able).map(open).collect()
}

#[test]
fn the_longest_wait_is_as_long_as_promised() {
    for identity in &Identity::ALL {
        let bench = Bench::new(identity);
        bench.claim();
        for slot in open_all(&bench) {
            let counter = bench.driver.counter(&slot);
            for too_long in [counter.longest.count(), counter.longest.count() + 1, u64::MAX] {
                let preset = bench.driver.preset(&bench.image, slot.counter, Remaining::events(too_long));
                assert_eq!(preset, counter.longest, "{identity:?} {}", slot.counter);
                assert_eq!(counter.width.delta(bench.read(&slot), 0), preset.count(), "{identity:?} {}", slot.counter);
            }
        }
    }
}

/// Models of family 6.
const SKYLAKE: u32 = 0x5E;
const NEHALEM: u32 = 0x1A;
const HASWELL: u32 = 0x3C;
const BROADWELL: u32 = 0x3D;

/// INST_RETIRED.ALL, and another event.
const ALL_RETIRED: u64 = 0x01C0;
const BRANCHES: u64 = 0x00C4;

/// The capabilities of an identity, as if it were this model.
fn capabilities_of(identity: &Identity, model: u32) -> Capabilities {
    let cpuid = |leaf, subleaf| match (leaf, identity.cpuid2(leaf, subleaf)) {
        (1, leaf) => CpuIdResult { eax: 6 << 8 | (model & 0xF) << 4 | (model >> 4) << 16, ..leaf },
        (_, leaf) => leaf,
    };
    let perf_capabilities =
        identity.capabilities().perf_capabilities.map_or(0, |perf_capabilities| perf_capabilities.bits());
    Capabilities::discover(&cpuid, || perf_capabilities).unwrap()
}

/// Linux, `nhm_limit_period`, `hsw_limit_period` (erratum HSW11) and `bdw_limit_period` (BDM11 and BDM55): the models'
/// least waits of any event, and of INST_RETIRED.ALL, event C0H with mask 1.
#[test]
fn a_wait_that_is_shorter_than_the_model_can_is_lengthened() {
    let presets = |identity: Identity, model: u32, code| {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let bench = crate::support::bare::Bench::of(Intel::new(&device, Unattached, capabilities_of(&identity, model)));
        let [slot] = bench.open([Request::new(Event::raw(code)).pinned_to(counter(0))]).unwrap();
        [1, 2, 33, 129].map(|events| {
            let preset = bench.driver.preset(&bench.image, slot.counter, Remaining::events(events)).count();
            assert_eq!(bench.driver.counter(&slot).width.delta(bench.read(&slot), 0), preset);
            preset
        })
    };
    assert_eq!(presets(Identity::SKYLAKE, SKYLAKE, ALL_RETIRED), [2, 2, 33, 129]);
    assert_eq!(presets(Identity::NEHALEM, NEHALEM, BRANCHES), [32, 32, 33, 129]);
    assert_eq!(presets(Identity::SKYLAKE, HASWELL, BRANCHES), [32, 32, 33, 129]);
    assert_eq!(presets(Identity::SKYLAKE, HASWELL, ALL_RETIRED), [128, 128, 128, 129]);
    assert_eq!(presets(Identity::SKYLAKE, BROADWELL, BRANCHES), [2, 2, 33, 129]);
    assert_eq!(presets(Identity::SKYLAKE, BROADWELL, ALL_RETIRED), [128, 128, 128, 192]);
}

#[test]
fn a_period_that_is_shorter_than_the_model_can_is_refused_with_the_least() {
    let least = |identity: Identity, model, code| {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let driver = Intel::<_, _>::new(&device, Unattached, capabilities_of(&identity, model));
        match driver.encode(&Request::new(Event::raw(code)).modes(Modes::USER).every(1)) {
            Err(Refusal::PeriodTooShort { least }) => {
                assert!(driver.encode(&Request::new(Event::raw(code)).modes(Modes::USER).every(least)).is_ok());
                least
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(least(Identity::SKYLAKE, SKYLAKE, ALL_RETIRED), 2);
    assert_eq!(least(Identity::NEHALEM, NEHALEM, BRANCHES), 32);
    assert_eq!([BRANCHES, ALL_RETIRED].map(|code| least(Identity::SKYLAKE, HASWELL, code)), [32, 128]);
    assert_eq!([BRANCHES, ALL_RETIRED].map(|code| least(Identity::SKYLAKE, BROADWELL, code)), [2, 128]);
}

/// 200 is no multiple of 64: some periods are lengthened, and the next ones are shorter by as much.
#[test]
fn a_broadwells_periods_of_all_instructions_are_right_on_the_whole_and_each_preset_has_its_low_bits_clear() {
    let identity = Identity::SKYLAKE;
    let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
    let unit = Unit::<Intel<_, _>, 64>::new();
    let pmu = unit.claim(Intel::new(&device, Unattached, capabilities_of(&identity, BROADWELL))).unwrap();
    let user = Request::new(Event::raw(ALL_RETIRED)).modes(Modes::USER).pinned_to(counter(0));
    let mut session = pmu.open([user.every(200)]).unwrap();
    session.start().unwrap();
    let value = Msr::counter(Window::Full, 0).unwrap();
    for _ in 0..20 {
        let preset = device.try_read(value).unwrap().wrapping_neg() & 0xFFFF_FFFF_FFFF;
        assert_eq!((preset % 64, preset >= 128), (0, true), "{preset}");
        device.try_write(value, 0).unwrap();
        device.try_write(Msr::GLOBAL_SET, 1).unwrap();
        let _ = unit.on_overflow(Interrupted::new(0x1000, Mode::User));
    }
    let [count] = session.read().unwrap();
    let samples = unit.samples().unwrap().count() as u64;
    assert!(samples.abs_diff(count / 200) <= 1, "{count} events in {samples} samples");
}

#[test]
fn version_1_starts_and_stops_by_the_selectors() {
    let bench = Bench::new(&Identity::CORE_DUO);
    let [slot] = bench.open([Event::CYCLES]).unwrap();
    let select = Msr::select(slot.counter.number()).unwrap();
    let enabled = || bench.driver.registers().try_read(select).unwrap() & Select::ENABLE.bits() != 0;
    assert!(!enabled(), "it was only opened");
    bench.driver.run(&bench.image, slot.counter.only());
    assert!(enabled());
    bench.driver.run(&bench.image, CounterSet::EMPTY);
    assert!(!enabled());
}

#[test]
fn a_released_counter_of_version_1_is_not_started_again() {
    let bench = Bench::new(&Identity::CORE_DUO);
    let slots = bench.open([Event::CYCLES, Event::INSTRUCTIONS]).unwrap();
    let [released, kept] = slots.map(|slot| slot.counter.only());
    let enabled = || {
        let selects = slots.map(|slot| Msr::select(slot.counter.number()).unwrap());
        selects.map(|at| bench.driver.registers().try_read(at).unwrap() & Select::ENABLE.bits() != 0)
    };
    bench.driver.run(&bench.image, released.or(kept));
    bench.driver.run(&bench.image, kept);
    bench.driver.release(&bench.image, released);
    bench.driver.run(&bench.image, CounterSet::EMPTY);
    bench.driver.run(&bench.image, kept);
    assert_eq!(enabled(), [false, true]);
}

#[test]
fn only_what_was_serviced_is_acknowledged() {
    let bench = Bench::new(&Identity::SKYLAKE);
    let slots = bench.open([Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
    let both = slots[0].counter.only().or(slots[1].counter.only());
    for slot in &slots {
        bench.driver.preset(&bench.image, slot.counter, Remaining::events(5));
    }
    bench.driver.run(&bench.image, both);
    bench.work(5);
    assert_eq!(bench.overflowed(both), both);
    bench.driver.acknowledge(&bench.image, slots[0].counter.only());
    assert_eq!(bench.overflowed(both), slots[1].counter.only());
}

/// IA32_DEBUGCTL.FREEZE_PERFMON_ON_PMI sets CTR_FRZ at an overflow, from version 4 on.
#[test]
fn a_unit_that_froze_at_an_overflow_counts_again_once_that_is_acknowledged() {
    let bench = Bench::new(&Identity::SKYLAKE);
    let [slot] = bench.open([Event::INSTRUCTIONS]).unwrap();
    let counter = slot.counter.only();
    bench.driver.preset(&bench.image, slot.counter, Remaining::events(5));
    bench.driver.run(&bench.image, counter);
    bench.work(5);
    bench.driver.registers().write(Msr::GLOBAL_SET, 1 << 59);
    bench.work(5);
    assert_eq!((bench.read(&slot), bench.overflowed(counter)), (0, counter));
    bench.driver.acknowledge(&bench.image, counter);
    bench.work(5);
    assert_eq!(bench.read(&slot), 5);
}

/// An interrupt that finds no overflow is not acknowledged.
#[test]
fn a_unit_that_froze_counts_again_if_no_counter_has_overflowed() {
    let bench = Bench::new(&Identity::SKYLAKE);
    let [slot] = bench.open([Event::INSTRUCTIONS]).unwrap();
    bench.driver.preset(&bench.image, slot.counter, Remaining::events(5));
    bench.driver.run(&bench.image, slot.counter.only());
    bench.driver.registers().write(Msr::GLOBAL_SET, 1 << 59);
    assert!(bench.overflowed(slot.counter.only()).is_empty());
    bench.work(5);
    assert_eq!(bench.read(&slot), 0);
}

#[test]
fn a_unit_that_was_left_frozen_counts_once_it_is_claimed() {
    let bench = Bench::new(&Identity::SKYLAKE);
    bench.driver.registers().write(Msr::GLOBAL_SET, 1 << 59);
    bench.claim();
    let [slot] = bench.open([Event::INSTRUCTIONS]).unwrap();
    bench.driver.preset(&bench.image, slot.counter, Remaining::events(5));
    bench.driver.run(&bench.image, slot.counter.only());
    bench.work(5);
    assert_eq!(bench.read(&slot), 0);
}

#[test]
fn a_stale_overflow_of_a_counter_that_nobody_armed_is_not_the_units() {
    let bench = Bench::new(&Identity::SKYLAKE);
    let [slot] = bench.open([Event::INSTRUCTIONS]).unwrap();
    bench.driver.registers().write(Msr::GLOBAL_SET, 1 << 3);
    assert_eq!(bench.overflowed(slot.counter.only()), CounterSet::EMPTY);
    assert_eq!(bench.driver.registers().try_read(Msr::GLOBAL_STATUS), Ok(1 << 3), "it may be somebody's");
}

/// A thread has preset the counter, and the handler came before the acknowledgement.
#[test]
fn a_status_whose_counter_was_preset_is_no_overflow_and_does_not_stay() {
    let bench = Bench::new(&Identity::SKYLAKE);
    let slots = bench.open([Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
    let [first, second] = slots.map(|slot| slot.counter.only());
    for slot in slots {
        bench.driver.preset(&bench.image, slot.counter, Remaining::events(5));
    }
    bench.driver.registers().write(Msr::GLOBAL_SET, first.or(second).bits());
    assert_eq!(bench.overflowed(first), CounterSet::EMPTY);
    assert_eq!(bench.driver.registers().try_read(Msr::GLOBAL_STATUS), Ok(second.bits()));
}

#[test]
fn counters_are_numbered_as_the_global_registers_number_them() {
    let bench = Bench::new(&Identity::SKYLAKE);
    let [slot] = bench.open([Event::INSTRUCTIONS]).unwrap();
    assert_eq!(slot.counter, counter(32));
    bench.driver.run(&bench.image, slot.counter.only());
    assert_eq!(bench.driver.registers().try_read(Msr::GLOBAL_CONTROL), Ok(1 << 32));
}
