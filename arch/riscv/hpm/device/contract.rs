//! The device as hypervisors and drivers under test use it.

use super::{Device, Place, State};
use crate::arch::riscv::Csr;
use crate::virt::{self, Decode, Fault, Fingerprint, Trigger, Work};

impl<T: Trigger> virt::Device for Device<T> {
    type Address = Csr;
    type Index = Csr;
    type State = State;

    virt::counted!();

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

    fn until_overflow(&self, step: &Work) -> Option<u64> {
        self.steps_until_interrupt(step)
    }

    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Sets the line as the contents have it.
    fn restore(&self, snapshot: &[u8]) -> Result<(), virt::RestoreError> {
        let state: State = virt::Snapshot::read(snapshot, self.fingerprint())?;
        Ok(self.restore_state(&state)?)
    }
}

virt::driven!([T: Trigger] Device<T>);
