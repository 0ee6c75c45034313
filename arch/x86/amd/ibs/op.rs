//! The sampler of ops.
//!
//! Its interrupt reads each register once and writes the control register once.

use raw_cpuid::CpuIdReader;

use super::Capabilities;
use super::capabilities::Features;
use super::driver::{detect, wanted};
use super::registers::{OpControl, OpData, OpData2, OpData3, Register};
use crate::arch::x86::LATE;
use crate::contract::{Late, Registers, Sampler};
use crate::event::{Branch, BranchKind, DataSource, Event, Operation, Record, Refusal, Request, Result, Translation};

/// The sampler of ops, over `R`.
#[derive(Clone, Copy, Debug)]
pub struct Op<R> {
    registers: R,
    capabilities: Capabilities,
    entry: u8,
}

impl Op<()> {
    /// Ops that were dispatched. Family 10h's first models cannot count them, and refuse them: request
    /// [`Event::CYCLES`](crate::Event::CYCLES) there.
    pub const OPS: Event = Event::raw(OpControl::OPS.bits());
}

/// The least period. With less, a period that begins at a random number might never end. Linux'
/// tools/perf/arch/x86/tests/amd-ibs-period.c has the same.
const LEAST: u64 = 0x90;

impl<R: Registers<Address = Register>> Op<R> {
    /// Finds out what the sampler can, and creates its driver. Writes no register.
    ///
    /// # Errors
    /// Those of [`Capabilities::discover`], and [`Error::NoUnit`](crate::Error::NoUnit) if it samples no ops or firmware has
    /// assigned it no entry of the local APIC.
    pub fn detect<C: CpuIdReader>(cpuid: &C, registers: R) -> Result<Self> {
        let (capabilities, entry) = detect(cpuid, &registers, Features::OPS)?;
        Ok(Self { registers, capabilities, entry })
    }

    /// Returns the number of the entry of the local APIC, 0 to 15, that the interrupt goes through.
    pub const fn entry(&self) -> u8 {
        self.entry
    }

    #[inline(always)]
    fn control(&self) -> OpControl {
        OpControl::from_bits_retain(self.registers.read(Register::OpControl))
    }

    #[inline(always)]
    fn set_control(&self, control: OpControl) {
        self.registers.write(Register::OpControl, control.bits());
    }

    /// Returns what goes on with the same request, from the start of a period.
    #[inline(always)]
    const fn anew(control: OpControl) -> OpControl {
        control.intersection(OpControl::WHOLE_PERIOD.union(OpControl::CODE)).union(OpControl::ENABLE)
    }

    /// Returns what of the count is kept for the next period: hardware's random bits.
    #[inline(always)]
    const fn random(&self, control: OpControl) -> OpControl {
        if control.contains(OpControl::OPS) && self.capabilities.has(Features::COUNT) {
            control.intersection(OpControl::RANDOM)
        } else {
            OpControl::empty()
        }
    }

    /// Calls `found` with the words of the record that is there.
    #[inline(always)]
    fn copy(&self, control: OpControl, mut found: impl FnMut(&[u64])) {
        let has_target = self.capabilities.has(Features::TARGETS);
        found(&[
            control.bits(),
            self.registers.read(Register::OpAddress),
            self.registers.read(Register::OpData),
            self.registers.read(Register::OpData2),
            self.registers.read(Register::OpData3),
            self.registers.read(Register::DataLinear),
            self.registers.read(Register::DataPhysical),
            if has_target { self.registers.read(Register::BranchTarget) } else { 0 },
        ]);
    }

