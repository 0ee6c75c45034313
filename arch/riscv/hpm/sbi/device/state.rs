//! The contents of a host, as plain data, and as a snapshot has them.

use core::cell::Cell;

use super::{FIRMWARE_COUNTERS, Host};
use crate::arch::riscv::hpm;
use crate::virt::{Contents, Device as _, Family, Fault, RestoreError, Trigger, words};

/// The events of four counters are a word.
const WORDS: usize = FIRMWARE_COUNTERS / 4;

/// What a host has for its guest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct HostState {
    /// The processor's unit.
    pub unit: hpm::device::State,
    /// The counters that have an event.
    pub configured: u64,
    /// The firmware's counters that count.
    pub running: u64,
    /// The events of the firmware's counters, one more than their numbers, four in each word.
    pub events: [u64; WORDS],
    /// The values of the firmware's counters.
    pub values: [u64; FIRMWARE_COUNTERS],
    /// scounteren.
    pub readable_in_user: u32,
    /// The snapshot memory's address and 1, or 0.
    pub memory: u64,
    /// Which of cycle and instret the guest has configured: they count from boot on.
    pub taken: u64,
}

words!(HostState { unit, configured, running, events, values, readable_in_user, memory, taken });

impl Contents for HostState {
    const FAMILY: Family = Family::new("sbi");
    const VERSIONS: &'static [usize] = &[73 + 2 + WORDS + FIRMWARE_COUNTERS + 3];
}

impl<T: Trigger> Host<T> {
    pub(super) fn contents(&self) -> HostState {
        let event = |index: usize| u64::from(self.events[index].get()) << (16 * (index % 4));
        let word = |word: usize| (4 * word..4 * word + 4).map(event).fold(0, |all, event| all | event);
        HostState {
            unit: self.unit.state(),
            configured: self.configured.get(),
            running: self.running.get(),
            events: core::array::from_fn(word),
            values: self.values.each_ref().map(Cell::get),
            readable_in_user: self.readable_in_user.get(),
            memory: self.memory.get(),
            taken: self.taken.get(),
        }
    }

    /// Restores the contents, if a host can have them.
    pub(super) fn put(&self, state: &HostState) -> Result<(), RestoreError> {
        self.check(state)?;
        self.unit.restore_state(&state.unit)?;
        self.configured.set(state.configured);
        self.running.set(state.running);
        for (index, event) in self.events.iter().enumerate() {
            event.set((state.events[index / 4] >> (16 * (index % 4))) as u16);
        }
        self.values.iter().zip(state.values).for_each(|(cell, value)| cell.set(value));
        self.readable_in_user.set(state.readable_in_user);
        self.memory.set(state.memory);
        self.taken.set(state.taken);
        Ok(())
    }

    fn check(&self, state: &HostState) -> Result<(), Fault> {
        let first = self.first_of_firmware();
        let of_firmware = ((1 << FIRMWARE_COUNTERS) - 1) << first & !0b10;
        let is_strange = state.configured & !(u64::from(self.hardware) | of_firmware) != 0
            || state.running & !(state.configured >> first) != 0
            || state.readable_in_user & !self.hardware != 0
            || state.taken & !(state.configured & self.fixed()) != 0
            || state.memory != 0 && !(state.memory - 1).is_multiple_of(4096);
        let event = |index: usize| state.events[index / 4] >> (16 * (index % 4)) & 0xFFFF;
        let is_right = |index: usize| match state.configured >> first >> index & 1 {
            1 => (1..=22).contains(&event(index)),
            _ => event(index) == 0,
        };
        if is_strange || !(0..FIRMWARE_COUNTERS).all(is_right) { Err(Fault::Reserved) } else { Ok(()) }
    }
}
