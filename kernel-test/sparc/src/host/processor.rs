//! The virtual processor: the guest's registers, those among them that user state cannot have, and what the host does to
//! them.
//!
//! "The SPARC Architecture Manual, Version 9", section 5.2, "Privileged Registers"; "UltraSPARC User's Manual", section
//! 6.4, "Ancillary State Registers", for the alternate globals, SOFTINT and `TICK_CMPR`.

use core::mem::swap;

use pmu::Mode;

use super::instruction::{Instruction, Second, Source};
use super::stepped::Cursor;
use crate::low::{self, Frame};
use crate::world::as_guest;

/// PSTATE: the alternate globals; interrupts are taken; privileged; floating point.
const ALTERNATE: u64 = 1 << 0;
const ENABLE: u64 = 1 << 1;
const PRIVILEGED: u64 = 1 << 2;
const FLOATING: u64 = 1 << 4;
/// Where PSTATE is in TSTATE, and what else is there: condition codes and ASI.
const PSTATE_SHIFT: u32 = 8;
const CODES_AND_ASI: u64 = 0xffff << 24;
/// ASI_PRIMARY
const PRIMARY: u64 = 0x80 << 24;
/// The guest runs in user state, and each interrupt is taken.
const REAL: u64 = (ENABLE | FLOATING) << PSTATE_SHIFT;
/// The size of an entry in a trap table.
const ENTRY: u64 = 32;

/// Instructions between the two readings of the clock that are none of the guest's, if it was left by its own instruction
/// and if it was left by an interrupt. Found by experiment, and confirmed by every test: [`crate::tests`] has loops of a
/// known length.
const AROUND_TRAP: u64 = 11;
const AROUND_INTERRUPT: u64 = 10;
/// Instructions from the first reading of the clock to the guest's first.
const BEFORE: u64 = 9;

/// One virtual processor, which shares the host's memory.
#[derive(Debug, Default)]
pub struct Processor {
    /// PSTATE
    pub state: u64,
    /// TPC, TNPC, TSTATE and TT
    pub trapped: [u64; 4],
    /// TL
    pub level: u64,
    /// TBA
    pub table: u64,
    /// PIL
    pub priority: u64,
    /// SOFTINT
    pub soft: u64,
    /// TICK_CMPR
    pub compare: u64,
    /// The other set of globals.
    hidden: [u64; 8],
}

/// The bits of SOFTINT that ask for an interrupt of level 14 by the clock, and of level 15.
pub const SOFT_TICK: u64 = 1;
pub const SOFT_15: u64 = 1 << 15;
/// In TICK_CMPR: no interrupt comes.
pub const DISABLED: u64 = 1 << 63;

impl Processor {
    /// Makes the next entry begin at `entry`, on a fresh stack, in the kernel, with this argument.
    pub fn begin_at(&mut self, entry: extern "C" fn(u64) -> !, argument: u64) {
        *self = Self { state: PRIVILEGED | FLOATING, compare: DISABLED, ..Self::default() };
        let mut frame = Frame { address: entry as u64, next: entry as u64 + 4, state: PRIMARY, ..Frame::default() };
        (frame.outs[0], frame.outs[6]) = (argument, low::stack_pointer(low::guest_stack()));
        *self::frame() = frame;
    }

    /// Lets the guest execute so many instructions at most; returns how many it did.
    pub fn enter(&mut self, instructions: u64) -> u64 {
        let low = low::low();
        // SAFETY: the guest is this kernel's own code, in the state that `begin_at` has made. One processor runs, and
        // while it is the host's nobody else has this memory.
        unsafe {
            (*low).frame.state = (*low).frame.state & CODES_AND_ASI | REAL;
            (&raw mut (*low).deadline).write_volatile(BEFORE + instructions + self.filling());
            as_guest(|| low::enter_guest(low));
            let around = if (*low).trap == low::trap::TICK { AROUND_INTERRUPT } else { AROUND_TRAP };
            instructions_at((*low).left) - instructions_at((*low).entered) - around - (*low).windows
        }
    }

    /// What it takes longer to the first instruction's end if that goes back to a caller: its window is in memory, because
    /// all were flushed when the guest was left.
    fn filling(&self) -> u64 {
        if Instruction::decode(self.instruction()) == Instruction::Restore { low::WINDOW } else { 0 }
    }

