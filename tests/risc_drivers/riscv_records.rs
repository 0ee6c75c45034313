//! RISC-V's control transfer records: what the driver records, leaves out, freezes and forgets, over the device.

use std::cell::Cell;

use crate::support::registers::Altered;

use pmu::arch::riscv::hpm::ctr::{Ctr, Device, Register};
use pmu::arch::riscv::hpm::{self, Hpm, Identity, Privilege};
use pmu::branches::{Branch, BranchFilter, BranchKind, BranchList, BranchLists, Branches};
use pmu::driver::{Access, Recorder, Registers};
use pmu::request::Refusal;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Error, Event, Interrupted, Mode, Modes, Request, Unit};

const KERNEL: [Mode; 2] = [Mode::Kernel; 2];
const KINDS: [BranchKind; 11] = [
    BranchKind::Conditional,
    BranchKind::NotTaken,
    BranchKind::Jump,
    BranchKind::IndirectJump,
    BranchKind::Call,
    BranchKind::IndirectCall,
    BranchKind::Return,
    BranchKind::CoroutineSwap,
    BranchKind::Exception,
    BranchKind::Interrupt,
    BranchKind::TrapReturn,
];

fn supervisor(depth: usize) -> Device {
    Device::new(Privilege::Supervisor, depth)
}

fn recorder(device: &Device) -> Ctr<&Device> {
    Ctr::detect(device, Privilege::Supervisor)
}

fn recording<'d>(device: &'d Device, filter: &BranchFilter) -> Ctr<&'d Device> {
    let recorder = recorder(device);
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
    recorder.last::<256>().iter().map(|branch| branch.from).collect()
}

#[test]
fn the_newest_branch_is_first_and_a_full_ring_loses_the_oldest() {
    for depth in [16, 32, 64, 128, 256] {
        let device = supervisor(depth);
        let recorder = recording(&device, &BranchFilter::new(Modes::KERNEL));
        assert_eq!((recorder.depth(), sources(&recorder)), (depth, vec![]));
        for length in [1, depth - 1, depth, depth + 1, 3 * depth + 5] {
            recorder.record(&BranchFilter::new(Modes::KERNEL)).unwrap();
            jumps(&device, (0..length as u64).map(|number| 2 * number));
            let expected: Vec<_> = (0..length as u64).rev().take(depth).map(|number| 2 * number).collect();
            assert_eq!(sources(&recorder), expected, "{length} in {depth}");
        }
    }
}

#[test]
fn an_overflow_amid_a_start_leaves_nothing_frozen() {
    let device = supervisor(16);
    let amid = Altered::new(&device).reading(|device, at| {
        let value = device.read(at);
        if at == Register::Sctrstatus {
            device.overflow_traps();
        }
        value
    });
    let recorder = Ctr::detect(amid, Privilege::Supervisor);
    let filter = BranchFilter::new(Modes::KERNEL).frozen_by_overflows();
    (0..2).for_each(|_| recorder.record(&filter).unwrap());
    jumps(&device, [2]);
    assert_eq!(sources(&recorder), [2]);
}

#[test]
fn an_interrupt_amid_any_access_of_a_start_or_a_halt_leaves_the_records_whole() {
    for privilege in [Privilege::Machine, Privilege::Supervisor] {
        for at in 0..40 {
            let device = Device::new(privilege, 16);
            let (count, handled) = (Cell::new(0), Cell::new(0));
            let amid = Altered::new(&device).before(|device, _| {
                if count.replace(count.get() + 1) == at {
                    device.overflow_traps();
                    handled.set(Ctr::detect(*device, privilege).last::<16>().len());
                }
            });
            let recorder = Ctr::detect(amid, privilege);
            recorder.record(&BranchFilter::new(Modes::KERNEL).frozen_by_overflows()).unwrap();
            jumps(&device, [2]);
            let recording = recorder.halt();
            jumps(&device, [4]);
            recorder.resume(recording);
            jumps(&device, [6]);
            assert_eq!(sources(&Ctr::detect(&device, privilege)), [6, 2], "{at} of {privilege:?}");
            assert!(handled.get() <= 1);
        }
    }
}

