//! The driver of whichever recorder of branches: [`Branches`].
//!
//! Two bits are all that a halt clears: the one that records, and the one by which an overflow freezes (IA32_DEBUGCTL). So no
//! overflow freezes what is halted, and an interrupt may come between any two accesses, and read the records too. Of a stack both
//! are bits of IA32_DEBUGCTL, whose others are the kernel's and stay as they are.
//!
//! Nothing between the first two accesses of a halt, or after the last of a start, is a branch, or it would be recorded.

use raw_cpuid::CpuIdReader;

use super::capabilities::{Capabilities, Filters, Freeze, Generation};
use super::registers::{
    CORE_ADDRESS, CORE_RECORDS, CORE_RESERVED, CORE_SPECULATIVE, CORE_VALID, CYCLES, Control, FREEZES, FROZEN,
    HAS_CYCLES, HIDDEN, MISPREDICTED, RECORDS, Select, TARGET_CYCLES_SHIFT, address, extended, kind,
};
use crate::arch::x86::{Msr, Msrs};
use crate::contract::Branches;
use crate::event::{Branch, BranchFilter, BranchKind, Modes, Refusal};

/// The recorder of one logical processor's branches, over `R`.
///
/// Its registers are reached as the unit's are. A kernel that gives them to it promises besides that nobody else programs the
/// recorder, IA32_DEBUGCTL's bits 0 and 11 among its registers.
///
/// ```
/// use pmu::arch::x86::lbr::{Capabilities, Device, Lbr};
/// use pmu::branches::{Branch, BranchFilter, BranchKind, Branches};
/// use pmu::{Mode, Modes};
///
/// let device = Device::new(Capabilities::SKYLAKE);
/// let recorder = Lbr::new(&device, Capabilities::SKYLAKE); // Lbr::detect in a kernel
/// recorder.record(&BranchFilter::new(Modes::KERNEL))?;
/// device.transfer(Branch::new(0x1000, 0x2000).of_kind(BranchKind::Call), [Mode::Kernel; 2]);
/// assert_eq!(recorder.last::<32>()[0].to, 0x2000);
/// # Ok::<(), pmu::request::Refusal>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lbr<R> {
    registers: R,
    able: Capabilities,
    /// The register with the bit that records, and the bit.
    control: Msr,
    records: u64,
    /// The bits of that register which a halt clears.
    own: u64,
}

/// What is done with an entry.
enum Entry {
    Branch(Branch),
    /// It is no branch of the program.
    Skipped,
    /// Nor are those before it there.
    Empty,
}

impl<R: Msrs> Lbr<R> {
    /// Finds out whether the processor records branches, and creates the recorder's driver.
    ///
    /// What is recorded goes on, and the branches that are there are kept, so a panic handler or an NMI can call it. If there
    /// are none, an architectural recorder is given its greatest depth.
    pub fn detect<C: CpuIdReader>(cpuid: &C, registers: R) -> Option<Self> {
        let able = Capabilities::discover(cpuid, || registers.read(Msr::CAPABILITIES))?;
        Some(Self::new(registers, able))
    }

    /// Creates the driver of a recorder with these capabilities, as [`Lbr::detect`].
    pub fn new(registers: R, able: Capabilities) -> Self {
        let (control, records, own) = match able.generation {
            Generation::Stack(_) => (Msr::DEBUG_CONTROL, RECORDS, RECORDS | FREEZES),
            Generation::Architectural => (Msr::BRANCH_CONTROL, Control::ENABLE.bits(), Control::ENABLE.bits()),
            Generation::Extension => (Msr::CORE_BRANCH_CONTROL, CORE_RECORDS, CORE_RECORDS),
        };
        let mut unit = Self { registers, able, control, records, own };
        if able.generation == Generation::Architectural {
            unit.choose_depth();
        }
        unit
    }

    /// Returns the registers.
    pub const fn registers(&self) -> &R {
        &self.registers
    }

    fn choose_depth(&mut self) {
        let recording = self.halt();
        if matches!(self.entry(0), Entry::Empty) {
            self.clear();
        }
        let depth = self.registers.read(Msr::BRANCH_DEPTH);
        // Nothing has chosen one yet if it is no depth.
        self.able.depth = if self.able.has_depth(depth) { depth as u8 } else { self.able.depth };
        self.put_back(recording);
    }

    /// Returns true if IA32_DEBUGCTL has the bit that records.
    #[inline(always)]
    fn is_stack(&self) -> bool {
        self.control == Msr::DEBUG_CONTROL
    }

