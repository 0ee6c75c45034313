//! The recorders of branches: the registers that a guest sees, which the manuals describe.

use pmu::Mode;
use pmu::arch::x86::Msr;
use pmu::arch::x86::lbr::{Capabilities, Device};
use pmu::branches::{Branch, BranchKind};
use pmu::virt::{Fault, RestoreError};

use crate::support::chance::Chance;
use crate::support::effort;

const ALL: [Capabilities; 7] = [
    Capabilities::CORE_2,
    Capabilities::NEHALEM,
    Capabilities::HASWELL,
    Capabilities::GOLDMONT,
    Capabilities::SKYLAKE,
    Capabilities::ARCHITECTURAL,
    Capabilities::ZEN_4,
];

const KERNEL: [Mode; 2] = [Mode::Kernel; 2];
const SELECT: u32 = 0x1C8;
const TOP: u32 = 0x1C9;
const CONTROL: u32 = 0x14CE;
const DEPTH: u32 = 0x14CF;
const STATUS: u32 = 0x38E;
const RESET: u32 = 0x390;
const SET: u32 = 0x391;
const EXTENSION: u32 = 0xC000_010F;
const FROZEN: u64 = 1 << 58;
const FREEZES: u64 = 1 << 11;

fn read(device: &Device, at: u32) -> Result<u64, Fault> {
    device.try_read(Msr::from_address(at).ok_or(Fault::Absent)?)
}

fn write(device: &Device, at: u32, value: u64) -> Result<(), Fault> {
    device.try_write(Msr::from_address(at).ok_or(Fault::Absent)?, value)
}

/// Records everything.
fn recording(able: Capabilities) -> Device {
    let device = Device::new(able);
    device.set_debug_control(1);
    // Those that there are.
    _ = write(&device, CONTROL, 0x7F_0007);
    _ = write(&device, EXTENSION, 1 << 6);
    assert!(device.records());
    device
}

fn branch(from: u64) -> Branch {
    let mut branch = Branch::new(from, from + 8).of_kind(BranchKind::Call);
    (branch.is_mispredicted, branch.cycles) = (Some(true), Some(0x1_2345));
    branch
}

#[test]
fn each_recorder_has_the_layout_of_its_manual() {
    const KERNEL_ADDRESS: u64 = 0xFFFF_8000_0000_1000;
    const MISPREDICTED: u64 = 1 << 63;
    let target = KERNEL_ADDRESS + 8;
    let table = [
        (Capabilities::CORE_2, [(0x41, KERNEL_ADDRESS), (0x61, target), (TOP, 1)]),
        (Capabilities::NEHALEM, [(0x681, KERNEL_ADDRESS), (0x6C1, target), (TOP, 1)]),
        (Capabilities::HASWELL, [(0x681, 0x9FFF_8000_0000_1000), (0x6C1, target), (TOP, 1)]),
        (Capabilities::GOLDMONT, [(0x681, KERNEL_ADDRESS), (0x6C1, 0xFFFF_8000_0000_1008), (TOP, 1)]),
        (Capabilities::SKYLAKE, [(0x681, KERNEL_ADDRESS), (0x6C1, target), (0xDC1, MISPREDICTED | 0xFFFF)]),
        (Capabilities::ARCHITECTURAL, [(0x1500, KERNEL_ADDRESS), (0x1600, target), (0x1200, 0x9400_0000_0000_FFFF)]),
        (
            Capabilities::ZEN_4,
            [(0xC001_0300, 0x83FF_8000_0000_1000), (0xC001_0301, 0x83FF_8000_0000_1008), (0xC001_0302, 0)],
        ),
    ];
    for (able, registers) in table {
        let device = recording(able);
        device.transfer(branch(KERNEL_ADDRESS), KERNEL);
        for (at, value) in registers {
            assert_eq!(read(&device, at), Ok(value), "{at:#x} of {able:?}");
        }
    }
}

#[test]
fn a_stack_writes_after_its_top_and_the_others_move_their_entries() {
    let device = recording(Capabilities::SKYLAKE);
    (0..33).for_each(|number| device.transfer(branch(0x100 * number), KERNEL));
    assert_eq!([TOP, 0x681, 0x682].map(|at| read(&device, at)), [1, 0x2000, 0x100].map(Ok));
    for (able, first, stride) in [(Capabilities::ARCHITECTURAL, 0x1500, 1), (Capabilities::ZEN_4, 0xC001_0300, 2)] {
        let device = recording(able);
        (1..=40).for_each(|number| device.transfer(Branch::new(0x100 * number, 8), KERNEL));
        assert_eq!([0, 1].map(|entry| read(&device, first + stride * entry)), [0x2800, 0x2700].map(Ok));
    }
}

