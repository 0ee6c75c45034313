//! The device as hypervisors and drivers under test use it.

use super::{Device, State};
use crate::arch::loongarch::Register;
use crate::virt::{self, Decode, Fault, Fingerprint, Place, TopBit, Trigger, Work};

impl<T: Trigger> virt::Device for Device<T> {
    type Address = Register;
    type Index = Register;
    type State = State;

    virt::counted!();

    fn try_read(&self, at: Register) -> Result<u64, Fault> {
        self.read_register(at)
    }

    fn try_write(&self, at: Register, value: u64) -> Result<(), Fault> {
        self.write_register(at, value)
    }

    fn try_read_counter(&self, index: Register) -> Result<u64, Fault> {
        match self.place(index)? {
            Place::Counter(_) => self.read_register(index),
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
        state.check(&self.capabilities)?;
        self.put(&state);
        Ok(())
    }
}

virt::driven!([T: Trigger] Device<T>);
