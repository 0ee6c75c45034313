//! The calls of the PMU extension, as a guest makes them: in registers.

use super::snapshot::Memory;
use super::{FIRMWARE_COUNTERS, Host};
use crate::arch::riscv::Csr;
use crate::arch::riscv::hpm::counters::from_register;
use crate::arch::riscv::hpm::events as codes;
use crate::arch::riscv::hpm::sbi::events::{is_specified, of_generic};
use crate::arch::riscv::hpm::{Model, Select};
use crate::arch::riscv::sbi::{
    AUTO_START, BASE, CLEAR_VALUE, FILTER_SHIFT, FROM_SNAPSHOT, LOCAL_PMU, PMU, RESET, SET_INITIAL_VALUE, SKIP_MATCH,
    SSE, SbiError, TAKE_SNAPSHOT,
};
use crate::event::Generic;
use crate::virt::{Kind, Trigger};

/// The firmware's answer to a call.
pub(super) type Answer = Result<u64, SbiError>;

/// The types of events, in bits 19 to 16 of an index.
const GENERAL: u64 = 0;
const CACHE: u64 = 1;
const RAW: u64 = 2;
const WIDE_RAW: u64 = 3;
const FIRMWARE: u64 = 15;
const CONFIGURATION_FLAGS: u64 = 0xFF;

/// The events of the processor's unit that an index asks for: what mhpmevent selects, and the register that counts nothing
/// else.
struct Meaning {
    select: u64,
    fixed: Option<u8>,
}

impl<T: Trigger> Host<T> {
    /// Answers a call that a guest makes with these registers: a7, a6, and from a0 on. The answer is what goes into a1, with
    /// 0 or the error's number in a0. Snapshot memory is the guest's.
    ///
    /// # Errors
    /// The errors of the specification. [`SbiError::NotSupported`] for what is no call of the PMU extension.
    pub fn call(&self, extension: u64, function: u64, arguments: [u64; 6], memory: &impl Memory) -> Answer {
        let [first, second, third, fourth, fifth, sixth] = arguments.map(|argument| self.register(argument));
        match (extension, function) {
            (BASE, 3) => Ok((first == PMU || first == SSE && self.makes_events).into()),
            (BASE, 4) => Ok(self.get(Csr::MVENDORID)),
            (BASE, 5) => Ok(self.get(Csr::MARCHID)),
            (BASE, 6) => Ok(self.get(Csr::MIMPID)),
            (PMU, 0) => Ok(self.counters()),
            (PMU, 1) => self.describe(first),
            (PMU, 2) => {
                let data = if self.is_narrow { sixth << 32 | fifth } else { fifth };
                self.configure(self.named(first, second)?, third, fourth, data)
            }
            (PMU, 3) => {
                let value = if self.is_narrow { fifth << 32 | fourth } else { fourth };
                self.start(first, self.named(first, second)?, third, value, memory)
            }
            (PMU, 4) => self.stop(first, self.named(first, second)?, third, memory),
            (PMU, 5) => self.read_firmware(first).map(|value| self.register(value)),
            (PMU, 6) => self.read_firmware(first).map(|value| if self.is_narrow { value >> 32 } else { 0 }),
            (PMU, 7) => self.set_memory(first, second, third, memory),
            (SSE, 4 | 5) if self.makes_events && first == LOCAL_PMU => Ok(0),
            _ => Err(SbiError::NotSupported),
        }
    }

    /// Returns what a register holds of a value.
    pub(super) fn register(&self, value: u64) -> u64 {
        if self.is_narrow { value & 0xFFFF_FFFF } else { value }
    }

    /// Returns the counters that a base and a mask name.
    fn named(&self, base: u64, mask: u64) -> Answer {
        let room = u32::try_from(base).ok().filter(|&base| base < u64::BITS);
        let named = room.map(|base| mask << base).filter(|&named| named.count_ones() == mask.count_ones());
        let all = u64::MAX >> (u64::BITS as u64 - self.counters());
        named.filter(|named| named & !all == 0).ok_or(SbiError::InvalidParameter)
    }

