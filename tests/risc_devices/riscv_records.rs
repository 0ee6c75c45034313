//! RISC-V's control transfer records: the registers that a guest sees, which the manual describes.

use pmu::Mode;
use pmu::arch::riscv::hpm::Privilege;
use pmu::arch::riscv::hpm::ctr::{Device, Register};
use pmu::branches::{Branch, BranchKind};
use pmu::virt::Fault;

use crate::support::chance::Chance;
use crate::support::effort;

const ENTRIES: u64 = 0x200;
const FROZEN: u64 = 1 << 31;

/// Records everything in the kernel and in user mode, with room for 16 branches of 64.
fn recording(privilege: Privilege) -> Device {
    let device = Device::new(privilege, 64);
    device.try_write(control(privilege), 0b111).unwrap();
    device
}

fn control(privilege: Privilege) -> Register {
    if privilege == Privilege::Machine { Register::Mctrctl } else { Register::Sctrctl }
}

fn jump(device: &Device, from: u64) {
    device.transfer(Branch::new(from, from + 8).of_kind(BranchKind::Jump), [Mode::Kernel; 2]);
}

/// The three registers of an entry.
fn entry(device: &Device, number: u64) -> [u64; 3] {
    device.try_write(Register::Siselect, ENTRIES + number).unwrap();
    [Register::Sireg, Register::Sireg2, Register::Sireg3].map(|at| device.try_read(at).unwrap())
}

#[test]
fn an_entry_has_the_source_with_a_valid_bit_the_target_and_the_type() {
    let device = recording(Privilege::Supervisor);
    jump(&device, 0x8000_0000);
    assert_eq!(entry(&device, 0), [0x8000_0001, 0x8000_0008, 11]);
    assert_eq!(entry(&device, 1), [0; 3]);
}

#[test]
fn the_entry_before_the_write_pointer_is_the_newest() {
    let device = recording(Privilege::Supervisor);
    (0..18).for_each(|number| jump(&device, 0x100 * number));
    assert_eq!(device.try_read(Register::Sctrstatus), Ok(2));
    assert_eq!([0, 1, 15].map(|number| entry(&device, number)[0]), [0x1101, 0x1001, 0x201]);
    device.try_write(Register::Sctrstatus, 1).unwrap();
    assert_eq!([0, 1, 15].map(|number| entry(&device, number)[0]), [0x1001, 0xF01, 0x1101]);
    device.try_write(Register::Sctrstatus, 0xFF).unwrap();
    assert_eq!(device.try_read(Register::Sctrstatus), Ok(15), "it has the bits of the depth");
}

#[test]
fn entries_beyond_the_depth_are_0_and_keep_nothing() {
    let device = recording(Privilege::Supervisor);
    device.try_write(Register::Siselect, ENTRIES + 16).unwrap();
    device.try_write(Register::Sireg, 0x1001).unwrap();
    assert_eq!(device.try_read(Register::Sireg), Ok(0));
    for (written, kept) in [(1, 1), (2, 2), (3, 2), (7, 2), (0, 0)] {
        device.try_write(Register::Sctrdepth, written).unwrap();
        assert_eq!(device.try_read(Register::Sctrdepth), Ok(kept), "{written}");
    }
}

#[test]
fn a_guest_has_the_registers_of_its_mode_and_of_entries() {
    let device = recording(Privilege::Supervisor);
    assert_eq!(device.try_read(Register::Mctrctl), Err(Fault::Absent));
    assert_eq!(device.try_write(Register::Mctrctl, 0), Err(Fault::Absent));
    assert_eq!(device.try_read(Register::Sctrclr), Err(Fault::WriteOnly));
    for selected in [0, ENTRIES - 1, ENTRIES + 256, u64::MAX] {
        device.try_write(Register::Siselect, selected).unwrap();
        assert_eq!(device.try_read(Register::Sireg2), Err(Fault::Absent), "{selected:#x}");
        assert_eq!(device.try_write(Register::Sireg2, 0), Err(Fault::Absent), "{selected:#x}");
    }
    let numbers = [0x34E, 0x14E, 0x14F, 0x15F, 0x150, 0x151, 0x152, 0x153];
    assert!(numbers.into_iter().all(|number| Register::from_number(number).is_some()));
    assert_eq!([0x104, 0x14D, 0x155, 0x24E].map(Register::from_number), [None; 4]);
}

