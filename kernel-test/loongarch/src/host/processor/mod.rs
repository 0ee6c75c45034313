//! The virtual processor: the guest's registers, those among them that PLV3 cannot have, and what the host does to them.

mod costs;
mod instructions;

pub use costs::Costs;
use harness::host::{self, Exit, Interrupt, Latch, Machine, Refused, Trap, Wire};
use harness::world::as_guest;
use instructions::carry_out;
use pmu::arch::loongarch::la64::{Device, Pmcfg};
use pmu::virt::Device as _;
use pmu::{CounterSet, Mode};

use super::clock;
use crate::guest;
use crate::identity;
use crate::low::{self, Frame, exception};

/// CRMD\[PLV\] and \[IE\], and the same in PRMD ("LoongArch Reference Manual, volume 1", "Current Mode Information").
const LEVEL: u64 = 3;
const IS_ON: u64 = 1 << 2;
/// The lines among ECFG\[LIE\] and ESTAT\[IS\]: the unit's and the timer's.
const OVERFLOW: u64 = 1 << 10;
const TIMER: u64 = 1 << 11;

/// The register of a call's number and of its answer, and the one of its first argument.
const NUMBER: usize = 11;
const FIRST: usize = 4;

/// The unit, as the host has it.
pub type Unit<'k> = Device<&'k Wire>;

/// One virtual processor, which shares the host's memory.
#[derive(Default)]
pub struct Processor {
    /// CRMD, as far as it says the level and whether interrupts are on.
    pub mode: u64,
    /// PRMD
    pub mode_before: u64,
    /// ECFG
    pub enabled: u64,
    /// ESTAT\[Ecode\]
    pub exception: u64,
    /// ERA
    pub exception_address: u64,
    /// The lines of ESTAT\[IS\] for which the interrupt was taken that is being handled.
    pub taken: u64,
    /// CNTC: what the stable counter reads more than there were ticks.
    pub compensation: u64,
    costs: Costs,
}

impl Processor {
    /// A processor on which these are the ways.
    pub fn new(costs: Costs) -> Self {
        Self { costs, ..Self::default() }
    }

    /// Makes the next entry begin at `entry`, on a fresh stack, at PLV0, with this argument.
    pub fn begin_at(&mut self, entry: u64, argument: u64) {
        *self = Self::new(self.costs);
        *frame() = Frame { address: entry, ..Frame::NOTHING };
        let registers = &mut frame().general;
        (registers[4], registers[3]) = (argument, low::guest_stack() - 64);
    }

    fn take_exception(&mut self, number: u64) {
        self.exception_address = frame().address;
        self.exception = number;
        self.mode_before = self.mode;
        self.mode = 0;
        frame().address = guest::vector();
    }

    /// ERTN
    pub fn return_from_exception(&mut self) {
        self.taken = 0;
        self.mode = self.mode_before;
        frame().address = self.exception_address;
    }

    /// The general register with this number.
    pub fn register(&self, number: usize) -> u64 {
        frame().general[number]
    }

    /// Sets it; register 0 is always 0.
    pub fn set_register(&mut self, number: usize, value: u64) {
        if number != 0 {
            frame().general[number] = value;
        }
    }
}

impl host::Processor<Unit<'_>> for Processor {
    const PATIENCE: u64 = 2_000_000_000;
    const LATCH: Latch = Latch::Level;

    fn begin(&mut self, body: fn()) {
        self.begin_at(guest::begin as *const () as u64, body as *const () as u64);
    }

    fn enter(&mut self, instructions: u64) -> u64 {
        // SAFETY: the host alone runs.
        unsafe { (*low::low()).timer = clock::timer(instructions.clamp(1, clock::LONGEST) + self.costs.ahead) };
        // SAFETY: the guest is this kernel's own code, in the state that `begin_at` has made.
        as_guest(|| unsafe { low::enter_guest() });
        // SAFETY: as above.
        let passed = unsafe { clock::between((*low::low()).entered, (*low::low()).left) };
        let is_interrupt = frame().exception() == exception::INTERRUPT;
        passed - if is_interrupt { self.costs.interrupt } else { self.costs.trap }
    }

    fn exit(&self) -> Exit {
        match frame().exception() {
            exception::INTERRUPT => Exit::Pause,
            exception::BREAKPOINT if self.instruction() == low::BREAK => Exit::Mark,
            exception::SYSTEM_CALL => Exit::Call,
            other @ (exception::BREAKPOINT | exception::PRIVILEGED) => Exit::Instruction(other),
            other => Exit::Other(other),
        }
    }

    fn address(&self) -> u64 {
        frame().address
    }

    fn skip(&mut self) {
        frame().address += 4;
    }

    fn mode(&self) -> Mode {
        if self.mode & LEVEL == 0 { Mode::Kernel } else { Mode::User }
    }

    fn arguments(&self) -> [u64; 3] {
        [NUMBER, FIRST, FIRST + 1].map(|number| self.register(number))
    }

    fn set_answer(&mut self, answer: u64) {
        self.set_register(NUMBER, answer);
    }

    fn accepts(&self, interrupt: Interrupt) -> bool {
        self.mode & IS_ON != 0 && self.enabled & line(interrupt) != 0
    }

    fn take(host: &mut Machine<'_, Self, Unit<'_>>, trap: Trap) {
        let number = match trap {
            Trap::Interrupt(interrupt) => {
                host.processor.taken = line(interrupt);
                exception::INTERRUPT
            }
            Trap::Call => exception::SYSTEM_CALL,
            Trap::Refused(number) => number,
        };
        host.processor.take_exception(number);
    }

    fn carry_out(host: &mut Machine<'_, Self, Unit<'_>>) -> Result<(), Refused> {
        carry_out(host)
    }

    fn counting(&self, unit: &Unit<'_>, mode: Mode) -> CounterSet {
        let level = if mode == Mode::User { Pmcfg::PLV3 } else { Pmcfg::PLV0 };
        set(unit.state().controls.map(|control| Pmcfg::from_bits_retain(control).contains(level)))
    }

    fn negative(unit: &Unit<'_>) -> Option<CounterSet> {
        let top = 1 << (identity::presented().capabilities().width.bits() - 1);
        Some(set(unit.state().counters.map(|value| value & top != 0)))
    }
}

/// The interrupt's bit of ECFG\[LIE\] and ESTAT\[IS\].
fn line(interrupt: Interrupt) -> u64 {
    if interrupt == Interrupt::Overflow { OVERFLOW } else { TIMER }
}

fn set(counters: [bool; 4]) -> CounterSet {
    CounterSet::from_bits((0..).zip(counters).fold(0, |bits, (number, is_in)| bits | u64::from(is_in) << number))
}

/// While the guest does not run, its registers are the host's.
fn frame() -> &'static mut Frame {
    // SAFETY: one processor runs, the host, and nothing here keeps what this returns.
    unsafe { &mut (*low::low()).frame }
}
