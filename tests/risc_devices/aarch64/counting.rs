//! Events and levels: what each counter counts.

use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};
use pmu::{CounterSet, Mode};

use super::{C, CHAIN, CYCLES, ENABLE, F0, INSTRUCTIONS, LONG_CYCLES, LONG_EVENTS};
use super::{counter, device, read, select, start, write};
use crate::support::line::Level;
use crate::support::work::{of, one_of_each_kind};

/// What event counter 0 reads after some of every kind of work, with this selection.
fn counted(identity: &Identity, selection: u64) -> u64 {
    let line = Level::default();
    let device = device(identity, &line);
    start(&device, 0, selection, 0);
    device.advance(&one_of_each_kind(Mode::User));
    read(&device, counter(0))
}

#[test]
fn each_common_event_counts_its_kind_of_work() {
    let events = [
        (0x06, Kind::Loads),
        (0x07, Kind::Stores),
        (0x08, Kind::Instructions),
        (0x0C, Kind::TakenBranches),
        (0x0F, Kind::MisalignedReferences),
        (0x10, Kind::MispredictedBranches),
        (0x11, Kind::Cycles),
        (0x12, Kind::Branches),
        (0x1B, Kind::Instructions),
        (0x21, Kind::Branches),
        (0x22, Kind::MispredictedBranches),
        (0x32, Kind::CacheReferences),
        (0x33, Kind::CacheMisses),
        (0x3F, Kind::Slots),
        (0x66, Kind::Loads),
        (0x67, Kind::Stores),
        (0x70, Kind::Loads),
        (0x71, Kind::Stores),
        (0x4004, Kind::ReferenceCycles),
    ];
    for (event, kind) in events {
        assert_eq!(counted(&Identity::ARMV8_7, event), of(kind), "{event:#x}");
    }
    for event in [0x13, 0x72] {
        assert_eq!(counted(&Identity::ARMV8_7, event), of(Kind::Loads) + of(Kind::Stores), "{event:#x}");
    }
}

#[test]
fn an_event_that_is_not_announced_counts_nothing() {
    assert_eq!(counted(&Identity::CORTEX_A57, 0x21), 0, "BR_RETIRED");
    assert_eq!(counted(&Identity::NEOVERSE_N1, 0x21), of(Kind::Branches));
    assert_eq!(counted(&Identity::NEOVERSE_N1, 0x4004), 0, "CNT_CYCLES");
    assert_eq!(counted(&Identity::NEOVERSE_V1, 0x4004), of(Kind::ReferenceCycles));
}

#[test]
fn an_event_has_ten_bits_and_from_v3p1_on_sixteen() {
    assert_eq!(counted(&Identity::CORTEX_A57, 0xFC08), of(Kind::Instructions), "the upper bits are not kept");
    assert_eq!(counted(&Identity::NEOVERSE_N1, 0xFC08), 0);
}

#[test]
fn the_cycle_counter_counts_cycles_and_the_instruction_counter_instructions() {
    let line = Level::default();
    let device = device(&Identity::ARMV9_4, &line);
    write(&device, SystemRegister::ENABLE_SET, C | F0);
    write(&device, SystemRegister::CONTROL, ENABLE);
    device.advance(&one_of_each_kind(Mode::User));
    let counts = [SystemRegister::CYCLES, SystemRegister::INSTRUCTIONS].map(|at| read(&device, at));
    assert_eq!(counts, [of(Kind::Cycles), of(Kind::Instructions)]);
}

/// What a filter lets through of 3 in EL0, 40 in EL1 and 500 in EL2.
fn let_through(identity: &Identity, at: SystemRegister, filter: u64, enable: u64, count: SystemRegister) -> u64 {
    let line = Level::default();
    let device = device(identity, &line);
    write(&device, at, filter | INSTRUCTIONS);
    write(&device, SystemRegister::ENABLE_SET, enable);
    write(&device, SystemRegister::CONTROL, ENABLE);
    for (mode, amount) in [(Mode::User, 3), (Mode::Kernel, 40), (Mode::Hypervisor, 500)] {
        device.advance(&Work::instructions(mode, amount));
    }
    read(&device, count)
}

