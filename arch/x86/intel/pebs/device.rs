//! Precise sampling in software: the registers as a guest's instructions show them, and the records in its memory.

mod access;
mod recording;

use core::cell::Cell;
use core::fmt;

use super::area::{BASE, INDEX, MAXIMUM, THRESHOLD, reset};
use super::capabilities::Capabilities;
use super::format::LOAD_LATENCY;
use super::registers::Data;
use crate::arch::x86::device::Counting;
use crate::arch::x86::intel::{self, GlobalStatus, Identity, Select};
use crate::arch::x86::{Index, Msr};
use crate::event::{CounterId, CounterSet, Error, Operation, Record};
use crate::virt::{Decode, Device as _, Observed, Trigger, Work};

/// A guest's memory at linear addresses, as the guest's kernel has them mapped.
///
/// Addresses are the guest's: any number, aligned or not. A word MUST be all there, or is not there.
pub trait GuestMemory {
    /// Reads the 8 bytes at this address, or returns `None` if the guest has none mapped there.
    fn read(&self, address: u64) -> Option<u64>;

    /// Writes the 8 bytes at this address, or returns `None`, and writes nothing, if the guest has none mapped there that can be
    /// written.
    fn write(&self, address: u64, word: u64) -> Option<()>;
}

/// What became of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// It is none that is recorded.
    Nothing,
    /// It was recorded.
    Recorded,
    /// The record had no room. The counter goes on without its reset value.
    Full,
    /// The guest's debug store leads to an address where nothing is mapped. Nothing was recorded, and the host decides what becomes
    /// of the guest: hardware makes no promise.
    Unmapped {
        /// The linear address.
        address: u64,
    },
}

/// The unit of one virtual processor with its precise sampling, in software.
///
/// It has an [`intel::Device`] for the counters, and answers for its registers too. The host says what each instruction was
/// ([`Device::retire`]), or lets many pass at once that are not recorded ([`Device::advance`], [`Device::until_recorded`]).
///
/// Sources: those of the registers and of the records. The event after an overflow is recorded. Where several counters are armed
/// one record stands for all whose event the instruction was. A record is written from its beginning on, and the index moves behind
/// it when it is whole. An index beyond the absolute maximum less a record leaves no room; an index at the threshold or beyond it
/// interrupts after each record.
///
/// # What it does not model
///
/// The branch trace store; vector registers and branches of a record, which are 0; transactions. A counter that is sampled and whose
/// selector has INT interrupts at its overflow too, as one that is not. Its state is not saved: a guest that has it cannot be moved.
pub struct Device<T, M> {
    unit: intel::Device<T>,
    memory: M,
    capabilities: Capabilities,
    enable: Cell<u64>,
    data: Cell<u64>,
    latency: Cell<u64>,
    area: Cell<u64>,
    /// The counters whose selectors have Adaptive_Record, the fixed ones by their bits of IA32_FIXED_CTR_CTRL.
    adaptive: Cell<CounterSet>,
    adaptive_fixed: Cell<u64>,
    armed: Cell<CounterSet>,
    time: Cell<u64>,
}

impl<T: Trigger, M: GuestMemory> Device<T, M> {
    /// Creates the unit of `identity` after a reset, as [`intel::Device::new`] does, whose records go to `memory`.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`] if the identity announces none of the formats 3 and 4
    /// ([`Identity::with_sampling`]).
    pub fn new(identity: &Identity, observed: impl Into<Observed>, trigger: T, memory: M) -> Result<Self, Error> {
        let capabilities = Capabilities::of_unit(identity.capabilities())
            .ok_or(Error::NoUnit { reason: "the identity announces no PEBS of format 3 or 4: with_sampling" })?;
        Ok(Self {
            capabilities,
            unit: intel::Device::new(identity, observed, trigger),
            memory,
            enable: Cell::new(0),
            data: Cell::new(0),
            latency: Cell::new(0),
            area: Cell::new(0),
            adaptive: Cell::new(CounterSet::EMPTY),
            adaptive_fixed: Cell::new(0),
            armed: Cell::new(CounterSet::EMPTY),
            time: Cell::new(0),
        })
    }

    /// Returns the line to the local APIC.
    pub fn trigger(&self) -> &T {
        self.unit.trigger()
    }

    /// Returns the guest's memory.
    pub const fn memory(&self) -> &M {
        &self.memory
    }

    /// Sets the time-stamp counter, which records have.
    pub fn set_time(&self, ticks: u64) {
        self.time.set(ticks);
    }

    /// Returns how many repetitions of `step` may pass by [`Device::advance`] before the one whose instruction is recorded, which has
    /// to be described by [`Device::retire`]. `None` if none will be.
    #[must_use]
    pub fn until_recorded(&self, step: &Work) -> Option<u64> {
        let counting = self.unit.counting(step.mode()).and(self.sampled());
        let passes = |id: CounterId| {
            let events = self.unit.table().events(id, step);
            let left = self.unit.left(id).checked_div(events)?.saturating_add(1);
            Some(if self.armed.get().contains(id) { 0 } else { left })
        };
        counting.into_iter().filter_map(passes).min()
    }

    /// Counts what the processor has done. A counter that is armed stays so, and one that overflows is armed: of what passes here
    /// nothing is recorded.
    pub fn advance(&self, work: &Work) {
        self.count(|| self.unit.advance(work));
    }

