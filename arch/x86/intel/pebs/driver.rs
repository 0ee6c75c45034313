//! The sampler.
//!
//! Its interrupt reads one register to find out whose it is. If it is the sampler's, it writes the selector twice and the
//! acknowledgement once.
//! What the interrupt needs to know lies in words of the kernel's memory, so that a thread and the interrupt share no register.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use raw_cpuid::CpuIdReader;

use super::area::{Area, DriverWord, reset};
use super::capabilities::Capabilities;
use super::format::{Format, LOAD_LATENCY, SMALL_LOAD_LATENCY, Source, operation};
use super::registers::{ADAPTIVE, Data, Register, UnitRegisters, loads};
use crate::arch::x86::intel::encode;
use crate::arch::x86::intel::{GlobalStatus, Select};
use crate::arch::x86::{Index, LATE, Line, Msr};
use crate::contract::{Late, Registers, Sampler};
use crate::event::catalogue::Marks;
use crate::event::{
    CounterId, CounterSet, Event, Mode, Operation, Record, Refusal, Remaining, Request, Result, Translation,
};

/// The sampler, over `R`; its interrupt comes through the line `L`.
#[derive(Clone, Copy, Debug)]
pub struct Pebs<R, L> {
    registers: R,
    line: L,
    capabilities: Capabilities,
    area: Area,
}

/// A request as the registers have it, and how much of its period is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Program {
    counter: CounterId,
    select: u64,
    latency: u64,
    period: u64,
    left: u64,
}

impl<R: Registers<Address = Register, Index = Index>, L: Line> Pebs<R, L> {
    /// Finds out what the processor's sampling can, lays `words` out for its records, and creates the driver. An interrupt comes
    /// after each record. The words are emptied. Counters that firmware or a watchdog uses are left out. Registers of the others are written on trial and
    /// have their old values afterwards: it MUST NOT be called while a program is started or a [`Unit`](crate::Unit) counts.
    ///
    /// # Errors
    /// [`Error::NoUnit`](crate::Error::NoUnit) if the processor has none, or not in format 3 or 4;
    /// [`Error::UnknownProcessor`](crate::Error::UnknownProcessor);
    /// [`Error::UsedByOthers`](crate::Error::UsedByOthers) if no counter is left;
    /// [`Error::Swallowed`](crate::Error::Swallowed) if a register does not keep what is written to it;
    /// [`Error::Unusable`](crate::Error::Unusable) if the words are misaligned, or too few for two records.
    pub fn detect<C: CpuIdReader>(cpuid: &C, registers: R, line: L, words: &'static [AtomicU64]) -> Result<Self> {
        let capabilities = Capabilities::detect(cpuid, &UnitRegisters(&registers))?;
        let area = Area::new(words, capabilities.format.words())?;
        Ok(Self { registers, line, capabilities, area })
    }

    /// Lets the interrupt come after so many records, and not after each. It MUST be stopped.
    ///
    /// # Errors
    /// [`Error::Unusable`](crate::Error::Unusable) if there is no room for one more than that, or it is 0.
    pub fn with_threshold(self, records: usize) -> Result<Self> {
        self.area.set_threshold(records)?;
        Ok(self)
    }

    /// Returns how often the memory was found full when it was emptied. Each time at least one record may have been lost: nobody
    /// knows. More room, a lower threshold or a longer period helps.
    pub fn found_full(&self) -> u64 {
        self.area.driver_word(DriverWord::Full)
    }

    #[inline(always)]
    fn write(&self, at: Msr, value: u64) {
        self.registers.write(Register::Unit(at), value);
    }

    /// The counter of the program that was started last.
    #[inline(always)]
    fn counter(&self) -> CounterId {
        CounterId::new(self.area.driver_word(DriverWord::Counter) as u8 & 7).unwrap_or(CounterId::ZERO)
    }

    #[inline(always)]
    fn preset(&self, counter: CounterId, left: u64) {
        let (at, value) = self.capabilities.unit.preset(counter, Remaining::events(left));
        self.write(at, value);
    }

    /// Returns how many events a counter with this value has to wait for: the next one if it has overflowed.
    #[inline(always)]
    const fn left(&self, value: u64) -> u64 {
        let width = self.capabilities.unit.general_width();
        if width.past(value).is_some() { 1 } else { value.wrapping_neg() & width.mask() }
    }

    /// Clears that the memory is full, and that counters are frozen.
    #[inline(always)]
    fn acknowledge(&self, counter: CounterId) {
        let frozen = GlobalStatus::BUFFER.union(GlobalStatus::COUNTERS_FROZEN);
        self.write(Msr::GLOBAL_RESET, frozen.bits() | counter.only().bits());
    }