#[test]
fn what_is_known_of_a_branch_is_kept_with_it() {
    let device = supervisor(16);
    let recorder = recording(&device, &BranchFilter::new(Modes::KERNEL));
    for kind in KINDS.into_iter().filter(|&kind| kind != BranchKind::NotTaken) {
        let mut branch = Branch::new(0x8000_1000, 0x9000_0ffe).of_kind(kind);
        (branch.is_mispredicted, branch.cycles) = (Some((kind as u8).is_multiple_of(2)), Some(5000));
        recorder.record(&BranchFilter::new(Modes::KERNEL)).unwrap();
        // The first after a start has lost its cycles.
        let mut first = branch;
        first.cycles = None;
        (0..2).for_each(|_| device.transfer(branch, KERNEL));
        assert_eq!(*recorder.last::<4>(), [branch, first], "{kind}");
    }
}

#[test]
fn each_kind_is_recorded_by_the_filters_that_name_it_and_by_no_other() {
    let device = supervisor(16);
    for wanted in KINDS {
        let recorder = recording(&device, &BranchFilter::new(Modes::KERNEL).only(&[wanted]));
        KINDS.into_iter().for_each(|kind| device.transfer(Branch::new(2, 4).of_kind(kind), KERNEL));
        let kinds: Vec<_> = recorder.last::<16>().iter().filter_map(|branch| branch.kind).collect();
        assert_eq!(kinds, [wanted]);
    }
}

#[test]
fn a_mode_that_is_not_recorded_shows_no_address() {
    let (user, kernel) = (Mode::User, Mode::Kernel);
    let table = [
        (Modes::USER, BranchKind::Call, [user, user], Some([0x10, 0x20])),
        (Modes::USER, BranchKind::Call, [kernel, kernel], None),
        (Modes::USER, BranchKind::Exception, [user, kernel], None),
        (Modes::USER, BranchKind::TrapReturn, [kernel, user], None),
        (Modes::KERNEL, BranchKind::Call, [user, user], None),
        (Modes::KERNEL, BranchKind::Call, [kernel, kernel], Some([0x10, 0x20])),
        (Modes::KERNEL, BranchKind::Exception, [user, kernel], Some([0, 0x20])),
        (Modes::KERNEL, BranchKind::Interrupt, [kernel, kernel], Some([0x10, 0x20])),
        (Modes::KERNEL, BranchKind::TrapReturn, [kernel, user], Some([0x10, 0])),
        (Modes::ALL, BranchKind::Interrupt, [user, kernel], Some([0x10, 0x20])),
        (Modes::ALL, BranchKind::TrapReturn, [kernel, user], Some([0x10, 0x20])),
        (Modes::ALL, BranchKind::Call, [Mode::Hypervisor; 2], None),
    ];
    for privilege in [Privilege::Supervisor, Privilege::Machine] {
        for (recorded, kind, modes, expected) in table {
            let device = Device::new(privilege, 16);
            let recorder = Ctr::detect(&device, privilege);
            recorder.record(&BranchFilter::new(recorded)).unwrap();
            device.transfer(Branch::new(0x10, 0x20).of_kind(kind), modes);
            let found: Vec<_> = recorder.last::<16>().iter().map(|branch| [branch.from, branch.to]).collect();
            assert_eq!(found, Vec::from_iter(expected), "{recorded}: {kind}");
        }
    }
}

#[test]
fn a_filter_that_the_records_do_not_have_is_refused_and_changes_nothing() {
    let device = supervisor(16);
    let recorder = recording(&device, &BranchFilter::new(Modes::KERNEL));
    jumps(&device, [2]);
    for modes in [Modes::NONE, Modes::HYPERVISOR, Modes::ALL.and(Modes::HYPERVISOR)] {
        let refused = recorder.record(&BranchFilter::new(modes));
        assert_eq!(refused, Err(Refusal::Modes { able: Modes::ALL }));
    }
    jumps(&device, [4]);
    assert_eq!(sources(&recorder), [4, 2]);
}

