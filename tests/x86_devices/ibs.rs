//! Instruction-based sampling in software: the registers that a guest sees, which the manual describes.

use pmu::arch::x86::amd::Identity;
use pmu::arch::x86::amd::ibs::{Capabilities, Device, Register};
use pmu::arch::x86::{CpuIdReader as _, CpuIdResult};
use pmu::precise::{DataSource, Operation, Record, Translation};
use pmu::virt::{Fault, RestoreError};

use crate::support::chance::Chance;
use crate::support::effort;
use crate::support::line::Line;

const OP_ENABLE: u64 = 1 << 17;
const OP_VALID: u64 = 1 << 18;
const OPS: u64 = 1 << 19;
const FETCH_ENABLE: u64 = 1 << 48;
const FETCH_VALID: u64 = 1 << 49;

fn device(identity: Identity, line: &Line) -> Device<&Line> {
    Device::new(Capabilities::discover(&identity).unwrap(), line)
}

fn zen_4(line: &Line) -> Device<&Line> {
    device(Identity::ZEN_4.with_sampling(0xBFF), line)
}

fn device_of_zen_2(line: &Line) -> Device<&Line> {
    device(Identity::ZEN_2.with_sampling(0x3FF), line)
}

fn registers() -> impl Iterator<Item = Register> {
    (0xC001_1030..=0xC001_103F).filter_map(Register::from_address)
}

#[test]
fn an_identity_announces_sampling_if_it_is_told_to() {
    for identity in Identity::ALL {
        let announcing = identity.with_sampling(0x3FF);
        let last = announcing.cpuid2(0x8000_0000, 0).eax;
        let sampling = |identity: Identity| identity.cpuid2(0x8000_0001, 0).ecx >> 10 & 1;
        assert!(last >= 0x8000_001B);
        assert_eq!((sampling(identity), sampling(announcing)), (0, 1));
        let leaf = announcing.cpuid2(0x8000_001B, 0);
        assert_eq!(leaf, CpuIdResult { eax: 0x3FF, ebx: 0, ecx: 0, edx: 0 });
        assert!(Capabilities::discover(&identity).is_err());
    }
}

#[test]
fn a_record_is_in_the_bits_of_the_manual() {
    let line = Line::default();
    let device = zen_4(&line);
    device.try_write(Register::OpControl, OPS | OP_ENABLE | 9).unwrap();
    device.advance(143, 0);
    device.retire(&Record::new(0x10));
    assert_eq!((device.until_tagged(), line.rises()), (Some(0), 0));
    let mut load = Record::new(0x40_1000);
    (load.operation, load.data_address, load.physical_address) = (Some(Operation::Load), Some(0x7000), Some(0x9000));
    (load.source, load.latency) = (Some(DataSource::FarMemory), Some(0x123));
    (load.translation, load.retirement) = (Some(Translation::Missed), Some(0x45));
    (load.is_locked, load.is_misaligned) = (Some(true), Some(true));
    device.retire(&load);
    assert_eq!(line.rises(), 1);
    let read = [
        Register::OpControl,
        Register::OpAddress,
        Register::OpData,
        Register::OpData2,
        Register::OpData3,
        Register::DataLinear,
        Register::DataPhysical,
        Register::Entry,
    ]
    .map(|at| device.try_read(at).unwrap());
    let third = 0x123 << 32 | 1 << 20 | 0b11 << 17 | 1 << 15 | 1 << 8 | 1 << 7 | 0b11 << 2 | 1;
    assert_eq!(read, [OPS | OP_VALID | OP_ENABLE | 9, 0x40_1000, 0x45 << 16, 0x13, third, 0x7000, 0x9000, 0x100]);
}

#[test]
fn a_fetch_is_in_the_bits_of_the_manual() {
    let line = Line::default();
    let device = zen_4(&line);
    device.try_write(Register::FetchControl, FETCH_ENABLE | 2 << 16 | 3).unwrap();
    device.advance_fetches(16);
    let mut fetch = Record::new(0x40_1000);
    (fetch.source, fetch.latency) = (Some(DataSource::Memory), Some(0x321));
    (fetch.translation, fetch.physical_address) = (Some(Translation::Level2), Some(0x9000));
    device.fetch(&fetch);
    assert_eq!(line.rises(), 1);
    let what = 1 << 61 | 1 << 58 | 1 << 55 | 1 << 52 | 1 << 51 | 1 << 50 | FETCH_VALID | FETCH_ENABLE | 0x321 << 32 | 3;
    let read = [Register::FetchControl, Register::FetchLinear, Register::FetchPhysical].map(|at| device.try_read(at));
    assert_eq!(read, [Ok(what), Ok(0x40_1000), Ok(0x9000)]);
}

