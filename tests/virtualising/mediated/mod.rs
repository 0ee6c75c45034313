//! A guest's counters are the real unit's while it runs: mediated pass-through.
//!
//! Beside each guest stands its twin, which is told of the same work. Whatever the guest does, both must be in the same state.

use pmu::arch::aarch64::{SystemRegister, pmuv3};
use pmu::arch::x86::amd::Svm;
use pmu::arch::x86::{Block, Msr, Unattached, Window, amd, intel};
use pmu::driver::{Access, Driver, Recorder};
use pmu::virt::Mediated;
use pmu::virt::{Device, Filter, Kind, Kinds, Observed, RateLimit, Rule, Work};
use pmu::{Event, Mode, Pmu, Result, Unit};

mod families;
mod homes;
mod hosts;
mod races;
mod refusals;
mod skid;
mod twins;

use crate::support::choices::noise;
use crate::support::effort;
use crate::support::families::on_each;
use crate::support::line::Line;
use twins::Guests;

on_each! { [Intel Amd Arm]
    homes: a_pass_through_is_used_on_the_cpu_of_its_unit_alone a_pass_through_that_is_dropped_on_another_cpu_is_freed_at_home
        a_pass_through_whose_unit_the_host_has_resumed_touches_it_no_more
        a_halt_stops_a_guests_counters_until_the_unit_is_claimed_again
        a_halt_amid_an_entry_stops_whatever_counts_and_the_guest_never_does
        two_guests_take_turns_and_neither_sees_the_others_counts;
    hosts: while_a_guest_runs_its_counters_count_alone_and_until_it_runs_again_none_does
        a_hosts_session_rests_while_the_unit_is_a_guests_and_goes_on_afterwards;
    races: each_overflow_of_a_guests_interrupts_once an_overflow_at_any_access_of_an_exit_is_counted_and_the_guests
        an_overflow_of_the_hosts_at_any_access_of_an_entry_is_counted_and_the_hosts
        an_interrupt_of_the_hosts_that_comes_while_a_guest_runs_is_none_of_the_guests;
}

const ALL: Kinds = Kinds::CLOCK.with(Kind::Branches).with(Kind::CacheMisses).with(Kind::Loads).with(Kind::Slots);
/// No branches, by Intel's and AMD's code.
const NO_BRANCHES: Observed = ALL.filtered(Filter::deny(&[Rule::selecting(0xFF, 0xC4)]));
/// The host's unit, over its processor.
fn claim<D: Driver>(driver: Result<D>) -> Pmu<'static, D> {
    let unit: &'static Unit<D, 16> = Box::leak(Box::new(Unit::new()));
    unit.claim(driver.unwrap()).unwrap()
}

/// So many bytes of noise.
fn bytes(seed: u64, count: usize) -> Vec<u8> {
    noise(seed).take(count).collect()
}

/// So many bytes of noise, of which a short run has a tenth.
fn long(seed: u64) -> Vec<u8> {
    bytes(seed, effort::whole_or(60_000, 6_000) as usize)
}

type OfIntel = intel::Device<Line>;

fn of_intel(identity: &intel::Identity, observed: impl Into<Observed>) -> OfIntel {
    intel::Device::new(identity, observed, Line::default())
}

fn intel_host(
    identity: &intel::Identity,
) -> (&'static OfIntel, Pmu<'static, intel::Intel<&'static OfIntel, Unattached>>) {
    let processor: &'static OfIntel = Box::leak(Box::new(of_intel(identity, ALL)));
    (processor, claim(intel::Intel::detect(identity, processor, Unattached)))
}

fn intel_registers() -> Vec<Msr> {
    let numbered = (0..Msr::GENERAL).flat_map(|number| {
        [
            Msr::select(number),
            Msr::counter(Window::Full, number),
            Msr::counter(Window::Narrow, number),
            Msr::fixed(number),
        ]
    });
    let global = [Msr::GLOBAL_CONTROL, Msr::FIXED_CONTROL, Msr::GLOBAL_STATUS, Msr::GLOBAL_RESET, Msr::GLOBAL_SET];
    numbered.flatten().chain([global; 3].concat()).chain([Msr::OFFCORE_0, Msr::FRONTEND]).collect()
}