    /// Why the guest was left.
    pub fn trap(&self) -> u64 {
        // SAFETY: as for `frame`.
        unsafe { (&raw const (*low::low()).trap).read_volatile() }
    }

    /// The next instruction's address.
    pub fn address(&self) -> u64 {
        frame().address
    }

    /// Where it is, and what is behind that.
    pub fn cursor(&self) -> Cursor {
        Cursor { address: frame().address, next: frame().next }
    }

    /// The next instruction itself.
    pub fn instruction(&self) -> u32 {
        // SAFETY: the guest's memory is the host's, and the guest is about to fetch from there.
        unsafe { (self.address() as *const u32).read_volatile() }
    }

    /// Goes on behind the instruction that the host has carried out.
    pub fn skip(&mut self) {
        let frame = frame();
        (frame.address, frame.next) = (frame.next, frame.next + 4);
    }

    /// The mode of the guest's next instruction.
    pub fn mode(&self) -> Mode {
        if self.state & PRIVILEGED == 0 { Mode::User } else { Mode::Kernel }
    }

    /// Would an interrupt of this level be taken now?
    pub fn is_interruptible(&self, level: u64) -> bool {
        self.state & ENABLE != 0 && self.priority < level
    }

    /// Takes a trap: goes to the kernel's table.
    pub fn take(&mut self, trap: u64) {
        let frame = frame();
        let state = frame.state & CODES_AND_ASI | self.state << PSTATE_SHIFT;
        self.trapped = [frame.address, frame.next, state, trap];
        self.level += 1;
        self.set_state(PRIVILEGED | FLOATING | ALTERNATE);
        self.go_to(self.table + trap * ENTRY);
    }

    /// RETRY
    pub fn retry(&mut self) {
        let [address, next, ..] = self.trapped;
        self.leave_trap(address, next);
    }

    /// DONE
    pub fn done(&mut self) {
        let [_, next, ..] = self.trapped;
        self.leave_trap(next, next + 4);
    }

    fn leave_trap(&mut self, address: u64, next: u64) {
        let [_, _, state, _] = self.trapped;
        let frame = frame();
        (frame.address, frame.next, frame.state) = (address, next, state & CODES_AND_ASI);
        self.level = 0;
        self.set_state(state >> PSTATE_SHIFT & 0xfff);
    }

    /// Sets PSTATE, which may bring the other set of globals.
    pub fn set_state(&mut self, state: u64) {
        if (self.state ^ state) & ALTERNATE != 0 {
            swap(&mut frame().globals, &mut self.hidden);
        }
        self.state = state;
    }

    fn go_to(&mut self, address: u64) {
        let frame = frame();
        (frame.address, frame.next) = (address, address + 4);
    }

    /// The register with this number: globals, outs, locals, ins.
    pub fn register(&self, number: usize) -> u64 {
        let (frame, at) = (frame(), number & 7);
        match number >> 3 {
            0 if at == 0 => 0,
            0 => frame.globals[at],
            1 => frame.outs[at],
            2 => frame.locals[at],
            _ => frame.ins[at],
        }
    }

    /// Sets it.
    pub fn set_register(&mut self, number: usize, value: u64) {
        let (frame, at) = (frame(), number & 7);
        match number >> 3 {
            0 => frame.globals[at] = value,
            1 => frame.outs[at] = value,
            2 => frame.locals[at] = value,
            _ => frame.ins[at] = value,
        }
    }

    /// What an instruction writes.
    pub fn value(&self, source: Source) -> u64 {
        let second = match source.second {
            Second::Register(number) => self.register(number),
            Second::Number(number) => number,
        };
        self.register(source.first) ^ second
    }
}

/// How many instructions had retired when %tick read this: 16 ns each, and 10 ns a tick.
fn instructions_at(ticks: u64) -> u64 {
    (ticks * 10).div_ceil(16)
}

/// While the guest does not run, its registers are the host's.
fn frame() -> &'static mut Frame {
    // SAFETY: one processor runs, the host, and nothing here keeps what this returns.
    unsafe { &mut (*low::low()).frame }
}
