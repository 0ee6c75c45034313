//! How mapped registers are reached: by volatile words.

use core::fmt;

use volatile::access::ReadWrite;
use volatile::{VolatilePtr, VolatileRef};

use super::{Offset, View};
use crate::arch::aarch64::{Index, SystemRegister};
use crate::registers::Registers;

/// A unit's registers where they are mapped.
///
/// A register of 64 bits is two words. If the upper one changes while the lower one is read, that is
/// read again; the upper one is written first. A write that starts or stops counters is read back,
/// so that it has arrived when it returns.
#[derive(Clone, Copy)]
pub struct Mapped {
    words: VolatilePtr<'static, [u32; Mapped::WORDS], ReadWrite>,
    view: View,
    ticks: fn() -> u64,
}

impl Mapped {
    /// The size of the view: 4 KiB.
    const WORDS: usize = 1024;

    /// `ticks` is a clock of the caller's: the view has none.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - `words` is a unit's view of this shape, mapped as device memory, of a processor that is
    ///   powered, whose OS lock and software lock are open, and of which the access is allowed (DDI 0487
    ///   M.a, section I3.1.4, "Access permissions for external
    ///   views of the Performance Monitors");
    /// - nobody else programs that unit, the processor's own software included.
    #[must_use]
    pub unsafe fn claim(words: VolatileRef<'static, [u32; Self::WORDS]>, view: View, ticks: fn() -> u64) -> Self {
        Self { words: words.into_ptr(), view, ticks }
    }

    fn word(&self, offset: u16) -> VolatilePtr<'static, u32, ReadWrite> {
        let index = usize::from(offset) / 4 % Self::WORDS;
        // SAFETY: the index is within the array that claim() was given.
        unsafe { self.words.map(|words| words.cast::<u32>().add(index)) }
    }

    fn read_halves(&self, low: u16, high: u16) -> u64 {
        let before = self.word(high).read();
        let value = self.word(low).read();
        let after = self.word(high).read();
        let value = if before == after { value } else { self.word(low).read() };
        u64::from(after) << 32 | u64::from(value)
    }
}

// SAFETY: claim() promised a unit that nobody else programs, and words that are device memory; an
// access is one instruction, which no interrupt divides.
unsafe impl Send for Mapped {}
// SAFETY: as for Send.
unsafe impl Sync for Mapped {}

impl Registers for Mapped {
    type Address = SystemRegister;
    type Index = Index;

    fn read(&self, at: SystemRegister) -> u64 {
        match self.view.offset(at) {
            Some(Offset { low, high: Some(high) }) => self.read_halves(low, high),
            Some(Offset { low, high: None }) => self.word(low).read().into(),
            None => 0,
        }
    }

    fn write(&self, at: SystemRegister, value: u64) {
        let Some(Offset { low, high }) = self.view.offset(at) else { return };
        if let Some(high) = high {
            self.word(high).write((value >> 32) as u32);
        }
        self.word(low).write(value as u32);
        if matches!(at, SystemRegister::ENABLE_SET | SystemRegister::ENABLE_CLEAR | SystemRegister::CONTROL) {
            let _ = self.word(low).read();
        }
    }

    fn read_counter(&self, index: Index) -> u64 {
        self.read(index.register())
    }

    fn ticks(&self) -> u64 {
        (self.ticks)()
    }
}

impl fmt::Debug for Mapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mapped")
            .field("words", &self.words.as_raw_ptr())
            .field("view", &self.view)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A view in memory of the test's own, and how to look there.
    fn mapped(architecture: u32) -> (Mapped, impl Fn(usize) -> u32) {
        let words: &'static mut [u32; 1024] = Box::leak(Box::new([0; 1024]));
        let first: *const u32 = words.as_mut_ptr();
        let view = View::of(architecture, 9).unwrap();
        // SAFETY: memory of the test's own stands for the registers, and nobody else uses it.
        let mapped = unsafe { Mapped::claim(VolatileRef::from_mut_ref(words), view, || 7) };
        // SAFETY: the words live as long as the test, which looks within them.
        (mapped, move |offset| unsafe { first.add(offset / 4).read_volatile() })
    }

    #[test]
    fn a_register_is_written_where_the_table_has_it() {
        let (mapped, word) = mapped(0xA16);
        let select = SystemRegister::select(2).unwrap();
        mapped.write(select, 0x1111_2222_8000_0008);
        assert_eq!((word(0x408), word(0xA08)), (0x8000_0008, 0x1111_2222));
        assert_eq!(mapped.read(select), 0x1111_2222_8000_0008);
    }

    #[test]
    fn a_counter_of_64_bits_is_two_words() {
        let (mapped, word) = mapped(0xA26);
        mapped.write(SystemRegister::CYCLES, 0xFFFF_FFFF_0000_0001);
        assert_eq!((word(0xF8), word(0xFC)), (1, 0xFFFF_FFFF));
        assert_eq!(mapped.read_counter(Index::of(crate::CounterId::new(31).unwrap())), 0xFFFF_FFFF_0000_0001);
    }

    #[test]
    fn what_is_not_in_the_view_is_not_written_anywhere() {
        let (mapped, word) = mapped(0xA16);
        mapped.write(SystemRegister::USER_ENABLE, u64::MAX);
        assert!((0..4096).step_by(4).all(|offset| word(offset) == 0));
        assert_eq!((mapped.read(SystemRegister::PROCESSOR), mapped.ticks()), (0, 7));
    }
}