    /// Returns what the register that leaves branches out holds for a filter; of the architectural recorder, IA32_LBR_CTL.
    #[inline(never)]
    fn encode(&self, filter: &BranchFilter) -> Result<u64, Refusal> {
        use BranchKind::{
            Call, Conditional, Exception, IndirectCall, IndirectJump, Interrupt, Jump, NotTaken, Return, TrapReturn,
        };
        let modes = filter.modes();
        let has = |kinds: &[BranchKind]| kinds.iter().filter(|&&kind| filter.has(kind)).count();
        let (far, with) = (has(&[Exception, Interrupt, TrapReturn]), Control::with(filter));
        let unfiltered = self.unfiltered();
        if modes == Modes::NONE || !Modes::ALL.covers(modes) {
            Err(Refusal::Modes { able: Modes::ALL })
        } else if filter.freezes() && self.able.freeze.is_none() {
            Err(Refusal::Impossible("no overflow freezes the records of this processor"))
        } else if filter.has(NotTaken) {
            Err(Refusal::Impossible("branches that are not taken are not recorded"))
        } else if has(&[Conditional, Call, IndirectCall, Jump, IndirectJump, Return]) + far == 0 {
            Err(Refusal::Impossible(
                "no kind that this processor records is wanted; it records jumps, calls and returns",
            ))
        } else if self.able.filters == Filters::None && !with.contains(unfiltered) {
            Err(Refusal::Impossible("this processor records every branch; ask for Modes::ALL and every kind"))
        } else if !matches!(far, 0 | 3) {
            Err(Refusal::Impossible("exceptions, interrupts and returns from them are recorded together or not at all"))
        } else if !with.contains(unfiltered) {
            Err(Refusal::Impossible("the recorder of this processor cannot leave these kinds or modes out"))
        } else if self.able.filters == Filters::JumpsWithCalls
            && has(&[Call, IndirectCall]) != 0
            && has(&[Jump, IndirectJump]) != 2
        {
            Err(Refusal::Impossible("this processor records calls only with both kinds of jumps"))
        } else if self.able.generation == Generation::Architectural {
            Ok(with.intersection(self.able.controllable()).bits())
        } else {
            // The records of what leads to a program from its kernel have the kernel's address.
            let hidden = if modes == Modes::USER { Select::FAR } else { Select::empty() };
            Ok(Select::without(filter).union(hidden).bits())
        }
    }

    /// Returns the modes and kinds that a filter must have, because they cannot be left out.
    fn unfiltered(&self) -> Control {
        let all = Control::MODES.union(Control::KINDS);
        match (self.able.generation, self.able.filters) {
            (Generation::Architectural, _) => all.difference(self.able.controllable()),
            (_, Filters::None) => all,
            _ => Control::empty(),
        }
    }

    /// Reads an entry.
    #[inline(always)]
    fn entry(&self, number: u32) -> Entry {
        let (able, read) = (&self.able, |at| self.registers.read(at));
        match able.generation {
            Generation::Stack(format) => match read(able.source(number)) {
                0 => Entry::Empty,
                source => {
                    let target = read(able.target(number));
                    Entry::Branch(of_stack(format, source, target, able.info(number).map(read)))
                }
            },
            Generation::Architectural => {
                let (source, target) = (read(able.source(number)), read(able.target(number)));
                if source == 0 && target == 0 {
                    return Entry::Empty;
                }
                let info = able.info(number).map_or(0, read);
                Entry::Branch(of_architecture(able.has_details(), source, target, info))
            }
            Generation::Extension => {
                let target = read(able.target(number));
                if target & (CORE_VALID | CORE_SPECULATIVE | CORE_RESERVED) == 0 {
                    Entry::Empty
                } else if target & (CORE_VALID | CORE_RESERVED) == CORE_VALID {
                    Entry::Branch(of_extension(read(able.source(number)), target))
                } else {
                    Entry::Skipped
                }
            }
        }
    }

    /// Returns the branch of a stack's entry whose source is 0, if it is one: an older entry is there.
    #[cold]
    #[inline(never)]
    fn entry_at_0(&self, entry: u32, older: u32) -> Option<Branch> {
        let (able, depth, read) = (&self.able, u32::from(self.able.depth), |at| self.registers.read(at));
        let Generation::Stack(format) = able.generation else { return None };
        let before = entry.wrapping_sub(1) & (depth - 1);
        let is_there = older + 1 < depth && read(able.source(before)) != 0;
        is_there.then(|| of_stack(format, 0, read(able.target(entry)), able.info(entry).map(read)))
    }

    /// Empties all entries. What is no architectural recorder MUST be halted.
    #[inline(always)]
    fn forget(&self) {
        if self.able.generation == Generation::Architectural {
            return self.registers.write(Msr::BRANCH_DEPTH, self.able.depth.into());
        }
        for entry in 0..u32::from(self.able.depth) {
            // What says that an entry is there: AMD's target, a stack's source.
            let is_amds = self.able.generation == Generation::Extension;
            let at = if is_amds { self.able.target(entry) } else { self.able.source(entry) };
            self.registers.write(at, 0);
        }
    }

    /// Thaws the records. They MUST be halted, so that they do not freeze again.
    #[inline(always)]
    fn thaw(&self) {
        if self.able.freeze == Some(Freeze::ByStatus) {
            let [_, reset, _] = self.able.status();
            self.registers.write(reset, FROZEN);
        }
    }

