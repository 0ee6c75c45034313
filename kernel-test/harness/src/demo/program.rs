//! What the demo measures: a program of five functions that cost unequally, and that know their
//! own answers.

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

/// Counts the primes below 30,000 by the sieve of Eratosthenes, several times.
#[inline(never)]
fn sieve() -> u64 {
    const BELOW: usize = 30_000;
    let mut primes = 0;
    for _ in 0..20 {
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
#[inline(never)]
fn multiply() -> u64 {
    const SIDE: usize = 48;
    let left: [[u64; SIDE]; SIDE] =
        black_box(core::array::from_fn(|row| core::array::from_fn(|at| (row * at % 11) as u64)));
    let mut product = left;
    for _ in 0..16 {
        let right = black_box(product);
        for (row, sums) in left.iter().zip(&mut product) {
            for (column, sum) in sums.iter_mut().enumerate() {
                *sum = row.iter().zip(&right).fold(0, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(b[column])));
            }
        }
    }
    product.as_flattened().iter().fold(0, |sum, value| sum.wrapping_add(*value))
}

/// Looks for a needle in a haystack that is full of its beginnings.
#[inline(never)]
fn search() -> u64 {
    const NEEDLE: &[u8] = b"aaaaaaab";
    let mut haystack = [b'a'; 40_000];
    haystack[9_999..].iter_mut().step_by(10_000).for_each(|end| *end = b'b');
    let found = |window: &&[u8]| window.iter().zip(NEEDLE).all(|(a, b)| a == b);
    black_box(&haystack[..39_999]).windows(NEEDLE.len()).filter(found).count() as u64
}

/// Sorts numbers by insertion; is the result in order?
#[inline(never)]
fn sort() -> u64 {
    let mut state = 1_u32;
    let mut numbers = [0; 1000].map(|_: u32| next(&mut state));
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
#[inline(never)]
fn hash() -> u64 {
    let bytes = black_box([0x5a_u8; 60_000]);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
