//! One counter, or two that count as one: how it is read, preset, and found to have overflowed.

use super::driver::Pmuv3;
use super::handle::Handle;
use super::widths::WIDE;
use crate::arch::aarch64::{SystemRegister, SystemRegisters};
use crate::contract::Counters;
use crate::event::{CounterId, Width};

/// The most readings of a pair's lower half. In a second one the upper half has followed an overflow, and in a third
/// the overflow handler has preset the pair.
const READINGS: u8 = 3;

impl<R: SystemRegisters> Pmuv3<R> {
    /// Returns the width of a counter or a pair.
    #[inline(always)]
    pub(super) fn width(&self, handle: Handle) -> Width {
        handle.single().map_or(WIDE, |index| self.widths.width(index.counter()))
    }

    /// Returns how many events a counter or a pair is past its overflow, or `None` if by its value it has not
    /// overflowed.
    #[inline(always)]
    pub(super) fn past(&self, handle: Handle) -> Option<i64> {
        // Less than half the modulus, so the sign stays.
        self.width(handle).past(self.read(handle)).map(u64::cast_signed)
    }

    /// Returns both halves of a pair, of one moment.
    ///
    /// The upper one may follow the lower one's overflow late, but not beyond a synchronisation
    /// (D14.3, CHAIN), which each of these reads begins with. If it has changed meanwhile, both are read again.
    #[cold]
    #[inline(never)]
    pub(super) fn read_pair(&self, upper: CounterId) -> u64 {
        let read = |half| self.registers.read(SystemRegister::any_counter(half));
        let mut high = read(upper);
        let mut low = 0;
        for _ in 0..READINGS {
            low = read(lower_of(upper)) & u64::from(u32::MAX);
            let before = core::mem::replace(&mut high, read(upper));
            if before == high {
                break;
            }
        }
        high << 32 | low
    }

    /// Writes both halves of a pair, the upper one first.
    ///
    /// Its top bit is set in every preset, so that between the two writes the pair does not look as if it had
    /// overflowed. With the old upper half and the new lower one it could, and the overflow handler would count events
    /// that have not happened.
    #[cold]
    #[inline(never)]
    pub(super) fn write_pair(&self, upper: CounterId, value: u64) {
        self.registers.write(SystemRegister::any_counter(upper), value >> 32);
        self.registers.write(SystemRegister::any_counter(lower_of(upper)), value & u64::from(u32::MAX));
    }
}

/// Returns the lower half of a pair.
fn lower_of(upper: CounterId) -> CounterId {
    CounterId::new(upper.number() & !1).unwrap_or(upper)
}