#[test]
fn whatever_an_intel_guest_does_its_counters_in_the_real_unit_count_what_a_fed_one_counts() {
    let identities = [intel::Identity::SKYLAKE, intel::Identity::SAPPHIRE_RAPIDS, intel::Identity::LION_COVE];
    for (seed, identity) in (1..).zip(identities) {
        for observed in [ALL.into(), NO_BRANCHES] {
            let (processor, pmu) = intel_host(&identity);
            let [guest, twin] = [0, 1].map(|_| of_intel(&identity, observed));
            [&guest, &twin].iter().for_each(|guest| guest.set_debug_control(intel::DebugControl::all()));
            let mut guests = Guests {
                mediated: Mediated::new(pmu, guest).unwrap(),
                twin,
                processor,
                registers: intel_registers(),
                heard: |unit| unit.trigger().rises(),
                runs: |_, _| (),
                tamed: |_, value| value,
            };
            guests.hostile(&long(seed), |state| state.ticks = 0);
        }
    }
}

type OfAmd = amd::Device<Line>;

#[test]
fn whatever_an_amd_guest_does_its_counters_in_the_real_unit_count_what_a_fed_one_counts() {
    let identity = amd::Identity::ZEN_4;
    let numbered =
        (0..6).flat_map(|number| [Msr::core_select(Block::Core, number), Msr::core_counter(Block::Core, number)]);
    let registers = [Msr::CORE_CONTROL, Msr::CORE_STATUS, Msr::CORE_RESET, Msr::CORE_SET];
    for (seed, observed) in [(1, ALL.into()), (2, NO_BRANCHES)] {
        let new = |observed: Observed| OfAmd::new(&identity, observed, Line::default());
        let processor: &'static OfAmd = Box::leak(Box::new(new(ALL.into())));
        let [guest, twin] = [0, 1].map(|_| new(observed));
        let mut guests = Guests {
            mediated: Mediated::new(claim(amd::Amd::<_, _>::detect(&identity, processor, Unattached)), guest).unwrap(),
            twin,
            processor,
            registers: numbered.clone().flatten().chain(registers).collect(),
            heard: |unit| unit.trigger().rises(),
            runs: |unit, guest| unit.set_svm(if guest { Svm::Guest } else { Svm::Host }),
            tamed: |_, value| value,
        };
        guests.hostile(&long(seed), |state| state.ticks = 0);
    }
}

type OfArm = pmuv3::Device<Line>;

fn arm_registers() -> Vec<SystemRegister> {
    let numbered = (0..8).flat_map(|number| [SystemRegister::select(number), SystemRegister::counter(number)]);
    let others = [
        SystemRegister::ENABLE_SET,
        SystemRegister::ENABLE_CLEAR,
        SystemRegister::OVERFLOW_CLEAR,
        SystemRegister::OVERFLOW_SET,
        SystemRegister::INTERRUPT_SET,
        SystemRegister::SOFTWARE_INCREMENT,
        SystemRegister::CYCLES,
        SystemRegister::CYCLE_FILTER,
        SystemRegister::CONTROL,
        SystemRegister::SELECTOR,
        SystemRegister::SELECTED_SELECT,
    ];
    numbered.flatten().chain([others; 2].concat()).collect()
}

#[test]
fn whatever_an_arm_guest_does_its_counters_in_the_real_unit_count_what_a_fed_one_counts() {
    let identities = [
        pmuv3::Identity::CORTEX_A57,
        pmuv3::Identity::NEOVERSE_N1,
        pmuv3::Identity::NEOVERSE_N2,
        pmuv3::Identity::ARMV8_8,
        pmuv3::Identity::ARMV9_4,
    ];
    for (seed, identity) in (1..).zip(identities) {
        let processor: &'static OfArm =
            Box::leak(Box::new(OfArm::new(&identity, ALL, Line::default()).driven_from(Mode::Hypervisor)));
        let [guest, twin] = [0, 1].map(|_| OfArm::new(&identity.for_guest(), ALL, Line::default()));
        let mut guests = Guests {
            mediated: Mediated::new(claim(pmuv3::Pmuv3::detect(processor)), guest).unwrap(),
            twin,
            processor,
            registers: arm_registers(),
            heard: |unit| unit.trigger().rises(),
            runs: |_, _| (),
            // The cycle counter counts every cycle, not every 64th.
            tamed: |at, value| {
                if at == SystemRegister::CONTROL { value & !pmuv3::Pmcr::DIVIDE.bits() } else { value }
            },
        };
        guests.hostile(&long(seed), |state| (state.ticks, state.phase) = (0, 0));
    }
}

