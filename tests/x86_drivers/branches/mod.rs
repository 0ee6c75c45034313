//! The recorders of branches: what their driver records, leaves out, freezes and forgets, over the device.

mod detecting;
mod freezing;

use std::collections::VecDeque;

use pmu::arch::x86::Msr;
use pmu::arch::x86::lbr::{Capabilities, Device, Lbr};
use pmu::branches::{Branch, BranchFilter, BranchKind, BranchList, Branches};
use pmu::driver::{Access, Recorder, Registers};
use pmu::request::Refusal;
use pmu::{Mode, Modes};

use crate::support::chance::Chance;

const ALL: [Capabilities; 7] = [
    Capabilities::CORE_2,
    Capabilities::NEHALEM,
    Capabilities::HASWELL,
    Capabilities::GOLDMONT,
    Capabilities::SKYLAKE,
    Capabilities::ARCHITECTURAL,
    Capabilities::ZEN_4,
];
/// Those that can leave branches out.
const FILTERING: [Capabilities; 5] = [
    Capabilities::HASWELL,
    Capabilities::GOLDMONT,
    Capabilities::SKYLAKE,
    Capabilities::ARCHITECTURAL,
    Capabilities::ZEN_4,
];
const KERNEL: [Mode; 2] = [Mode::Kernel; 2];
const EVERYTHING: BranchFilter = BranchFilter::new(Modes::ALL);
const NEAR: [BranchKind; 6] = [
    BranchKind::Conditional,
    BranchKind::Jump,
    BranchKind::IndirectJump,
    BranchKind::Call,
    BranchKind::IndirectCall,
    BranchKind::Return,
];
const FAR: [BranchKind; 3] = [BranchKind::Exception, BranchKind::Interrupt, BranchKind::TrapReturn];

fn recording<'d>(device: &'d Device, filter: &BranchFilter) -> Lbr<&'d Device> {
    let recorder = Lbr::new(device, *device.capabilities());
    recorder.record(filter).unwrap();
    recorder
}

fn jump(from: u64) -> Branch {
    Branch::new(from, from + 0x100).of_kind(BranchKind::Jump)
}

/// Jumps from these addresses in the kernel.
fn jumps(device: &Device, from: impl IntoIterator<Item = u64>) {
    from.into_iter().for_each(|from| device.transfer(jump(from), KERNEL));
}

/// Where the branches that are kept came from, the newest first.
fn sources(recorder: &impl Branches) -> Vec<u64> {
    recorder.last::<32>().iter().map(|branch| branch.from).collect()
}

#[test]
fn the_newest_branch_is_first_and_a_full_recorder_loses_the_oldest() {
    for able in ALL {
        let device = Device::new(able);
        let recorder = recording(&device, &EVERYTHING);
        let depth = recorder.depth();
        assert_eq!(sources(&recorder), []);
        for length in [1, depth - 1, depth, depth + 1, 3 * depth + 5] {
            recorder.record(&EVERYTHING).unwrap();
            jumps(&device, (1..=length as u64).map(|number| 2 * number));
            let expected: Vec<_> = (1..=length as u64).rev().take(depth).map(|number| 2 * number).collect();
            assert_eq!(sources(&recorder), expected, "{length} in {able:?}");
        }
    }
}

#[test]
fn recorder_and_book_agree_branch_by_branch() {
    let mut chance = Chance(46);
    for able in ALL {
        let device = Device::new(able);
        let recorder = recording(&device, &EVERYTHING);
        let (depth, mut book) = (recorder.depth(), VecDeque::new());
        for _ in 0..4_000 {
            match chance.below(20) {
                0 => recorder.clear(),
                1 => assert_eq!(recorder.record(&EVERYTHING), Ok(())),
                2 => {
                    let recording = recorder.halt();
                    jumps(&device, [chance.any() >> 20 | 1]);
                    recorder.resume(recording);
                    continue;
                }
                3 => {
                    let found = recorder.last::<32>();
                    assert!(found.iter().map(|branch| (branch.from, branch.to)).eq(book.iter().copied()), "{found}");
                    continue;
                }
                _ => {
                    // In either half of the addresses.
                    let from = (chance.any() as i64 >> 18) as u64 | 1;
                    let to = (chance.any() as i64 >> 18) as u64;
                    let kind = NEAR[chance.below(6) as usize];
                    let modes = [[Mode::User; 2], KERNEL][chance.below(2) as usize];
                    device.transfer(Branch::new(from, to).of_kind(kind), modes);
                    book.push_front((from, to));
                    book.truncate(depth);
                    continue;
                }
            }
            book.clear();
        }
    }
}

