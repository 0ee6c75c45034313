//! The experiment's program: it books the same records twice, from a table with gaps and from one
//! without, and one of the two costs more than it seems.
//!
//! It is short, for each of its instructions is looked at.

use core::hint::black_box;

use super::program::Part;

/// What the program is, for people.
pub const TITLE: &str = "a ledger of five functions, one of which reads packed records";

/// The functions, in the order in which the program calls them.
pub const PARTS: [Part; 5] = [
    Part { run: book_padded, answer: 0xffff_ffff_ffff_5844 },
    Part { run: book_packed, answer: 0xffff_ffff_fffe_08cc },
    Part { run: balance, answer: 1 },
    Part { run: search, answer: 198 },
    Part { run: digest, answer: 0x34d7_eae7_0e0d_82c5 },
];

const RECORDS: usize = 200;

/// A record as the compiler lays it out: each field at a multiple of its size.
#[derive(Clone, Copy)]
#[repr(C)]
struct Padded {
    kind: u8,
    amount: u64,
    fee: u64,
}

/// A record as a protocol has it: seventeen bytes, and the next one right behind them.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Packed {
    kind: u8,
    amount: u64,
    fee: u64,
}

/// Records from the beginning of a cache line on.
#[repr(C, align(64))]
struct Table<T>([T; RECORDS]);

macro_rules! table {
    ($record:ident) => {{
        let mut records = [$record { kind: 0, amount: 0, fee: 0 }; RECORDS];
        let mut number = 0;
        while number < RECORDS {
            records[number] = $record { kind: number as u8, amount: number as u64 * 37, fee: number as u64 % 7 };
            number += 1;
        }
        Table(records)
    }};
}

static PADDED: Table<Padded> = table!(Padded);
static PACKED: Table<Packed> = table!(Packed);

/// Runs the program. An interrupt that changed anything would make an answer wrong.
pub fn run() {
    PARTS.iter().for_each(Part::check);
}

#[inline(never)]
fn book_padded() -> u64 {
    book(&PADDED, 10, |record| (record.kind, record.amount, record.fee))
}

#[inline(never)]
fn book_packed() -> u64 {
    book(&PACKED, 30, |record| (record.kind, record.amount, record.fee))
}

/// Adds up what comes in, takes off what goes out, and the fee in either case.
#[inline(always)]
fn book<T>(table: &Table<T>, rounds: usize, fields: impl Fn(&T) -> (u8, u64, u64)) -> u64 {
    let mut sum = 0_u64;
    for _ in 0..rounds {
        for record in &black_box(table).0 {
            let (kind, amount, fee) = fields(record);
            sum = if kind % 2 == 0 { sum.wrapping_add(amount) } else { sum.wrapping_sub(amount) };
            sum = sum.wrapping_sub(fee);
        }
    }
    sum
}

/// Sorts balances by insertion; is the result in order?
#[inline(never)]
fn balance() -> u64 {
    let mut balances: [u64; 64] = core::array::from_fn(|number| number as u64 * 29 % 64);
    for end in 1..balances.len() {
        let mut at = end;
        while at > 0 && balances[at - 1] > balances[at] {
            balances.swap(at - 1, at);
            at -= 1;
        }
    }
    black_box(balances).is_sorted().into()
}

/// Looks for one amount after the other, from the beginning each time; where is the last?
#[inline(never)]
fn search() -> u64 {
    let place = |amount| black_box(&PADDED).0.iter().position(|record| record.amount == amount);
    (0..RECORDS as u64).step_by(6).filter_map(|number| place(number * 37)).last().unwrap_or(0) as u64
}

/// Hashes bytes by FNV-1a.
#[inline(never)]
fn digest() -> u64 {
    let bytes = black_box([0x5a_u8; 1500]);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
