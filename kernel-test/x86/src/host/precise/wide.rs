//! The sampling of Intel's processors, over the page that the guest's sampler was given.

use pmu::Mode;
use pmu::arch::x86::Index;
use pmu::arch::x86::intel::Identity;
use pmu::arch::x86::intel::pebs::{Device, GuestMemory, Outcome, Register};
use pmu::virt::{Fault, Kind, Kinds, Trigger, Unconnected, Work};

use crate::guest::precise::{read, write};
use crate::host::observer::Seen;
use crate::host::unit::Wire;
use crate::identity::Processor;

/// What the host knows of instructions beyond the clock.
const KINDS: [Kind; 4] = [Kind::Loads, Kind::Stores, Kind::Branches, Kind::TakenBranches];

/// The unit with its sampling.
pub struct Precise {
    identity: Identity,
    device: Device<Wire, Mapped>,
    is_on: bool,
    /// The next instruction.
    next: (u64, Seen),
}

/// The guest's page.
struct Mapped;

impl GuestMemory for Mapped {
    fn read(&self, address: u64) -> Option<u64> {
        read(address)
    }

    fn write(&self, address: u64, word: u64) -> Option<()> {
        write(address, word)
    }
}

fn device<T: Trigger>(identity: &Identity, trigger: T) -> Option<Device<T, Mapped>> {
    let kinds = KINDS.into_iter().fold(Kinds::CLOCK, Kinds::with);
    Device::new(identity, kinds, trigger, Mapped).ok()
}

impl Precise {
    /// Returns the sampling of this processor after a reset, if it has it.
    pub fn of(processor: &Processor) -> Option<Self> {
        let Processor::Intel(identity) = processor else { return None };
        let device = device(identity, Wire::default())?;
        Some(Self { identity: *identity, device, is_on: false, next: (0, Seen::default()) })
    }

    /// Does it answer for the unit?
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Will an instruction in this mode be recorded, if it is one of all kinds?
    pub fn samples(&self, mode: Mode) -> bool {
        let all = KINDS.into_iter().fold(Work::instructions(mode, 1), |work, kind| work.with(kind, 1));
        self.is_on && self.device.until_recorded(&all).is_some()
    }

    /// The next instruction is at this address.
    pub fn next_is(&mut self, address: u64, seen: Seen) {
        self.next = (address, seen);
    }

    /// This was done, by the next instruction alone if it `is_one`, and what is next now is at `behind`. Returns how often the wire
    /// was pulled.
    pub fn pass(&self, work: &Work, is_one: bool, behind: u64) -> u64 {
        if is_one {
            let (address, seen) = self.next;
            let outcome = self.device.retire(work, &seen.record(address, behind), &[0; 18]);
            assert!(!matches!(outcome, Outcome::Unmapped { .. }), "the guest's debug store leads nowhere: {outcome:?}");
        } else {
            self.device.advance(work);
        }
        self.device.trigger().take()
    }

    /// Is it one of the sampling's own, or one of the unit's for which it answers?
    fn register(&self, register: u32) -> Option<Register> {
        Register::from_address(register).filter(|at| self.is_on || !matches!(at, Register::Unit(_)))
    }

    /// Reads a register, if it is the sampling's.
    pub fn read(&self, register: u32) -> Option<Result<u64, Fault>> {
        Some(self.device.try_read(self.register(register)?))
    }

    /// Reads a counter, if it answers for the unit.
    pub fn read_counter(&self, ecx: u32) -> Option<Result<u64, Fault>> {
        let index = Index::from_raw(ecx).filter(|_| self.is_on)?;
        Some(self.device.try_read_counter(index))
    }

    /// Would a device without any history take this write, if it is the sampling's?
    pub fn check(&self, register: u32, value: u64) -> Option<Result<(), Fault>> {
        let at = self.register(register)?;
        Some(device(&self.identity, Unconnected).ok_or(Fault::Absent).and_then(|fresh| fresh.try_write(at, value)))
    }

    /// Writes a register that is the sampling's.
    pub fn write(&mut self, register: u32, value: u64) -> Result<(), Fault> {
        let at = self.register(register).ok_or(Fault::Absent)?;
        self.is_on |= at == Register::Area;
        self.device.try_write(at, value)
    }
}