    /// Returns the branch that the op was, if it was one. A branch that was taken has a kind only if it returned.
    fn branch(&self, from: u64, data: OpData, target: u64) -> Option<Branch> {
        let has_targets = self.capabilities.has(Features::TARGETS) && !self.capabilities.mistakes_targets();
        // What is there of one that was not taken is no target of its own.
        let knows_target = has_targets && data.contains(OpData::TAKEN);
        let mut branch = Branch::new(from, if knows_target { target } else { 0 });
        branch.is_mispredicted = Some(data.contains(OpData::MISPREDICTED));
        branch.kind = match (data.contains(OpData::TAKEN), data.contains(OpData::RETURN)) {
            (_, true) => Some(BranchKind::Return),
            (false, _) => Some(BranchKind::NotTaken),
            (true, _) => None,
        };
        data.contains(OpData::BRANCH).then_some(branch)
    }

    /// Returns where a load's or a store's data came from. Only a load's source is recorded beyond the second level.
    fn source(&self, data: OpData3, second: OpData2) -> Option<DataSource> {
        let is_unknown =
            self.capabilities.has_errata_of_19h() && data.intersects(OpData3::PREFETCH.union(OpData3::PENDING));
        let number = if is_unknown || !data.contains(OpData3::LOAD) { 0 } else { second.source() };
        let far = second.contains(OpData2::FAR);
        let named = if self.capabilities.has(Features::MISSES) { fine(number, far) } else { coarse(number & 7, far) };
        let is_pending = data.contains(OpData3::PENDING).then_some(DataSource::Pending);
        if data.contains(OpData3::UNCACHED) && named != Some(DataSource::Device) {
            Some(DataSource::Uncached)
        } else if !data.contains(OpData3::MISS) {
            Some(DataSource::Level1)
        } else if self.capabilities.marks_level_2() && !data.contains(OpData3::LEVEL_2_MISS) && !is_unknown {
            Some(DataSource::Level2)
        } else {
            named.or(is_pending)
        }
    }
}

/// Returns the source by its number, before Zen 4.
const fn coarse(number: u64, is_far: bool) -> Option<DataSource> {
    match (number, is_far) {
        (2, _) => Some(DataSource::NearCache),
        (3, false) => Some(DataSource::Memory),
        (3, true) => Some(DataSource::FarMemory),
        (4, _) => Some(DataSource::FarCache),
        (7, _) => Some(DataSource::Device),
        _ => None,
    }
}

/// Returns the source by its number, from Zen 4 on.
const fn fine(number: u64, is_far: bool) -> Option<DataSource> {
    match (number, is_far) {
        (1, _) => Some(DataSource::Level3),
        (2, _) => Some(DataSource::NearCache),
        (3, false) => Some(DataSource::Memory),
        (3, true) => Some(DataSource::FarMemory),
        (5, _) => Some(DataSource::FarCache),
        (6, _) => Some(DataSource::PersistentMemory),
        (7 | 12, _) => Some(DataSource::Device),
        (8, _) => Some(DataSource::ExtensionMemory),
        _ => None,
    }
}

fn operation(data: OpData3) -> Operation {
    match (data.contains(OpData3::LOAD), data.contains(OpData3::STORE)) {
        _ if data.contains(OpData3::PREFETCH) => Operation::Prefetch,
        (true, true) => Operation::LoadAndStore,
        (true, false) => Operation::Load,
        (false, true) => Operation::Store,
        (false, false) => Operation::None,
    }
}

fn translation(data: OpData3) -> Option<Translation> {
    data.contains(OpData3::LINEAR).then_some(
        match (data.contains(OpData3::TLB_MISS), data.contains(OpData3::TLB_2_MISS)) {
            (false, _) => Translation::Level1,
            (true, false) => Translation::Level2,
            (true, true) => Translation::Missed,
        },
    )
}

impl<R: Registers<Address = Register>> Sampler for Op<R> {
    /// What the control register is written with.
    type Program = OpControl;
    type Registers = R;

    const WORDS: usize = 8;

    fn registers(&self) -> &R {
        &self.registers
    }

