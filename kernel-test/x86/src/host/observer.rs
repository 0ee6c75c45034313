//! What the guest's next instruction is going to do: decoded, with its operands' addresses.
//!
//! A clock tells how many instructions retire and no more. So where a counter wants to know of
//! branches, of loads and stores, of misaligned references, the host decodes each instruction
//! before it lets the guest execute it, and tells the unit when it has retired.
//!
//! What counts as what:
//! - A branch is every instruction that goes elsewhere: conditional or not, near or far, `call`,
//!   `ret`, `int`, `iret`, `syscall`. A conditional one is taken if the next instruction is not
//!   the one behind it. Interrupts and exceptions are no instructions, though AMD's manuals count
//!   them among branches, and what they push is no store.
//! - A load is an instruction that reads memory, a store one that writes it; some do both.
//! - A reference is misaligned if it crosses the boundary that the processor's manual names. One
//!   that is wider than that is made in parts of that width. An instruction that reads a place and
//!   writes it refers to it twice.
//! - A string instruction with a REP prefix does all that once for each element; and so it retires,
//!   by the clock's book.

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, InstructionInfoOptions, Mnemonic,
    OpAccess, Register, UsedMemory,
};
use pmu::Mode;
use pmu::branches::{Branch, BranchKind};
use pmu::precise::{Operation, Record};
use pmu::virt::{Kind, Kinds, Work};

use super::processor::Processor;
use crate::width::by_width;

/// What this shows beyond what the clock tells.
pub const KINDS: Kinds = Kinds::NONE
    .with(Kind::Branches)
    .with(Kind::TakenBranches)
    .with(Kind::Loads)
    .with(Kind::Stores)
    .with(Kind::MisalignedReferences);

/// The longest instruction, in bytes (AMD APM volume 3, "Instruction Encoding").
const LONGEST: usize = 15;

/// All that a host shows where references are misaligned that cross a boundary of so many bytes.
pub fn kinds(misaligned_across: Option<u64>) -> Kinds {
    let all = Kinds::CLOCK.or(KINDS);
    if misaligned_across.is_some() { all } else { all.without(Kind::MisalignedReferences) }
}

/// Decodes instructions.
pub struct Observer {
    factory: InstructionInfoFactory,
    misaligned_across: Option<u64>,
}

/// An instruction that has been looked at and not yet executed.
#[derive(Clone, Copy, Default)]
pub struct Seen {
    behind: u64,
    branch: Option<BranchKind>,
    loads: u64,
    stores: u64,
    misaligned: u64,
    /// Where its first reference is.
    datum: Option<u64>,
}

impl Observer {
    /// For a processor on which references are misaligned that cross such a boundary.
    pub fn new(misaligned_across: Option<u64>) -> Self {
        Self { factory: InstructionInfoFactory::new(), misaligned_across }
    }

    /// Looks at the guest's next instruction.
    pub fn look(&mut self, processor: &Processor) -> Seen {
        let instruction = decode(processor.instruction());
        let mut seen = Seen { behind: instruction.next_ip(), branch: branch(&instruction), ..Seen::default() };
        if !is_over(&instruction, processor) {
            let info = self.factory.info_options(&instruction, InstructionInfoOptions::NO_REGISTER_USAGE);
            info.used_memory().iter().for_each(|memory| seen.refer(memory, processor, self.misaligned_across));
        }
        seen
    }
}

impl Seen {
    /// What was done by this instruction, now that it has retired in `mode` and the next one is at
    /// `next`.
    pub fn work(&self, mode: Mode, next: u64) -> Work {
        let taken = self.taken(next).is_some();
        Work::instructions(mode, 1)
            .with(Kind::Branches, self.branch.is_some().into())
            .with(Kind::TakenBranches, taken.into())
            .with(Kind::Loads, self.loads)
            .with(Kind::Stores, self.stores)
            .with(Kind::MisalignedReferences, self.misaligned)
    }

