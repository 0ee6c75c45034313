//! The virtual processor: the guest's registers, those among them that user mode cannot have, and what the host does to
//! them.

mod costs;
mod instructions;

pub use costs::Costs;
use harness::by_width;
use harness::host::{self, Exit, Interrupt, Latch, Machine, Refused, Trap, Wire};
use harness::world::as_guest;
use instructions::carry_out;
use pmu::arch::mips::mipsxx::{Device, PerfCtl};
use pmu::virt::{Device as _, Work};
use pmu::{CounterSet, Mode};

use super::clock;
use crate::guest::{self, MODELLED};
use crate::identity;
use crate::low::{self, Frame, exception};

/// Status\[IE\], \[EXL\] and \[KSU\] ("MIPS32 Architecture For Programmers, volume III", "Status Register").
const ENABLED: u32 = 1 << 0;
const EXCEPTION: u32 = 1 << 1;
const USER: u32 = 0b10 << 3;
/// Interrupt 7 among Status\[IM\] and Cause\[IP\].
const LINE: u32 = 1 << 15;

/// Status\[UX\], where registers have 64 bits.
const SIXTY_FOUR: usize = by_width!(1 << 5, 0);

/// What user mode really runs with: Compare interrupts, coprocessor 0 is unusable. EXL is on until the return from the
/// exception.
const REAL: usize = (ENABLED | EXCEPTION | USER | LINE) as usize | SIXTY_FOUR;

/// The register of a call's number and of its answer, and the one of its first argument.
const NUMBER: usize = 2;
const FIRST: usize = 4;

/// The unit, as the host has it.
pub type Unit<'k> = Device<&'k Wire>;

/// One virtual processor, which shares the host's memory.
#[derive(Default)]
pub struct Processor {
    /// Status
    pub status: u32,
    /// Cause\[ExcCode\], in its place.
    pub cause: u32,
    /// EPC
    pub exception_address: usize,
    /// What Count reads more than there were instructions.
    pub count: u32,
    costs: Costs,
    /// The clock stopped the guest behind a branch: with its delay slot it is one.
    is_at_branch: bool,
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

    /// Is the guest's kernel at exception level?
    fn is_at_exception_level(&self) -> bool {
        self.status & EXCEPTION != 0
    }

    fn take_exception(&mut self, number: usize) {
        self.exception_address = frame().address;
        self.cause = (number as u32) << 2;
        self.status |= EXCEPTION;
        self.is_at_branch = false;
        frame().address = guest::vector();
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

impl host::Processor<Unit<'_>> for Processor {
    const PATIENCE: u64 = 2_000_000_000;
    const LATCH: Latch = Latch::Level;

    fn begin(&mut self, body: fn()) {
        self.begin_at(guest::begin as *const () as usize, body as usize);
    }

    /// Nor is a branch among them whose delay slot is still to come.
    fn enter(&mut self, instructions: u64) -> u64 {
        let least = if self.is_at_branch { 2 } else { 1 };
        frame().status = REAL;
        // SAFETY: the host alone runs.
        unsafe { (*low::low()).counts = clock::counts(instructions.clamp(least, clock::LONGEST) + self.costs.ahead) };
        // SAFETY: the guest is this kernel's own code, in the state that `begin_at` has made.
        as_guest(|| unsafe { low::enter_guest() });
        // SAFETY: as above.
        let passed = unsafe { clock::between((*low::low()).entered, (*low::low()).left) };
        let is_interrupt = frame().exception() == exception::INTERRUPT;
        self.is_at_branch = is_interrupt && frame().is_in_delay_slot();
        passed - if is_interrupt { self.costs.interrupt } else { self.costs.trap } - u64::from(self.is_at_branch)
    }

    /// In a delay slot the host carries nothing out.
    fn exit(&self) -> Exit {
        match frame().exception() {
            exception::INTERRUPT => Exit::Pause,
            other if frame().is_in_delay_slot() => Exit::Other(other as u64),
            exception::BREAKPOINT => Exit::Mark,
            exception::SYSTEM_CALL => Exit::Call,
            exception::COPROCESSOR_UNUSABLE => Exit::Instruction(exception::COPROCESSOR_UNUSABLE as u64),
            other => Exit::Other(other as u64),
        }
    }

    fn address(&self) -> u64 {
        frame().address as u64
    }

    fn skip(&mut self) {
        frame().address += 4;
    }

    fn mode(&self) -> Mode {
        if self.status & (USER | EXCEPTION) == USER { Mode::User } else { Mode::Kernel }
    }

    fn arguments(&self) -> [u64; 3] {
        [NUMBER, FIRST, FIRST + 1].map(|number| self.register(number) as u64)
    }

    fn set_answer(&mut self, answer: u64) {
        self.set_register(NUMBER, answer as usize);
    }

    /// The timer has the unit's line.
    fn accepts(&self, _: Interrupt) -> bool {
        self.status & (ENABLED | EXCEPTION) == ENABLED && self.status & LINE != 0
    }

    fn take(host: &mut Machine<'_, Self, Unit<'_>>, trap: Trap) {
        let number = match trap {
            Trap::Interrupt(_) => exception::INTERRUPT,
            Trap::Call => exception::SYSTEM_CALL,
            Trap::Refused(number) => number as usize,
        };
        host.processor.take_exception(number);
    }

    fn carry_out(host: &mut Machine<'_, Self, Unit<'_>>) -> Result<(), Refused> {
        carry_out(host)
    }

    fn counting(&self, unit: &Unit<'_>, mode: Mode) -> CounterSet {
        let wanted = match mode {
            Mode::User => PerfCtl::USER,
            _ if self.is_at_exception_level() => PerfCtl::EXCEPTION,
            _ => PerfCtl::KERNEL,
        };
        set(unit.state().controls.map(|control| PerfCtl::from_bits_retain(control).contains(wanted)))
    }

    fn negative(unit: &Unit<'_>) -> Option<CounterSet> {
        let top = 1 << (identity::presented().capabilities().width.bits() - 1);
        Some(set(unit.state().counters.map(|value| value & top != 0)))
    }

    fn tell_mode(&self, unit: &Unit<'_>) {
        unit.set_exception(self.is_at_exception_level());
    }

    /// So many events have happened that the guest models.
    fn answer_own(host: &mut Machine<'_, Self, Unit<'_>>, kind: u64, number: u64) {
        let kind = MODELLED.get(kind as usize).copied();
        host.happen(|mode| {
            let work = Work::instructions(mode, 0);
            kind.map_or(work, |kind| work.with(kind, number))
        });
    }
}

fn set(counters: [bool; 4]) -> CounterSet {
    CounterSet::from_bits((0..).zip(counters).fold(0, |bits, (number, is_in)| bits | u64::from(is_in) << number))
}

/// While the guest does not run, its registers are the host's.
fn frame() -> &'static mut Frame {
    // SAFETY: one processor runs, the host, and nothing here keeps what this returns.
    unsafe { &mut (*low::low()).frame }
}
