//! Walks stacks by frame pointers.
//!
//! A frame record has two words: the address of the calling function's record, and the return address.
//! The register that points to it is RBP on x86-64 (System V Application Binary Interface, AMD64 Architecture
//! Processor Supplement, section 3.2.2, "The Stack Frame"), EBP on x86 of 32 bits (the same, Intel386 Architecture
//! Processor Supplement, "The Stack Frame"), and X29 on AArch64 (Procedure Call Standard for
//! the Arm 64-bit Architecture, section 6.4.6, "The Frame Pointer"). On RISC-V (S0) the register and the first word of a record
//! hold the address behind a record: what the stack pointer was when the function was called (RISC-V ABIs Specification,
//! "Frame Pointer Convention"). Stacks grow down, so a caller's record has the higher address. The outermost record points
//! to 0.
//!
//! This is part of the interrupt path: it does not allocate, lock or panic, whatever the stack contains.
//! A walk reads two words for each caller.

use core::ops::Range;

use super::{Broken, Callers};

/// The frames of a stack, beginning with the one that was interrupted.
///
/// The code MUST be compiled with frame pointers (`-C force-frame-pointers=yes`). Code that uses the register
/// for something else ends the walk, usually with a [`Broken`], or misleads it within the stack. A function
/// that was interrupted before it made its record hides its caller. On AArch64 a function that calls no other
/// need not have a record, and signed return addresses are returned as they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frames {
    pointer: u64,
    stack: Range<u64>,
    /// The size of a word.
    word: u64,
    /// How far below its pointer a record begins.
    below: u64,
}

impl Frames {
    /// Begins at this frame pointer, where registers have 64 bits. The range of the stack is from its lowest address to
    /// the one after its highest.
    #[inline(always)]
    #[must_use]
    pub const fn new(pointer: u64, stack: Range<u64>) -> Self {
        Self { pointer, stack, word: 8, below: 0 }
    }

    /// Begins at this frame pointer, where registers have 32 bits. The range is as in [`Frames::new`], and may be
    /// `0..u64::MAX` if it is not known where the stack is.
    #[inline(always)]
    #[must_use]
    pub const fn of_32_bits(pointer: u64, stack: Range<u64>) -> Self {
        Self { pointer, stack, word: 4, below: 0 }
    }

    /// Begins at this frame pointer, where registers have 64 bits, wherever the stack is.
    ///
    /// Each frame must still be beyond the one before it, so that a walk ends.
    #[inline(always)]
    #[must_use]
    pub const fn anywhere(pointer: u64) -> Self {
        Self::new(pointer, 0..u64::MAX)
    }

    /// The same frames where a pointer is to the end of a record, as on RISC-V.
    #[inline(always)]
    #[must_use]
    pub const fn below_pointers(self) -> Self {
        Self { below: 2 * self.word, ..self }
    }

    /// Finds the callers. `read` returns the word at an address, if it can be read. It is called only for
    /// multiples of a word's size within the stack.
    ///
    /// # Errors
    /// The reason why the stack is not well formed or cannot be read. The callers found until then are kept.
    #[inline(always)]
    pub fn walk(&self, callers: &mut Callers<'_>, mut read: impl FnMut(u64) -> Option<u64>) -> Result<(), Broken> {
        let (mut pointer, mut lowest) = (self.pointer, 0);
        while pointer != 0 {
            let record = pointer.wrapping_sub(self.below);
            self.check(record, lowest)?;
            let next = read(record).ok_or(Broken::Unreadable)?;
            let returns_to = read(record.wrapping_add(self.word)).ok_or(Broken::Unreadable)?;
            if returns_to == 0 || !callers.push(returns_to) {
                break;
            }
            lowest = record.wrapping_add(2 * self.word);
            pointer = next;
        }
        Ok(())
    }

    /// Checks that a record can be here, beyond all that came before.
    #[inline(always)]
    fn check(&self, record: u64, lowest: u64) -> Result<(), Broken> {
        let fits =
            record >= self.stack.start && self.stack.end.checked_sub(2 * self.word).is_some_and(|last| record <= last);
        match () {
            () if record & (self.word - 1) != 0 => Err(Broken::Misaligned),
            () if !fits => Err(Broken::Outside),
            () if record < lowest => Err(Broken::Inwards),
            () => Ok(()),
        }
    }
}