/// What a selector says of others than a guest at EL0 and EL1: of EL2, EL3, and the core's other threads.
const OF_OTHERS: pmuv3::Select = pmuv3::Select::HYPERVISOR
    .union(pmuv3::Select::SECURE_HYPERVISOR)
    .union(pmuv3::Select::REALM_HYPERVISOR)
    .union(pmuv3::Select::MONITOR)
    .union(pmuv3::Select::ALL_THREADS);
/// EL2's field of ID_AA64PFR0_EL1.
const EL2: u64 = 0xF << 8;

#[test]
fn a_guest_that_asks_for_the_work_of_others_counts_its_own_in_the_real_unit() {
    for identity in [pmuv3::Identity::NEOVERSE_N1, pmuv3::Identity::ARMV9_4] {
        for modes in [pmuv3::Select::empty(), pmuv3::Select::NOT_KERNEL] {
            let processor: &'static OfArm =
                Box::leak(Box::new(OfArm::new(&identity, ALL, Line::default()).driven_from(Mode::Hypervisor)));
            let shown = pmuv3::Identity::of_host(|at| {
                let hidden = if at == SystemRegister::PROCESSOR_FEATURES { EL2 } else { 0 };
                processor.try_read(at).unwrap() & !hidden
            });
            let guest = OfArm::new(&shown.unwrap(), ALL, Line::default());
            let write = |at, value| guest.try_write(at, value).unwrap();
            write(SystemRegister::select(0).unwrap(), 0x08 | OF_OTHERS.union(modes).bits());
            write(SystemRegister::ENABLE_SET, 1);
            write(SystemRegister::CONTROL, pmuv3::Pmcr::ENABLE.bits());
            let selected = pmuv3::Select::from_bits_retain(guest.state().selects[0]);
            assert!(selected.contains(pmuv3::Select::MONITOR), "the guest has EL3");
            let mut mediated = Mediated::new(claim(pmuv3::Pmuv3::detect(processor)), guest).unwrap();
            mediated.enter().unwrap();
            let real = pmuv3::Select::from_bits_retain(processor.state().selects[0]);
            // M differs from P: EL3 is not counted.
            let expected = if modes.is_empty() { pmuv3::Select::MONITOR } else { pmuv3::Select::empty() };
            assert_eq!(real.intersection(OF_OTHERS), expected);
        }
    }
}

/// A guest of Skylake whose counter 0 counts instructions, and interrupts after so many.
fn counting(interrupts_after: u64) -> OfIntel {
    let guest = of_intel(&intel::Identity::SKYLAKE, Kinds::NONE);
    guest.try_write(Msr::select(0).unwrap(), 0x0053_00C0).unwrap();
    guest.try_write(Msr::counter(Window::Full, 0).unwrap(), (1 << 48) - interrupts_after).unwrap();
    guest.try_write(Msr::GLOBAL_CONTROL, 1).unwrap();
    guest
}

fn instructions(count: u64) -> Work {
    Work::instructions(Mode::Kernel, count)
}

#[test]
fn a_host_keeps_its_unit_while_its_guest_uses_no_counter() {
    let (processor, pmu) = intel_host(&intel::Identity::SKYLAKE);
    let mut mediated = Mediated::new(pmu, of_intel(&intel::Identity::SKYLAKE, Kinds::NONE)).unwrap();
    let ([count], ()) = pmu
        .count([Event::INSTRUCTIONS], || {
            mediated.enter().unwrap();
            processor.advance(&instructions(300));
            mediated.exit().unwrap();
        })
        .unwrap();
    assert_eq!(count, 300);
}

