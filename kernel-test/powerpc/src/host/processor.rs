//! The virtual processor: the guest's registers, those among them that problem state cannot have, and
//! what the host does to them.

use pmu::Mode;

use crate::low::{self, Frame};
use crate::processor::table_of_contents;
use crate::world::{World, as_guest};

/// MSR\[EE\]: performance monitor exceptions are taken (Power ISA Book III, "Machine State Register").
pub const EXTERNAL: usize = 1 << 15;
/// MSR\[PR\]: problem state.
pub const PROBLEM: usize = 1 << 14;
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

/// One virtual processor, which shares the host's memory.
#[derive(Default)]
pub struct Processor {
    /// MSR
    pub state: usize,
    /// SRR0 and SRR1, SPRG0 to SPRG3, IVPR and IVOR35.
    pub kept: [usize; 8],
    /// What a conditional store may be to.
    pub reservation: Option<usize>,
    /// What makes problem state trap after the next instruction.
    step: usize,
}

impl Processor {
    /// Makes the next entry begin at `entry`, on a fresh stack, in supervisor state, with these
    /// arguments.
    pub fn begin_at(&mut self, entry: extern "C" fn(usize) -> !, argument: usize) {
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

    /// Lets the guest execute so many instructions at most, and at least one; returns how many it did.
    pub fn enter(&mut self, instructions: usize) -> u64 {
        frame().state = REAL | self.step;
        set_countdown(instructions);
        // SAFETY: the guest is this kernel's own code, in the state that `begin_at` has made.
        as_guest(World::Host, || unsafe { low::enter_guest() });
        (instructions - countdown()) as u64
    }

    /// Why the guest was left.
    pub fn vector(&self) -> usize {
        frame().vector
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
        if self.state & PROBLEM == 0 { Mode::Kernel } else { Mode::User }
    }

    /// Would an exception that MSR\[EE\] masks be taken now?
    pub fn is_interruptible(&self) -> bool {
        self.state & EXTERNAL != 0
    }

    /// Takes an exception: goes to the kernel's entry for it (Power ISA Book III, "Interrupt
    /// Definitions").
    pub fn take(&mut self, entry: usize) {
        (self.kept[0], self.kept[1]) = (frame().address, self.state & SAVED);
        self.state = ALWAYS;
        frame().address = entry;
    }

    /// Where book E's registers have the performance monitor's interrupt: four bits of the offset are always 0
    /// (Power ISA 2.07 Book III-E, "Interrupt Vector Offset Registers").
    pub fn performance_monitor(&self) -> usize {
        let [.., prefix, offset] = self.kept;
        prefix & !0xffff | offset & 0xfff0
    }

    /// `rfid`, `rfi`
    pub fn return_from_interrupt(&mut self) {
        let [address, state, ..] = self.kept;
        self.state = state & SAVED | ALWAYS;
        frame().address = address & !0b11;
    }

    /// `mtmsr`, `mtmsrd`
    pub fn set_state(&mut self, state: usize) {
        self.state = state & SAVED | ALWAYS;
    }

    /// The count register.
    pub fn count(&self) -> usize {
        frame().count
    }

    /// Sets it.
    pub fn set_count(&mut self, count: usize) {
        frame().count = count;
    }

    /// The general register with this number.
    pub fn register(&self, number: usize) -> usize {
        frame().general[number]
    }

    /// Sets it.
    pub fn set_register(&mut self, number: usize, value: usize) {
        frame().general[number] = value;
    }

    /// The sum of two registers, of which R0 is none as the first.
    pub fn sum(&self, base: usize, index: usize) -> usize {
        let base = if base == 0 { 0 } else { self.register(base) };
        base.wrapping_add(self.register(index))
    }

    /// Says of a conditional store whether it has succeeded: by CR0's "equal", beside XER's overflow
    /// summary.
    pub fn say_stored(&mut self, is_stored: bool) {
        let equal = usize::from(is_stored) << 29;
        let summary = (frame().fixed_point_exception >> 31 & 1) << 28;
        let frame = frame();
        frame.condition = frame.condition & !(0xf << 28) | equal | summary;
    }
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
