//! The virtual processor: the guest's registers, those among them that user mode cannot have, and what the host does to
//! them.

use harness::host::{self, Exit, Interrupt, Latch, Machine, Refused, Trap, Wire};
use pmu::arch::riscv::hpm::{Capabilities, Device, Select};
use pmu::virt::Device as _;
use pmu::{CounterSet, Mode};

use super::instructions::carry_out;
use super::world::{self, World};
use crate::csr::{interrupts, is_machine, lets_in_again, previous, timer};
use crate::guest::{BREAKPOINT, INTERRUPT, USER_CALL};
use crate::{boot, guest};

/// The unit, as the host has it.
pub type Unit<'k> = Device<&'k Wire>;

/// The exception of an instruction that there is not in user mode.
const ILLEGAL: usize = 2;
/// The registers of the stack, of the hart's number (tp), of a call's first argument, which is its answer's, and of its number.
const STACK: usize = 2;
const HART: usize = 4;
const FIRST: usize = 10;
const NUMBER: usize = 17;

/// One virtual processor, which shares the host's memory. Its registers are machine mode's or supervisor mode's.
#[derive(Default)]
pub struct Processor {
    /// Which of the machine's it is.
    hart: usize,
    /// What it has in user mode too.
    pub world: World,
    /// mstatus
    pub status: usize,
    /// mtvec
    pub vector: usize,
    /// mscratch
    pub scratch: usize,
    /// mepc
    pub exception_address: usize,
    /// mcause
    pub cause: usize,
    /// mie, without the unit's bit.
    pub enabled: usize,
    is_user: bool,
}

impl Processor {
    /// The hart with this number.
    pub fn new(hart: usize) -> Self {
        Self { hart, ..Self::default() }
    }

    /// Goes to the kernel's entry for this cause.
    pub fn take_exception(&mut self, cause: usize) {
        let is_on = self.status & interrupts(is_machine()) != 0;
        let before = if self.is_user { 0 } else { previous(is_machine()) };
        let again = if is_on { lets_in_again(is_machine()) } else { 0 };
        self.status &= !(previous(is_machine()) | lets_in_again(is_machine()) | interrupts(is_machine()));
        self.status |= before | again;
        (self.exception_address, self.cause, self.is_user) = (self.world.address, cause, false);
        self.world.address = self.vector;
    }

    /// `mret`, `sret`
    pub fn return_from_exception(&mut self) {
        self.is_user = self.status & previous(is_machine()) == 0;
        let on = if self.status & lets_in_again(is_machine()) == 0 { 0 } else { interrupts(is_machine()) };
        self.status &= !(previous(is_machine()) | interrupts(is_machine()));
        self.status |= on | lets_in_again(is_machine());
        self.world.address = self.exception_address;
    }
}

impl host::Processor<Unit<'_>> for Processor {
    const PATIENCE: u64 = 2_000_000_000;
    const LATCH: Latch = Latch::Level;

    fn begin(&mut self, body: fn()) {
        *self = Self::new(self.hart);
        self.world.address = guest::begin as *const () as usize;
        let registers = &mut self.world.registers;
        (registers[STACK], registers[HART], registers[FIRST]) =
            (boot::stack_of_guest(self.hart), self.hart, body as usize);
    }

    /// QEMU's clock counts a call and a breakpoint, and no other instruction that traps.
    fn enter(&mut self, instructions: u64) -> u64 {
        let passed = world::enter(&mut self.world, instructions);
        passed - u64::from(matches!(self.world.cause, USER_CALL | BREAKPOINT))
    }

    fn exit(&self) -> Exit {
        match self.world.cause {
            cause if cause == INTERRUPT | Capabilities::INTERRUPT as usize => Exit::Pause,
            USER_CALL => Exit::Call,
            cause @ (ILLEGAL | BREAKPOINT) => Exit::Instruction(cause as u64),
            other => Exit::Other(other as u64),
        }
    }

    fn address(&self) -> u64 {
        self.world.address as u64
    }

    fn skip(&mut self) {
        self.world.address += 4;
    }

    fn mode(&self) -> Mode {
        if self.is_user { Mode::User } else { Mode::Kernel }
    }

    fn arguments(&self) -> [u64; 3] {
        [NUMBER, FIRST, FIRST + 1].map(|number| self.world.registers[number] as u64)
    }

    fn set_answer(&mut self, answer: u64) {
        self.world.registers[FIRST] = answer as usize;
    }

    /// The unit's bit of mie is the unit's own.
    fn accepts(&self, interrupt: Interrupt) -> bool {
        let is_on = self.is_user || self.status & interrupts(is_machine()) != 0;
        is_on && (interrupt == Interrupt::Overflow || self.enabled >> timer() & 1 == 1)
    }

    fn take(host: &mut Machine<'_, Self, Unit<'_>>, trap: Trap) {
        host.processor.take_exception(match trap {
            Trap::Interrupt(Interrupt::Overflow) => INTERRUPT | Capabilities::INTERRUPT as usize,
            Trap::Interrupt(Interrupt::Tick) => INTERRUPT | timer(),
            Trap::Call => USER_CALL,
            Trap::Refused(number) => number as usize,
        });
    }

    fn carry_out(host: &mut Machine<'_, Self, Unit<'_>>) -> Result<(), Refused> {
        carry_out(host)
    }

    /// An instruction may lie across two words.
    fn instruction(&self) -> u32 {
        let halves = self.world.address as *const [u16; 2];
        // SAFETY: the guest is about to fetch from there; addresses of instructions are even.
        let [low, high] = unsafe { halves.read_volatile() };
        u32::from(high) << 16 | u32::from(low)
    }

    /// mcycle and minstret have no event.
    fn counting(&self, unit: &Unit<'_>, mode: Mode) -> CounterSet {
        let state = unit.state();
        let kernel = if is_machine() { Select::NOT_MACHINE } else { Select::NOT_SUPERVISOR };
        let filter = if mode == Mode::User { Select::NOT_USER } else { kernel };
        let is_on = |number: usize| {
            let select = Select::from_bits_retain(state.selects[number]);
            let has_event = number < 3 || select.intersects(Select::EVENT);
            has_event && !select.contains(filter) && state.inhibited >> number & 1 == 0
        };
        let counters = (0..32).filter(|&number| is_on(number));
        // The crate numbers mcycle and minstret 32 and 34.
        CounterSet::from_bits(
            counters.fold(0, |bits, number| bits | 1 << if number < 3 { number + 32 } else { number }),
        )
    }

    fn negative(_: &Unit<'_>) -> Option<CounterSet> {
        None
    }

    /// The tick is to come when so many instructions more have retired; none with 0.
    fn answer_own(host: &mut Machine<'_, Self, Unit<'_>>, instructions: u64, _: u64) {
        host.ledger.tick = (instructions > 0).then(|| host.ledger.clock + instructions);
    }
}
