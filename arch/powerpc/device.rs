//! What the 32-bit families' units in software share: counters of 32 bits that are negative while
//! their top bit is set.

use core::cell::Cell;

use crate::virt::{Breach, Fault};

/// A counter is negative, and has overflowed, while this bit is set.
pub(super) const SIGN: u64 = 1 << 31;
/// The bits of every register.
pub(super) const WORD: u64 = u32::MAX as u64;

/// Adds events to a counter. Returns true if it was or is negative.
#[inline]
pub(super) fn add(counter: &Cell<u64>, events: u64) -> bool {
    let before = counter.get();
    counter.set(before.wrapping_add(events) & WORD);
    before & SIGN != 0 || events >= SIGN - before
}

/// Returns after how many steps, each of `events` events, a counter with this value is negative, or `None` if it already
/// is or counts nothing.
#[inline]
pub(super) fn steps_until_negative(value: u64, events: u64) -> Option<u64> {
    let left = SIGN.checked_sub(value)?.checked_sub(1)?;
    left.checked_div(events)?.checked_add(1)
}

/// Checks that a register with these bits can hold this value. A register that does not exist holds 0.
pub(super) fn check_fit(bits: Option<u64>, value: u64) -> Result<(), Fault> {
    match bits {
        _ if value == 0 => Ok(()),
        None => Err(Fault::Absent),
        Some(bits) if value & !bits == 0 => Ok(()),
        Some(_) => Err(Fault::Reserved),
    }
}

/// Returns this rule as an error if it is broken.
pub(super) fn unless(broken: bool, rule: &'static str) -> Result<(), Breach> {
    if broken { Err(Breach(rule)) } else { Ok(()) }
}

/// Implements [`virt::Device`] for a family's `Device<T>`, whose registers and counters have the type `$address`,
/// and [`crate::Registers`] for drivers under test, where a fault is a mistake of the driver and panics. Its time is
/// kept in `ticks`.
///
/// [`virt::Device`]: crate::virt::Device
macro_rules! unit_in_software {
    ($device:ident, $address:ident) => {
        impl<T: Trigger> virt::Device for $device<T> {
            type Address = $address;
            type Index = $address;
            type State = State;

            #[inline]
            fn try_read(&self, at: $address) -> Result<u64, Fault> {
                self.read_register(at)
            }

            #[inline]
            fn try_write(&self, at: $address, value: u64) -> Result<(), Fault> {
                self.write_register(at, value)
            }

            #[inline]
            fn try_read_counter(&self, index: $address) -> Result<u64, Fault> {
                match Place::of(index) {
                    Some(Place::Counter(_)) => self.read_register(index),
                    _ => Err(Fault::Absent),
                }
            }

            fn advance(&self, work: &Work) {
                self.count(work);
            }

            /// Also stops where counters freeze or are released without an interrupt. A host that stops there has
            /// these effects exactly.
            fn until_overflow(&self, step: &Work) -> Option<u64> {
                self.steps_until_change(step)
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

            fn fingerprint(&self) -> virt::Fingerprint {
                self.told
            }

            /// Returns [`Fault::Reserved`] for contents that would have an effect at once, because the unit cannot have
            /// them. The host must restore the level of the interrupt's line.
            fn restore(&self, snapshot: &[u8]) -> Result<(), virt::RestoreError> {
                let state: State = virt::Snapshot::read(snapshot, self.told)?;
                state.check(&self.limits)?;
                let before = self.contents();
                self.put(&state);
                if self.is_at_rest() {
                    return Ok(());
                }
                self.put(&before);
                Err(Fault::Reserved.into())
            }
        }

        /// For drivers under test. Their accesses must not fault: if one does, the driver is wrong.
        impl<T: Trigger> Registers for $device<T> {
            type Address = $address;
            type Index = $address;
            type Kernel = OneCpu;

            fn kernel(&self) -> OneCpu {
                OneCpu
            }

            fn read(&self, at: $address) -> u64 {
                virt::Device::try_read(self, at).unwrap_or_else(|fault| panic!("reading {at:?}: {fault}"))
            }

            fn write(&self, at: $address, value: u64) {
                virt::Device::try_write(self, at, value)
                    .unwrap_or_else(|fault| panic!("writing {value:#x} to {at:?}: {fault}"));
            }

            fn read_counter(&self, index: $address) -> u64 {
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

        impl<T: Trigger> fmt::Debug for $device<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple("Device").field(&self.contents()).finish()
            }
        }
    };
}

pub(super) use unit_in_software;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_is_negative_from_two_to_the_31st_on_and_wraps_at_the_32nd() {
        let counter = Cell::new(SIGN - 2);
        assert!(!add(&counter, 1) && add(&counter, 1) && add(&counter, 0));
        counter.set(1);
        assert!(add(&counter, WORD), "it was negative on the way");
        assert_eq!(counter.get(), 0);
    }

    #[test]
    fn a_counter_is_negative_after_as_many_steps_as_foretold() {
        for (value, events) in [(0, 1), (SIGN - 1, 1), (SIGN - 7, 3), (5, WORD), (0, SIGN)] {
            let steps = steps_until_negative(value, events).unwrap();
            let counter = Cell::new(value);
            assert!(!add(&counter, events * (steps - 1)) && add(&counter, events), "{value:#x} by {events}");
        }
        assert_eq!([steps_until_negative(SIGN, 1), steps_until_negative(0, 0)], [None; 2]);
    }
}
