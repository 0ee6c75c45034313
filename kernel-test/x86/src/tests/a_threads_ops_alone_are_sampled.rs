//! A thread that is sampled while it is switched in goes on with its period over its turns, and another thread's ops neither
//! count nor are sampled.

use harness::Guest;
use pmu::arch::x86::amd::ibs::Op;
use pmu::precise::{Record, Sampler};
use pmu::{Handled, Request};

use crate::guest::sampling::{self, Ops, Room, interrupted};
use crate::guest::{Here, instructions};
use crate::trap::Frame;

static RECORDS: Room = Room::new();
const PERIOD: u64 = 10_000;
const TURNS: u64 = 400;
/// The sampled thread's number.
const THREAD: u32 = 7;

pub fn test() {
    sampling::open(|frame: &mut Frame| {
        let at = interrupted(frame).in_thread(THREAD);
        assert_eq!(RECORDS.on_interrupt(&sampling::ops(), at), Handled::Overflow);
    });
    let sampler = sampling::ops();
    let mut program = RECORDS.encode(&sampler, &Request::new(Op::OPS).every(PERIOD)).expect("it can be sampled");
    let (mut around, mut ended) = (None, 0);
    for turn in 0..TURNS {
        let length = 100 + turn * 31 % 900;
        let (before, pulled) = (count(program), Here::overflows());
        RECORDS.start(&sampler, program);
        instructions::exactly(length);
        program = RECORDS.stop(&sampler, THREAD).expect("it was started");
        match Here::overflows() - pulled {
            // What a start and a stop take is the same each time.
            0 => assert_eq!(count(program) - before - length, *around.get_or_insert(count(program) - before - length)),
            periods => ended += periods,
        }
        let pulled = Here::overflows();
        instructions::exactly(2 * PERIOD);
        assert_eq!(Here::overflows(), pulled, "the other thread's turn");
    }
    let records = RECORDS.read(&sampler).expect("nobody else reads");
    assert_eq!(records.filter(|Record { thread, .. }| *thread == THREAD).count() as u64, ended);
    // A turn has 550 of its own on the average.
    assert!(ended >= TURNS * 550 / PERIOD, "{ended}");
}

/// How many ops of its period a program has had.
fn count(program: <Ops as Sampler>::Program) -> u64 {
    program.bits() >> 32
}