    /// Counts what one instruction was, its `work`, and records it if it is to be. `registers` are, after the instruction: RFLAGS,
    /// RIP, RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 to R15.
    pub fn retire(&self, work: &Work, instruction: &Record, registers: &[u64; 18]) -> Outcome {
        let loads = self.loads_with(instruction);
        let occurred = self.count(|| {
            self.unit.advance(work);
            loads.into_iter().for_each(|id| self.unit.feed(id, work.mode(), 1));
        });
        match occurred {
            counters if counters.is_empty() => Outcome::Nothing,
            counters => {
                self.armed.set(self.armed.get().without(counters));
                self.record(counters, instruction, registers).unwrap_or_else(|address| Outcome::Unmapped { address })
            }
        }
    }

    /// Returns the counters of loads by their latency that count this instruction.
    fn loads_with(&self, instruction: &Record) -> CounterSet {
        let is_load = matches!(instruction.operation, Some(Operation::Load | Operation::LoadAndStore));
        let is_long = instruction.latency.is_some_and(|latency| u64::from(latency) > self.latency.get());
        let counts = |id: &CounterId| self.code(*id) == LOAD_LATENCY && self.is_enabled_for_loads(*id);
        if is_load && is_long { self.sampled().into_iter().filter(counts).collect() } else { CounterSet::EMPTY }
    }

    fn is_enabled_for_loads(&self, id: CounterId) -> bool {
        !self.capabilities.enables_loads() || self.enable.get() & super::registers::loads(id) != 0
    }

    /// The code of the event that a general counter counts.
    fn code(&self, id: CounterId) -> u64 {
        let select = Msr::select(id.number()).and_then(|at| self.unit.try_read(at).ok());
        select.map_or(0, |select| Select::from_bits_truncate(select).code())
    }

    /// The counters that are sampled.
    fn sampled(&self) -> CounterSet {
        CounterSet::from_bits(self.enable.get()).and(self.capabilities.general().or(self.capabilities.fixed()))
    }

    fn value(&self, id: CounterId) -> u64 {
        self.unit.try_read_counter(Index::of(id)).unwrap_or(0)
    }

    /// Lets the unit count, and arms the counters that overflow. Returns those of the armed ones whose event has occurred.
    fn count(&self, advance: impl FnOnce()) -> CounterSet {
        let (sampled, armed) = (self.sampled(), self.armed.get());
        if sampled.is_empty() {
            advance();
            return CounterSet::EMPTY;
        }
        let mut values = [0; 64];
        sampled.into_iter().for_each(|id| values[id.index()] = self.value(id));
        advance();
        let has = |happened: fn(u64, u64) -> bool| {
            sampled.into_iter().filter(|id| happened(values[id.index()], self.value(*id))).collect::<CounterSet>()
        };
        let (changed, overflowed) = (has(|old, new| old != new), has(|old, new| new < old));
        // The overflow of a counter that is sampled leaves no trace in the status.
        if !overflowed.is_empty() {
            self.armed.set(armed.or(overflowed));
            self.set_status(Msr::GLOBAL_RESET, overflowed.bits());
        }
        armed.and(changed)
    }

    /// Sets or clears bits of the status, which the unit has.
    fn set_status(&self, at: Msr, bits: u64) {
        let done = self.unit.try_write(at, bits);
        debug_assert_eq!(done, Ok(()), "units with PEBS are of version 4 at least");
    }

    /// Writes a record for these counters, resets them, and interrupts if the threshold is reached.
    fn record(&self, counters: CounterSet, of: &Record, registers: &[u64; 18]) -> Result<Outcome, u64> {
        let is_adaptive = !counters.and(self.adaptive.get()).is_empty();
        let groups = Data::from_bits_retain(if is_adaptive { self.data.get() } else { 0 });
        let size = 8 * recording::words(self.capabilities.format, groups) as u64;
        let [index, maximum] = [self.word(INDEX)?, self.word(MAXIMUM)?];
        let end = index.checked_add(size).ok_or(index)?;
        if index < self.word(BASE)? || end > maximum {
            return Ok(Outcome::Full);
        }
        let head = recording::Head { counters, time: self.time.get(), groups };
        recording::write(self.capabilities.format, &head, of, registers, |place, word| {
            let address = index + 8 * place as u64;
            self.memory.write(address, word).ok_or(address)
        })?;
        self.set_word(INDEX, end)?;
        counters.into_iter().try_for_each(|id| self.restart(id))?;
        if end >= self.word(THRESHOLD)? {
            self.set_status(Msr::GLOBAL_SET, GlobalStatus::BUFFER.bits());
            self.unit.pull();
        }
        Ok(Outcome::Recorded)
    }

    /// Sets a counter to its reset value.
    fn restart(&self, id: CounterId) -> Result<(), u64> {
        let (value, number) = (self.word(reset(id))?, id.number());
        let (at, width) = match number {
            0..32 => (Msr::counter(self.capabilities.unit.window(), number), self.capabilities.unit.general_width()),
            _ => (Msr::fixed(number - 32), self.capabilities.unit.fixed_width()),
        };
        if let Some(at) = at {
            let done = self.unit.try_write(at, value & width.mask());
            debug_assert_eq!(done, Ok(()), "a counter that is sampled exists");
        }
        Ok(())
    }

    /// Returns the address of a word of the management area, or what it would wrap around.
    fn place(&self, word: usize) -> Result<u64, u64> {
        let area = self.area.get();
        area.checked_add(8 * word as u64).ok_or(area)
    }

    fn word(&self, word: usize) -> Result<u64, u64> {
        let address = self.place(word)?;
        self.memory.read(address).ok_or(address)
    }

    fn set_word(&self, word: usize, value: u64) -> Result<(), u64> {
        let address = self.place(word)?;
        self.memory.write(address, value).ok_or(address)
    }
}

impl<T, M> fmt::Debug for Device<T, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("enable", &self.enable.get())
            .field("area", &self.area.get())
            .field("armed", &self.armed.get())
            .finish_non_exhaustive()
    }
}