    fn describe(&self, index: u64) -> Answer {
        match self.place_of(index) {
            Some(Place::Register(register)) => {
                let bits = self.bits(register);
                Ok((u64::from(bits - 1) << 12) | (0xC00 + u64::from(register)))
            }
            Some(Place::Firmware(_)) => Ok(1 << if self.is_narrow { 31 } else { 63 } | 63 << 12),
            None => Err(SbiError::InvalidParameter),
        }
    }

    fn bits(&self, register: u8) -> u32 {
        let counter = from_register(1 << register).lowest();
        counter.map_or(64, |counter| self.capabilities().width_of(counter).bits())
    }

    /// Returns what a counter is.
    pub(super) fn place_of(&self, index: u64) -> Option<Place> {
        let first = self.first_of_firmware();
        match index {
            1 => None,
            _ if index < first => Some(Place::Register(index as u8)).filter(|_| self.hardware >> index & 1 == 1),
            _ => usize::try_from(index - first).ok().filter(|&index| index < FIRMWARE_COUNTERS).map(Place::Firmware),
        }
    }

    /// Returns the indices of cycle and instret, as far as the processor has them: the same as their registers.
    pub(super) fn fixed(&self) -> u64 {
        u64::from(self.hardware) & 0b101
    }

    pub(super) fn is_configured(&self, index: u64) -> bool {
        self.configured.get() >> index & 1 == 1
    }

    fn configure(&self, named: u64, flags: u64, event: u64, data: u64) -> Answer {
        if flags & !CONFIGURATION_FLAGS != 0 || event >> 20 != 0 || named == 0 {
            return Err(SbiError::InvalidParameter);
        }
        let is_matched = flags & SKIP_MATCH == 0;
        let index = match is_matched {
            true => self.matched(named, flags, event, data)?,
            false => {
                indices(named).next().filter(|&index| self.is_configured(index)).ok_or(SbiError::InvalidParameter)?
            }
        };
        if flags & CLEAR_VALUE != 0 {
            self.set_value(index, 0);
        }
        // cycle and instret count from boot on. The call has no error for a counter that counts already, or does not.
        let _ = match flags & AUTO_START {
            0 if is_matched && self.taken.get() >> index & 1 == 0 => self.stop_one(index),
            0 => Ok(()),
            _ => self.start_one(index, None),
        };
        self.taken.set(self.taken.get() | 1 << index & self.fixed());
        Ok(index)
    }

    /// Finds the highest of these counters that can count an event and has none, and gives it the event.
    fn matched(&self, named: u64, flags: u64, event: u64, data: u64) -> Answer {
        if event >> 16 == FIRMWARE {
            return self.matched_in_firmware(named, event & 0xFFFF);
        }
        let meaning = self.meaning(event, data).filter(|meaning| self.is_fed(meaning)).ok_or(SbiError::NotSupported)?;
        let able = |&index: &u64| self.is_able(index, &meaning);
        let index = indices(named).filter(able).last().ok_or(SbiError::NotSupported)?;
        let filters = (flags >> FILTER_SHIFT & 0x1F) << FILTERS_AT | Select::NOT_MACHINE.bits();
        let select = Select::from_bits_retain(filters);
        if index > 2 {
            self.set_select(index as u8, select | Select::from_bits_retain(meaning.select) | Select::OVERFLOWED);
        } else if self.has_filters_of_fixed {
            self.set_select(index as u8, select);
        }
        if self.capabilities().masks() {
            self.set_masks(index as u8, select);
        }
        self.configured.set(self.configured.get() | 1 << index);
        Ok(index)
    }

