//! What a host lets its guest count.

use pmu::arch::x86::{Msr, Window, amd, guest, intel};
use pmu::virt::{Device, Filter, Kinds, Rule, Unconnected, Work};
use pmu::{CounterId, CounterSet, Mode};

/// Selectors of instructions and cycles, in rings 0 to 3 and with an interrupt.
const INSTRUCTIONS: u64 = 0x0053_00C0;
const CYCLES: u64 = 0x0053_003C;
/// An event and its unit mask.
const EVENT: u64 = 0xFFFF;

fn numbers(numbers: &[u8]) -> CounterSet {
    numbers.iter().map(|&number| CounterId::new(number).unwrap()).collect()
}

/// A Skylake whose counters 0 and 1 count instructions and cycles, and whose fixed counter 0 counts instructions.
fn skylake(filter: Filter) -> intel::Device<Unconnected> {
    let unit = intel::Device::new(&intel::Identity::SKYLAKE, Kinds::CLOCK.filtered(filter), Unconnected);
    unit.try_write(Msr::select(0).unwrap(), INSTRUCTIONS).unwrap();
    unit.try_write(Msr::select(1).unwrap(), CYCLES).unwrap();
    unit.try_write(Msr::FIXED_CONTROL, 0b1011).unwrap();
    unit.try_write(Msr::GLOBAL_CONTROL, 1 << 32 | 0b11).unwrap();
    unit.advance(&Work::instructions(Mode::User, 1000));
    unit
}

/// The values of counters 0 and 1, and of fixed counter 0.
fn values(unit: &intel::Device<Unconnected>) -> [u64; 3] {
    let general = |number| Msr::counter(Window::Full, number).unwrap();
    [general(0), general(1), Msr::fixed(0).unwrap()].map(|at| unit.try_read(at).unwrap())
}

#[test]
fn an_event_that_is_denied_counts_nothing_and_the_others_do() {
    const DENIED: [Rule; 1] = [Rule::selecting(EVENT, 0x00C0)];
    let unit = skylake(Filter::deny(&DENIED));
    assert_eq!(values(&unit), [0, 1000, 1000]);
    assert_eq!(unit.withheld(), numbers(&[0]));
    assert_eq!(unit.try_read(Msr::select(0).unwrap()), Ok(INSTRUCTIONS), "the guest reads what it wrote");
}

#[test]
fn only_what_is_allowed_counts() {
    const ALLOWED: [Rule; 1] = [Rule::selecting(EVENT, 0x00C0)];
    let unit = skylake(Filter::allow(&ALLOWED));
    assert_eq!(values(&unit), [1000, 0, 0]);
    assert_eq!(unit.withheld(), numbers(&[1, 32]));
}

#[test]
fn an_event_that_is_allowed_counts_on_its_fixed_counter_if_a_rule_says_so_too() {
    const ALLOWED: [Rule; 2] = [Rule::selecting(EVENT, 0x00C0), Rule::counters(CounterSet::from_bits(1 << 32))];
    assert_eq!(values(&skylake(Filter::allow(&ALLOWED))), [1000, 0, 1000]);
}

#[test]
fn a_fixed_counter_is_filtered_by_its_number() {
    const DENIED: [Rule; 2] = [
        Rule::counters(CounterSet::from_bits(1 << 32)),
        Rule::selecting(EVENT, 0x00C0).on(CounterSet::from_bits(0b10)),
    ];
    let unit = skylake(Filter::deny(&DENIED));
    assert_eq!(values(&unit), [1000, 1000, 0], "the other rule is for another counter");
}

#[test]
fn the_control_bits_of_a_fixed_counter_are_no_event() {
    const RULES: [Rule; 1] = [Rule::selecting(EVENT, 0b1011)];
    assert_eq!(values(&skylake(Filter::deny(&RULES))), [1000; 3]);
    assert_eq!(values(&skylake(Filter::allow(&RULES))), [0; 3]);
}

#[test]
fn a_counter_of_what_is_withheld_has_no_overflow_whatever_it_is_preset_to() {
    const DENIED: [Rule; 1] = [Rule::selecting(EVENT, 0x00C0)];
    let unit = skylake(Filter::deny(&DENIED));
    unit.try_write(Msr::GLOBAL_CONTROL, 1).unwrap();
    unit.try_write(Msr::counter(Window::Full, 0).unwrap(), (1 << 48) - 1).unwrap();
    let step = Work::instructions(Mode::User, 1);
    assert_eq!(unit.until_overflow(&step), None);
    unit.advance(&step);
    assert_eq!(unit.try_read(Msr::GLOBAL_STATUS), Ok(0));
}

#[test]
fn a_counter_counts_again_when_its_guest_selects_another_event() {
    const DENIED: [Rule; 1] = [Rule::selecting(EVENT, 0x00C0)];
    let unit = skylake(Filter::deny(&DENIED));
    unit.try_write(Msr::select(0).unwrap(), CYCLES).unwrap();
    unit.advance(&Work::instructions(Mode::User, 7));
    assert_eq!((values(&unit)[0], unit.withheld()), (7, CounterSet::EMPTY));
}

#[test]
fn a_filter_holds_for_what_a_snapshot_brings() {
    const DENIED: [Rule; 1] = [Rule::selecting(EVENT, 0x00C0)];
    let (open, unit) = (skylake(Filter::NONE), skylake(Filter::deny(&DENIED)));
    unit.restore(open.snapshot().as_bytes()).unwrap();
    unit.advance(&Work::instructions(Mode::User, 7));
    assert_eq!((values(&unit), unit.withheld()), ([1000, 1007, 1007], numbers(&[0])));
}

#[test]
fn a_filter_that_changes_while_the_guest_runs_holds_from_then_on() {
    const DENIED: [Rule; 1] = [Rule::selecting(EVENT, 0x00C0)];
    let unit = skylake(Filter::NONE);
    let run = || unit.advance(&Work::instructions(Mode::User, 7));
    unit.set_filter(Filter::deny(&DENIED));
    run();
    assert_eq!((values(&unit), unit.withheld()), ([1000, 1007, 1007], numbers(&[0])));
    unit.set_filter(Filter::NONE);
    run();
    assert_eq!((values(&unit), unit.withheld()), ([1007, 1014, 1014], CounterSet::EMPTY));
}

#[test]
fn a_filter_that_changes_takes_the_overflow_with_it_on_whichever_unit() {
    const NOTHING: Filter = Filter::allow(&[]);
    let step = Work::instructions(Mode::Kernel, 1);
    for (identity, select, counter) in [
        (guest::Identity::Intel(intel::Identity::SKYLAKE), 0x186, 0x4C1),
        (guest::Identity::Amd(amd::Identity::ZEN_2), 0xC001_0200, 0xC001_0201),
    ] {
        let unit = guest::Unit::new(identity, Kinds::CLOCK, Unconnected);
        let writes = [unit.wrmsr(select, 0x0053_00C0), unit.wrmsr(counter, (1 << 48) - 10)];
        assert_eq!(writes, [Some(Ok(())); 2]);
        let _ = unit.wrmsr(0x38F, 1);
        assert_eq!(unit.until_overflow(&step), Some(10));
        unit.set_filter(NOTHING);
        assert_eq!(unit.until_overflow(&step), None);
        unit.set_filter(Filter::NONE);
        assert_eq!(unit.until_overflow(&step), Some(10));
    }
}
