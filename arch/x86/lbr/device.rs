//! The recorders in software: their registers as a guest's instructions show them.

mod recording;
mod state;

use core::cell::Cell;
use core::fmt;

use self::state::State;
use super::capabilities::{Capabilities, Freeze, Generation, MOST};
use super::registers::{CORE_RECORDS, FREEZES, FROZEN, RECORDS};
use crate::arch::x86::{Index, Msr};
use crate::virt::{self, Fault, check_fit};

/// The recorder of one virtual processor's branches, in software.
///
/// The host says of each branch what it was, and in which modes ([`Device::transfer`]), and of each overflow that interrupts
/// ([`Device::overflow_interrupts`]). A guest that shall find it is told of it ([`Capabilities::cpuid`],
/// [`Capabilities::perf_capabilities`]).
///
/// Two registers it shares. Of IA32_DEBUGCTL, which the host answers, it has two bits ([`Device::debug_control`]). Of the status
/// of the unit that counts, and the registers that clear and set its bits, it has one: the records are frozen.
///
/// Sources: those of the registers (SDM vol. 3, "Last Branch Records"; vol. 4; APM vol. 2, "Last Branch Stack Registers").
///
/// # What it does not model
///
/// Transactions, branch trace messages, the debug store, and XSAVE of the architectural records. Nehalem's filter of calls is as
/// Sandy Bridge's.
pub struct Device {
    able: Capabilities,
    debug: Cell<u64>,
    control: Cell<u64>,
    select: Cell<u64>,
    top: Cell<u64>,
    depth: Cell<u64>,
    is_frozen: Cell<bool>,
    sources: [Cell<u64>; MOST],
    targets: [Cell<u64>; MOST],
    infos: [Cell<u64>; MOST],
}

/// A register, or a part of a shared one.
enum Place {
    Debug,
    Control,
    Select,
    Top,
    Depth,
    Status,
    Reset,
    Set,
    Source(u64),
    Target(u64),
    Info(u64),
}

impl Device {
    /// Creates the recorder after a reset.
    #[must_use]
    pub fn new(able: Capabilities) -> Self {
        let device = Self {
            able,
            debug: Cell::default(),
            control: Cell::default(),
            select: Cell::default(),
            top: Cell::default(),
            depth: Cell::default(),
            is_frozen: Cell::default(),
            sources: [const { Cell::new(0) }; MOST],
            targets: [const { Cell::new(0) }; MOST],
            infos: [const { Cell::new(0) }; MOST],
        };
        device.reset();
        device
    }

    /// Returns what it can.
    #[must_use]
    pub const fn capabilities(&self) -> &Capabilities {
        &self.able
    }

    /// Resets it, when the virtual processor is: all registers are 0, and there are as many entries as there can be.
    pub fn reset(&self) {
        self.put(&State { depth: self.able.depth.into(), ..State::default() });
    }

    /// Reads a register, or its part of a shared one.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] if the recorder has no such register, or its part of it is only written.
    pub fn try_read(&self, at: Msr) -> Result<u64, Fault> {
        Ok(match self.place(at).ok_or(Fault::Absent)? {
            Place::Debug => self.debug.get(),
            Place::Control => self.control.get(),
            Place::Select => self.select.get(),
            Place::Top => self.top.get(),
            Place::Depth => self.depth.get(),
            Place::Status => {
                if self.is_frozen.get() {
                    FROZEN
                } else {
                    0
                }
            }
            Place::Reset | Place::Set => 0,
            Place::Source(entry) => self.in_entry(&self.sources, entry)?.get(),
            Place::Target(entry) => self.in_entry(&self.targets, entry)?.get(),
            Place::Info(entry) => self.in_entry(&self.infos, entry)?.get(),
        })
    }

    /// Writes a register, or its part of a shared one.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] if the recorder has no such register, and [`Fault::Reserved`] for a value that it cannot hold.
    /// Nothing has changed then.
    pub fn try_write(&self, at: Msr, value: u64) -> Result<(), Fault> {
        match self.place(at).ok_or(Fault::Absent)? {
            Place::Debug => self.set_debug_control(value),
            Place::Control => {
                check_fit(Some(self.controllable()), value)?;
                self.control.set(value);
            }
            Place::Select => {
                check_fit(Some(self.able.selectable().bits()), value)?;
                self.select.set(value);
            }
            Place::Top => self.top.set(value % self.depth.get()),
            Place::Depth if !self.able.has_depth(value) => return Err(Fault::Reserved),
            Place::Depth => {
                self.depth.set(value);
                self.top.set(0);
                [&self.sources, &self.targets, &self.infos].into_iter().flatten().for_each(|part| part.set(0));
            }
            Place::Status => return Err(Fault::ReadOnly),
            Place::Reset => self.is_frozen.set(self.is_frozen.get() && value & FROZEN == 0),
            Place::Set => self.is_frozen.set(self.is_frozen.get() || value & FROZEN != 0),
            Place::Source(entry) => self.in_entry(&self.sources, entry)?.set(value),
            Place::Target(entry) => self.in_entry(&self.targets, entry)?.set(value),
            Place::Info(entry) => self.in_entry(&self.infos, entry)?.set(value),
        }
        Ok(())
    }

