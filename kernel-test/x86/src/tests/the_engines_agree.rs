//! Told by the clock, from ring to ring, or by looking at each instruction, it is the same: whatever the
//! guest does, as many instructions retire, as many are counted in each ring, and as many interrupts come.

use core::arch::asm;
use core::fmt::Write;
use core::hint::black_box;

use harness::Call;
use harness::demo::ledger;
use harness::demo::program::Part;

use super::programs::{self, COUNTING, SAMPLING};
use crate::guest::{Engine, Here, instructions, lvt, msr, observe_by, on_nmi, position, sled, user};
use crate::width::whole;
use crate::{identity, machine_code, trap};
use harness::{Effort, Guest};

/// A bit of everything.
const PROGRAM: [fn(); 12] = [
    loops,
    strings,
    text,
    functions,
    hypercalls,
    faults,
    ring_3,
    crossings,
    orders,
    overflows,
    vectors,
    vectors_at_once,
];
/// Instructions retired in either ring, in ring 3 (USR, EN), in ring 0 (OS, EN).
const RINGS: [u64; 3] = [COUNTING, COUNTING & !(1 << 17), COUNTING & !(1 << 16)];

pub fn test() {
    on_nmi(|_| instructions::exactly(20));
    // It is the host that is tried, which is one for all processors of an image.
    let (first, step) = identity::presented().share();
    let tries_all =
        Effort::chosen() == Effort::Whole || matches!(identity::presented().name, "skylake" | "core-duo" | "p5");
    let step = if tries_all { step } else { PROGRAM.len() };
    for (number, part) in PROGRAM.into_iter().enumerate().skip(first as usize - 1).step_by(step) {
        for rings in RINGS {
            let [as_needed, observer] = [Engine::AsNeeded, Engine::Observer].map(|engine| account(engine, rings, part));
            assert_eq!(as_needed, observer, "part {number}, {rings:#x}");
        }
    }
}

/// What passes in a part of the program: instructions retired, instructions counted, NMIs,
/// overflows.
fn account(engine: Engine, rings: u64, part: fn()) -> [u64; 4] {
    observe_by(engine);
    programs::preset(0);
    programs::set(rings).expect("instructions can be counted");
    let before = [Here::retired(), 0, Here::interrupts(), Here::overflows()];
    black_box(part)();
    let counted = programs::value();
    let after = [Here::retired(), counted, Here::interrupts(), Here::overflows()];
    programs::stop();
    core::array::from_fn(|item| after[item] - before[item])
}

fn loops() {
    instructions::exactly(1000);
    sled::run(2);
    position::turn(100);
}

fn strings() {
    let (from, mut to) = ([7_u8; 100], [0_u8; 100]);
    // SAFETY: both are as long as what is copied, and the direction flag is clear.
    unsafe {
        asm!(
            whole!("xchg {from}, ", si),
            "rep movsb",
            "rep movsb",
            whole!("xchg {from}, ", si),
            from = inout(reg) from.as_ptr() => _,
            inout("ecx") from.len() => _,
            inout("edi") to.as_mut_ptr() => _,
        );
    }
    assert_eq!(from, to);
}

/// Digits in a buffer.
struct Digits([u8; 64], usize);

impl Write for Digits {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.0.iter_mut().skip(self.1).zip(text.bytes()).for_each(|(place, byte)| *place = byte);
        self.1 += text.len();
        Ok(())
    }
}

fn text() {
    let mut digits = Digits([0; 64], 0);
    write!(digits, "{} {:#x} {:?}", black_box(1_234_567), black_box(u64::MAX), black_box(Some(-1))).expect("it fits");
    assert_eq!(&digits.0[..digits.1], b"1234567 0xffffffffffffffff Some(-1)");
}

fn functions() {
    ledger::PARTS.iter().skip(2).for_each(Part::check);
}

fn hypercalls() {
    Here::call(Call::Truth, 0, 0);
    instructions::exactly(20);
    machine_code::__cpuid(0);
}

/// The host's own, and the processor's: ring 3 may not read counters.
fn faults() {
    const NOBODYS: u32 = 0x1fff;
    assert!(msr::read(NOBODYS).is_err());
    user::run(reading);
}

extern "C" fn reading() {
    assert!(msr::read_counter(0).is_err());
}

fn ring_3() {
    user::run(visitor);
}

extern "C" fn visitor() {
    instructions::exactly(77);
}

/// An NMI on each instruction of the way to ring 3 and back.
fn crossings() {
    for instructions in 0..60 {
        Here::interrupt_after(instructions);
        user::run(visitor);
    }
}

/// NMIs, one of them while another is handled.
fn orders() {
    Here::interrupt_after(50);
    Here::interrupt_after(0);
    instructions::exactly(100);
    Here::hold_interrupts(30);
    Here::interrupt_after(10);
    instructions::exactly(100);
}

fn overflows() {
    lvt::write(lvt::NMI);
    programs::overflow_after(100);
    programs::run(SAMPLING, 100);
    lvt::write(lvt::MASK);
}

fn vectors() {
    lvt::write(trap::FIXED_VECTOR.into());
    programs::overflow_after(10);
    programs::run(SAMPLING, 10);
    machine_code::enable_interrupts();
    instructions::exactly(30);
    machine_code::disable_interrupts();
    lvt::write(lvt::MASK);
}

/// The interrupt comes between two instructions that count.
fn vectors_at_once() {
    lvt::write(trap::FIXED_VECTOR.into());
    programs::overflow_after(10);
    machine_code::enable_interrupts();
    programs::run(SAMPLING, 10);
    machine_code::disable_interrupts();
    lvt::write(lvt::MASK);
}