#[test]
fn a_supervisor_neither_sees_nor_changes_machine_modes_bits() {
    let device = recording(Privilege::Machine);
    device.try_write(Register::Mctrctl, 1 << 9 | 1 << 2 | 1).unwrap();
    assert_eq!(device.try_read(Register::Sctrctl), Ok(1));
    device.try_write(Register::Sctrctl, u64::MAX).unwrap();
    let bits = 0xFF3E << 32 | 0x1B07;
    assert_eq!((device.try_read(Register::Mctrctl), device.try_read(Register::Sctrctl)), (Ok(bits), Ok(bits & !0x204)));
    device.try_write(Register::Sctrctl, 0).unwrap();
    assert_eq!(device.try_read(Register::Mctrctl), Ok(0x204));
}

#[test]
fn a_trap_to_a_mode_that_is_not_recorded_is_there_if_every_mode_on_the_way_allows_it() {
    const STE: u64 = 1 << 8;
    const MTE: u64 = 1 << 9;
    let trap = Branch::new(0x10, 0x20).of_kind(BranchKind::Exception);
    for (privilege, bits, expected) in [
        (Privilege::Supervisor, 0, 0),
        (Privilege::Supervisor, STE, 0x11),
        (Privilege::Machine, MTE, 0),
        (Privilege::Machine, STE, 0),
        (Privilege::Machine, MTE | STE, 0x11),
    ] {
        let device = recording(privilege);
        // User mode alone, and no exceptions, which external traps do not depend on.
        device.try_write(control(privilege), bits | 1 | 1 << 33).unwrap();
        device.transfer(trap, [Mode::User, Mode::Kernel]);
        assert_eq!(entry(&device, 0)[..2], [expected, 0], "{privilege:?}, {bits:#x}");
    }
}

#[test]
fn each_freeze_has_a_bit_and_a_frozen_ring_keeps_what_it_has() {
    const AT_BREAKPOINT: u64 = 1 << 11;
    const AT_OVERFLOW: u64 = 1 << 12;
    type Freeze = fn(&Device);
    let freezes: [(u64, Freeze); 2] =
        [(AT_BREAKPOINT, Device::breakpoint_traps), (AT_OVERFLOW, Device::overflow_traps)];
    for (own, (bit, _)) in freezes.into_iter().enumerate() {
        for (number, (_, freeze)) in freezes.into_iter().enumerate() {
            let device = recording(Privilege::Supervisor);
            device.try_write(Register::Sctrctl, bit | 0b11).unwrap();
            jump(&device, 0x10);
            freeze(&device);
            jump(&device, 0x20);
            let is_frozen = number == own;
            assert_eq!(device.try_read(Register::Sctrstatus).unwrap() & FROZEN != 0, is_frozen);
            assert_eq!(entry(&device, 0)[0], if is_frozen { 0x11 } else { 0x21 });
        }
    }
}

#[test]
fn a_guest_that_does_anything_leaves_the_registers_in_their_bits() {
    let registers =
        [0x34E, 0x14E, 0x14F, 0x15F, 0x150, 0x151, 0x152, 0x153].map(|at| Register::from_number(at).unwrap());
    let mut chance = Chance(46);
    for privilege in [Privilege::Machine, Privilege::Supervisor] {
        let device = recording(privilege);
        for _ in 0..effort::whole_or(5_000_000, 100_000) {
            let value = chance.any() & [u64::MAX, 0x3FF, 0x2FF][chance.below(3) as usize];
            let at = registers[chance.below(8) as usize];
            match chance.below(4) {
                0 => _ = device.try_write(at, value),
                1 => _ = device.try_write(Register::Siselect, ENTRIES + value % 256),
                2 => _ = device.try_read(at),
                _ => jump(&device, value),
            }
            let depth = 16 << device.try_read(Register::Sctrdepth).unwrap();
            let next = device.try_read(Register::Sctrstatus).unwrap() & !FROZEN;
            assert!(depth <= 64 && next < depth, "{next} of {depth}");
        }
    }
}
