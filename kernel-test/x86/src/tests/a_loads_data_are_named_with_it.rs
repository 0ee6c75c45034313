//! A record of a load or a store has its instruction and the address of its data, each the other's.

use core::arch::naked_asm;

use pmu::arch::x86::amd::ibs::Op;
use pmu::precise::{Operation, Record};
use pmu::{Handled, Request};

use crate::guest::instructions;
use crate::guest::sampling::{self, Room, interrupted};
use crate::trap::Frame;

/// The size of the walk's memory.
const BYTES: u64 = 4096;

#[repr(C, align(4096))]
struct Bytes([u8; BYTES as usize + 64]);

static RECORDS: Room = Room::new();

pub fn test() {
    sampling::open(note);
    let sampler = sampling::ops();
    let mut bytes = Bytes([0; BYTES as usize + 64]);
    let begin = &raw mut bytes as u64;
    let request = Request::new(Op::OPS).every(1_600);
    let program = RECORDS.encode(&sampler, &request).expect("it can be sampled");
    RECORDS.start(&sampler, program);
    (0..100).for_each(|_| instructions::call(walk, begin));
    RECORDS.stop(&sampler, 0).expect("it was started");
    let mut found = [0; 3];
    for record in RECORDS.read(&sampler).expect("nobody else reads") {
        if let Some(kind) = kind(&record, begin) {
            found[kind] += 1;
        }
    }
    assert!(found.iter().all(|&records| records > 5), "{found:?}");
}

/// Which instruction of the walk was sampled: the load, the store or another one.
fn kind(record: &Record, begin: u64) -> Option<usize> {
    let [load, store, end] = [&raw const walk_load, &raw const walk_store, &raw const walk_end].map(|at| at as u64);
    let address = record.address.filter(|address| (load..end).contains(address))?;
    let number = [load, store].iter().position(|&place| place == address).unwrap_or(2);
    let operation = [Operation::Load, Operation::Store, Operation::None][number];
    assert_eq!(record.operation, Some(operation), "{record}");
    // The store goes 32 bytes further than the load.
    let walked = record.data_address.map(|place| place - 32 * number as u64 - begin);
    match number {
        2 => assert_eq!(walked, None),
        _ => assert!(walked.is_some_and(|walked| walked < BYTES && walked.is_multiple_of(8)), "{record}"),
    }
    Some(number)
}

unsafe extern "C" {
    static walk_load: u8;
    static walk_store: u8;
    static walk_end: u8;
}

#[unsafe(naked)]
extern "C" fn walk() {
    naked_asm!(
        "mov ecx, {rounds}",
        ".global walk_load",
        "walk_load:",
        "mov eax, [edi]",
        ".global walk_store",
        "walk_store:",
        "mov [edi + 32], eax",
        "add edi, 8",
        "dec ecx",
        "jnz walk_load",
        ".global walk_end",
        "walk_end:",
        "ret",
        rounds = const BYTES / 8,
    )
}

fn note(frame: &mut Frame) {
    assert_eq!(RECORDS.on_interrupt(&sampling::ops(), interrupted(frame)), Handled::Overflow);
}