const P: u64 = 1 << 31;
const U: u64 = 1 << 30;
const NSK: u64 = 1 << 29;
const NSU: u64 = 1 << 28;
const NSH: u64 = 1 << 27;

#[test]
fn a_counter_of_any_kind_counts_at_the_levels_its_filter_lets_through() {
    let kinds = [
        (select(2), 1 << 2, counter(2)),
        (SystemRegister::CYCLE_FILTER, C, SystemRegister::CYCLES),
        (SystemRegister::INSTRUCTION_FILTER, F0, SystemRegister::INSTRUCTIONS),
    ];
    for (filter_register, enable, count) in kinds {
        let through = |filter| let_through(&Identity::ARMV9_4, filter_register, filter, enable, count);
        assert_eq!(through(0), 43);
        assert_eq!([P, U, P | U].map(through), [3, 40, 0]);
        assert_eq!([NSH, P | NSH, P | U | NSH].map(through), [543, 503, 500]);
    }
}

#[test]
fn beside_el3_the_non_secure_levels_count_where_two_bits_agree() {
    let through = |filter| let_through(&Identity::NEOVERSE_N1, select(0), filter, 1, counter(0));
    assert_eq!([NSK, NSU, NSK | NSU].map(through), [3, 40, 0]);
    assert_eq!([P | NSK, U | NSU, P | U | NSK | NSU].map(through), [43, 43, 43]);
}

#[test]
fn a_guest_without_el2_and_el3_has_neither_their_bits_nor_their_work() {
    let guest = Identity::NEOVERSE_N1.for_guest();
    let through = |filter| let_through(&guest, select(0), filter, 1, counter(0));
    assert_eq!([NSK, NSU, NSH, P | NSK].map(through), [43, 43, 43, 3]);
}

#[test]
fn a_counter_must_be_enabled_and_the_unit_switched_on() {
    for (enable, control, expected) in [(1, ENABLE, 7), (2, ENABLE, 0), (1, 0, 0)] {
        let line = Level::default();
        let device = device(&Identity::CORTEX_A57, &line);
        write(&device, select(0), INSTRUCTIONS);
        write(&device, SystemRegister::ENABLE_SET, enable);
        write(&device, SystemRegister::CONTROL, control);
        device.advance(&Work::instructions(Mode::Kernel, 7));
        assert_eq!(read(&device, counter(0)), expected, "{enable} {control}");
    }
}

#[test]
fn what_is_set_is_cleared_bit_by_bit_and_both_halves_read_the_same() {
    let pairs = [
        (SystemRegister::ENABLE_SET, SystemRegister::ENABLE_CLEAR),
        (SystemRegister::INTERRUPT_SET, SystemRegister::INTERRUPT_CLEAR),
        (SystemRegister::OVERFLOW_SET, SystemRegister::OVERFLOW_CLEAR),
    ];
    for (set, clear) in pairs {
        let line = Level::default();
        let device = device(&Identity::CORTEX_A57, &line);
        write(&device, set, 0b1011 | C);
        write(&device, clear, 0b0010);
        assert_eq!([read(&device, set), read(&device, clear)], [0b1001 | C; 2], "{set:?}");
    }
}

#[test]
fn counters_that_are_not_there_have_no_bits() {
    for identity in Identity::ALL {
        let line = Level::default();
        let device = device(&identity, &line);
        let all = ((1u64 << identity.control().counters()) - 1) | C;
        let all = if identity == Identity::ARMV9_4 { all | F0 } else { all };
        for at in [SystemRegister::ENABLE_SET, SystemRegister::INTERRUPT_SET, SystemRegister::OVERFLOW_SET] {
            write(&device, at, u64::MAX);
            assert_eq!(read(&device, at), all, "{} {at:?}", identity.name());
        }
    }
}

