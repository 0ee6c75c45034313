//! An interrupt comes at every access of every operation on words made of halves.

use std::cell::Cell as Plain;
use std::rc::Rc;

use super::*;

/// Two values whose halves all differ.
const OLD: u64 = 0x1111_1111_2222_2222;
const NEW: u64 = 0x3333_3333_4444_4444;
const OTHERS: [u64; 3] = [0x5555_5555_6666_6666, 0x7777_7777_8888_8888, 0x9999_9999_AAAA_AAAA];
/// The greatest number of the lower half.
const EDGE: u64 = u32::MAX as u64;

type Handler = Rc<dyn Fn()>;

thread_local! {
    /// The interrupt, and how many accesses come before it.
    static COMING: Plain<Option<(u32, Handler)>> = const { Plain::new(None) };
}

/// A half at whose accesses interrupts are taken.
#[derive(Default)]
struct Interruptible(AtomicU32);

impl Interruptible {
    fn half(&self) -> &AtomicU32 {
        match COMING.take() {
            Some((0, handler)) => handler(),
            Some((accesses, handler)) => COMING.set(Some((accesses - 1, handler))),
            None => {}
        }
        &self.0
    }
}

impl Half for Interruptible {
    fn load(&self, order: Ordering) -> u32 {
        self.half().load(order)
    }

    fn store(&self, value: u32) {
        Half::store(self.half(), value);
    }

    fn include(&self, bits: u32) {
        self.half().include(bits);
    }

    fn exclude(&self, bits: u32) {
        self.half().exclude(bits);
    }

    fn take(&self) -> u32 {
        self.half().take()
    }

    fn exchange(&self, from: u32, to: u32) -> bool {
        self.half().exchange(from, to)
    }
}

type Word = Atomic<Interruptible>;

fn word(value: u64) -> Rc<Word> {
    let word = Rc::new(Word::default());
    word.store(value);
    word
}

/// Does `operation` on a new word again and again, interrupted by `handler` at each of its accesses
/// in turn, and has each of them looked at by `check`. Returns how many there were.
fn interrupted_everywhere<R>(
    value: u64,
    handler: impl Fn(&Word) + Copy + 'static,
    operation: impl Fn(&Word) -> R,
    check: impl Fn(&Word, R),
) -> u32 {
    for accesses in 0.. {
        let word = word(value);
        let inner = Rc::clone(&word);
        COMING.set(Some((accesses, Rc::new(move || handler(&inner)))));
        let result = operation(&word);
        if COMING.take().is_some() {
            return accesses;
        }
        check(&word, result);
    }
    unreachable!("an operation ends")
}

#[test]
fn an_interrupt_at_any_access_of_a_write_reads_the_old_value_or_the_new() {
    let seen = |word: &Word| assert!([OLD, NEW].contains(&word.load()), "{:#x}", word.load());
    let accesses = interrupted_everywhere(OLD, seen, |word| word.store(NEW), |word, ()| assert_eq!(word.load(), NEW));
    assert!(accesses >= 4, "two halves, a mark and the state are written, not {accesses} of them");
}

#[test]
fn a_reading_is_never_torn_however_often_an_interrupt_writes_amid_it() {
    for writes in 1..=9 {
        let write = move |word: &Word| (0..writes).for_each(|number| word.store(OTHERS[number % 3]));
        let last = OTHERS[(writes - 1) % 3];
        let accesses = interrupted_everywhere(OLD, write, Atomic::load, |word, read| {
            assert!([OLD, last].contains(&read), "{read:#x} after {writes} writes");
            assert_eq!(word.load(), last);
        });
        assert!(accesses >= 3, "two halves and the state are read, not {accesses} of them");
    }
}

#[test]
fn two_writes_one_amid_the_other_leave_one_of_them_whole() {
    for writes in 1..=9 {
        let write = move |word: &Word| {
            for number in 0..writes {
                word.store(OTHERS[number % 3]);
                assert_eq!(word.load(), OTHERS[number % 3], "an interrupt reads what it wrote");
            }
        };
        let last = OTHERS[(writes - 1) % 3];
        interrupted_everywhere(
            OLD,
            write,
            |word| word.store(NEW),
            |word, ()| {
                assert!([NEW, last].contains(&word.load()), "{:#x}", word.load());
            },
        );
    }
}

/// Interrupts a write after `first` accesses by another write, and that one after `second` accesses by a third. Returns
/// true if the third happened.
fn nested_writes(first: u32, second: u32) -> bool {
    let word = word(OLD);
    let (middle, inner) = (Rc::clone(&word), Rc::clone(&word));
    let innermost: Handler = Rc::new(move || inner.store(OTHERS[1]));
    let handler: Handler = Rc::new(move || {
        COMING.set(Some((second, Rc::clone(&innermost))));
        middle.store(OTHERS[0]);
    });
    COMING.set(Some((first, handler)));
    word.store(NEW);
    let came = COMING.take().is_none();
    assert!([NEW, OTHERS[0], OTHERS[1]].contains(&word.load()), "{:#x}, {first}, {second}", word.load());
    came
}

#[test]
fn three_writers_one_amid_another_leave_nothing_torn() {
    let innermost = (0..16).flat_map(|first| (0..16).map(move |second| nested_writes(first, second)));
    assert!(innermost.filter(|came| *came).count() >= 64, "few writes were amid two others");
}

#[test]
fn what_either_side_adds_is_kept() {
    let add = |word: &Word| word.advance();
    interrupted_everywhere(EDGE - 1, add, Atomic::advance, |word, ()| assert_eq!(word.load(), EDGE + 1));
    interrupted_everywhere(u64::MAX, add, Atomic::advance, |word, ()| assert_eq!(word.load(), 1));
}

#[test]
fn what_is_taken_out_and_what_is_added_meanwhile_are_all_there_was() {
    let add = |word: &Word| word.advance();
    let take = |word: &Word| word.update(|_| 0);
    interrupted_everywhere(EDGE, add, take, |word, taken| assert_eq!(taken + word.load(), EDGE + 1));
}

#[test]
fn no_slot_stays_marked() {
    let write = |word: &Word| word.store(OTHERS[0]);
    interrupted_everywhere(OLD, write, Atomic::advance, |word, ()| assert_eq!(word.marked.0.load(Relaxed), 0));
}

#[test]
fn bits_that_either_side_changes_are_kept() {
    for accesses in 0.. {
        let bits = Rc::new(Bits::<Interruptible>(Cell::default()));
        bits.include(1 << 40 | 1);
        let inner = Rc::clone(&bits);
        COMING.set(Some((accesses, Rc::new(move || inner.include(1 << 41 | 2)))));
        bits.include(1 << 42 | 4);
        bits.exclude(1 << 40 | 1);
        let taken = bits.take();
        let came = COMING.take().is_none();
        let of_interrupt = if came { 1 << 41 | 2 } else { 0 };
        assert_eq!(taken | bits.get(), 1 << 42 | 4 | of_interrupt);
        assert_eq!(taken & bits.get(), 0);
        if !came {
            return;
        }
    }
}