    /// What sampling hardware records of this instruction, which was at `address`, now that the next one is at `next`.
    pub fn record(&self, address: u64, next: u64) -> Record {
        let mut record = Record::new(address);
        record.operation = Some(match (self.loads, self.stores) {
            (0, 0) => Operation::None,
            (_, 0) => Operation::Load,
            (0, _) => Operation::Store,
            _ => Operation::LoadAndStore,
        });
        record.data_address = self.datum;
        record.is_misaligned = Some(self.misaligned > 0);
        let branch = Branch::new(address, next);
        let is_taken = self.taken(next).is_some();
        record.branch = self.branch.map(|_| if is_taken { branch } else { branch.of_kind(BranchKind::NotTaken) });
        record
    }

    /// The kind of this branch, if it is one and was taken, now that the next instruction is at `next`.
    pub fn taken(&self, next: u64) -> Option<BranchKind> {
        self.branch.filter(|&kind| kind != BranchKind::Conditional || next != self.behind)
    }

    fn refer(&mut self, memory: &UsedMemory, processor: &Processor, misaligned_across: Option<u64>) {
        let (reads, writes) = accesses(memory.access());
        self.loads |= reads;
        self.stores |= writes;
        let address = memory.virtual_address(0, |register, _, _| Some(value(register, processor)));
        let address = address.expect("every register has a value");
        self.datum = self.datum.or((reads + writes > 0).then_some(address));
        let size = memory.memory_size().size() as u64;
        if misaligned_across.is_some_and(|boundary| crosses(address, size, boundary)) {
            self.misaligned += reads + writes;
        }
    }
}

fn decode(address: u64) -> Instruction {
    // SAFETY: all memory is mapped to itself, the guest's too, and the guest is not running.
    let bytes = unsafe { core::slice::from_raw_parts(address as *const u8, LONGEST) };
    let instruction = Decoder::with_ip(by_width!(64, 32), bytes, address, DecoderOptions::NONE).decode();
    assert!(!instruction.is_invalid(), "the decoder does not know the instruction at {address:#x}");
    instruction
}

fn branch(instruction: &Instruction) -> Option<BranchKind> {
    let kind = match (instruction.flow_control(), instruction.mnemonic()) {
        (FlowControl::ConditionalBranch, _) => BranchKind::Conditional,
        (FlowControl::UnconditionalBranch, _) => BranchKind::Jump,
        (FlowControl::IndirectBranch, _) => BranchKind::IndirectJump,
        (FlowControl::IndirectCall, _) => BranchKind::IndirectCall,
        (FlowControl::Return, Mnemonic::Ret) => BranchKind::Return,
        (FlowControl::Return, _) => BranchKind::TrapReturn,
        (FlowControl::Interrupt, _) | (FlowControl::Call, Mnemonic::Syscall | Mnemonic::Sysenter) => {
            BranchKind::Exception
        }
        // What calls a hypervisor is here too, and is no branch.
        (FlowControl::Call, Mnemonic::Call) => BranchKind::Call,
        _ => return None,
    };
    Some(kind)
}

/// Does a string instruction have no element left?
fn is_over(instruction: &Instruction, processor: &Processor) -> bool {
    let is_repeated = instruction.has_rep_prefix() || instruction.has_repne_prefix();
    is_repeated && instruction.is_string_instruction() && processor.register(RCX) == 0
}

/// How many references of this access read, and how many write.
fn accesses(access: OpAccess) -> (u64, u64) {
    match access {
        OpAccess::Read | OpAccess::CondRead => (1, 0),
        OpAccess::Write | OpAccess::CondWrite => (0, 1),
        OpAccess::ReadWrite | OpAccess::ReadCondWrite => (1, 1),
        OpAccess::None | OpAccess::NoMemAccess => (0, 0),
    }
}

fn crosses(address: u64, size: u64, boundary: u64) -> bool {
    address % boundary + size.min(boundary) > boundary
}

/// RCX among the general registers.
const RCX: usize = 1;

/// What an address is made of: a general register, or where a segment begins.
fn value(register: Register, processor: &Processor) -> u64 {
    match register {
        // FS and GS too: nobody moves them.
        _ if register.is_segment_register() => 0,
        _ => processor.register(register.number()),
    }
}