#[test]
fn what_a_recorder_knows_of_a_branch_is_kept_with_it() {
    let mut branch = Branch::new(0xFFFF_8000_0000_1000, 0x7FFF_FFFF_0FFE).of_kind(BranchKind::IndirectCall);
    for able in ALL {
        let device = Device::new(able);
        for (is_mispredicted, cycles) in [(false, 1), (true, 5000), (true, 0xFFFF)] {
            (branch.is_mispredicted, branch.cycles) = (Some(is_mispredicted), Some(cycles));
            let recorder = recording(&device, &EVERYTHING);
            device.transfer(branch, KERNEL);
            let found = recorder.last::<4>()[0];
            let has_cycles =
                [Capabilities::GOLDMONT, Capabilities::SKYLAKE, Capabilities::ARCHITECTURAL].contains(&able);
            assert_eq!((found.from, found.to), (branch.from, branch.to), "{able:?}");
            assert_eq!(found.kind, branch.kind.filter(|_| able == Capabilities::ARCHITECTURAL));
            assert_eq!(found.is_mispredicted, Some(is_mispredicted).filter(|_| able != Capabilities::CORE_2));
            assert_eq!(found.cycles, Some(cycles).filter(|_| has_cycles), "{able:?}");
        }
    }
}

#[test]
fn each_kind_is_recorded_by_the_filters_that_name_it_and_by_no_other() {
    let groups = NEAR.each_ref().map(core::slice::from_ref).into_iter().chain([&FAR[..]]);
    for (able, wanted) in FILTERING.into_iter().flat_map(|able| groups.clone().map(move |wanted| (able, wanted))) {
        let device = Device::new(able);
        let recorder = recording(&device, &BranchFilter::new(Modes::KERNEL).only(wanted));
        let all = NEAR.into_iter().chain(FAR).zip(1..);
        all.clone().for_each(|(kind, from)| device.transfer(Branch::new(from, 4).of_kind(kind), KERNEL));
        let expected: Vec<_> = all.filter(|(kind, _)| wanted.contains(kind)).map(|(_, from)| from).collect();
        let found: Vec<_> = sources(&recorder).into_iter().rev().collect();
        assert_eq!(found, expected, "{wanted:?} of {able:?}");
    }
}

#[test]
fn no_program_sees_an_address_of_the_kernel() {
    let (user, kernel) = (Mode::User, Mode::Kernel);
    const SECRET: u64 = 0xFFFF_8000_0000_1000;
    for able in FILTERING {
        let device = Device::new(able);
        let recorder = recording(&device, &BranchFilter::new(Modes::USER));
        device.transfer(jump(0x10), [user; 2]);
        device.transfer(Branch::new(0x20, SECRET).of_kind(BranchKind::Exception), [user, kernel]);
        device.transfer(jump(SECRET), KERNEL);
        device.transfer(Branch::new(SECRET, 0x30).of_kind(BranchKind::TrapReturn), [kernel, user]);
        device.transfer(jump(0x40), [user; 2]);
        device.transfer(jump(SECRET), [Mode::Hypervisor; 2]);
        let expected = if able == Capabilities::ARCHITECTURAL { vec![0x40, 0, 0x10] } else { vec![0x40, 0x10] };
        assert_eq!(sources(&recorder), expected, "{able:?}");
        assert!(recorder.last::<32>().iter().all(|branch| branch.to != SECRET));
    }
}

