//! The sampler of ops names the instruction after the n-th since it was started, and its NMI comes right behind it: the host
//! counts each instruction as one op.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::arch::x86::amd::ibs::{Op, Register};
use pmu::precise::{Operation, Sampler};
use pmu::{Event, Handled, Request};

use crate::guest::position::{self, Write};
use crate::guest::sampling::{self, Room, interrupted};
use crate::guest::truth;
use crate::trap::Frame;

static RECORDS: Room = Room::new();
/// How many of the loop's instructions had retired when the NMI came.
static RETIRED: AtomicUsize = AtomicUsize::new(0);

pub fn test() {
    sampling::open(note);
    let sampler = sampling::ops();
    let stop = Write { register: Register::OpControl.address(), value: 0 };
    for event in [Op::OPS, Event::CYCLES] {
        for period in (144..1200).step_by(16).chain([16_384, 100_000]) {
            let program = sampler.encode(&Request::new(event).every(period)).expect("it can be sampled");
            RECORDS.start(&sampler, program);
            // The loop starts it anew, with the same period.
            let start = Write { value: program.bits(), ..stop };
            RETIRED.store(0, Relaxed);
            position::run(start, period / 3 + 10, stop);
            assert_eq!(RETIRED.load(Relaxed) as u64, period + 1);
            assert_eq!(truth::skid(), 0);
            let mut records = RECORDS.read(&sampler).expect("nobody else reads");
            let record = records.next().expect("an op was sampled");
            let [address, behind] = [period, period + 1].map(position::watched);
            assert_eq!((record.address, record.interrupted), (Some(address), Some(behind)), "{period}");
            assert_eq!((record.operation, record.data_address), (Some(Operation::None), None));
            assert_eq!(record.branch.is_some(), period % 3 == 2, "only the third instruction is a branch");
            assert!(records.next().is_none());
        }
    }
}

/// Stops it, so that a short period has no second op.
fn note(frame: &mut Frame) {
    let sampler = sampling::ops();
    assert_eq!(RECORDS.on_interrupt(&sampler, interrupted(frame)), Handled::Overflow);
    assert!(RECORDS.stop(&sampler, 0).is_some());
    RETIRED.store(position::of(frame).map_or(usize::MAX, |position| position as usize), Relaxed);
}
