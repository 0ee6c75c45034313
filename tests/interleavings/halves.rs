//! Words made of halves, which one CPU writes and another reads.

use loom::thread;

use super::{Atomic, Bits};
use crate::interleavings::{in_every_order, in_every_order_on_a_cpu};
use crate::sync::atomic::Ordering::Relaxed;
use crate::sync::atomic::{AtomicU32, Cpu};

/// Values whose halves all differ, so that a mixture is none of them.
const VALUES: [u64; 3] = [0x1111_1111_2222_2222, 0x3333_3333_4444_4444, 0x5555_5555_6666_6666];

/// A word with the first value. All its slots exist.
fn word() -> &'static Atomic {
    let word: &Atomic = Box::leak(Box::new(Atomic::new(0)));
    word.slots.iter().for_each(|slot| slot.set(0));
    word.store(VALUES[0]);
    word
}

/// A half that is 0.
fn half() -> &'static AtomicU32 {
    let half: &AtomicU32 = Box::leak(Box::new(AtomicU32::new(0)));
    half.store(0, Relaxed);
    half
}

/// Which of the values it is.
fn which(value: u64) -> usize {
    VALUES.iter().position(|&each| each == value).unwrap_or_else(|| panic!("{value:#x} is torn"))
}

/// The second write fills the slot that the reader may still read.
#[test]
fn another_cpu_reads_a_word_whole_and_sees_what_was_written_before_it() {
    in_every_order(|| {
        let (word, written) = (word(), half());
        let reader = thread::spawn(move || (which(word.observe()), written.load(Relaxed)));
        for (number, &value) in VALUES.iter().enumerate().skip(1) {
            written.store(number as u32, Relaxed);
            word.publish(value);
        }
        let (read, seen) = reader.join().unwrap();
        assert!(seen as usize >= read, "value {read} was read, and only {seen} was written before it");
    });
}

#[test]
fn another_cpu_reads_a_word_whole_while_an_interrupt_writes_it_amid_a_write() {
    in_every_order_on_a_cpu(|| {
        let word = word();
        let cpu = Cpu::idle();
        let here = cpu.clone();
        let reader = thread::spawn(move || [which(word.observe()), which(word.observe())]);
        let interrupt = thread::spawn(move || here.interrupt(|| word.publish(VALUES[2])));
        cpu.run(|| word.publish(VALUES[1]));
        interrupt.join().unwrap();
        let [first, second] = reader.join().unwrap();
        assert!(first == second || first == 0 || which(word.load()) == second, "{second} after {first}");
    });
}

#[test]
fn bits_that_another_cpu_includes_are_taken_once_and_show_what_was_written_before_them() {
    in_every_order(|| {
        let (bits, written) = (&*Box::leak(Box::new(Bits::none())), half());
        bits.include(0);
        let abroad = thread::spawn(move || {
            written.store(1, Relaxed);
            bits.include(1 << 40 | 1);
        });
        let taken = bits.take();
        assert!(taken == 0 || written.load(Relaxed) == 1, "{taken:#x} came before what it tells of");
        abroad.join().unwrap();
        let left = bits.take();
        assert_eq!((taken | left, taken & left), (1 << 40 | 1, 0));
    });
}
