//! What a snapshot of sampling holds.

use core::cell::Cell;

use super::super::registers::{FetchControl, OpControl, Register};
use super::{Counter, Device, PHYSICAL, PLAIN};
use crate::virt::{Contents, Family, RestoreError, Snapshot, Trigger, check_fit, words};

/// The contents of all registers. Registers that the processor does not have are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct State {
    /// In the order of their addresses; the controls without their counts.
    registers: [u64; 12],
    ops: u64,
    op_is_tagged: bool,
    fetches: u64,
    fetch_is_tagged: bool,
}

words!(State { registers, ops, op_is_tagged, fetches, fetch_is_tagged });

impl Contents for State {
    const FAMILY: Family = Family::new("ibs");
    const VERSIONS: &'static [usize] = &[16];
}

impl<T: Trigger> Device<T> {
    /// Returns the contents of all registers as bytes. What [`Device::randomise`] has set is the host's, and not among them.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let mut registers = self.others.each_ref().map(Cell::get);
        let controls = [self.fetch_control.get().bits(), self.op_control.get().bits()];
        for (at, value) in [Register::FetchControl, Register::OpControl].into_iter().zip(controls) {
            registers.get_mut(at.place()).into_iter().for_each(|place| *place = value);
        }
        let [(ops, op_is_tagged), (fetches, fetch_is_tagged)] =
            [&self.op, &self.fetch].map(|counter| (counter.count.get(), counter.is_tagged.get()));
        let state = State { registers, ops, op_is_tagged, fetches, fetch_is_tagged };
        Snapshot::new(self.capabilities.fingerprint(), &state)
    }

    /// Restores the contents of all registers from the bytes of a snapshot. The trigger is not called.
    ///
    /// # Errors
    /// Those of [`virt::Device::restore`](crate::virt::Device::restore). Nothing has changed then.
    pub fn restore(&self, snapshot: &[u8]) -> Result<(), RestoreError> {
        let state: State = Snapshot::read(snapshot, self.capabilities.fingerprint())?;
        for (at, value) in Register::ALL.into_iter().zip(state.registers) {
            check_fit(Some(self.holds(at)), value)?;
        }
        // A count that has wrapped on its way to the period has one bit more.
        check_fit(Some(2 * self.limit() - 1), state.ops)?;
        check_fit(Some(2 * PLAIN - 1), state.fetches)?;
        self.put(&state);
        Ok(())
    }

    fn put(&self, state: &State) {
        for (at, value) in Register::ALL.into_iter().zip(state.registers) {
            match at {
                Register::FetchControl => self.fetch_control.set(FetchControl::from_bits_truncate(value)),
                Register::OpControl => self.op_control.set(OpControl::from_bits_retain(value)),
                at => self.set(at, value),
            }
        }
        let put = |counter: &Counter, count, is_tagged| {
            counter.set(count);
            counter.is_tagged.set(is_tagged);
        };
        put(&self.op, state.ops, state.op_is_tagged);
        put(&self.fetch, state.fetches, state.fetch_is_tagged);
    }

    /// Returns the bits that a register can hold, but for its count.
    fn holds(&self, at: Register) -> u64 {
        match at {
            _ if self.check_presence(at).is_err() => 0,
            Register::FetchLinear => u64::MAX,
            Register::FetchPhysical => PHYSICAL,
            Register::FetchControl => self.announced(FetchControl::all()).difference(FetchControl::COUNT).bits(),
            at => self.bits(at).unwrap_or(0) & !if at == Register::OpControl { OpControl::COUNT.bits() } else { 0 },
        }
    }
}