#[test]
fn a_filter_that_the_recorder_does_not_have_is_refused_and_changes_nothing() {
    let (kernel, few) = (BranchFilter::new(Modes::KERNEL), [BranchKind::Exception, BranchKind::Interrupt]);
    for able in ALL {
        let device = Device::new(able);
        let recorder = recording(&device, &EVERYTHING);
        jumps(&device, [2]);
        for modes in [Modes::NONE, Modes::HYPERVISOR, Modes::ALL.and(Modes::HYPERVISOR)] {
            assert_eq!(recorder.record(&BranchFilter::new(modes)), Err(Refusal::Modes { able: Modes::ALL }));
        }
        for filter in [kernel.only(&few), kernel.only(&[BranchKind::NotTaken])] {
            assert!(matches!(recorder.record(&filter), Err(Refusal::Impossible(_))), "{filter:?}");
        }
        jumps(&device, [4]);
        assert_eq!(sources(&recorder), [4, 2]);
    }
    let device = Device::new(Capabilities::CORE_2);
    let refused = Lbr::new(&device, Capabilities::CORE_2).record(&kernel);
    assert!(matches!(refused, Err(Refusal::Impossible(why)) if why.contains("ask for Modes::ALL")));
    let device = Device::new(Capabilities::NEHALEM);
    let recorder = Lbr::new(&device, Capabilities::NEHALEM);
    let calls = [BranchKind::Call, BranchKind::Jump, BranchKind::IndirectJump];
    assert!(matches!(recorder.record(&kernel.only(&calls[..2])), Err(Refusal::Impossible(_))));
    assert_eq!(recorder.record(&kernel.only(&calls)), Ok(()));
}

#[test]
fn a_filter_that_lets_nothing_through_is_refused() {
    for able in FILTERING {
        let device = Device::new(able);
        for kinds in [&[][..], &[BranchKind::CoroutineSwap]] {
            let refused = Lbr::new(&device, able).record(&EVERYTHING.only(kinds));
            assert!(matches!(refused, Err(Refusal::Impossible(why)) if why.contains("no kind")), "{able:?}");
        }
    }
}

/// A flight recorder is for this panic above all.
#[test]
fn what_led_to_a_jump_through_a_null_pointer_is_recorded() {
    let [fault, handler] = [0, 0x9000];
    for able in ALL {
        let device = Device::new(able);
        let recorder = recording(&device, &EVERYTHING);
        jumps(&device, [2]);
        device.transfer(Branch::new(0x40, fault).of_kind(BranchKind::IndirectJump), KERNEL);
        device.transfer(Branch::new(fault, handler).of_kind(BranchKind::Exception), KERNEL);
        let of = |branch: &Branch| (branch.from, branch.to);
        assert_eq!(
            recorder.last::<4>().iter().map(of).collect::<Vec<_>>(),
            [(0, handler), (0x40, 0), (2, 0x102)],
            "{able:?}"
        );
        jumps(&device, [handler]);
        assert_eq!(recorder.last::<4>().len(), 4, "{able:?}");
    }
}

#[test]
fn branches_around_a_closure_are_its_own_and_the_recording_goes_on() {
    for able in FILTERING {
        let device = Device::new(able);
        let recorder = recording(&device, &BranchFilter::new(Modes::USER));
        let filter = BranchFilter::new(Modes::KERNEL);
        let (list, result): (BranchList<2>, _) = recorder.around(&filter, || jumps(&device, [2, 4, 6])).unwrap();
        assert_eq!((list.iter().map(|branch| branch.from).collect::<Vec<_>>(), result), (vec![6, 4], ()));
        device.transfer(jump(8), [Mode::User; 2]);
        jumps(&device, [10]);
        assert_eq!(sources(&recorder), [8], "{able:?}");
        let refused = recorder.around::<2, ()>(&BranchFilter::new(Modes::NONE), || panic!("it was refused"));
        assert!(refused.is_err());
        device.transfer(jump(12), [Mode::User; 2]);
        assert_eq!(sources(&recorder), [12, 8]);
    }
}