#[test]
fn a_release_restores_what_the_unit_held_before_it_was_claimed() {
    let processor: &'static OfIntel = Box::leak(Box::new(of_intel(&intel::Identity::SKYLAKE, ALL)));
    processor.try_write(Msr::select(2).unwrap(), 0x0001_003C).unwrap();
    processor.try_write(Msr::counter(Window::Full, 2).unwrap(), 99).unwrap();
    let before = processor.state();
    let pmu = claim(intel::Intel::<_, _>::detect(&intel::Identity::SKYLAKE, processor, Unattached));
    let mut mediated = Mediated::new(pmu, counting(5)).unwrap();
    mediated.enter().unwrap();
    processor.advance(&instructions(10));
    mediated.exit().unwrap();
    drop(mediated);
    pmu.release().unwrap();
    let mut after = processor.state();
    after.ticks = 0;
    assert_eq!(after, before);
}

/// A status may lag behind its counter, and so behind the stop that accounts for the overflow.
#[test]
fn an_overflow_of_the_hosts_whose_status_comes_late_is_not_the_guests() {
    let (processor, pmu) = intel_host(&intel::Identity::SKYLAKE);
    let mut mediated = Mediated::new(pmu, counting(1000)).unwrap();
    processor.try_write(Msr::GLOBAL_SET, 1).unwrap();
    mediated.enter().unwrap();
    processor.advance(&instructions(10));
    mediated.exit().unwrap();
    assert_eq!(mediated.guest().unwrap().try_read(Msr::GLOBAL_STATUS), Ok(0));
}

#[test]
fn an_overflow_interrupts_when_it_happens_and_the_guest_has_it() {
    let (processor, pmu) = intel_host(&intel::Identity::SKYLAKE);
    let mut mediated = Mediated::new(pmu, counting(1000)).unwrap();
    mediated.enter().unwrap();
    assert_eq!(processor.until_overflow(&instructions(1)), Some(1000));
    processor.advance(&instructions(1003));
    assert_eq!(processor.trigger().rises(), 1);
    mediated.exit().unwrap();
    mediated.interrupted().unwrap();
    let guest = mediated.guest().unwrap();
    assert_eq!((guest.trigger().rises(), guest.state().global_status, guest.state().general[0]), (1, 1, 3));
    mediated.enter().unwrap();
    assert_eq!(processor.state().global_status, 0, "it is acknowledged");
}

#[test]
fn a_guest_stops_its_host_once_for_each_write_of_a_counter_and_is_held_to_the_rate_itself() {
    const RATE: u32 = 2;
    let (processor, pmu) = intel_host(&intel::Identity::SKYLAKE);
    let limited = RateLimit::new(Line::default(), RATE);
    let guest = intel::Device::new(&intel::Identity::SKYLAKE, Kinds::NONE, limited);
    guest.try_write(Msr::select(0).unwrap(), 0x0053_00C0).unwrap();
    guest.try_write(Msr::GLOBAL_CONTROL, 1).unwrap();
    let mut mediated = Mediated::new(pmu, guest).unwrap();
    for written in 1..=10 {
        mediated.guest().unwrap().try_write(Msr::counter(Window::Full, 0).unwrap(), (1 << 48) - 1).unwrap();
        for _ in 0..100 {
            mediated.enter().unwrap();
            processor.advance(&instructions(1));
            mediated.exit().unwrap();
            mediated.interrupted().unwrap();
        }
        assert_eq!(processor.trigger().rises(), written);
    }
    assert_eq!(mediated.guest().unwrap().trigger().trigger().rises(), RATE.into());
}

#[test]
fn an_entry_and_an_exit_that_leave_the_unit_alone_write_one_register_each() {
    let processor: &'static OfIntel = Box::leak(Box::new(of_intel(&intel::Identity::SKYLAKE, ALL)));
    let recorder: &'static Recorder<_, 512> = Box::leak(Box::new(Recorder::new(processor)));
    let pmu = claim(intel::Intel::<_, _>::detect(&intel::Identity::SKYLAKE, recorder, Unattached));
    let mut mediated = Mediated::new(pmu, counting(1000)).unwrap();
    mediated.enter().unwrap();
    mediated.exit().unwrap();
    recorder.clear();
    mediated.enter().unwrap();
    mediated.exit().unwrap();
    let [enter, exit] = [1, 0].map(|enabled| Access::Write(Msr::GLOBAL_CONTROL, enabled));
    assert_eq!([0, 1, 2].map(|number| recorder.access(number)), [Some(enter), Some(exit), None]);
}