    /// Lets everything go on as before a halt, and leaves frozen what is. The last access starts it.
    #[inline(always)]
    fn put_back(&self, [control, freezes, select]: [u64; 3]) {
        self.able.select().into_iter().for_each(|at| self.registers.write(at, select));
        let mut others = 0;
        if self.is_stack() {
            others = self.registers.read(Msr::DEBUG_CONTROL) & !self.own | freezes;
        } else if freezes != 0 {
            let debug = self.registers.read(Msr::DEBUG_CONTROL);
            self.registers.write(Msr::DEBUG_CONTROL, debug | freezes);
        }
        self.registers.write(self.control, others | control);
    }
}

fn of_stack(format: u8, source: u64, target: u64, info: Option<u64>) -> Branch {
    let target_width = if format == 6 { TARGET_CYCLES_SHIFT } else { 57 };
    let mut branch = Branch::new(address(source), extended(target, target_width));
    let cycles = match info {
        Some(info) => info & CYCLES,
        None if format == 6 => target >> TARGET_CYCLES_SHIFT,
        None => 0,
    };
    branch.cycles = if cycles == 0 { None } else { Some(cycles as u32) };
    branch.is_mispredicted = match (info, format) {
        (Some(info), _) => Some(info & MISPREDICTED != 0),
        (None, 3 | 4 | 6) => Some(source & MISPREDICTED != 0),
        (None, _) => None,
    };
    branch
}

fn of_architecture([predicts, is_timed, has_kind]: [bool; 3], source: u64, target: u64, info: u64) -> Branch {
    let mut branch = Branch::new(if source == HIDDEN { 0 } else { source }, target);
    branch.kind = if has_kind { kind(info) } else { None };
    branch.is_mispredicted = if predicts { Some(info & MISPREDICTED != 0) } else { None };
    branch.cycles = if is_timed && info & HAS_CYCLES != 0 { Some((info & CYCLES) as u32) } else { None };
    branch
}

fn of_extension(source: u64, target: u64) -> Branch {
    let mut branch = Branch::new(address(source & CORE_ADDRESS), address(target & CORE_ADDRESS));
    branch.is_mispredicted = Some(source & MISPREDICTED != 0);
    branch
}

impl<R: Msrs> Branches for Lbr<R> {
    /// The register that records, the bit that freezes, and the filter.
    type Recording = [u64; 3];

    fn depth(&self) -> usize {
        self.able.depth.into()
    }

    #[inline(always)]
    fn record(&self, filter: &BranchFilter) -> Result<(), Refusal> {
        let encoded = self.encode(filter)?;
        let [others, ..] = self.halt();
        self.forget();
        let freezes = if filter.freezes() { FREEZES } else { 0 };
        self.thaw();
        self.put_back(match self.able.generation {
            Generation::Stack(_) => [RECORDS, freezes, encoded],
            Generation::Architectural => [encoded, freezes, 0],
            Generation::Extension => [others | CORE_RECORDS, freezes, encoded],
        });
        Ok(())
    }

    #[inline(always)]
    fn halt(&self) -> [u64; 3] {
        let control = self.registers.read(self.control);
        self.registers.write(self.control, control & !self.own);
        let select = self.able.select().map_or(0, |at| self.registers.read(at));
        if self.is_stack() {
            return [control & RECORDS, control & FREEZES, select];
        }
        let debug = self.registers.read(Msr::DEBUG_CONTROL);
        if debug & FREEZES != 0 {
            self.registers.write(Msr::DEBUG_CONTROL, debug & !FREEZES);
        }
        [control, debug & FREEZES, select]
    }

    #[inline(always)]
    fn resume(&self, [control, freezes, select]: [u64; 3]) {
        if freezes == 0 {
            return self.put_back([control, freezes, select]);
        }
        self.thaw();
        // What was to freeze and did not record was frozen.
        let records = if self.able.freeze == Some(Freeze::ByControl) { self.records } else { 0 };
        self.put_back([control | records, freezes, select]);
    }

    #[inline(always)]
    fn each(&self, mut found: impl FnMut(Branch)) {
        let depth = u32::from(self.able.depth);
        let newest = match self.able.generation {
            Generation::Stack(_) => self.registers.read(Msr::BRANCH_TOP) as u32,
            Generation::Architectural | Generation::Extension => 0,
        };
        for older in 0..depth {
            let entry = match self.able.generation {
                Generation::Stack(_) => newest.wrapping_sub(older) & (depth - 1),
                Generation::Architectural | Generation::Extension => older,
            };
            match self.entry(entry) {
                Entry::Branch(branch) => found(branch),
                Entry::Skipped => {}
                // Code at 0, where a jump to a null pointer leads, has faulted, if anything is older.
                Entry::Empty => match self.entry_at_0(entry, older) {
                    Some(branch) => found(branch),
                    None => break,
                },
            }
        }
    }

    #[inline(always)]
    fn clear(&self) {
        // A loop's own branches must not be recorded.
        if self.able.generation == Generation::Architectural {
            return self.forget();
        }
        let recording = self.halt();
        self.forget();
        self.put_back(recording);
    }
}
