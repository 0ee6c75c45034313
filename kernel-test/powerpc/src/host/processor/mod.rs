//! The virtual processor: the guest's registers, those among them that problem state cannot have, and
//! what the host does to them.

mod instruction;
mod instructions;

use harness::host::{self, Exit, Interrupt, Latch, Machine, Refused, Trap};
use harness::world::as_guest;
use instruction::Instruction;
use instructions::carry_out;
use pmu::virt::Work;
use pmu::{CounterSet, Mode};

use super::unit::Unit;
use crate::family;
use crate::guest::{self, entry, probe, threads};
use crate::low::{self, Frame, vector};
use crate::processor::table_of_contents;

/// MSR\[EE\]: performance monitor exceptions are taken (Power ISA Book III, "Machine State Register").
const EXTERNAL: usize = 1 << 15;
/// MSR\[PR\]: problem state.
const PROBLEM: usize = 1 << 14;
/// MSR\[SF\], where registers have 64 bits.
const SIXTY_FOUR: usize = harness::by_width!(1 << 63, 0);
/// MSR\[IR\] and MSR\[DR\]: translation, without which problem state does not run where registers have 64 bits.
const TRANSLATION: usize = harness::by_width!(0b11 << 4, 0);
/// What is set always, with MSR\[ME\] and MSR\[RI\].
const ALWAYS: usize = 1 << 12 | 1 << 1 | SIXTY_FOUR;
/// What problem state runs with.
const REAL: usize = ALWAYS | PROBLEM | TRANSLATION;
/// What an exception leaves of the state that it interrupts (SRR1).
const SAVED: usize = ALWAYS | EXTERNAL | PROBLEM;

/// Where a call's number and its arguments are; its answer is where the first one was.
const NUMBER: usize = 0;
const FIRST: usize = 3;
const SECOND: usize = 4;

/// One virtual processor, which shares the host's memory.
#[derive(Default)]
pub struct Processor {
    /// MSR
    state: usize,
    /// SRR0 and SRR1, SPRG0 to SPRG3, IVPR and IVOR35.
    kept: [usize; 8],
    /// What a conditional store may be to.
    reservation: Option<usize>,
    /// What makes problem state trap after the next instruction.
    step: usize,
}

impl Processor {
    /// Makes the next entry begin at `entry`, on a fresh stack, in supervisor state, with these
    /// arguments.
    fn begin_at(&mut self, entry: extern "C" fn(usize) -> !, argument: usize) {
        /// Room for what a function writes above its own frame.
        const HEADER: usize = 128;
        *self = Self { state: ALWAYS, step: step(), ..Self::default() };
        *frame() = Frame {
            general: [0; 32],
            link: 0,
            count: 0,
            condition: 0,
            fixed_point_exception: 0,
            address: entry as usize,
            state: 0,
            vector: 0,
        };
        let registers = &mut frame().general;
        (registers[1], registers[2], registers[3]) = (low::guest_stack() - HEADER, table_of_contents(), argument);
        registers[12] = entry as usize;
    }

    /// Takes an exception: goes to the kernel's entry for it (Power ISA Book III, "Interrupt
    /// Definitions").
    fn take_exception(&mut self, entry: usize) {
        (self.kept[0], self.kept[1]) = (frame().address, self.state & SAVED);
        self.state = ALWAYS;
        frame().address = entry;
    }

    /// Where the performance monitor's exception leads. Book E's registers say it: four bits of the offset are always 0
    /// (Power ISA 2.07 Book III-E, "Interrupt Vector Offset Registers").
    fn performance_monitor(&self) -> usize {
        let [.., prefix, offset] = self.kept;
        if family::has_vectors_of_its_own() { prefix & !0xffff | offset & 0xfff0 } else { guest::exception_entry() }
    }

    /// What `mtmsr`, `mtmsrd`, `rfid` and `rfi` do to MSR.
    fn set_state(&mut self, state: usize) {
        self.state = state & SAVED | ALWAYS;
    }

    /// The general register with this number.
    fn register(&self, number: usize) -> usize {
        frame().general[number]
    }

    /// Sets it.
    fn set_register(&mut self, number: usize, value: usize) {
        frame().general[number] = value;
    }

    /// The sum of two registers, of which R0 is none as the first.
    fn sum(&self, base: usize, index: usize) -> usize {
        let base = if base == 0 { 0 } else { self.register(base) };
        base.wrapping_add(self.register(index))
    }

    /// Says of a conditional store whether it has succeeded: by CR0's "equal", beside XER's overflow
    /// summary.
    fn say_stored(&mut self, is_stored: bool) {
        let equal = usize::from(is_stored) << 29;
        let summary = (frame().fixed_point_exception >> 31 & 1) << 28;
        let frame = frame();
        frame.condition = frame.condition & !(0xf << 28) | equal | summary;
    }
}

