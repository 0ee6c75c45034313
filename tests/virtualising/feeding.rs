//! How a host feeds a device: by kinds of work, and event by event.

use pmu::arch::aarch64::SystemRegister;
use pmu::arch::x86::{Block, Msr, amd, intel, p5};
use pmu::arch::{aarch64::pmuv3, mips, powerpc, sparc};
use pmu::request::{Flag, Flags};
use pmu::virt::{Device, Kind, Kinds, Observed, Unconnected, Work};
use pmu::{CounterSet, Mode, Modes};

use crate::support::bare::counter;
use crate::support::line::Line;

/// Bits of an x86 selector: USR, OS, INT and EN.
const USER: u64 = 1 << 16;
const KERNEL: u64 = 1 << 17;
const INTERRUPT: u64 = 1 << 20;
const ENABLE: u64 = 1 << 22;

fn select(number: u8) -> Msr {
    Msr::select(number).unwrap()
}

fn general(number: u8) -> Msr {
    Msr::counter(pmu::arch::x86::Window::Full, number).unwrap()
}

/// A Skylake whose counter 1 counts an event that is no kind of work: event 51H, unit mask 1.
fn skylake(heard: &Line) -> intel::Device<&Line> {
    let unit = intel::Device::new(&intel::Identity::SKYLAKE, Kinds::CLOCK, heard);
    unit.try_write(select(1), 0x0151 | USER | KERNEL | INTERRUPT | ENABLE).unwrap();
    unit.try_write(general(1), (1 << 48) - 10).unwrap();
    unit.try_write(Msr::GLOBAL_CONTROL, 0b10).unwrap();
    unit
}

#[test]
fn what_is_no_kind_of_work_is_named_with_its_selection_and_fed_event_by_event() {
    let heard = Line::default();
    let unit = skylake(&heard);
    assert_eq!(unit.unfed(), counter(1).only());
    let wanted = unit.selection(counter(1)).unwrap();
    assert_eq!((wanted.raw() & 0xFFFF, wanted.kinds()), (0x0151, Kinds::NONE));
    assert_eq!(wanted.modes(), Modes::ALL.and(Modes::HYPERVISOR));
    unit.feed(counter(1), Mode::User, 7);
    assert_eq!(unit.try_read(general(1)), Ok((1 << 48) - 3));
    assert_eq!(unit.until_overflow_of(counter(1), Mode::User), Some(3));
    assert_eq!(unit.selection(counter(20)), None);
}

#[test]
fn an_overflow_of_a_counter_that_is_fed_by_itself_interrupts_and_freezes() {
    let heard = Line::default();
    let unit = skylake(&heard);
    unit.set_debug_control(intel::DebugControl::FREEZE_COUNTERS);
    unit.feed(counter(1), Mode::Kernel, 9);
    assert_eq!(heard.rises(), 0);
    unit.feed(counter(1), Mode::Kernel, 3);
    assert_eq!(heard.rises(), 1);
    assert_eq!(unit.try_read(general(1)), Ok(2));
    let status = intel::GlobalStatus::from_bits_retain(unit.try_read(Msr::GLOBAL_STATUS).unwrap());
    assert!(status.contains(intel::GlobalStatus::COUNTERS_FROZEN) && status.bits() & 0b10 != 0);
    unit.feed(counter(1), Mode::Kernel, 1);
    assert_eq!(unit.try_read(general(1)), Ok(2), "a frozen counter counts nothing");
}

#[test]
fn a_counter_that_does_not_count_in_the_mode_is_not_fed() {
    let unit = amd::Device::new(&amd::Identity::K8, Kinds::CLOCK, Unconnected);
    let [control, value] =
        [Msr::core_select(Block::Legacy, 0), Msr::core_counter(Block::Legacy, 0)].map(Option::unwrap);
    unit.try_write(control, 0x40 | USER | ENABLE).unwrap();
    unit.feed(counter(0), Mode::Kernel, 5);
    unit.feed(counter(0), Mode::User, 2);
    unit.feed(counter(63), Mode::User, 2);
    assert_eq!(unit.try_read(value), Ok(2));
}

#[test]
fn a_merged_pair_is_fed_through_its_lower_half() {
    let unit = amd::Device::new(&amd::Identity::ZEN_2, Kinds::NONE, Unconnected);
    let at = |number| Msr::core_counter(Block::Core, number).unwrap();
    let control = |number| Msr::core_select(Block::Core, number).unwrap();
    unit.try_write(control(1), 0xF_0000_00FF | ENABLE).unwrap();
    unit.try_write(control(0), 0x0003 | USER | ENABLE).unwrap();
    unit.try_write(at(0), (1 << 48) - 1).unwrap();
    unit.feed(counter(0), Mode::User, 2);
    assert_eq!(unit.try_read(at(0)), Ok(1 << 48 | 1));
}

/// A Neoverse N2 whose first two event counters count these events in both levels, with interrupts.
fn neoverse(observed: impl Into<Observed>, heard: &Line, events: [u64; 2]) -> pmuv3::Device<&Line> {
    let unit = pmuv3::Device::new(&pmuv3::Identity::NEOVERSE_N2.for_guest(), observed, heard);
    for (number, event) in (0..).zip(events) {
        unit.try_write(SystemRegister::select(number).unwrap(), event).unwrap();
    }
    unit.try_write(SystemRegister::ENABLE_SET, 0b11).unwrap();
    unit.try_write(SystemRegister::INTERRUPT_SET, 0b11).unwrap();
    unit.try_write(SystemRegister::CONTROL, 1).unwrap();
    unit
}