#[test]
fn bits_that_are_not_there_are_found_out_and_refused() {
    let device = supervisor(32);
    const FREEZE: u64 = 1 << 12;
    // Registers of 32 bits, and a hart without Sscofpmf.
    let narrow = Altered::new(&device).writing(|device, at, value| match at {
        Register::Sctrctl => device.write(at, value & 0xFFFF_FFFF & !FREEZE),
        at => device.write(at, value),
    });
    let recorder = Ctr::detect(narrow, Privilege::Supervisor);
    let all = BranchFilter::new(Modes::KERNEL);
    assert_eq!(recorder.record(&all), Ok(()));
    assert!(matches!(recorder.record(&all.only(&[BranchKind::Call])), Err(Refusal::Impossible(_))));
    assert!(
        matches!(recorder.record(&all.frozen_by_overflows()), Err(Refusal::Impossible(why)) if why.contains("Sscofpmf"))
    );
}

#[test]
fn the_greatest_depth_is_chosen_of_those_that_there_are() {
    let device = supervisor(200);
    assert_eq!(recorder(&device).depth(), 128);
}

#[test]
fn a_detection_keeps_the_branches_that_are_there_and_what_is_recorded() {
    let device = supervisor(64);
    let before = recording(&device, &BranchFilter::new(Modes::KERNEL).only(&[BranchKind::Jump]));
    jumps(&device, [2, 4]);
    let after = recorder(&device);
    assert_eq!((after.depth(), sources(&after)), (before.depth(), vec![4, 2]));
    jumps(&device, [6]);
    device.transfer(Branch::new(8, 10).of_kind(BranchKind::Call), KERNEL);
    assert_eq!(sources(&after), [6, 4, 2]);
}

#[test]
fn an_overflow_freezes_what_led_to_it_and_the_handlers_end_thaws_it() {
    let device = supervisor(16);
    let recorder = recording(&device, &BranchFilter::new(Modes::KERNEL).frozen_by_overflows());
    jumps(&device, [2, 4]);
    device.overflow_traps();
    device.transfer(Branch::new(6, 8).of_kind(BranchKind::Interrupt), KERNEL);
    jumps(&device, [10]);
    let recording = recorder.halt();
    assert_eq!(recorder.kept::<16>().iter().map(|branch| branch.from).collect::<Vec<_>>(), [4, 2]);
    recorder.resume(recording);
    jumps(&device, [12]);
    assert_eq!(sources(&recorder), [12, 4, 2]);
}

#[test]
fn an_overflow_freezes_nothing_unless_it_is_told_to() {
    let device = supervisor(16);
    let recorder = recording(&device, &BranchFilter::new(Modes::KERNEL));
    device.overflow_traps();
    device.breakpoint_traps();
    jumps(&device, [2]);
    assert_eq!(sources(&recorder), [2]);
}

#[test]
fn what_was_halted_twice_goes_on_at_the_outer_resume() {
    let device = supervisor(16);
    let recorder = recording(&device, &BranchFilter::new(Modes::KERNEL).frozen_by_overflows());
    let outer = recorder.halt();
    device.overflow_traps();
    let inner = recorder.halt();
    recorder.resume(inner);
    jumps(&device, [2]);
    assert_eq!(sources(&recorder), []);
    recorder.resume(outer);
    jumps(&device, [4]);
    assert_eq!(sources(&recorder), [4]);
}

#[test]
fn a_thread_that_is_switched_in_finds_no_branch_of_the_last_one() {
    let device = supervisor(16);
    let recorder = recording(&device, &BranchFilter::new(Modes::KERNEL));
    jumps(&device, (0..40).map(|number| 2 * number));
    recorder.clear();
    jumps(&device, [0x1000]);
    assert_eq!(sources(&recorder), [0x1000]);
}

#[test]
fn branches_around_a_closure_are_its_own_and_the_recording_goes_on() {
    let device = supervisor(16);
    let recorder = recording(&device, &BranchFilter::new(Modes::USER));
    let filter = BranchFilter::new(Modes::KERNEL);
    let (list, result): (BranchList<2>, _) = recorder.around(&filter, || jumps(&device, [2, 4, 6])).unwrap();
    assert_eq!((list.iter().map(|branch| branch.from).collect::<Vec<_>>(), result), (vec![6, 4], ()));
    device.transfer(jump(8), [Mode::User; 2]);
    jumps(&device, [10]);
    assert_eq!(sources(&recorder), [8]);
    let refused = recorder.around::<2, ()>(&BranchFilter::new(Modes::NONE), || panic!("it was refused"));
    assert!(refused.is_err());
    device.transfer(jump(12), [Mode::User; 2]);
    assert_eq!(sources(&recorder), [12, 8]);
}

