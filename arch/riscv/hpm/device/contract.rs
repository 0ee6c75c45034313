//! The device as hypervisors and drivers under test use it.

use core::fmt;

use super::{Device, Place, State};
use crate::arch::riscv::Csr;
use crate::contract::{Masked, OneCpu, Registers};
use crate::event::{CounterId, CounterSet, Mode};
use crate::virt::{self, Decode, Fault, Fingerprint, Kinds, Trigger, Work};

impl<T: Trigger> virt::Device for Device<T> {
    type Address = Csr;
    type Index = Csr;
    type State = State;

    fn try_read(&self, at: Csr) -> Result<u64, Fault> {
        self.read_register(at)
    }

    fn try_write(&self, at: Csr, value: u64) -> Result<(), Fault> {
        self.write_register(at, value)
    }

    fn try_read_counter(&self, index: Csr) -> Result<u64, Fault> {
        match self.place(index)? {
            Place::Counter(..) => self.read_register(index),
            _ => Err(Fault::Absent),
        }
    }

    fn advance(&self, work: &Work) {
        self.count(work);
    }

    fn until_overflow(&self, step: &Work) -> Option<u64> {
        self.steps_until_interrupt(step)
    }

    fn wanted(&self) -> Kinds {
        self.wanted_kinds()
    }

    fn unfed(&self) -> CounterSet {
        self.unfed_counters()
    }

    fn withheld(&self) -> CounterSet {
        self.withheld_counters()
    }

    fn selection(&self, counter: CounterId) -> Option<virt::Selection> {
        self.selection_of(counter)
    }

    fn feed(&self, counter: CounterId, mode: Mode, events: u64) {
        self.count_on(counter, mode, events);
    }

    fn until_overflow_of(&self, counter: CounterId, mode: Mode) -> Option<u64> {
        self.events_until_overflow(counter, mode)
    }

    fn state(&self) -> State {
        self.contents()
    }

    fn fingerprint(&self) -> Fingerprint {
        self.told
    }

    /// Sets the line as the contents have it.
    fn restore(&self, snapshot: &[u8]) -> Result<(), virt::RestoreError> {
        let state: State = virt::Snapshot::read(snapshot, self.fingerprint())?;
        Ok(self.restore_state(&state)?)
    }
}

/// For drivers under test. Their accesses must not fault: if one does, the driver is wrong.
impl<T: Trigger> Registers for Device<T> {
    type Address = Csr;
    type Index = Csr;
    type Kernel = OneCpu;

    fn kernel(&self) -> OneCpu {
        OneCpu
    }

    fn read(&self, at: Csr) -> u64 {
        self.read_register(at).unwrap_or_else(|fault| panic!("reading {at:?}: {fault}"))
    }

    fn write(&self, at: Csr, value: u64) {
        self.write_register(at, value).unwrap_or_else(|fault| panic!("writing {value:#x} to {at:?}: {fault}"));
    }

    fn read_counter(&self, index: Csr) -> u64 {
        virt::Device::try_read_counter(self, index).unwrap_or_else(|fault| panic!("reading {index:?}: {fault}"))
    }

    fn ticks(&self) -> u64 {
        self.ticks.get()
    }

    fn mask(&self) -> Masked {
        self.line.mask()
    }

    fn unmask(&self, before: Masked) {
        self.line.unmask(before);
    }
}

impl<T: Trigger> fmt::Debug for Device<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Device").field(&self.contents()).finish()
    }
}