#[test]
fn an_event_that_is_fed_by_itself_carries_into_the_counter_that_is_chained() {
    const L1D_CACHE: u64 = 0x04;
    const CHAIN: u64 = 0x1E;
    let heard = Line::default();
    let unit = neoverse(Kinds::NONE, &heard, [L1D_CACHE, CHAIN]);
    assert_eq!(unit.unfed(), counter(0).only());
    let value = |number| unit.try_read(SystemRegister::counter(number).unwrap()).unwrap();
    unit.feed(counter(0), Mode::User, 3 << 32 | 5);
    assert_eq!(value(1), 3);
    assert_eq!(heard.rises(), 1);
}

#[test]
fn memory_accesses_are_loads_and_stores() {
    const MEM_ACCESS: u64 = 0x13;
    const MEM_ACCESS_RD: u64 = 0x66;
    let heard = Line::default();
    let unit = neoverse(Kinds::CLOCK.with(Kind::Loads), &heard, [MEM_ACCESS, MEM_ACCESS_RD]);
    assert_eq!(unit.wanted(), Kinds::NONE.with(Kind::Loads).with(Kind::Stores));
    assert_eq!(unit.unfed(), counter(0).only(), "stores are not observed");
    let work = Work::none(Mode::User).with(Kind::Stores, 2).with(Kind::Loads, 7).with(Kind::Loads, 3);
    unit.advance(&work);
    let values = [0, 1].map(|number| unit.try_read(SystemRegister::counter(number).unwrap()).unwrap());
    assert_eq!(values, [5, 3]);
    assert_eq!(unit.try_write(SystemRegister::counter(0).unwrap(), 0xFFFF_FFF0), Ok(()));
    assert_eq!(unit.until_overflow(&work), Some(4), "16 accesses are left, and each step has 5");
}

/// The counters that are not fed if the host tells modes apart, and if it does not.
fn unfed<D: Device>(create: impl Fn(Observed) -> D) -> [CounterSet; 2] {
    [Kinds::CLOCK.into(), Kinds::CLOCK.of_all_modes_together()].map(|observed| create(observed).unfed())
}

#[test]
fn who_does_not_tell_modes_apart_does_not_feed_a_counter_of_some_modes() {
    let first = [CounterSet::EMPTY, counter(0).only()];
    let of_intel = unfed(|observed| {
        let unit = intel::Device::new(&intel::Identity::SKYLAKE, observed, Unconnected);
        unit.try_write(select(0), 0xC0 | USER | ENABLE).unwrap();
        unit.try_write(select(1), 0xC0 | USER | KERNEL | ENABLE).unwrap();
        unit
    });
    assert_eq!(of_intel, first);
    let of_pentium = unfed(|observed| {
        let unit = p5::Device::new(&p5::Identity::P5, observed);
        unit.try_write(Msr::CESR, 0x16 | 2 << 6 | (0x16 | 3 << 6) << 16).unwrap();
        unit
    });
    assert_eq!(of_pentium, first);
    let of_arm = unfed(|observed| {
        let unit = pmuv3::Device::new(&pmuv3::Identity::CORTEX_A57.for_guest(), observed, Unconnected);
        unit.try_write(SystemRegister::select(0).unwrap(), 1 << 30 | 0x08).unwrap();
        unit.try_write(SystemRegister::select(1).unwrap(), 0x08).unwrap();
        unit.try_write(SystemRegister::ENABLE_SET, 0b11).unwrap();
        unit.try_write(SystemRegister::CONTROL, 1).unwrap();
        unit
    });
    assert_eq!(of_arm, first);
}

#[test]
fn every_other_family_says_it_too() {
    let first = [CounterSet::EMPTY, counter(0).only()];
    let of_750 = unfed(|observed| {
        let unit = powerpc::classic::Device::new(&powerpc::classic::Identity::P750, observed, Unconnected);
        unit.try_write(powerpc::Spr::CLASSIC_MMCR0, 1 << 30 | 2 << 6).unwrap();
        unit
    });
    assert_eq!(of_750, first);
    let of_24k = unfed(|observed| {
        let unit = mips::mipsxx::Device::new(&mips::mipsxx::Identity::M24K, observed, Unconnected);
        unit.try_write(mips::Cp0::control(0).unwrap(), 1 << 5 | 1 << 3).unwrap();
        unit
    });
    assert_eq!(of_24k, first);
    let of_t2 = unfed(|observed| {
        let unit = sparc::niagara::Device::new(&sparc::niagara::Identity::T2, observed, Unconnected);
        unit.try_write(sparc::Asr::Pcr, 0x2FD << 6 | 1 << 2).unwrap();
        unit
    });
    assert_eq!(of_t2.map(|unfed| unfed.and(counter(0).only())), first);
}

#[test]
fn sets_are_printed_by_the_names_of_what_is_in_them() {
    assert_eq!(format!("{:?}", Kinds::NONE.with(Kind::Loads).with(Kind::Stores)), "{Loads, Stores}");
    assert_eq!(format!("{:?}", Flags::NONE.with(Flag::Edge).with(Flag::Invert)), "{Edge, Invert}");
    assert_eq!(format!("{:?}", Modes::ALL), "{user, kernel}");
}