#[test]
fn resets_reach_their_counters_and_read_as_zero() {
    let line = Level::default();
    let device = device(&Identity::NEOVERSE_N2, &line);
    let at = [counter(0), counter(5), SystemRegister::CYCLES];
    for (reset, expected) in [(1 << 1, [0, 0, 9]), (1 << 2, [9, 9, 0]), (0b110, [0, 0, 0])] {
        at.into_iter().for_each(|at| write(&device, at, 9));
        write(&device, SystemRegister::OVERFLOW_SET, 1 | C);
        write(&device, SystemRegister::CONTROL, reset);
        assert_eq!(at.map(|at| read(&device, at)), expected);
        assert_eq!(read(&device, SystemRegister::CONTROL) & 0b110, 0);
        assert_eq!(read(&device, SystemRegister::OVERFLOW_SET), 1 | C, "a reset does not acknowledge");
    }
}

#[test]
fn zeroing_reaches_the_counters_that_are_named() {
    let line = Level::default();
    let device = device(&Identity::ARMV9_4, &line);
    let at = [counter(0), counter(1), counter(30), SystemRegister::CYCLES, SystemRegister::INSTRUCTIONS];
    at.into_iter().for_each(|at| write(&device, at, 9));
    write(&device, SystemRegister::ZERO, 1 << 30 | 1 << 1 | F0);
    assert_eq!(at.map(|at| read(&device, at)), [9, 0, 0, 9, 0]);
    write(&device, SystemRegister::ZERO, C);
    assert_eq!(read(&device, SystemRegister::CYCLES), 0);
}

#[test]
fn the_selector_names_a_counter_and_its_selection() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    write(&device, SystemRegister::SELECTOR, 4);
    write(&device, SystemRegister::SELECTED_SELECT, CYCLES);
    write(&device, SystemRegister::SELECTED_COUNTER, 0x1234);
    assert_eq!((read(&device, select(4)), read(&device, counter(4))), (CYCLES, 0x1234));
    write(&device, counter(4), 0x77);
    assert_eq!(read(&device, SystemRegister::SELECTED_COUNTER), 0x77);
    write(&device, SystemRegister::SELECTOR, 31);
    write(&device, SystemRegister::SELECTED_SELECT, P);
    assert_eq!(read(&device, SystemRegister::CYCLE_FILTER), P);
}

#[test]
fn every_64th_cycle_counts_when_divided_and_a_long_counter_is_not_divided() {
    let cycles = |identity: &Identity, control, steps: &[u64]| {
        let line = Level::default();
        let device = device(identity, &line);
        write(&device, SystemRegister::ENABLE_SET, C);
        write(&device, SystemRegister::CONTROL, ENABLE | control);
        steps.iter().for_each(|&step| device.advance(&Work::instructions(Mode::Kernel, step)));
        read(&device, SystemRegister::CYCLES)
    };
    let divide = 1 << 3;
    assert_eq!(cycles(&Identity::CORTEX_A57, divide, &[63]), 0);
    assert_eq!(cycles(&Identity::CORTEX_A57, divide, &[63, 1]), 1);
    assert_eq!(cycles(&Identity::CORTEX_A57, divide, &[100, 28, 640]), 12);
    assert_eq!(cycles(&Identity::CORTEX_A57, divide | LONG_CYCLES, &[100]), 100);
    assert_eq!(cycles(&Identity::ARMV8_7, divide, &[100]), 100, "without AArch32 there is no D, and LC is 1");
}

#[test]
fn cycles_that_do_not_count_do_not_bring_the_64th_nearer() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    write(&device, SystemRegister::CYCLE_FILTER, U);
    write(&device, SystemRegister::ENABLE_SET, C);
    write(&device, SystemRegister::CONTROL, ENABLE | 1 << 3);
    device.advance(&Work::instructions(Mode::Kernel, 63));
    device.advance(&Work::instructions(Mode::User, 500));
    assert_eq!(read(&device, SystemRegister::CYCLES), 0);
    device.advance(&Work::instructions(Mode::Kernel, 1));
    assert_eq!(read(&device, SystemRegister::CYCLES), 1);
}