    /// Reads a register of the recorder, or of the unit that counts, which answers by `unit`. A guest that is told of both so has
    /// its IA32_PERF_CAPABILITIES and its status whole.
    ///
    /// # Errors
    /// Those of [`Device::try_read`] for the recorder's own registers, and those of `unit` for others.
    pub fn try_read_with(&self, at: Msr, unit: impl FnOnce() -> Result<u64, Fault>) -> Result<u64, Fault> {
        match self.place(at) {
            Some(Place::Status | Place::Reset | Place::Set) => Ok(unit()? | self.try_read(at)?),
            Some(_) => self.try_read(at),
            None if at == Msr::CAPABILITIES => Ok(self.able.perf_capabilities(unit()?)),
            None => unit(),
        }
    }

    /// Writes a register of the recorder, or of the unit that counts, to which `unit` writes.
    ///
    /// # Errors
    /// Those of [`Device::try_write`] for the recorder's own registers, and those of `unit` for others. Nothing has changed then.
    pub fn try_write_with(
        &self,
        at: Msr,
        value: u64,
        unit: impl FnOnce(u64) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        match self.place(at) {
            Some(Place::Status) => unit(value),
            Some(Place::Reset | Place::Set) => {
                unit(value & !FROZEN)?;
                self.try_write(at, value)
            }
            Some(_) => self.try_write(at, value),
            None => unit(value),
        }
    }

    /// Returns its bits of the guest's IA32_DEBUGCTL, whose others are the host's: LBR (0) on a stack, and
    /// FREEZE_LBRS_ON_PMI (11). An overflow may have cleared LBR.
    #[must_use]
    pub const fn debug_control(&self) -> u64 {
        self.debug.get()
    }

    /// Returns IA32_DEBUGCTL with its bits as they are now, and all others of `value`.
    #[must_use]
    pub fn debug_control_of(&self, value: u64) -> u64 {
        value & !self.debug_bits() | self.debug.get()
    }

    /// Passes the guest's IA32_DEBUGCTL on.
    pub fn set_debug_control(&self, value: u64) {
        self.debug.set(value & self.debug_bits());
    }

    fn debug_bits(&self) -> u64 {
        let records = if matches!(self.able.generation, Generation::Stack(_)) { RECORDS } else { 0 };
        records | if self.able.freeze.is_some() { FREEZES } else { 0 }
    }

    fn controllable(&self) -> u64 {
        match self.able.generation {
            Generation::Stack(_) => 0,
            Generation::Architectural => self.able.controllable().bits(),
            Generation::Extension => CORE_RECORDS,
        }
    }

    fn place(&self, at: Msr) -> Option<Place> {
        let (able, is_stack) = (&self.able, matches!(self.able.generation, Generation::Stack(_)));
        let [status, reset, set] = able.status();
        let is_architectural = able.generation == Generation::Architectural;
        let has_status = able.freeze == Some(Freeze::ByStatus);
        Some(match at {
            Msr::DEBUG_CONTROL => Place::Debug,
            Msr::BRANCH_CONTROL if is_architectural => Place::Control,
            Msr::CORE_BRANCH_CONTROL if able.generation == Generation::Extension => Place::Control,
            Msr::BRANCH_TOP if is_stack => Place::Top,
            Msr::BRANCH_DEPTH if is_architectural => Place::Depth,
            at if able.select() == Some(at) => Place::Select,
            at if has_status && at == status => Place::Status,
            at if has_status && at == reset => Place::Reset,
            at if has_status && at == set => Place::Set,
            at => return self.part(at),
        })
    }

    /// Returns the register of an entry.
    fn part(&self, at: Msr) -> Option<Place> {
        let stride = if self.able.generation == Generation::Extension { 2 } else { 1 };
        let number = |first: Msr| {
            let offset = at.address().wrapping_sub(first.address());
            (offset.is_multiple_of(stride) && offset / stride < u32::from(self.able.depth))
                .then_some(u64::from(offset / stride))
        };
        let source = number(self.able.source(0)).map(Place::Source);
        let target = || number(self.able.target(0)).map(Place::Target);
        source.or_else(target).or_else(|| self.able.info(0).and_then(number).map(Place::Info))
    }

    /// Returns an entry's place. On a stack the number is that of the place, elsewhere it counts from the newest.
    fn in_entry<'d>(&self, parts: &'d [Cell<u64>; MOST], number: u64) -> Result<&'d Cell<u64>, Fault> {
        let depth = self.depth.get();
        let place = match self.able.generation {
            _ if number >= depth => return Err(Fault::Absent),
            Generation::Stack(_) => number,
            Generation::Architectural | Generation::Extension => (self.top.get() + depth - number) % depth,
        };
        parts.get(place as usize).ok_or(Fault::Absent)
    }
}

virt::recorded!([] Device, Msr, Index);

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("able", &self.able)
            .field("records", &self.records())
            .field("is_frozen", &self.is_frozen.get())
            .finish_non_exhaustive()
    }
}
