//! The LoongArch unit: how it is detected, what the driver refuses, and what the device does.

use pmu::arch::loongarch::Register;
use pmu::arch::loongarch::la64::{Capabilities, Device, Identity, La64};
use pmu::driver::{Access, Plan as _, Recorder};
use pmu::request::Refusal;
use pmu::virt::{Device as _, Fault, Kinds, Unconnected, Work};
use pmu::{Context, CounterSet, Error, Event, Mode, Modes, Request, Unit};

use crate::support::line::Level;
use crate::support::memory::Memory;

const CONTROL: Register = Register::control(0).unwrap();
const COUNTER: Register = Register::counter(0).unwrap();
/// Instructions in user mode, with the interrupt: event 1, PLV3, PMIEn.
const INSTRUCTIONS: u64 = 1 << 20 | 1 << 19 | 1;

fn device(identity: Identity) -> Device<Unconnected> {
    Device::new(&identity, Kinds::CLOCK, Unconnected)
}

fn refusal(request: Request) -> Option<Refusal> {
    let identity = Identity::LOONGSON_3A5000;
    La64::new(device(identity), identity.capabilities()).encode(&request).err()
}

/// A processor that answers CPUCFG with this PRID and this word 6.
fn detected(prid: u64, word: u64) -> Result<Capabilities, Error> {
    let registers = Memory::<Register>::new().with(Register::PRID, prid).with(Register::UNIT, word);
    La64::detect(&registers).map(|driver| *driver.capabilities())
}

#[test]
fn every_processor_is_detected_with_its_counters_and_their_width() {
    for identity in [Identity::LOONGSON_3A5000, Identity::LOONGSON_3A6000.with_counters(2), Identity::LOONGSON_3C6000] {
        let expected = identity.capabilities();
        let found = *La64::detect(&device(identity)).unwrap().capabilities();
        let of = |it: &Capabilities| (it.prid, it.version, it.counters, it.width.bits());
        assert_eq!(of(&found), of(&expected), "{}", identity.name());
    }
}

/// QEMU announces version 0 to KVM's guests: target/loongarch/kvm/kvm.c sets PMP, PMNUM, PMBITS and UPM alone.
#[test]
fn a_guest_of_kvm_has_a_unit_without_a_version() {
    let found = detected(0x14_C010, 0x7F31).unwrap();
    assert_eq!((found.version, found.counters, found.width.bits()), (0, CounterSet::first(4), 64));
    assert_eq!(found.name(), "LA464");
}

/// PMNUM and PMBITS are the number and the width, less one.
#[test]
fn counters_may_be_narrower_and_of_more_than_four_the_first_four_are_used() {
    let found = detected(0x14_F000, 0x2FF3).unwrap();
    assert_eq!((found.name(), found.counters, found.width.bits()), ("LoongArch", CounterSet::first(4), 48));
}

#[test]
fn a_processor_whose_cpucfg_announces_no_counters_has_no_unit() {
    assert!(matches!(detected(0x14_C010, 0x7F32), Err(Error::NoUnit { .. })));
}

/// QEMU's own processor does this, where a hypervisor answers CPUCFG alone.
#[test]
fn a_unit_that_swallows_what_is_written_is_found_out() {
    let registers = Memory::<Register>::that_swallows().with(Register::UNIT, 0x7F33);
    let error = La64::detect(&registers).map(drop).unwrap_err();
    assert_eq!(error, Error::Swallowed { register: 0x200, wrote: 5, read: 0 });
}

#[test]
fn a_code_of_more_than_ten_bits_and_an_auxiliary_value_are_refused() {
    assert_eq!(refusal(Request::new(Event::raw(0x3FF))), None);
    assert_eq!(refusal(Request::new(Event::raw(0x401))), Some(Refusal::ReservedBits(0x400)));
    assert_eq!(refusal(Request::new(Event::raw_with(1, 2))), Some(Refusal::Auxiliary(2)));
    assert_eq!(refusal(Request::new(Event::REFERENCE_CYCLES)), Some(Refusal::UnknownEvent));
}

#[test]
fn a_period_may_be_shorter_where_the_kernel_is_not_counted() {
    let of = |event, modes, period| refusal(Request::new(event).modes(modes).every(period));
    for (event, modes, least) in [
        (Event::CYCLES, Modes::USER, Capabilities::LEAST_IN_USER),
        (Event::INSTRUCTIONS, Modes::ALL, Capabilities::LEAST_IN_KERNEL),
        (Event::CYCLES, Modes::ALL, Capabilities::LEAST_OF_OTHERS_IN_KERNEL),
    ] {
        assert_eq!(of(event, modes, least), None);
        assert_eq!(of(event, modes, least - 1), Some(Refusal::PeriodTooShort { least }));
    }
}