#[test]
fn a_sample_that_is_valid_stands_until_its_bit_is_cleared() {
    let line = Line::default();
    let device = zen_4(&line);
    device.try_write(Register::OpControl, OPS | OP_ENABLE | 9).unwrap();
    for address in [1, 2] {
        device.advance(144, 0);
        device.retire(&Record::new(address));
    }
    assert_eq!((device.try_read(Register::OpAddress), line.rises(), device.until_tagged()), (Ok(1), 1, None));
    device.try_write(Register::OpControl, OPS | OP_VALID | OP_ENABLE | 9).unwrap();
    assert_eq!(device.until_tagged(), None);
    device.try_write(Register::OpControl, OPS | OP_ENABLE | 9 | 100 << 32).unwrap();
    assert_eq!(device.until_tagged(), Some(44));
}

#[test]
fn only_equality_with_the_period_tags_so_a_greater_count_wraps_first() {
    let line = Line::default();
    for (eax, bits) in [(0x3F, 20), (0xFF, 27)] {
        let device = device(Identity::FAMILY_15H.with_sampling(eax), &line);
        device.try_write(Register::OpControl, OPS | OP_ENABLE | 9 | 1000 << 32).unwrap();
        assert_eq!(device.until_tagged(), Some((1 << bits) - 1000 + 144));
        device.try_write(Register::OpControl, OPS | OP_ENABLE | 9 | 150 << 32).unwrap();
        assert_eq!(device.until_tagged(), Some(0), "the low four bits do not count");
    }
}

#[test]
fn reserved_bits_fault_and_change_nothing() {
    let line = Line::default();
    let newest = zen_4(&line);
    let oldest = device(Identity::FAMILY_10H.with_sampling(0x7), &line);
    let reserved = [
        (&newest, Register::OpControl, 0x1F << 59 | 0x1F << 27),
        (&oldest, Register::OpControl, 0x1F << 59 | 0xFFF << 20 | 1 << 19 | 1 << 16),
        (&newest, Register::OpData, 0x7F_FFFF << 41 | 3 << 32),
        (&newest, Register::OpData3, 0xF << 9),
        (&newest, Register::DataPhysical, 0xFFF << 52),
    ];
    for (device, at, bits) in reserved {
        let before = device.try_read(at);
        for bit in (0..64).map(|bit| 1 << bit) {
            let expected = if bits & bit == 0 { Ok(()) } else { Err(Fault::Reserved) };
            assert_eq!(device.try_write(at, bit), expected, "{at:?}: {bit:#x}");
            device.try_write(at, 0).unwrap();
            assert_eq!(device.try_read(at), before);
        }
    }
    for at in [Register::FetchLinear, Register::FetchPhysical, Register::Entry] {
        assert_eq!(newest.try_write(at, 0), Err(Fault::ReadOnly));
    }
}

#[test]
fn bits_of_the_fetch_control_that_are_not_there_read_as_0() {
    let line = Line::default();
    let (newest, older) = (zen_4(&line), device(Identity::ZEN_2.with_sampling(0x3FF), &line));
    for (device, absent) in [(&newest, 3 << 62), (&older, 0b1_1010 << 59 | 1 << 59)] {
        device.try_write(Register::FetchControl, u64::MAX).unwrap();
        assert_eq!(device.try_read(Register::FetchControl).map(|bits| bits & absent), Ok(0));
    }
}