    /// Returns true if the host observes the event, or has not said what it observes.
    fn is_fed(&self, meaning: &Meaning) -> bool {
        let kind = match meaning.fixed {
            Some(0) => Some(Kind::Cycles),
            Some(_) => Some(Kind::Instructions),
            None => self.unit.kind_of(meaning.select),
        };
        self.fed.is_none_or(|fed| kind.is_some_and(|kind| fed.contains(kind)))
    }

    fn is_able(&self, index: u64, meaning: &Meaning) -> bool {
        match self.place_of(index) {
            Some(Place::Register(register @ 0..3)) => meaning.fixed == Some(register),
            Some(Place::Register(register)) if meaning.select != 0 => {
                let able = codes::able(self.capabilities().model, meaning.select);
                let is_free = !self.is_configured(index) && !self.counts(register);
                is_free && !able.and(from_register(1 << register)).is_empty()
            }
            _ => false,
        }
    }

    /// Returns what an event is to the processor. One whose core has the specification's indices selects these. Of the others
    /// the general events select the core's own, as a device tree maps them.
    fn meaning(&self, event: u64, data: u64) -> Option<Meaning> {
        let model = self.capabilities().model;
        let fixed = match event {
            1 => Some(0),
            2 => Some(2),
            _ => None,
        };
        let select = match event >> 16 {
            RAW if event == RAW << 16 && data >> 48 == 0 => data,
            WIDE_RAW if event == WIDE_RAW << 16 && data >> 56 == 0 => data,
            GENERAL | CACHE if matches!(model, Model::Indexed | Model::Qemu) => {
                Some(event).filter(|&event| is_specified(event))?
            }
            GENERAL => own_code(model, event),
            CACHE => 0,
            _ => return None,
        };
        Some(Meaning { select, fixed }).filter(|_| select != 0 || fixed.is_some())
    }

    fn start(&self, base: u64, named: u64, flags: u64, value: u64, memory: &impl Memory) -> Answer {
        let (presets, from_memory) = (flags & SET_INITIAL_VALUE != 0, flags & FROM_SNAPSHOT != 0);
        if flags & !(SET_INITIAL_VALUE | FROM_SNAPSHOT) != 0 || presets && from_memory {
            return Err(SbiError::InvalidParameter);
        }
        let page = if from_memory { Some(self.page(memory)?) } else { None };
        self.each(named, |index| {
            let preset = match page {
                Some(page) => Some(page.value(index - base, memory)?),
                None => presets.then_some(value),
            };
            self.start_one(index, preset)
        })
    }

    /// Does something with each of these counters that has an event, and returns the last error. It is one if none has.
    fn each(&self, named: u64, mut each: impl FnMut(u64) -> Result<(), SbiError>) -> Answer {
        let with_event = named & self.configured.get();
        if with_event == 0 {
            return Err(SbiError::InvalidParameter);
        }
        let mut answer = Ok(0);
        for index in indices(with_event) {
            answer = each(index).and(answer);
        }
        answer
    }

    /// A counter that counts keeps its value.
    fn start_one(&self, index: u64, preset: Option<u64>) -> Result<(), SbiError> {
        if self.counts_at(index) {
            return Err(SbiError::AlreadyStarted);
        }
        preset.into_iter().for_each(|value| self.set_value(index, value));
        match self.place_of(index) {
            Some(Place::Register(register)) => {
                self.arm(register);
                self.set(Csr::MCOUNTINHIBIT, self.get(Csr::MCOUNTINHIBIT) & !(1 << register));
            }
            Some(Place::Firmware(at)) => self.running.set(self.running.get() | 1 << at),
            None => {}
        }
        Ok(())
    }

    /// Forgets a counter's overflow, so that its next one interrupts.
    fn arm(&self, register: u8) {
        match self.capabilities().interrupt().own() {
            Some(own) => {
                self.set(own.overflowed.clearing(), 1 << register);
                self.set(own.interrupting.setting(), 1 << register);
            }
            None if register > 2 => self.clear_overflow(register),
            None => {}
        }
    }

