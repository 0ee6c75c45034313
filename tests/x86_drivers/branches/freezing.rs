//! What an overflow freezes, what a halt and a switch leave, and the samples that have branches.

use std::cell::Cell;

use super::{ALL, EVERYTHING, KERNEL, jumps, recording, sources};
use pmu::arch::x86::intel::{self, Intel};
use pmu::arch::x86::lbr::{Capabilities, Device, Lbr};
use pmu::arch::x86::{Apic, CpuIdResult, Lvtpc, amd};
use pmu::branches::{Branch, BranchFilter, BranchKind, BranchLists, Branches};
use pmu::request::Refusal;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Event, Interrupted, Mode, Modes, Request, Unit};

use crate::support::line::Entry;
use crate::support::registers::Altered;

#[test]
fn a_recorder_that_no_overflow_freezes_refuses_to_be_frozen() {
    let zen = |leaf: u32, _| match leaf {
        0x8000_0000 => CpuIdResult { eax: 0x8000_0022, ebx: 0, ecx: 0, edx: 0 },
        0x8000_0022 => CpuIdResult { eax: 0b011, ebx: 16 << 4, ecx: 0, edx: 0 },
        leaf => amd::Identity::ZEN_4.cpuid(leaf, 0, &|_, _| CpuIdResult { eax: 0, ebx: 0, ecx: 0, edx: 0 }),
    };
    let device = Device::new(Capabilities::ZEN_4);
    let recorder = Lbr::detect(&zen, &device).unwrap();
    assert_eq!(recorder.record(&EVERYTHING), Ok(()));
    assert!(matches!(recorder.record(&EVERYTHING.frozen_by_overflows()), Err(Refusal::Impossible(_))));
}

#[test]
fn an_overflow_freezes_what_led_to_it_and_the_handlers_end_thaws_it() {
    for able in ALL {
        let device = Device::new(able);
        let recorder = recording(&device, &EVERYTHING.frozen_by_overflows());
        for round in [0, 0x1000] {
            recorder.clear();
            jumps(&device, [round + 2, round + 4]);
            device.overflow_interrupts();
            device.transfer(Branch::new(6, 8).of_kind(BranchKind::Interrupt), KERNEL);
            jumps(&device, [10]);
            let recording = recorder.halt();
            let found: Vec<_> = recorder.kept::<32>().iter().map(|branch| branch.from).collect();
            assert_eq!(found, [round + 4, round + 2], "{able:?}");
            recorder.resume(recording);
            jumps(&device, [round + 12]);
            assert_eq!(sources(&recorder), [round + 12, round + 4, round + 2], "{able:?}");
        }
    }
}

#[test]
fn an_overflow_freezes_nothing_unless_it_is_told_to() {
    for able in ALL {
        let device = Device::new(able);
        let recorder = recording(&device, &EVERYTHING);
        device.overflow_interrupts();
        jumps(&device, [2]);
        assert_eq!(sources(&recorder), [2]);
    }
}

#[test]
fn what_was_halted_while_it_was_frozen_records_after_a_start() {
    for able in ALL {
        let device = Device::new(able);
        let recorder = recording(&device, &EVERYTHING.frozen_by_overflows());
        device.overflow_interrupts();
        recorder.halt();
        recorder.record(&EVERYTHING).unwrap();
        jumps(&device, [2]);
        assert_eq!(sources(&recorder), [2], "{able:?}");
    }
}

#[test]
fn what_was_halted_twice_goes_on_at_the_outer_resume() {
    for able in ALL {
        let device = Device::new(able);
        let recorder = recording(&device, &EVERYTHING.frozen_by_overflows());
        let outer = recorder.halt();
        device.overflow_interrupts();
        let inner = recorder.halt();
        recorder.resume(inner);
        jumps(&device, [2]);
        assert_eq!(sources(&recorder), []);
        recorder.resume(outer);
        jumps(&device, [4]);
        assert_eq!(sources(&recorder), [4], "{able:?}");
    }
}

#[test]
fn a_switch_forgets_the_last_threads_branches_and_leaves_frozen_what_is() {
    for able in ALL {
        let device = Device::new(able);
        let recorder = recording(&device, &EVERYTHING.frozen_by_overflows());
        jumps(&device, (1..50).map(|number| 2 * number));
        recorder.clear();
        jumps(&device, [0x1000]);
        assert_eq!(sources(&recorder), [0x1000]);
        device.overflow_interrupts();
        recorder.clear();
        jumps(&device, [0x2000]);
        let recording = recorder.halt();
        assert_eq!(recorder.kept::<32>().len(), 0, "{able:?}");
        recorder.resume(recording);
    }
}

#[test]
fn an_interrupt_amid_any_access_of_a_start_or_a_halt_leaves_the_records_whole() {
    for able in ALL {
        for at in 0..120 {
            let device = Device::new(able);
            let count = Cell::new(0);
            let amid = Altered::new(&device).before(|device, _| {
                if count.replace(count.get() + 1) == at {
                    device.overflow_interrupts();
                    let handler = Lbr::new(*device, able);
                    let recording = handler.halt();
                    handler.kept::<32>();
                    handler.resume(recording);
                }
            });
            let recorder = Lbr::new(amid, able);
            recorder.record(&EVERYTHING.frozen_by_overflows()).unwrap();
            jumps(&device, [2]);
            let recording = recorder.halt();
            jumps(&device, [4]);
            recorder.resume(recording);
            jumps(&device, [6]);
            assert_eq!(sources(&Lbr::new(&device, able)), [6, 2], "{at} of {able:?}");
        }
    }
}

#[test]
fn a_sample_has_the_branches_that_led_to_it() {
    let identity = intel::Identity::SKYLAKE;
    let counters = intel::Device::new(&identity, Kinds::CLOCK, Unconnected);
    let entry = Entry::default();
    let device = Device::new(Capabilities::SKYLAKE);
    let unit = Unit::<Intel<_, _>, 8>::new();
    let lists = BranchLists::<4, 2>::new();
    let line = Apic::x2apic(&entry, Lvtpc::NMI);
    let pmu = unit.claim(Intel::new(&counters, line, identity.capabilities())).unwrap();
    let recorder = Lbr::new(&device, Capabilities::SKYLAKE);
    recorder.record(&BranchFilter::new(Modes::KERNEL).frozen_by_overflows()).unwrap();
    let mut session = pmu.open([Request::new(Event::raw(0xC0)).every(100_000)]).unwrap();
    session.start().unwrap();
    jumps(&device, 1..=6);
    counters.advance(&Work::instructions(Mode::Kernel, 100_000));
    device.overflow_interrupts();
    jumps(&device, [7]);
    assert!(unit.on_overflow_with_branches(Interrupted::new(0x10A, Mode::Kernel), &recorder, &lists).is_mine());
    let (_, list) = lists.pair(unit.samples().unwrap()).unwrap().next().unwrap();
    assert!(list.unwrap().iter().map(|branch| branch.from).eq([6, 5, 4, 3]));
    jumps(&device, [8]);
    assert_eq!(sources(&recorder)[..2], [8, 6]);
}