impl<U: Unit> host::Processor<U> for Processor {
    const PATIENCE: u64 = 400_000_000;
    const LATCH: Latch = U::LATCH;

    fn begin(&mut self, body: fn()) {
        self.begin_at(guest::begin_in_host, body as usize);
    }

    /// `sc` leaves the guest behind itself, which goes back to it.
    fn enter(&mut self, instructions: u64) -> u64 {
        let most = before_the_last(instructions);
        frame().state = REAL | self.step;
        set_countdown(most);
        // SAFETY: the guest is this kernel's own code, in the state that `begin_at` has made.
        as_guest(|| unsafe { low::enter_guest() });
        if frame().vector == vector::SYSTEM_CALL {
            frame().address -= 4;
        }
        (most - countdown()) as u64
    }

    fn exit(&self) -> Exit {
        match frame().vector {
            vector::TRACE => Exit::Pause,
            vector::SYSTEM_CALL => Exit::Call,
            vector::PROGRAM if next() == Instruction::Mark => Exit::Mark,
            number @ (vector::PROGRAM | vector::FACILITY_UNAVAILABLE) => Exit::Instruction(number as u64),
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
        if self.state & PROBLEM == 0 { Mode::Kernel } else { Mode::User }
    }

    fn arguments(&self) -> [u64; 3] {
        [NUMBER, FIRST, SECOND].map(|number| self.register(number) as u64)
    }

    fn set_answer(&mut self, answer: u64) {
        self.set_register(FIRST, answer as usize);
    }

    /// MSR\[EE\] masks both.
    fn accepts(&self, _: Interrupt) -> bool {
        self.state & EXTERNAL != 0
    }

    /// The decrementer's exception is gone when a processor has taken it (Power ISA Book III, "Decrementer").
    fn take(host: &mut Machine<'_, Self, U>, trap: Trap) {
        let entry = match trap {
            Trap::Interrupt(Interrupt::Overflow) => host.processor.performance_monitor(),
            Trap::Interrupt(Interrupt::Tick) => {
                host.ledger.tick = None;
                threads::entry()
            }
            Trap::Call => entry::come_back(),
            Trap::Refused(_) => entry::program(),
        };
        host.processor.take_exception(entry);
    }

    fn carry_out(host: &mut Machine<'_, Self, U>) -> Result<(), Refused> {
        carry_out(host, next())
    }

    fn is_probe(&self) -> bool {
        probe::is_probe(frame().address)
    }

    fn counting(&self, unit: &U, mode: Mode) -> CounterSet {
        unit.counting(mode)
    }

    fn negative(unit: &U) -> Option<CounterSet> {
        Some(unit.negative())
    }

    fn tell_taken(unit: &U) {
        unit.taken();
    }

    fn tell_position(&self, unit: &U) {
        unit.set_position(frame().address);
    }

    fn instead_of_a_step(host: &mut Machine<'_, Self, U>) -> bool {
        let instruction = next();
        instruction.is_hosts() && carry_out(host, instruction).is_ok()
    }

    /// So many instructions retire in hypervisor state.
    fn answer_own(host: &mut Machine<'_, Self, U>, instructions: u64, _: u64) {
        host.happen(|_| Work::instructions(Mode::Hypervisor, instructions));
    }
}

/// Of so many instructions, those that the guest executes at once: the last one once more by itself, since a sample is of it.
fn before_the_last(instructions: u64) -> usize {
    (instructions - 1).max(1) as usize
}

/// The guest's next instruction.
fn next() -> Instruction {
    // SAFETY: the guest's memory is the host's, and the guest is about to fetch from there.
    Instruction::decode(unsafe { (frame().address as *const u32).read_volatile() })
}

/// While the guest does not run, its registers are the host's.
fn frame() -> &'static mut Frame {
    // SAFETY: one processor runs, the host, and nothing here keeps what this returns.
    unsafe { &mut (*low::low()).frame }
}

fn countdown() -> usize {
    // SAFETY: as for `frame`.
    unsafe { (&raw const (*low::low()).countdown).read_volatile() }
}

fn set_countdown(instructions: usize) {
    // SAFETY: as for `frame`.
    unsafe { (&raw mut (*low::low()).countdown).write_volatile(instructions) };
}

/// What MSR has set while each instruction traps that has been executed.
fn step() -> usize {
    /// MSR\[SE\] (Power ISA Book III, "Machine State Register").
    const STEP: usize = 1 << 10;
    #[cfg(target_pointer_width = "32")]
    if crate::book_e::is_here() {
        return crate::book_e::STEP;
    }
    STEP
}