    /// Calls `found` with the words of each record. The counter MUST be stopped. Returns true if the memory was full: hardware has
    /// not reset the counter then.
    #[inline(always)]
    fn drain(&self, mut found: impl FnMut(&[u64])) -> bool {
        let (program, places) = (self.area.driver_word(DriverWord::Program), self.capabilities.format.places());
        let is_full = self.area.drain(|record| {
            let word = |place: usize| record.get(place).map_or(0, |word| word.load(Relaxed));
            let [address, counters, time, data, source, latency] = places.map(word);
            found(&[program, address, counters, time, data, source, latency]);
        });
        if is_full {
            self.area.set_driver_word(DriverWord::Full, self.area.driver_word(DriverWord::Full).wrapping_add(1));
        }
        is_full
    }

    /// Returns the code of the event and the counters that record it, whoever uses them.
    fn precise(&self, event: Event) -> Result<(u64, CounterSet), Refusal> {
        let code = encode::code(&self.capabilities.unit, event)?;
        let events = self.capabilities.unit.catalogue().events;
        let mut named = events.iter().filter(|named| named.code == code && named.marks.has(Marks::PRECISE));
        match named.next() {
            // Those that only sampling can count have none in the list: like all of loads they are on counters 0 to 3.
            Some(named) if named.counters.is_empty() => {
                Ok((code, self.capabilities.recording(code).and(CounterSet::first(4))))
            }
            Some(named) => Ok((code, self.capabilities.recording(code).and(named.counters))),
            None => Err(Refusal::Impossible(
                "the processor has no precise records of this event; request one that its catalogue marks precise, as MEM_INST_RETIRED.ALL_LOADS (81D0H)",
            )),
        }
    }

    /// Returns the latency that a request of loads names: it is for those that take longer.
    fn least_latency(&self, code: u64, auxiliary: u64) -> Result<u64, Refusal> {
        let is_refined = |code| self.capabilities.unit.auxiliaries.iter().any(|known| known.code == code);
        match (code, auxiliary) {
            (LOAD_LATENCY | SMALL_LOAD_LATENCY, _) if !self.capabilities.has_latencies() => Err(Refusal::Impossible(
                "latencies of loads are not sampled on this processor; request an event of all loads, as MEM_INST_RETIRED.ALL_LOADS (81D0H)",
            )),
            (LOAD_LATENCY, 3..=0xFFFF) => Ok(auxiliary),
            (LOAD_LATENCY, _) => Err(Refusal::Impossible(
                "loads of more cycles than the auxiliary value are recorded, which is 3 to 65535",
            )),
            (code, _) if is_refined(code) => Err(Refusal::Impossible(
                "an event that needs a register of its own beside it is not sampled precisely; sample it by a Unit",
            )),
            (_, 0) => Ok(0),
            (_, bits) => Err(Refusal::Auxiliary(bits)),
        }
    }
}

impl<R: Registers<Address = Register, Index = Index>, L: Line> Sampler for Pebs<R, L> {
    type Program = Program;
    type Registers = R;

    const WORDS: usize = 7;
    const SHARES_STOP: bool = false;

    fn registers(&self) -> &R {
        &self.registers
    }

    #[inline(never)]
    fn encode(&self, request: &Request) -> Result<Program, Refusal> {
        let sampling = request.sampling.ok_or(Refusal::NoPeriod)?;
        request.check_unrefined()?;
        if request.notifies() || request.preset != 0 {
            return Err(Refusal::Impossible("a sampler has no one-shot periods and no preset; stop it after a record"));
        }
        if !self.line.interrupts() {
            return Err(Refusal::NoLine);
        }
        let (code, recording) = self.precise(request.event)?;
        let latency = self.least_latency(code, request.event.auxiliary())?;
        let plain = Request { event: Event::raw(code), ..*request };
        let selector = encode::selector(&self.capabilities.unit, &plain)?;
        let all = self.capabilities.unit.counters_of_all_kinds();
        let others = recording.and(self.capabilities.unit.used_by_others);
        let beside = |refusal| request.usable(others, others).map_or(refusal, Refusal::UsedByOthers);
        let usable = request.usable(all, recording.without(others)).map_err(beside)?;
        let counter = usable.lowest().ok_or(Refusal::UnknownEvent)?;
        if sampling.period > self.capabilities.unit.longest(counter).count() {
            return Err(Refusal::Impossible("the period is longer than the counter can wait for: half of its range"));
        }
        let adaptive = if self.capabilities.has_groups() { ADAPTIVE } else { 0 };
        let select = selector & !Select::INTERRUPT.bits() | adaptive;
        Ok(Program { counter, select, latency, period: sampling.period, left: sampling.period })
    }

