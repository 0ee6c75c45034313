//! The virtual processor: the guest's registers, those among them that user mode cannot have, and what the host does to
//! them.

use pmu::Mode;

use super::{as_guest, clock};
use crate::by_width;
use crate::low::{self, Frame, exception};

/// Status\[IE\], \[EXL\] and \[KSU\] ("MIPS32 Architecture For Programmers, volume III", "Status Register").
const ENABLED: u32 = 1 << 0;
const EXCEPTION: u32 = 1 << 1;
const USER: u32 = 0b10 << 3;
/// Interrupt 7 among Status\[IM\] and Cause\[IP\].
const LINE: u32 = 1 << 15;

/// What user mode really runs with: Compare interrupts, coprocessor 0 is unusable, registers have 64 bits (UX). EXL is on
/// until the return from the exception.
const REAL: usize = (ENABLED | EXCEPTION | USER | LINE) as usize | by_width!(1 << 5, 0);

/// One virtual processor, which shares the host's memory.
#[derive(Default)]
pub struct Processor {
    /// Status
    pub status: u32,
    /// Cause\[ExcCode\], in its place.
    pub cause: u32,
    /// EPC
    pub exception_address: usize,
    costs: Costs,
    /// The clock stopped the guest behind a branch: with its delay slot it is one.
    is_at_branch: bool,
}

/// Instructions on the way from one reading of the clock to the other that are not the guest's.
#[derive(Clone, Copy, Default)]
pub struct Costs {
    /// From the first reading to the guest.
    ahead: u64,
    /// Both ways, with an instruction that traps.
    trap: u64,
    /// Both ways, with an interrupt.
    interrupt: u64,
}

impl Processor {
    /// A processor on which these are the ways.
    pub fn new(costs: Costs) -> Self {
        Self { costs, ..Self::default() }
    }

    /// Makes the next entry begin at `entry`, on a fresh stack, in kernel mode, with this argument.
    pub fn begin_at(&mut self, entry: usize, argument: usize) {
        *self = Self::new(self.costs);
        *frame() = Frame { address: entry, ..Frame::NOTHING };
        let registers = &mut frame().general;
        (registers[4], registers[25], registers[29]) = (argument, entry, low::guest_stack() - 64);
    }

    /// Lets the guest execute so many instructions at most; returns how many it did. One that traps is not among them, nor
    /// a branch whose delay slot is still to come.
    pub fn enter(&mut self, instructions: u64) -> u64 {
        let least = if self.is_at_branch { 2 } else { 1 };
        frame().status = REAL;
        // SAFETY: the host alone runs.
        unsafe { (*low::low()).counts = clock::counts(instructions.clamp(least, clock::LONGEST) + self.costs.ahead) };
        // SAFETY: the guest is this kernel's own code, in the state that `begin_at` has made.
        as_guest(|| unsafe { low::enter_guest() });
        // SAFETY: as above.
        let passed = unsafe { clock::between((*low::low()).entered, (*low::low()).left) };
        let is_interrupt = self.exception() == exception::INTERRUPT;
        self.is_at_branch = is_interrupt && frame().is_in_delay_slot();
        passed - if is_interrupt { self.costs.interrupt } else { self.costs.trap } - u64::from(self.is_at_branch)
    }

    /// Why the guest was left.
    pub fn exception(&self) -> usize {
        frame().exception()
    }

    /// Was it in a delay slot, where the host carries nothing out?
    pub fn is_in_delay_slot(&self) -> bool {
        frame().is_in_delay_slot()
    }

    /// The next instruction's address.
    pub fn address(&self) -> usize {
        frame().address
    }

    /// The next instruction itself.
    pub fn instruction(&self) -> u32 {
        // SAFETY: the guest's memory is the host's, and the guest is about to fetch from there.
        unsafe { (self.address() as *const u32).read_volatile() }
    }

    /// Goes on behind the instruction that the host has carried out.
    pub fn skip(&mut self) {
        frame().address += 4;
    }

    /// The mode of the guest's next instruction.
    pub fn mode(&self) -> Mode {
        if self.status & (USER | EXCEPTION) == USER { Mode::User } else { Mode::Kernel }
    }

    /// Is the guest's kernel at exception level?
    pub fn is_at_exception_level(&self) -> bool {
        self.status & EXCEPTION != 0
    }

    /// Would the unit's interrupt be taken now?
    pub fn is_interruptible(&self) -> bool {
        self.status & (ENABLED | EXCEPTION) == ENABLED && self.status & LINE != 0
    }

    /// Takes an exception: goes to the kernel's vector.
    pub fn take(&mut self, exception: usize, vector: usize) {
        self.exception_address = frame().address;
        self.cause = (exception as u32) << 2;
        self.status |= EXCEPTION;
        self.is_at_branch = false;
        frame().address = vector;
    }

    /// `eret`
    pub fn return_from_exception(&mut self) {
        self.status &= !EXCEPTION;
        frame().address = self.exception_address;
    }

    /// The general register with this number.
    pub fn register(&self, number: usize) -> usize {
        frame().general[number]
    }

    /// Sets it; register 0 is always 0.
    pub fn set_register(&mut self, number: usize, value: usize) {
        if number != 0 {
            frame().general[number] = value;
        }
    }
}

/// While the guest does not run, its registers are the host's.
fn frame() -> &'static mut Frame {
    // SAFETY: one processor runs, the host, and nothing here keeps what this returns.
    unsafe { &mut (*low::low()).frame }
}

impl Costs {
    /// Finds the ways' lengths: a guest that runs over a row of NOPs says by its address how many it executed.
    pub fn calibrate() -> Self {
        // SAFETY: the host alone runs.
        unsafe { (*low::low()).parts = clock::parts() };
        let trap = executed(ROW, 1, Self { ahead: LONG, ..Self::default() }).0;
        let ahead = |ahead| Self { ahead, trap, interrupt: 0 };
        let mut ways = (1..LONG).map(ahead).find(|ways| executed(0, 1, *ways).1 == 1).expect("Compare stops the guest");
        ways.interrupt = executed(0, 1, ways).0 - 1;
        let is_exact = |instructions| executed(0, instructions, ways) == (instructions, instructions as usize);
        assert!((1..ROW as u64).all(is_exact), "Compare stops the guest at its very instruction");
        ways
    }
}

/// Lets a guest go on from this NOP of the row for so many instructions. Returns how many it executed, by the clock and by
/// its address.
fn executed(from: usize, instructions: u64, costs: Costs) -> (u64, usize) {
    let mut processor = Processor::new(costs);
    processor.begin_at(row() + 4 * from, 0);
    let retired = processor.enter(instructions);
    (retired, (processor.address() - row()) / 4 - from)
}

/// More instructions than the ways have.
const LONG: u64 = 400;
/// The length of the row, which ends in a call of the host.
const ROW: usize = 512;

unsafe extern "C" {
    static calibration_row: u8;
}

/// The row's address.
fn row() -> usize {
    &raw const calibration_row as usize
}

crate::assembly!(
    r#"
    .text
    .global calibration_row
calibration_row:
    .rept {row}
    nop
    .endr
    syscall
    nop
    "#,
    row = const ROW,
);