#[test]
fn a_guest_has_the_registers_of_its_recorder_alone() {
    let registers = [0x47, 0x67, SELECT, TOP, 0x69F, 0x6DF, 0xDDF, CONTROL, DEPTH, 0x151F, 0x161F, 0x121F];
    let amds = [0xC000_010E, EXTENSION, 0xC001_031E, 0xC001_031F];
    let are_there = |able| {
        let device = Device::new(able);
        let there = registers.into_iter().chain(amds).filter(|&at| {
            assert_eq!(
                read(&device, at).is_ok(),
                write(&device, at, 8).is_ok() || write(&device, at, 0) != Err(Fault::Absent)
            );
            read(&device, at).is_ok()
        });
        there.collect::<Vec<_>>()
    };
    assert_eq!(are_there(Capabilities::CORE_2), [TOP]);
    assert_eq!(are_there(Capabilities::NEHALEM), [SELECT, TOP]);
    assert_eq!(are_there(Capabilities::GOLDMONT), [SELECT, TOP, 0x69F, 0x6DF]);
    assert_eq!(are_there(Capabilities::SKYLAKE), [SELECT, TOP, 0x69F, 0x6DF, 0xDDF]);
    let with_depth = read(&Device::new(Capabilities::ARCHITECTURAL), DEPTH);
    assert_eq!(with_depth, Ok(32), "the greatest, after a reset");
    assert_eq!(are_there(Capabilities::ZEN_4), amds);
}

#[test]
fn bits_that_a_register_does_not_have_fault_and_change_nothing() {
    let device = Device::new(Capabilities::NEHALEM);
    assert_eq!(write(&device, SELECT, 1 << 9), Err(Fault::Reserved), "no call stack before Haswell");
    assert_eq!(write(&device, SELECT, 0x1FF), Ok(()));
    assert_eq!(write(&device, SELECT, 1 << 10), Err(Fault::Reserved));
    assert_eq!(read(&device, SELECT), Ok(0x1FF));
    let device = Device::new(Capabilities::ARCHITECTURAL);
    assert_eq!(write(&device, CONTROL, 1 << 4), Err(Fault::Reserved));
    assert_eq!([24, 0, 40, 7, 256].map(|depth| write(&device, DEPTH, depth)), [Err(Fault::Reserved); 5]);
    assert_eq!(read(&device, DEPTH), Ok(32));
    device.set_debug_control(u64::MAX);
    assert_eq!(device.debug_control(), FREEZES, "LBR is a stack's");
    assert_eq!(write(&device, STATUS, 0), Err(Fault::ReadOnly));
}

#[test]
fn a_write_of_the_depth_clears_everything_and_hides_what_is_beyond() {
    let device = recording(Capabilities::ARCHITECTURAL);
    (0..32).for_each(|number| device.transfer(branch(0x100 * number), KERNEL));
    write(&device, DEPTH, 8).unwrap();
    assert!((0..8).all(|entry| read(&device, 0x1500 + entry) == Ok(0)));
    assert_eq!(read(&device, 0x1508), Err(Fault::Absent));
    (0..9).for_each(|number| device.transfer(branch(0x100 * number), KERNEL));
    assert_eq!([0x1500, 0x1507].map(|at| read(&device, at)), [0x800, 0x100].map(Ok));
}

#[test]
fn a_branch_belongs_to_the_mode_that_it_leads_to() {
    const IN: [Mode; 2] = [Mode::User, Mode::Kernel];
    const OUT: [Mode; 2] = [Mode::Kernel, Mode::User];
    for able in [Capabilities::SKYLAKE, Capabilities::ZEN_4, Capabilities::ARCHITECTURAL] {
        for (recorded, modes, is_there) in [(0, IN, true), (0, OUT, false), (3, IN, false), (3, OUT, true)] {
            let device = recording(able);
            let [source, is_hidden] = match able {
                Capabilities::ARCHITECTURAL => [0x1500, 1],
                Capabilities::SKYLAKE => [0x681, 0],
                _ => [0xC001_0300, 0],
            };
            // Leaves the other mode out.
            let other = if recorded == 0 { 1 << 1 } else { 1 << 0 };
            _ = write(&device, SELECT, other);
            _ = write(&device, 0xC000_010E, other);
            _ = write(&device, CONTROL, 0x7F_0001 | if recorded == 0 { 2 } else { 4 });
            assert_eq!(device.records_to(modes[1]), is_there, "{able:?}, ring {recorded}");
            device.transfer(Branch::new(0x10, 0x20).of_kind(BranchKind::Exception), modes);
            let expected = if !is_there {
                0
            } else if is_hidden == 1 {
                u64::MAX
            } else {
                0x10
            };
            assert_eq!(read(&device, source), Ok(expected), "{able:?}, ring {recorded}, {modes:?}");
        }
        let device = recording(able);
        let before = device.snapshot();
        assert!(!device.records_to(Mode::Hypervisor));
        device.transfer(branch(0x10), [Mode::Kernel, Mode::Hypervisor]);
        assert_eq!(device.snapshot(), before, "the host's are never there");
    }
}

