//! The unit where it is mapped into memory.

use pmu::Mode;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::View;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::virt::{Device as _, Work};

use super::{C, INSTRUCTIONS, counter, device, read, select, write};
use crate::support::line::Level;

/// What a host does with a guest's store, and whether there is such a register.
fn store(device: &Device<&Level>, view: View, offset: u16, word: u32) -> bool {
    let register = view.register(offset);
    register.into_iter().for_each(|(at, half)| device.write_half(at, half, word));
    register.is_some()
}

/// What it answers to a guest's load; `None` is no register of the unit.
fn load(device: &Device<&Level>, view: View, offset: u16) -> Option<u32> {
    view.register(offset).map(|(at, half)| device.read_half(at, half))
}

fn words(version: u8) -> View {
    View::of(0xA16, version).unwrap()
}

fn double_words(version: u8) -> View {
    View::of(0xA26, version).unwrap()
}

#[test]
fn a_unit_is_programmed_and_read_word_by_word() {
    for (view, selection, control, identity) in [
        (words(1), 0x400 + 4 * 5, 0xE04, Identity::NEOVERSE_N1),
        (double_words(9), 0x400 + 8 * 5, 0xE10, Identity::ARMV9_4),
    ] {
        let line = Level::default();
        let device = device(&identity, &line);
        assert!(store(&device, view, selection, INSTRUCTIONS as u32));
        assert!(store(&device, view, 5 * 8, 0xFFFF_FFFE));
        assert!(store(&device, view, 0xC40, 1 << 5));
        assert!(store(&device, view, 0xC00, 1 << 5));
        assert!(store(&device, view, control, 1));
        device.advance(&Work::instructions(Mode::Kernel, 3));
        assert_eq!((load(&device, view, 0xC80), line.rises()), (Some(1 << 5), 1));
        assert_eq!(load(&device, view, 5 * 8), Some(1));
        assert!(store(&device, view, 0xC80, 1 << 5));
        assert!(!device.is_asserted());
    }
}

#[test]
fn a_half_is_written_and_the_other_stays() {
    let line = Level::default();
    let device = device(&Identity::NEOVERSE_N2, &line);
    write(&device, counter(2), 0x1111_2222_3333_4444);
    assert!(store(&device, words(5), 2 * 8 + 4, 0xAAAA_BBBB));
    assert_eq!(read(&device, counter(2)), 0xAAAA_BBBB_3333_4444);
    assert!(store(&device, words(5), 2 * 8, 0xCCCC_DDDD));
    assert_eq!(read(&device, counter(2)), 0xAAAA_BBBB_CCCC_DDDD);
    assert!(store(&device, words(5), 0x0F8, 7));
    assert_eq!((load(&device, words(5), 0x0F8), load(&device, words(5), 0x0FC)), (Some(7), Some(0)));
}

#[test]
fn the_upper_half_of_a_threshold_has_a_word_of_its_own() {
    let line = Level::default();
    let device = device(&Identity::ARMV9_4, &line);
    assert!(store(&device, words(9), 0x400, 0x8000_0008));
    assert!(store(&device, words(9), 0xA00, 0x2000_0005));
    assert_eq!(read(&device, select(0)), 0x2000_0005_8000_0008);
}

#[test]
fn the_view_sees_what_a_hypervisor_keeps_from_its_guests() {
    let line = Level::default();
    let device = device(&Identity::NEOVERSE_N1, &line);
    device.write_from(Mode::Hypervisor, SystemRegister::HYPERVISOR_CONTROL, 2 | 0b11 << 5).unwrap();
    assert!(store(&device, words(1), 8 * 5, 77));
    assert!(store(&device, words(1), 0xC00, 0b11_1111 | C as u32));
    assert_eq!((load(&device, words(1), 8 * 5), load(&device, words(1), 0xC20)), (Some(77), Some(0x8000_003F)));
}

#[test]
fn what_is_not_implemented_or_not_readable_reads_as_zero_and_ignores_writes() {
    let line = Level::default();
    let device = device(&Identity::NEOVERSE_N1, &line);
    for offset in [8 * 6, 0x400 + 4 * 30, 0xCA0] {
        let before = device.state();
        assert!(store(&device, words(1), offset, 0xFF), "{offset:#x}");
        assert_eq!((load(&device, words(1), offset), device.state()), (Some(0), before), "{offset:#x}");
    }
    assert!(store(&device, words(1), 0xE20, 0));
    assert_eq!(load(&device, words(1), 0xE20), Some(0x7FFF_0F3F), "read-only");
}

#[test]
fn an_offset_of_no_register_is_the_hosts_to_answer() {
    let line = Level::default();
    let device = device(&Identity::NEOVERSE_N1, &line);
    for offset in [0xFBC, 0xFFC, 0xE00, 0x001, 0xFFF, u16::MAX] {
        assert_eq!(load(&device, words(1), offset), None, "{offset:#x}");
        assert!(!store(&device, words(1), offset, 1), "{offset:#x}");
    }
}