    fn clear_overflow(&self, register: u8) {
        let select = Csr::select(register).map_or(0, |at| self.get_whole(at));
        self.set_select(register, Select::from_bits_retain(select).difference(Select::OVERFLOWED));
    }

    fn stop(&self, base: u64, named: u64, flags: u64, memory: &impl Memory) -> Answer {
        if flags & !(RESET | TAKE_SNAPSHOT) != 0 {
            return Err(SbiError::InvalidParameter);
        }
        let page = if flags & TAKE_SNAPSHOT != 0 { Some(self.page(memory)?) } else { None };
        self.each(named, |index| {
            let stopped = self.stop_one(index);
            if let Some(page) = page {
                page.take(index - base, self.value(index), self.has_overflowed(index), memory)?;
            }
            if flags & RESET != 0 {
                self.reset_one(index);
            }
            stopped
        })
    }

    fn stop_one(&self, index: u64) -> Result<(), SbiError> {
        if !self.counts_at(index) {
            return Err(SbiError::AlreadyStopped);
        }
        match self.place_of(index) {
            Some(Place::Register(register)) => {
                self.set(Csr::MCOUNTINHIBIT, self.get(Csr::MCOUNTINHIBIT) | 1 << register);
                if let Some(own) = self.capabilities().interrupt().own() {
                    self.set(own.interrupting.clearing(), 1 << register);
                }
            }
            Some(Place::Firmware(at)) => self.running.set(self.running.get() & !(1 << at)),
            None => {}
        }
        Ok(())
    }

    /// cycle and instret have their events for ever.
    fn reset_one(&self, index: u64) {
        self.taken.set(self.taken.get() & !(1 << index));
        self.configured.set(self.configured.get() & (!(1 << index) | self.fixed()));
        match self.place_of(index) {
            Some(Place::Register(register @ 3..)) => self.set_select(register, Select::OVERFLOWED),
            Some(Place::Firmware(at)) => self.events[at].set(0),
            _ => {}
        }
    }

    fn counts(&self, register: u8) -> bool {
        self.get(Csr::MCOUNTINHIBIT) >> register & 1 == 0
    }

    fn counts_at(&self, index: u64) -> bool {
        match self.place_of(index) {
            Some(Place::Register(register)) => self.counts(register),
            Some(Place::Firmware(at)) => self.running.get() >> at & 1 == 1,
            None => false,
        }
    }

    fn has_overflowed(&self, index: u64) -> bool {
        matches!(self.place_of(index), Some(Place::Register(_))) && self.unit_overflows() >> index & 1 == 1
    }

    fn value(&self, index: u64) -> u64 {
        match self.place_of(index) {
            Some(Place::Register(register)) => Csr::counter(register).map_or(0, |at| self.get_whole(at)),
            Some(Place::Firmware(at)) => self.values[at].get(),
            None => 0,
        }
    }

    fn set_value(&self, index: u64, value: u64) {
        match self.place_of(index) {
            Some(Place::Register(register)) => {
                Csr::counter(register).into_iter().for_each(|at| self.set_whole(at, value));
            }
            Some(Place::Firmware(at)) => self.values[at].set(value),
            None => {}
        }
    }
}

/// Returns what a core selects for a general event of the specification, or 0 if it has none.
fn own_code(model: Model, event: u64) -> u64 {
    let generic = Generic::ALL.iter().find(|&&generic| of_generic(generic) == Some(event));
    generic.and_then(|&generic| codes::programmable_code(model, generic)).unwrap_or(0)
}

/// The position of VUINH in mhpmevent, from which on the filters are in the order of the flags.
const FILTERS_AT: u32 = 58;

/// What a counter is.
pub(super) enum Place {
    /// The processor's, by its register.
    Register(u8),
    /// The firmware's.
    Firmware(usize),
}

/// Returns the counters of a mask, from the lowest on.
pub(super) fn indices(named: u64) -> impl Iterator<Item = u64> {
    (0..64).filter(move |index| named >> index & 1 == 1)
}