#[test]
fn a_hypervisors_mode_is_refused() {
    let request = Request::new(Event::CYCLES).modes(Modes::HYPERVISOR);
    assert_eq!(refusal(request), Some(Refusal::Modes { able: Modes::ALL }));
}

#[test]
fn a_word_of_cpucfg_is_read_only_and_a_register_of_a_missing_counter_absent() {
    let device = device(Identity::LOONGSON_3A6000.with_counters(2));
    assert_eq!([Register::PRID, Register::UNIT].map(|at| device.try_read(at)), [Ok(0x14_D000), Ok(0x7F13)]);
    assert_eq!(device.try_write(Register::UNIT, 0), Err(Fault::ReadOnly));
    let missing = Register::control(2).unwrap();
    assert_eq!((device.try_read(missing), device.try_write(missing, 0)), (Err(Fault::Absent), Err(Fault::Absent)));
    assert_eq!(device.try_read_counter(Register::UNIT), Err(Fault::Absent));
}

/// "Performance Monitor Configuration n": reserved fields return 0, and so do bits 21 and 22 without virtualisation.
#[test]
fn reserved_bits_of_a_configuration_read_0() {
    let device = device(Identity::LOONGSON_3A5000);
    device.try_write(CONTROL, u64::MAX).unwrap();
    assert_eq!(device.try_read(CONTROL), Ok(0x1F_03FF));
}

#[test]
fn programs_are_counted_at_plv3_and_the_kernel_at_plv0() {
    let device = device(Identity::LOONGSON_3A5000);
    let [kernel, levels_between] = [1, 2].map(|counter| Register::control(counter).unwrap());
    device.try_write(CONTROL, 1 << 19 | 1).unwrap();
    device.try_write(kernel, 1 << 16 | 1).unwrap();
    device.try_write(levels_between, 1 << 18 | 1 << 17 | 1).unwrap();
    device.advance(&Work::instructions(Mode::User, 5));
    device.advance(&Work::instructions(Mode::Kernel, 30));
    assert_eq!(device.state().counters, [5, 30, 0, 0]);
}

/// A unit that is four instructions past its overflow.
fn overflowed() -> Device<Level> {
    let device = Device::new(&Identity::LOONGSON_3A5000, Kinds::CLOCK, Level::default());
    device.try_write(COUNTER, (1 << 63) - 2).unwrap();
    device.try_write(CONTROL, INSTRUCTIONS).unwrap();
    device.advance(&Work::instructions(Mode::User, 1));
    assert!(!device.trigger().is_high());
    device.advance(&Work::instructions(Mode::User, 5));
    assert_eq!((device.try_read(COUNTER), device.trigger().is_high()), (Ok((1 << 63) + 4), true));
    device
}

#[test]
fn the_line_is_high_while_bit_63_and_pmien_are_set_and_the_counter_counts_on() {
    let device = overflowed();
    device.try_write(COUNTER, 0).unwrap();
    assert!(!device.trigger().is_high());
    let device = overflowed();
    device.try_write(CONTROL, INSTRUCTIONS & !(1 << 20)).unwrap();
    assert!(!device.trigger().is_high());
}

/// Four configurations off, four counters read, and four configurations on: what both threads only count goes on from what the
/// counters hold, so none is written. A start of one counter is one write.
#[test]
fn a_start_is_one_write_and_a_switch_of_four_counters_twelve_accesses() {
    let recorder = Recorder::<_, 256>::new(device(Identity::LOONGSON_3A5000));
    let unit = Unit::<La64<&Recorder<Device<Unconnected>, 256>>, 0>::new();
    let pmu = unit.claim(La64::detect(&recorder).unwrap()).unwrap();
    let mut session = pmu.open([Event::INSTRUCTIONS]).unwrap();
    recorder.clear();
    session.start().unwrap();
    assert_eq!(recorder.len(), 1);
    drop(session);
    let mut threads = [1, 2].map(Context::<_, 4>::new);
    for thread in &mut threads {
        let events = [Event::INSTRUCTIONS, Event::CYCLES, Event::BRANCHES, Event::BRANCH_MISSES];
        thread.bind(&pmu, events).unwrap();
        pmu.switch_in(thread);
        pmu.switch_out(thread);
    }
    let [one, other] = &mut threads;
    pmu.switch_in(one);
    recorder.clear();
    pmu.switch(one, other);
    let accesses: Vec<_> = (0..recorder.len()).map(|at| recorder.access(at).unwrap()).collect();
    let kinds = accesses.iter().map(|access| match access {
        Access::Write(at, 0) if at.number() % 2 == 0 => "off",
        Access::ReadCounter(..) => "read",
        Access::Write(at, _) if at.number() % 2 == 0 => "on",
        _ => "another",
    });
    assert!(kinds.eq(["off", "read", "on"].into_iter().flat_map(|kind| [kind; 4])), "{accesses:#?}");
}