#[test]
fn a_reset_of_cycles_lets_the_next_64_begin_and_a_write_does_not() {
    for reset in [(SystemRegister::CONTROL, ENABLE | 1 << 3 | 1 << 2), (SystemRegister::CYCLES, 0)] {
        let line = Level::default();
        let device = device(&Identity::CORTEX_A57, &line);
        write(&device, SystemRegister::ENABLE_SET, C);
        write(&device, SystemRegister::CONTROL, ENABLE | 1 << 3);
        device.advance(&Work::instructions(Mode::Kernel, 63));
        write(&device, reset.0, reset.1);
        device.advance(&Work::instructions(Mode::Kernel, 63));
        let begins_anew = reset.0 == SystemRegister::CONTROL;
        assert_eq!(read(&device, SystemRegister::CYCLES), u64::from(!begins_anew), "{:?}", reset.0);
    }
}

#[test]
fn a_software_increment_reaches_counters_that_count_them_at_this_level() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    write(&device, select(0), 0);
    write(&device, select(1), P);
    write(&device, select(2), INSTRUCTIONS);
    write(&device, SystemRegister::ENABLE_SET, 0b10111);
    write(&device, SystemRegister::SOFTWARE_INCREMENT, u64::MAX);
    assert_eq!([0, 1, 2, 4].map(|number| read(&device, counter(number))), [0; 4], "the unit is off");
    write(&device, SystemRegister::CONTROL, ENABLE);
    write(&device, SystemRegister::SOFTWARE_INCREMENT, 0b01111);
    write(&device, SystemRegister::SOFTWARE_INCREMENT, 0b00001);
    assert_eq!([0, 1, 2, 3, 4].map(|number| read(&device, counter(number))), [2, 0, 0, 0, 0]);
}

#[test]
fn event_counters_have_32_bits_before_v3p5_and_then_64() {
    for (identity, kept) in [(Identity::NEOVERSE_V1, 0x89AB_CDEF), (Identity::NEOVERSE_N2, 0x0123_4567_89AB_CDEF)] {
        let line = Level::default();
        let device = device(&identity, &line);
        write(&device, counter(5), 0x0123_4567_89AB_CDEF);
        assert_eq!(read(&device, counter(5)), kept, "{}", identity.name());
    }
}

#[test]
fn counters_whose_events_nobody_observes_are_reported() {
    let line = Level::default();
    let device = device(&Identity::ARMV8_7, &line);
    let selections = [INSTRUCTIONS, 0x21, 0x00C0, CYCLES, CHAIN, CHAIN, 0, 0x13];
    for (number, selection) in (0..).zip(selections) {
        write(&device, select(number), selection);
    }
    write(&device, SystemRegister::ENABLE_SET, 0x7F | C);
    write(&device, SystemRegister::CONTROL, ENABLE);
    assert_eq!(device.unfed(), CounterSet::from_bits(0b1_0110), "an even counter chains nothing");
    write(&device, SystemRegister::CONTROL, ENABLE | LONG_EVENTS);
    assert_eq!(device.unfed(), CounterSet::from_bits(0b11_0110), "and an odd one nothing that has 64 bits");
}

#[test]
fn a_host_hears_what_the_running_counters_want_to_know() {
    let device = Device::new(&Identity::NEOVERSE_N1, Kinds::CLOCK, Unconnected);
    write(&device, select(0), 0x21);
    write(&device, select(1), 0x0C);
    write(&device, SystemRegister::CONTROL, ENABLE);
    assert_eq!(device.wanted(), Kinds::NONE);
    write(&device, SystemRegister::ENABLE_SET, 0b01);
    assert_eq!(device.wanted(), Kinds::NONE.with(Kind::Branches), "the other counter stands still");
    write(&device, SystemRegister::ENABLE_SET, C);
    assert_eq!(device.wanted(), Kinds::NONE.with(Kind::Branches).with(Kind::Cycles));
}

#[test]
fn the_clock_ticks_with_the_cycles() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    device.advance(&Work::instructions(Mode::Kernel, 12));
    device.advance(&Work::none(Mode::User).with(Kind::Cycles, 30));
    assert_eq!(device.ticks(), 42);
}

#[test]
#[should_panic(expected = "writing 0x1 to PMMIR_EL1: the register is read-only")]
fn a_driver_that_faults_hears_of_it() {
    let line = Level::default();
    device(&Identity::NEOVERSE_V1, &line).write(SystemRegister::MACHINE, 1);
}