#[test]
fn amds_entries_of_a_wrong_path_and_of_erratum_1452_are_left_out() {
    let device = Device::new(Capabilities::ZEN_4);
    let recorder = recording(&device, &EVERYTHING);
    jumps(&device, [2, 4, 6, 8]);
    let recording = recorder.halt();
    let write = |at, bits: u64| {
        let at = Msr::from_address(at).unwrap();
        device.write(at, device.read(at) & (1 << 58 | ((1 << 58) - 1)) | bits);
    };
    write(0xC001_0301, 1 << 62);
    write(0xC001_0303, 1 << 63 | 1 << 61);
    write(0xC001_0305, 1 << 63 | 1 << 62);
    let found: Vec<_> = recorder.kept::<16>().iter().map(|branch| branch.from).collect();
    assert_eq!(found, [4, 2]);
    recorder.resume(recording);
}

#[test]
fn the_flags_of_a_transaction_are_no_part_of_an_address() {
    let device = Device::new(Capabilities::HASWELL);
    let recorder = recording(&device, &EVERYTHING);
    jumps(&device, [2]);
    device.write(Msr::from_address(0x681).unwrap(), 0b110 << 60 | 0x1FFF_8000_0000_1000 & ((1 << 60) - 1));
    assert_eq!(sources(&recorder), [0xFFFF_8000_0000_1000]);
}

#[test]
fn a_list_costs_one_read_of_each_register_that_says_something() {
    let cost = [(Capabilities::CORE_2, 9), (Capabilities::HASWELL, 33), (Capabilities::SKYLAKE, 97)];
    let others = [(Capabilities::ARCHITECTURAL, 96), (Capabilities::ZEN_4, 32)];
    for (able, floor) in cost.into_iter().chain(others) {
        let device = Device::new(able);
        let recorder = Lbr::new(Recorder::<_, 256>::new(&device), able);
        recorder.record(&EVERYTHING).unwrap();
        jumps(&device, 1..100);
        recorder.halt();
        recorder.registers().clear();
        assert_eq!((recorder.kept::<32>().len(), recorder.registers().len()), (recorder.depth(), floor));
    }
}

#[test]
fn a_start_clears_the_records_and_enables_last() {
    let written = |able, filter: &BranchFilter| {
        let device = Device::new(able);
        let recorder = Lbr::new(Recorder::<_, 64>::new(&device), able);
        recorder.registers().clear();
        recorder.record(filter).unwrap();
        let all = (0..recorder.registers().len()).filter_map(|number| recorder.registers().access(number));
        let writes = all.filter_map(|access| match access {
            Access::Write(at, value) if !(0x680..0x6A0).contains(&at.address()) => Some((at.address(), value)),
            _ => None,
        });
        writes.collect::<Vec<_>>()
    };
    let filter = BranchFilter::new(Modes::USER).only(&[BranchKind::Call, BranchKind::Return]).frozen_by_overflows();
    // CPL_EQ_0 0, JCC 2, NEAR_IND_CALL 4, NEAR_IND_JMP 6, NEAR_REL_JMP 7, FAR_BRANCH 8.
    let skylake = [(0x1D9, 0), (0x390, 1 << 58), (0x1C8, 0x1D5), (0x1D9, 0x801)];
    assert_eq!(written(Capabilities::SKYLAKE, &filter), skylake);
    // LBREn 0, USR 2, NEAR_REL_CALL 19, NEAR_RET 21.
    let architectural = [(0x14CE, 0), (0x14CF, 32), (0x390, 1 << 58), (0x1D9, 0x800), (0x14CE, 0x28_0005)];
    assert_eq!(written(Capabilities::ARCHITECTURAL, &filter), architectural);
}
