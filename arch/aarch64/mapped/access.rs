//! Access to mapped registers, by volatile words.

use core::fmt;
use core::ptr::NonNull;

use volatile::VolatilePtr;
use volatile::access::ReadWrite;

use super::{Offset, View};
use crate::arch::aarch64::{Index, SystemRegister};
use crate::contract::{Masked, Registers};

/// The registers of a unit where they are mapped.
///
/// A register of 64 bits is two words. If the upper one changes while the lower one is read, the lower one is
/// read again. The upper one is written first. A write that enables or disables counters is read back, so that it
/// has taken effect when the function returns.
#[derive(Clone, Copy)]
pub struct Mapped<R> {
    words: VolatilePtr<'static, [u32; WORDS], ReadWrite>,
    view: View,
    processor: R,
}

/// The number of words in the view, which has 4 KiB.
const WORDS: usize = 1024;

impl<R: Registers> Mapped<R> {
    /// Claims the registers. The view has no clock, no kernel and no interrupt mask: `processor`, the registers of
    /// the CPU that uses it, provides them.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - `words` is a unit's view of this shape, mapped as device memory, of a processor that is
    ///   powered, whose OS lock and software lock are open, and of which the access is allowed (DDI 0487
    ///   M.a, section I3.1.4, "Access permissions for external
    ///   views of the Performance Monitors");
    /// - nobody else programs that unit, the processor's own software included.
    #[must_use]
    pub unsafe fn claim(words: NonNull<[u32; WORDS]>, view: View, processor: R) -> Self {
        // SAFETY: the caller's promise.
        Self { words: unsafe { VolatilePtr::new(words) }, view, processor }
    }

    fn word(&self, offset: u16) -> VolatilePtr<'static, u32, ReadWrite> {
        let index = usize::from(offset) / 4 % WORDS;
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
unsafe impl<R: Send> Send for Mapped<R> {}
// SAFETY: as for Send.
unsafe impl<R: Sync> Sync for Mapped<R> {}

impl<R: Registers> Registers for Mapped<R> {
    type Address = SystemRegister;
    type Index = Index;
    type Kernel = R::Kernel;

    fn kernel(&self) -> R::Kernel {
        self.processor.kernel()
    }

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
        self.processor.ticks()
    }

    fn mask(&self) -> Masked {
        self.processor.mask()
    }

    fn unmask(&self, before: Masked) {
        self.processor.unmask(before);
    }
}

impl<R> fmt::Debug for Mapped<R> {
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
    use crate::arch::aarch64::pmuv3::{Device, Identity};
    use crate::virt::{Device as _, Kinds, Unconnected, Work};

    /// The processor that uses the view: 7 cycles old.
    fn processor() -> Device<Unconnected> {
        let processor = Device::new(&Identity::NEOVERSE_N1, Kinds::CLOCK, Unconnected);
        processor.advance(&Work::instructions(crate::Mode::Kernel, 7));
        processor
    }

    /// A view in memory of the test's own, and how to look there.
    fn mapped(architecture: u32) -> (Mapped<Device<Unconnected>>, impl Fn(usize) -> u32) {
        let words = NonNull::from(Box::leak(Box::new([0; 1024])));
        let first: *const u32 = words.cast().as_ptr();
        let view = View::of(architecture, 9).unwrap();
        // SAFETY: memory of the test's own stands for the registers, and nobody else uses it.
        let mapped = unsafe { Mapped::claim(words, view, processor()) };
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