    #[inline(never)]
    fn encode(&self, request: &Request) -> Result<OpControl, Refusal> {
        let (code, period) = wanted(request, LEAST, self.capabilities.greatest())?;
        let code_bits = OpControl::from_bits_retain(code);
        if !OpControl::CODE.contains(code_bits) {
            return Err(Refusal::Impossible(
                "a sampler of ops counts no event of the counters; request Op::OPS or Event::CYCLES",
            ));
        }
        if code_bits.contains(OpControl::OPS) && !self.capabilities.has(Features::COUNTS_OPS) {
            return Err(Refusal::Impossible("this processor cannot count dispatched ops; count cycles"));
        }
        if code_bits.contains(OpControl::MISSES) && !self.capabilities.has(Features::MISSES) {
            return Err(Refusal::Impossible(
                "this processor cannot leave out what hits the third-level cache; drop records by their source",
            ));
        }
        match self.capabilities.greatest() {
            greatest if period <= greatest => Ok(code_bits | OpControl::of_period(period) | OpControl::ENABLE),
            0x7FF_FFF0 => Err(Refusal::Impossible("the period must be at most 134217712")),
            _ => Err(Refusal::Impossible("the period must be at most 1048560")),
        }
    }

    #[inline(always)]
    fn start(&self, program: OpControl) {
        self.set_control(program);
    }

    #[inline(always)]
    fn stop(&self, found: impl FnMut(&[u64])) -> OpControl {
        let control = self.control();
        let stopped = control.intersection(OpControl::CODE);
        if self.capabilities.clears_period_first() {
            self.set_control(stopped.union(OpControl::ENABLE));
        }
        self.set_control(stopped);
        let count = if control.contains(OpControl::VALID) {
            self.copy(control, found);
            self.random(control)
        } else if self.capabilities.has(Features::COUNT) {
            control.intersection(OpControl::COUNT)
        } else {
            OpControl::empty()
        };
        Self::anew(control).union(count)
    }

    #[inline(always)]
    fn take(&self, found: impl FnMut(&[u64])) -> bool {
        let control = self.control();
        let is_there = control.contains(OpControl::VALID);
        if is_there {
            self.copy(control, found);
            // Amid a stop whose first write has cleared the period: another sample without one would come at once, for ever.
            let is_stopping = !control.intersects(OpControl::WHOLE_PERIOD);
            let next = if is_stopping { control.intersection(OpControl::CODE) } else { Self::anew(control) };
            self.set_control(next.union(self.random(control)));
        }
        is_there
    }

    #[inline(always)]
    fn with_whole_period(&self, program: OpControl) -> OpControl {
        Self::anew(program)
    }

    fn decode(&self, words: &[u64]) -> Record {
        let Ok([_, address, data, second, third, linear, physical, target]) = <[u64; 8]>::try_from(words) else {
            return Record::default();
        };
        let (data, third) = (OpData::from_bits_retain(data), OpData3::from_bits_retain(third));
        let is_memory = third.intersects(OpData3::LOAD.union(OpData3::STORE));
        let has = |bit: OpData3| third.contains(bit);
        let has_address = !(self.capabilities.has(Features::MARKS_ADDRESSES) && data.contains(OpData::NO_ADDRESS));
        let mut record = Record {
            address: has_address.then_some(address),
            operation: Some(operation(third)),
            data_address: has(OpData3::LINEAR).then_some(linear),
            physical_address: has(OpData3::PHYSICAL).then_some(physical),
            retirement: Some(data.retirement()),
            branch: self.branch(if has_address { address } else { 0 }, data, target),
            ..Record::default()
        };
        if is_memory {
            record.source = self.source(third, OpData2::from_bits_retain(second));
            record.translation = translation(third);
            record.is_locked = Some(has(OpData3::LOCKED));
            record.is_misaligned = Some(has(OpData3::MISALIGNED));
            let has_latency = has(OpData3::MISS | OpData3::LOAD) && !has(OpData3::UNCACHED);
            record.latency = has_latency.then_some(third.latency());
        }
        record
    }

    fn late(&self) -> Late {
        Late::One { within: LATE }
    }
}