#[test]
fn an_overflow_freezes_by_the_control_or_by_the_status() {
    for able in [Capabilities::CORE_2, Capabilities::HASWELL] {
        let device = recording(able);
        device.overflow_interrupts();
        assert!(device.records(), "it was not told to");
        device.set_debug_control(FREEZES | 1);
        device.overflow_interrupts();
        assert_eq!((device.debug_control(), read(&device, STATUS)), (FREEZES, Err(Fault::Absent)));
    }
    for able in [Capabilities::SKYLAKE, Capabilities::ARCHITECTURAL] {
        let device = recording(able);
        device.set_debug_control(FREEZES | 1);
        device.overflow_interrupts();
        assert_eq!((device.records(), read(&device, STATUS)), (false, Ok(FROZEN)));
        write(&device, RESET, 1).unwrap();
        assert_eq!(read(&device, STATUS), Ok(FROZEN));
        write(&device, RESET, FROZEN).unwrap();
        assert!(device.records());
        write(&device, SET, FROZEN).unwrap();
        assert!(!device.records());
    }
}

#[test]
fn a_return_removes_the_call_where_the_call_stack_is_kept() {
    for able in [Capabilities::HASWELL, Capabilities::SKYLAKE, Capabilities::ARCHITECTURAL] {
        let device = recording(able);
        _ = write(&device, SELECT, 1 << 9);
        _ = write(&device, CONTROL, 0x7F_000F);
        let of = |kind, from| device.transfer(Branch::new(from, from + 8).of_kind(kind), KERNEL);
        of(BranchKind::Call, 0x10);
        of(BranchKind::IndirectCall, 0x20);
        of(BranchKind::Jump, 0x30);
        of(BranchKind::Return, 0x40);
        let [newest, before] = if able == Capabilities::ARCHITECTURAL { [0x1500, 0x1501] } else { [0x681, 0x682] };
        assert_eq!([newest, before].map(|at| read(&device, at)), [0x10, 0].map(Ok), "{able:?}");
    }
}

#[test]
fn a_guest_that_moves_finds_its_branches_and_no_other_recorder_takes_them() {
    for able in ALL {
        let device = recording(able);
        (0..50).for_each(|number| device.transfer(branch(0x100 * number), KERNEL));
        let snapshot = device.snapshot();
        let other = Device::new(able);
        other.restore(snapshot.as_bytes()).unwrap();
        assert_eq!((other.snapshot(), other.records()), (snapshot, true));
        for stranger in ALL.into_iter().filter(|stranger| *stranger != able) {
            let refused = Device::new(stranger).restore(snapshot.as_bytes());
            assert!(matches!(refused, Err(RestoreError::Identity)), "{refused:?}: {stranger:?} takes {able:?}");
        }
    }
}

#[test]
fn a_guest_that_does_anything_leaves_the_registers_in_their_bits() {
    let registers = (0x40..0x48)
        .chain(0x60..0x68)
        .chain([SELECT, TOP, CONTROL, DEPTH, STATUS, RESET, SET, 0xC000_010E, EXTENSION, 0xC000_0300, 0xC000_0302])
        .chain(0x680..0x6A0)
        .chain(0x6C0..0x6E0)
        .chain(0xDC0..0xDE0)
        .chain(0x1200..0x1220)
        .chain(0x1500..0x1520)
        .chain(0x1600..0x1620)
        .chain(0xC001_0300..0xC001_0320)
        .collect::<Vec<_>>();
    let kinds = [BranchKind::Call, BranchKind::Return, BranchKind::Jump, BranchKind::Interrupt];
    let mut chance = Chance(46);
    for able in ALL {
        let (device, other) = (recording(able), Device::new(able));
        for step in 0..effort::whole_or(10_000_000, 210_000) / ALL.len() as u64 {
            let value = chance.any() & [u64::MAX, 0x7F_FFFF, 0x3F, 1 << 58][chance.below(4) as usize];
            let at = registers[chance.below(registers.len() as u64) as usize];
            let modes =
                [Mode::User, Mode::Kernel].map(|mode| if chance.below(9) == 0 { Mode::Hypervisor } else { mode });
            match chance.below(6) {
                0 => _ = write(&device, at, value),
                1 => _ = read(&device, at),
                2 => device.set_debug_control(value),
                3 => device.overflow_interrupts(),
                _ => device.transfer(branch(value).of_kind(kinds[chance.below(4) as usize]), modes),
            }
            if step % 64 == 0 {
                other.restore(device.snapshot().as_bytes()).unwrap_or_else(|why| panic!("{able:?}: {why}"));
                assert_eq!(other.snapshot(), device.snapshot());
            }
        }
    }
}
