//! What runs below a guest in user mode: one virtual processor, one unit in software, one test after the other.
//!
//! QEMU has no unit for most instruction sets. There the kernel's image is two things. As host it puts a [`Guest`] into user
//! mode, where each instruction of the driver's that reaches the unit traps, and answers from the crate's own
//! [`pmu::virt::Device`]. The kernel supplies its [`Processor`], which enters the guest for so many instructions, carries out
//! those that trap, and says which of the device's counters are on. All else is here: [`Machine`] is the loop of entry and
//! exit, the [`Ledger`] is the host's book, the [`Wire`] leads from the unit to the guest's interrupt.
//!
//! [`Guest`]: crate::Guest

#![allow(clippy::result_large_err, reason = "an error ends the test, and there is no allocator to box it with")]

mod calls;
mod ledger;
mod machine;
mod run;
mod wire;

use pmu::virt::{Device, Fault};
use pmu::{CounterSet, Mode};

use crate::Words;

pub use ledger::{Counted, Ledger};
pub use machine::Machine;
pub use memory::text;
pub use run::{Task, conclude, run, run_each, run_on};
pub use wire::Wire;

/// How a guest ended: successfully, or with this failure.
pub type Outcome = Result<(), Words>;

/// Until when the interrupt of an overflow is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Latch {
    /// As long as the unit says so.
    Level,
    /// Until the processor takes it, which keeps it meanwhile.
    UntilTaken,
    /// Until the guest clears a bit of the processor's.
    UntilCleared,
}

/// A virtual processor, which shares the host's memory: the guest's registers, and what the host does to them.
pub trait Processor<U: Device>: Sized {
    /// A guest that retires more instructions than these hangs.
    const PATIENCE: u64;
    /// Until when the unit's interrupt is there.
    const LATCH: Latch;

    /// Makes the next entry begin at the kernel's first function, in its kernel's mode and on a fresh stack, with this
    /// argument.
    fn begin(&mut self, body: fn());
    /// Lets the guest execute so many instructions at most, which are at least one. Returns how many retired: the one that
    /// traps is not among them.
    fn enter(&mut self, instructions: u64) -> u64;
    /// Returns why the guest was left.
    fn exit(&self) -> Exit;
    /// Returns the next instruction's address.
    fn address(&self) -> u64;
    /// Goes on behind the instruction that the host has carried out.
    fn skip(&mut self);
    /// Returns the mode of the guest's next instruction.
    fn mode(&self) -> Mode;
    /// Returns the number of the guest's call, and its two arguments.
    fn arguments(&self) -> [u64; 3];
    /// Sets the answer to the guest's call.
    fn set_answer(&mut self, answer: u64);
    /// Would this interrupt be taken now?
    fn accepts(&self, interrupt: Interrupt) -> bool;
    /// Does the timer ask for an interrupt?
    fn ticks(&self, ledger: &Ledger) -> bool {
        ledger.ticks()
    }
    /// Takes a trap: goes to the kernel's entry for it.
    fn take(host: &mut Machine<'_, Self, U>, trap: Trap);
    /// Carries out the guest's next instruction and goes on behind it.
    ///
    /// It retires before it takes effect: a write that starts a counter is not counted by it, and one that stops it is.
    ///
    /// # Errors
    /// It is nothing that the host carries out, or the guest may not. It has not retired.
    fn carry_out(host: &mut Machine<'_, Self, U>) -> Result<(), Refused>;

    /// Returns the next instruction.
    fn instruction(&self) -> u32 {
        memory::instruction(self.address())
    }
    /// Is the next instruction one of the kernel's that may be refused?
    fn is_probe(&self) -> bool {
        false
    }

    /// Returns the unit's counters that are on in this mode, by what stands in its registers.
    fn counting(&self, unit: &U, mode: Mode) -> CounterSet;
    /// Returns the unit's counters whose top bit is set, where that is how they overflow; `None` where they begin anew from 0.
    fn negative(unit: &U) -> Option<CounterSet>;
    /// Tells the unit that its interrupt was taken.
    fn tell_taken(_unit: &U) {}
    /// Tells the unit of the processor's mode, where it wants to know more than how much work was done in which.
    fn tell_mode(&self, _unit: &U) {}
    /// Tells the unit which instruction is next, where it notes that of an overflow.
    fn tell_position(&self, _unit: &U) {}

    /// Lets the guest [go on](Machine::go_on) until something is due, or not so far where the unit wants to know more of
    /// what it does than how much.
    fn go_on(host: &mut Machine<'_, Self, U>) {
        host.go_on();
    }
    /// Carries out what takes no step of the guest's. Returns false if the next instruction does.
    fn instead_of_a_step(_host: &mut Machine<'_, Self, U>) -> bool {
        false
    }
    /// What this kernel alone [asks](crate::Call::Own) of its host. The call has retired.
    fn answer_own(_host: &mut Machine<'_, Self, U>, _first: u64, _second: u64) {}
}

/// Why a guest was left; with the exception's number, where the guest may hear of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The host wanted to see it.
    Pause,
    /// It calls its host.
    Call,
    /// It marks the time.
    Mark,
    /// An instruction that is the host's to carry out.
    Instruction(u64),
    /// An exception that a kernel without a handler for it does not survive.
    Other(u64),
}

/// An interrupt that the guest's kernel may keep off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupt {
    /// The unit's.
    Overflow,
    /// The timer's.
    Tick,
}

/// What leads the guest to an entry of its kernel's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// An interrupt.
    Interrupt(Interrupt),
    /// A user program calls its kernel.
    Call,
    /// An instruction was refused; with the exception's number.
    Refused(u64),
}

/// The guest may not, or there is no such instruction or register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused;

impl From<Fault> for Refused {
    fn from(_: Fault) -> Self {
        Self
    }
}

/// The guest's memory, which is the host's too.
mod memory {
    #![expect(unsafe_code, reason = "the guest's addresses are read")]

    /// The instruction at this address.
    pub(super) fn instruction(address: u64) -> u32 {
        // SAFETY: the guest is about to fetch from there.
        unsafe { (address as *const u32).read_volatile() }
    }

    /// Returns a guest's words.
    pub fn text(address: u64, length: u64) -> &'static str {
        // SAFETY: the guest is this kernel's own code, and hands over a buffer that it leaves alone for as long as the host
        // reads it.
        let bytes = unsafe { core::slice::from_raw_parts(address as *const u8, length as usize) };
        core::str::from_utf8(bytes).unwrap_or("a reason that is not text")
    }
}