#[test]
fn registers_that_are_not_announced_are_absent() {
    let line = Line::default();
    let fetches = [Register::FetchControl, Register::FetchLinear, Register::FetchPhysical];
    for (eax, has_fetches, has_ops, has_target) in
        [(0b11, true, false, false), (0b101, false, true, false), (0x25, false, true, true), (0x3FF, true, true, true)]
    {
        let device = device(Identity::ZEN_4.with_sampling(eax), &line);
        for at in registers() {
            let is_there = match at {
                Register::Entry => true,
                Register::BranchTarget => has_target,
                at if fetches.contains(&at) => has_fetches,
                _ => has_ops,
            };
            assert_eq!(device.try_read(at) != Err(Fault::Absent), is_there, "{eax:#x}, {at:?}");
            assert_eq!(device.try_write(at, 0) != Err(Fault::Absent), is_there, "{eax:#x}, {at:?}");
        }
    }
}

#[test]
fn a_guest_that_moves_amid_a_period_is_sampled_as_if_it_had_stayed() {
    let (line, there) = (Line::default(), Line::default());
    let (device, other) = (zen_4(&line), zen_4(&there));
    device.try_write(Register::OpControl, OP_ENABLE | OPS | 0x10).unwrap();
    device.try_write(Register::FetchControl, FETCH_ENABLE | 0x20).unwrap();
    device.advance(0x83, 0);
    device.advance_fetches(0x200);
    other.restore(device.snapshot().as_bytes()).unwrap();
    assert_eq!([other.until_tagged(), other.until_fetch()], [Some(0x100 - 0x83), Some(0)]);
    for (number, device) in (0..0x80).flat_map(|number| [(number, &device), (number, &other)]) {
        device.retire(&Record::new(number));
        device.fetch(&Record::new(number));
    }
    assert_eq!((there.rises(), other.snapshot()), (2, device.snapshot()));
    let stranger = device_of_zen_2(&line).restore(device.snapshot().as_bytes());
    assert!(matches!(stranger, Err(RestoreError::Identity)), "{stranger:?}");
}

#[test]
fn a_forged_snapshot_changes_nothing() {
    let line = Line::default();
    let (device, blank) = (zen_4(&line), zen_4(&line).snapshot());
    for at in 32..blank.as_bytes().len() {
        let mut forged = blank.as_bytes().to_vec();
        forged[at] = 0xFF;
        if device.restore(&forged).is_err() {
            assert_eq!(device.snapshot(), blank, "byte {at}");
        } else {
            let kept = device.snapshot();
            assert_eq!(kept.as_bytes(), forged, "byte {at}");
            device.restore(blank.as_bytes()).unwrap();
        }
    }
}

#[test]
fn a_guest_that_does_anything_gets_no_more_interrupts_than_it_had_ops() {
    let mut chance = Chance(47);
    for (identity, eax) in [(Identity::FAMILY_10H, 0x7), (Identity::FAMILY_15H, 0xFF), (Identity::ZEN_4, 0xBFF)] {
        let line = Line::default();
        let [device, other] = [(); 2].map(|()| device(identity.with_sampling(eax), &line));
        let registers: Vec<_> = registers().collect();
        let mut described = 0;
        for step in 0..effort::whole_or(3_400_000, 200_000) {
            let at = registers[chance.below(12) as usize];
            let value =
                chance.any() & [u64::MAX, 0x7FF_0000_000F_FFFF, 0x3_0000_FFFF_FFFF, 0xFF][chance.below(4) as usize];
            match chance.below(8) {
                0..=2 => _ = device.try_write(at, value),
                3 => _ = device.try_read(at),
                4 => device.advance(value & 0xFFF_FFFF, value >> 32),
                5 => device.advance_fetches(value),
                6 => device.abort(),
                _ => {
                    let mut op = Record::new(value);
                    op.source = (value & 1 == 0).then_some(DataSource::Memory);
                    device.retire(&op);
                    device.fetch(&op);
                    device.randomise(value as u8);
                    described += 2;
                }
            }
            for (until, limit) in [(device.until_tagged(), 1 << 27), (device.until_fetch(), 1 << 20)] {
                assert!(until.is_none_or(|until| until < limit), "{until:?}");
            }
            assert!(line.rises() <= described);
            if step % 64 == 0 {
                other.restore(device.snapshot().as_bytes()).unwrap();
                assert_eq!(other.snapshot(), device.snapshot());
            }
        }
        assert!(line.rises() > 500, "{}", line.rises());
    }
}
