//! The sampler of fetches.
//!
//! Its interrupt reads each register once and writes the control register once, on families 16h to 18h twice.

use raw_cpuid::CpuIdReader;

use super::Capabilities;
use super::capabilities::Features;
use super::driver::{detect, wanted};
use super::registers::{FetchControl, Register};
use crate::arch::x86::LATE;
use crate::contract::{Late, Registers, Sampler};
use crate::event::{DataSource, Event, Operation, Record, Refusal, Request, Result, Translation};

/// The sampler of fetches, over `R`.
#[derive(Clone, Copy, Debug)]
pub struct Fetch<R> {
    registers: R,
    capabilities: Capabilities,
    entry: u8,
}

impl Fetch<()> {
    /// Fetches that were attempted, with random low bits of the count.
    pub const FETCHES: Event = Event::raw(FetchControl::RANDOM.bits());
}

/// The least period: the count has no bits for less.
const LEAST: u64 = 0x10;
/// The greatest.
const GREATEST: u64 = 0xF_FFF0;

impl<R: Registers<Address = Register>> Fetch<R> {
    /// Finds out what the sampler can, and creates its driver. Writes no register.
    ///
    /// # Errors
    /// Those of [`Capabilities::discover`], and [`Error::NoUnit`](crate::Error::NoUnit) if it samples no fetches or firmware has
    /// assigned it no entry of the local APIC.
    pub fn detect<C: CpuIdReader>(cpuid: &C, registers: R) -> Result<Self> {
        let (capabilities, entry) = detect(cpuid, &registers, Features::FETCHES)?;
        Ok(Self { registers, capabilities, entry })
    }

    /// Returns the number of the entry of the local APIC, 0 to 15, that the interrupt goes through.
    pub const fn entry(&self) -> u8 {
        self.entry
    }

    #[inline(always)]
    fn control(&self) -> FetchControl {
        FetchControl::from_bits_retain(self.registers.read(Register::FetchControl))
    }

    #[inline(always)]
    fn set_control(&self, control: FetchControl) {
        self.registers.write(Register::FetchControl, control.bits());
    }

    /// Returns what goes on with the same request, from the start of a period.
    #[inline(always)]
    const fn anew(control: FetchControl) -> FetchControl {
        control.intersection(FetchControl::PERIOD.union(FetchControl::CODE)).union(FetchControl::ENABLE)
    }

    /// Samples by this control, from the count that it has.
    #[inline(always)]
    fn go_on(&self, control: FetchControl) {
        if self.capabilities.needs_restart() {
            self.set_control(control.difference(FetchControl::ENABLE));
        }
        self.set_control(control);
    }

    /// Calls `found` with the words of the record that is there.
    #[inline(always)]
    fn copy(&self, control: FetchControl, mut found: impl FnMut(&[u64])) {
        let [linear, physical] = [Register::FetchLinear, Register::FetchPhysical].map(|at| self.registers.read(at));
        found(&[control.bits(), linear, physical]);
    }

    /// Returns where the instruction came from, as far as the fetch knows.
    fn source(&self, control: FetchControl) -> Option<DataSource> {
        let misses = |level: FetchControl| control.contains(level);
        if !control.contains(FetchControl::COMPLETE) {
            None
        } else if !misses(FetchControl::MISS) {
            Some(DataSource::Level1)
        } else if self.capabilities.marks_level_2() && !misses(FetchControl::LEVEL_2_MISS) {
            Some(DataSource::Level2)
        } else if self.capabilities.has(Features::MISSES) && !misses(FetchControl::LEVEL_3_MISS) {
            Some(DataSource::Level3)
        } else {
            None
        }
    }
}

impl<R: Registers<Address = Register>> Sampler for Fetch<R> {
    /// What the control register is written with.
    type Program = FetchControl;
    type Registers = R;

    const WORDS: usize = 3;

    fn registers(&self) -> &R {
        &self.registers
    }

    #[inline(never)]
    fn encode(&self, request: &Request) -> Result<FetchControl, Refusal> {
        let (code, period) = wanted(request, LEAST, GREATEST)?;
        let code_bits = FetchControl::from_bits_retain(code);
        if request.event == Event::CYCLES {
            return Err(Refusal::Impossible("fetches are counted, and no cycles; request Fetch::FETCHES"));
        }
        if !FetchControl::CODE.contains(code_bits) {
            return Err(Refusal::Impossible(
                "a sampler of fetches counts no event of the counters; request Fetch::FETCHES",
            ));
        }
        if code_bits.contains(FetchControl::MISSES) && !self.capabilities.has(Features::MISSES) {
            return Err(Refusal::Impossible(
                "this processor cannot leave out what hits the third-level cache; drop records by their source",
            ));
        }
        if period > GREATEST {
            return Err(Refusal::Impossible("the period must be at most 1048560"));
        }
        Ok(code_bits | FetchControl::of_period(period) | FetchControl::ENABLE)
    }

    #[inline(always)]
    fn start(&self, program: FetchControl) {
        self.go_on(program);
    }

    #[inline(always)]
    fn stop(&self, found: impl FnMut(&[u64])) -> FetchControl {
        let control = self.control();
        let stopped = control.intersection(FetchControl::CODE);
        if self.capabilities.clears_period_first() {
            self.set_control(stopped.union(FetchControl::ENABLE));
        }
        self.set_control(stopped);
        let count = if control.contains(FetchControl::VALID) {
            self.copy(control, found);
            FetchControl::empty()
        } else {
            control.intersection(FetchControl::COUNT)
        };
        Self::anew(control).union(count)
    }

    #[inline(always)]
    fn take(&self, found: impl FnMut(&[u64])) -> bool {
        let control = self.control();
        let is_there = control.contains(FetchControl::VALID);
        if is_there {
            self.copy(control, found);
            match control.intersects(FetchControl::PERIOD) {
                true => self.go_on(Self::anew(control)),
                // Amid a stop, as of ops.
                false => self.set_control(control.intersection(FetchControl::CODE)),
            }
        }
        is_there
    }

    #[inline(always)]
    fn with_whole_period(&self, program: FetchControl) -> FetchControl {
        Self::anew(program)
    }

    fn decode(&self, words: &[u64]) -> Record {
        let Ok([control, linear, physical]) = <[u64; 3]>::try_from(words) else { return Record::default() };
        let control = FetchControl::from_bits_retain(control);
        let has_address = linear != 0 || !self.capabilities.has_errata_of_19h();
        let is_missed = [FetchControl::TLB_MISS, FetchControl::TLB_2_MISS].map(|miss| control.contains(miss));
        Record {
            address: has_address.then_some(linear),
            operation: Some(Operation::Fetch),
            physical_address: control.contains(FetchControl::PHYSICAL).then_some(physical),
            source: self.source(control),
            latency: Some(control.latency()),
            translation: Some(match is_missed {
                [false, _] => Translation::Level1,
                [true, false] => Translation::Level2,
                [true, true] => Translation::Missed,
            }),
            ..Record::default()
        }
    }

    fn late(&self) -> Late {
        Late::One { within: LATE }
    }
}
