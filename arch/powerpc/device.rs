//! What the 32-bit families' units in software share: counters of 32 bits that are negative while
//! their top bit is set.

use core::cell::Cell;

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

/// Implements [`virt::Device`] for a family's `Device<T>`, whose registers and counters have the type `$address`,
/// and [`crate::driver::Registers`] for drivers under test, where a fault is a mistake of the driver and panics. Its time is
/// kept in `ticks`.
///
/// [`virt::Device`]: crate::virt::Device
macro_rules! unit_in_software {
    ($device:ident, $address:ident) => {
        impl<T: Trigger> virt::Device for $device<T> {
            type Address = $address;
            type Index = $address;
            type State = State;

            virt::counted!();

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

            /// Also stops where counters freeze or are released without an interrupt. A host that stops there has
            /// these effects exactly.
            fn until_overflow(&self, step: &Work) -> Option<u64> {
                self.steps_until_change(step)
            }

            fn fingerprint(&self) -> virt::Fingerprint {
                self.fingerprint
            }

            /// Returns [`Fault::Reserved`] for contents that would have an effect at once, because the unit cannot have
            /// them. The host must restore the level of the interrupt's line.
            fn restore(&self, snapshot: &[u8]) -> Result<(), virt::RestoreError> {
                let state: State = virt::Snapshot::read(snapshot, self.fingerprint)?;
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

        virt::driven!([T: Trigger] $device<T>);
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
