//! What the demo measures: a program of five functions that cost unequally, and that know their
//! own answers. It comes in two lengths.

use core::hint::black_box;

/// One function of the program.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The function.
    pub run: fn() -> u64,
    /// What it returns.
    pub answer: u64,
}

/// The functions, in the order in which the program calls them.
pub const PARTS: [Part; 5] = [
    Part { run: sieve, answer: 3245 },
    Part { run: multiply, answer: 0x526e_935f_385c_0000 },
    Part { run: search, answer: 3 },
    Part { run: sort, answer: 1 },
    Part { run: hash, answer: 0x1ec8_9848_ca30_5825 },
];

/// What the program is, for people.
pub const TITLE: &str = "a program of five functions: sieve, multiply, search, sort, hash";

/// A program of that kind, and how it is sampled.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// What it is, for people.
    pub title: &'static str,
    /// Its functions.
    pub parts: &'static [Part; 5],
    /// Runs it.
    pub run: fn(),
    /// The period by which one event is sampled.
    pub period: u64,
    /// A period for each counter, where all are sampled at once.
    pub periods: [u64; COUNTERS],
}

/// The most counters that any unit has.
pub const COUNTERS: usize = 14;

/// For a processor that runs at the emulator's speed. Periods are primes, so that samples do not keep
/// step with a loop, and a different one for each counter.
pub static LONG: Program = Program {
    title: TITLE,
    parts: &PARTS,
    run,
    period: 10_007,
    periods: [
        40_009, 45_007, 50_021, 55_001, 60_013, 65_003, 70_001, 75_011, 80_021, 85_009, 90_001, 95_003, 100_003,
        105_019,
    ],
};

/// For a processor whose every instruction is looked at: a hundredth as long.
pub static SHORT: Program = Program {
    title: "a short program of five functions: sieve, multiply, search, sort, hash",
    parts: &short::PARTS,
    run: short::run,
    period: 1_009,
    periods: [2_503, 2_767, 3_019, 3_271, 3_527, 3_779, 4_049, 4_327, 4_583, 4_861, 5_113, 5_381, 5_639, 5_897],
};

/// Runs the program. An interrupt that changed anything would make an answer wrong.
pub fn run() {
    PARTS.iter().for_each(Part::check);
}

impl Part {
    /// Runs the function and checks its answer.
    pub fn check(&self) {
        assert_eq!((self.run)(), self.answer, "the program's answer");
    }

    /// Where the function begins.
    pub fn address(&self) -> u64 {
        self.run as usize as u64
    }
}

#[inline(never)]
fn sieve() -> u64 {
    count_primes::<30_000>(20)
}

#[inline(never)]
fn multiply() -> u64 {
    add_up_product::<48>(16)
}

#[inline(never)]
fn search() -> u64 {
    find_needles::<40_000>()
}

#[inline(never)]
fn sort() -> u64 {
    sort_numbers::<1000>()
}

#[inline(never)]
fn hash() -> u64 {
    hash_bytes::<60_000>()
}

/// The same five, with less to do.
mod short {
    use super::{Part, add_up_product, count_primes, find_needles, hash_bytes, sort_numbers};

    pub(super) const PARTS: [Part; 5] = [
        Part { run: sieve, answer: 168 },
        Part { run: multiply, answer: 0x0574_464a },
        Part { run: search, answer: 3 },
        Part { run: sort, answer: 1 },
        Part { run: hash, answer: 0xafdf_cfa3_6c87_b0a5 },
    ];

    pub(super) fn run() {
        PARTS.iter().for_each(Part::check);
    }

    #[inline(never)]
    fn sieve() -> u64 {
        count_primes::<1000>(1)
    }

    #[inline(never)]
    fn multiply() -> u64 {
        add_up_product::<12>(3)
    }

    #[inline(never)]
    fn search() -> u64 {
        find_needles::<400>()
    }

    #[inline(never)]
    fn sort() -> u64 {
        sort_numbers::<80>()
    }

    #[inline(never)]
    fn hash() -> u64 {
        hash_bytes::<2_000>()
    }
}

/// Counts the primes by the sieve of Eratosthenes, so many times.
#[inline(always)]
fn count_primes<const BELOW: usize>(times: usize) -> u64 {
    let mut primes = 0;
    for _ in 0..times {
        let mut is_composite = black_box([false; BELOW]);
        primes = 0;
        for candidate in 2..BELOW {
            if !is_composite[candidate] {
                primes += 1;
                (candidate * 2..BELOW).step_by(candidate).for_each(|multiple| is_composite[multiple] = true);
            }
        }
    }
    primes
}

/// Multiplies two matrices of integers again and again, and adds up the last product.
#[inline(always)]
fn add_up_product<const SIDE: usize>(times: usize) -> u64 {
    let left: [[u64; SIDE]; SIDE] =
        black_box(core::array::from_fn(|row| core::array::from_fn(|at| (row * at % 11) as u64)));
    let mut product = left;
    for _ in 0..times {
        let right = black_box(product);
        for (row, sums) in left.iter().zip(&mut product) {
            for (column, sum) in sums.iter_mut().enumerate() {
                *sum = row.iter().zip(&right).fold(0, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(b[column])));
            }
        }
    }
    product.as_flattened().iter().fold(0, |sum, value| sum.wrapping_add(*value))
}

/// Looks for a needle in a haystack that is full of its beginnings; there are four, and the last is cut off.
#[inline(always)]
fn find_needles<const LENGTH: usize>() -> u64 {
    const NEEDLE: &[u8] = b"aaaaaaab";
    let mut haystack = [b'a'; LENGTH];
    haystack[LENGTH / 4 - 1..].iter_mut().step_by(LENGTH / 4).for_each(|end| *end = b'b');
    let found = |window: &&[u8]| window.iter().zip(NEEDLE).all(|(a, b)| a == b);
    black_box(&haystack[..LENGTH - 1]).windows(NEEDLE.len()).filter(found).count() as u64
}

/// Sorts numbers by insertion; is the result in order?
#[inline(always)]
fn sort_numbers<const COUNT: usize>() -> u64 {
    let mut state = 1_u32;
    let mut numbers = [0; COUNT].map(|_: u32| next(&mut state));
    for end in 1..numbers.len() {
        let mut at = end;
        while at > 0 && numbers[at - 1] > numbers[at] {
            numbers.swap(at - 1, at);
            at -= 1;
        }
    }
    numbers.is_sorted().into()
}

/// A linear congruential generator (Numerical Recipes' constants).
fn next(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *state
}

/// Hashes bytes by FNV-1a.
#[inline(always)]
fn hash_bytes<const COUNT: usize>() -> u64 {
    let bytes = black_box([0x5a_u8; COUNT]);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