    #[inline(always)]
    fn start(&self, program: Program) {
        let Program { counter, select, latency, period, left } = program;
        let general = self.capabilities.unit.general_width().mask();
        let places = [DriverWord::Program, DriverWord::Counter, DriverWord::Period, DriverWord::Latency];
        let words = [select, counter.number().into(), period, latency];
        places.into_iter().zip(words).for_each(|(word, value)| self.area.set_driver_word(word, value));
        self.area.set(reset(counter), period.wrapping_neg() & general);
        self.registers.write(Register::Area, self.area.address());
        if self.capabilities.has_groups() {
            self.registers.write(Register::Data, Data::MEMORY.bits());
        }
        let mut enable = counter.only().bits();
        if latency != 0 {
            self.registers.write(Register::Latency, latency);
            enable |= if self.capabilities.enables_loads() { loads(counter) } else { 0 };
        }
        self.preset(counter, left);
        self.acknowledge(counter);
        self.line.rearm();
        self.registers.write(Register::Enable, enable);
        let others = self.registers.read(Register::Unit(Msr::GLOBAL_CONTROL));
        self.write(Msr::GLOBAL_CONTROL, others | counter.only().bits());
        // An interrupt from here on leaves the selector as it will be.
        self.area.set_driver_word(DriverWord::Select, select);
        self.registers.fence();
        self.write(Msr::selector(counter), select);
    }

    /// Nothing is left for the interrupt from the acknowledgement on, so what is found then is the thread's.
    #[inline(always)]
    fn stop(&self, found: impl FnMut(&[u64])) -> Program {
        let (counter, period) = (self.counter(), self.area.driver_word(DriverWord::Period));
        self.area.set_driver_word(DriverWord::Select, 0);
        self.registers.fence();
        self.write(Msr::selector(counter), 0);
        self.registers.write(Register::Enable, 0);
        self.acknowledge(counter);
        let is_full = self.drain(found);
        let (select, latency) =
            (self.area.driver_word(DriverWord::Program), self.area.driver_word(DriverWord::Latency));
        let left = self.left(self.registers.read_counter(Index::of(counter)));
        let code = Select::from_bits_truncate(select).code();
        let left = self.capabilities.unit.nearest(counter, code, Remaining::events(left)).count();
        let left = if is_full { period } else { left };
        Program { counter, select, latency, period, left }
    }

    #[inline(always)]
    fn take(&self, found: impl FnMut(&[u64])) -> bool {
        let status = GlobalStatus::from_bits_retain(self.registers.read(Register::Unit(Msr::GLOBAL_STATUS)));
        let is_there = status.contains(GlobalStatus::BUFFER);
        if is_there {
            let counter = self.counter();
            self.write(Msr::selector(counter), 0);
            if self.drain(found) {
                self.preset(counter, self.area.driver_word(DriverWord::Period));
            }
            self.acknowledge(counter);
            self.line.rearm();
            self.write(Msr::selector(counter), self.area.driver_word(DriverWord::Select));
        }
        is_there
    }

    #[inline(always)]
    fn with_whole_period(&self, program: Program) -> Program {
        Program { left: program.period, ..program }
    }

    fn decode(&self, words: &[u64]) -> Record {
        let Ok([select, address, counters, time, data, source, latency]) = <[u64; 7]>::try_from(words) else {
            return Record::default();
        };
        let code = Select::from_bits_truncate(select).code();
        let has_memory = matches!(self.capabilities.format, Format::Third) || self.capabilities.has_groups();
        let operation = operation(code).filter(|_| has_memory);
        let modes = Select::from_bits_truncate(select).intersection(Select::USER.union(Select::KERNEL));
        let mode = match modes {
            Select::USER => Some(Mode::User),
            Select::KERNEL => Some(Mode::Kernel),
            _ => None,
        };
        let mut record = Record {
            address: Some(address),
            mode,
            operation,
            data_address: operation.map(|_| data),
            time: Some(time),
            counters: Some(CounterSet::from_bits(counters)),
            ..Record::default()
        };
        if code == LOAD_LATENCY && operation == Some(Operation::Load) {
            let source = Source::from_bits_retain(source);
            let is_missed = source.contains(Source::TLB_MISS);
            record.source = source.named(self.capabilities.has_persistent_memory());
            record.translation = is_missed.then_some(Translation::Missed);
            record.is_locked = Some(source.contains(Source::LOCKED));
            record.latency = Some(latency.min(u32::MAX.into()) as u32);
        }
        record
    }

    fn late(&self) -> Late {
        Late::One { within: LATE }
    }

    #[inline(always)]
    fn rearm(&self) {
        self.line.rearm();
    }
}
