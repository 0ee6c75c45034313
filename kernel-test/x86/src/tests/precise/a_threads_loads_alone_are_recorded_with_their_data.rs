//! A thread whose loads are recorded while it is switched in has the addresses of its data, four to an interrupt and the rest at a
//! switch, and another thread's loads are not recorded.

use core::arch::naked_asm;

use pmu::precise::Operation;
use pmu::{Event, Handled, Modes, Request};

use crate::guest::instructions;
use crate::guest::precise::{self, Counters};
use crate::guest::sampling::{Presented as _, Room, interrupted};
use crate::trap::Frame;

/// MEM_INST_RETIRED.ALL_LOADS.
const LOADS: Event = Event::raw(0x81D0);
const WORDS: usize = 512;
const TURNS: u64 = 60;
/// The fewest loads that may be sampled in the kernel.
const PERIOD: u64 = 2_000;
/// The thread's number.
const THREAD: u32 = 7;

static RECORDS: Room = Room::new();

pub fn test() {
    let sampler = precise::find_in(precise::WORDS, 4);
    sampler.open(note);
    let [own, others] = [[1_u64; WORDS], [2; WORDS]];
    let begin = own.as_ptr() as u64;
    let request = Request::new(LOADS).modes(Modes::KERNEL).every(PERIOD);
    let mut program = RECORDS.encode(&sampler, &request).expect("loads are precise everywhere");
    for _ in 0..TURNS {
        RECORDS.start(&sampler, program);
        instructions::call(read_all, begin);
        program = RECORDS.stop(&sampler, THREAD).expect("it was started");
        instructions::call(read_all, others.as_ptr() as u64);
    }
    let (mut found, mut at_switches) = (0, 0);
    for record in RECORDS.read(&sampler).expect("nobody else reads") {
        assert_eq!((record.thread, record.operation), (THREAD, Some(Operation::Load)), "{record}");
        let is_walk = record.address == Some(&raw const read_one as u64);
        let data = record.data_address.and_then(|address| address.checked_sub(begin));
        assert!(!is_walk || data.is_some_and(|data| data < 8 * WORDS as u64 && data % 8 == 0), "{record}");
        found += u64::from(is_walk);
        at_switches += u64::from(record.interrupted.is_none());
    }
    // A turn has a few loads beside the walk's.
    let most = TURNS * (WORDS as u64 + 40) / PERIOD;
    assert!((TURNS * WORDS as u64 / (PERIOD + 1) - 8..=most).contains(&found), "{found}");
    assert!(at_switches > 0, "{found}");
    assert_eq!(sampler.found_full(), 0);
}

fn note(frame: &mut Frame) {
    let at = interrupted(frame).in_thread(THREAD);
    assert_eq!(RECORDS.on_interrupt(&Counters::opened(), at), Handled::Overflow);
}

unsafe extern "C" {
    static read_one: u8;
}

/// Called with the address of the words.
#[unsafe(naked)]
extern "C" fn read_all() {
    naked_asm!(
        "mov ecx, {words}",
        ".global read_one",
        "read_one:",
        "mov eax, [edi]",
        "add edi, 8",
        "dec ecx",
        "jnz read_one",
        "ret",
        words = const WORDS,
    )
}