/// A unit that samples every 1000th instruction of a guest with branches.
fn sampling() -> (hpm::Device<Unconnected>, Device) {
    (hpm::Device::new(&Identity::RV64, Kinds::CLOCK, Unconnected), Device::new(Privilege::Machine, 16))
}

#[test]
fn a_sample_has_the_branches_that_led_to_it() {
    let (counters, device) = sampling();
    let unit = Unit::<Hpm<_>, 8>::new();
    let lists = BranchLists::<4, 2>::new();
    let pmu = unit.claim(Hpm::new(&counters, Identity::RV64.capabilities())).unwrap();
    let recorder = Ctr::detect(&device, Privilege::Machine);
    recorder.record(&BranchFilter::new(Modes::KERNEL).frozen_by_overflows()).unwrap();
    let mut session = pmu.open([Request::new(Event::raw(2)).every(100_000)]).unwrap();
    session.start().unwrap();
    for sample in 1..=3 {
        jumps(&device, (0..6).map(|number| 0x1000 * sample + 2 * number));
        counters.advance(&Work::instructions(Mode::Kernel, 100_000));
        device.overflow_traps();
        jumps(&device, [2]);
        let at = Interrupted::new(0x1000 * sample + 0x10A, Mode::Kernel);
        assert!(unit.on_overflow_with_branches(at, &recorder, &lists).is_mine());
    }
    let mut samples = lists.pair(unit.samples().unwrap()).unwrap();
    for sample in 1..=2 {
        let (of, list) = samples.next().unwrap();
        assert_eq!(of.address, 0x1000 * sample + 0x10A);
        let from: Vec<_> = list.unwrap().iter().map(|branch| branch.from - 0x1000 * sample).collect();
        assert_eq!(from, [10, 8, 6, 4]);
    }
    assert!(samples.next().is_some_and(|(_, list)| list.is_none()), "there was room for two lists");
    assert_eq!(lists.lost(), 1);
    assert_eq!(unit.samples().err(), Some(Error::ReaderTaken));
}

#[test]
fn a_list_costs_four_accesses_an_entry_and_six_in_all_besides() {
    let device = supervisor(32);
    let recorder = Ctr::detect(Recorder::<_, 256>::new(&device), Privilege::Supervisor);
    recorder.record(&BranchFilter::new(Modes::KERNEL)).unwrap();
    jumps(&device, (0..32).map(|number| 2 * number));
    recorder.registers().clear();
    assert_eq!(recorder.last::<32>().len(), 32);
    assert_eq!(recorder.registers().len(), 4 * 32 + 6);
}

#[test]
fn a_start_clears_the_records_and_writes_the_control_register_last() {
    let device = supervisor(16);
    let recorder = Ctr::detect(Recorder::<_, 16>::new(&device), Privilege::Supervisor);
    recorder.registers().clear();
    recorder
        .record(&BranchFilter::new(Modes::USER).only(&[BranchKind::Call, BranchKind::Return]).frozen_by_overflows())
        .unwrap();
    let written: Vec<_> =
        (0..recorder.registers().len()).filter_map(|number| recorder.registers().access(number)).collect();
    // The manual's bits: U 0, LCOFIFRZ 12, EXCINH 33, INTRINH 34, TRETINH 35, TKBRINH 37, INDCALLINH 40, INDJMPINH 42, DIRJMPINH
    // 43, CORSWAPINH 44, INDLJMPINH 46, DIRLJMPINH 47.
    let control = 0xDD2E << 32 | 1 << 12 | 1;
    assert_eq!(
        written,
        [
            Access::Read(Register::Sctrctl, 0),
            Access::Write(Register::Sctrctl, 0),
            Access::Write(Register::Sctrclr, 0),
            Access::Read(Register::Sctrstatus, 0),
            Access::Write(Register::Sctrctl, control),
        ]
    );
}
