//! Stacks that are walked by their back chain.
//!
//! The lowest word of each frame is where the caller's frame is, of the outermost frame 0; and the address
//! that a call returns to is kept in the caller's frame, by the function that it called. So it is on
//! PowerPC, where every function that calls another makes such a frame, whatever the compiler was told:
//! the address is kept two words above the lowest where registers have 64 bits ("64-Bit ELF V2 ABI
//! Specification", section 2.2.3, "The Stack Frame"), and one above it where they have 32 ("System V
//! Application Binary Interface, PowerPC Processor Supplement", "The Stack Frame").
//!
//! Part of the interrupt path: nothing here allocates, locks or panics, whatever the stack holds,
//! and a walk reads two words a caller.

use core::ops::Range;

use super::{Broken, Callers};

/// The frames of a stack, from the one that was interrupted outwards.
///
/// A function that was interrupted before it made its frame, or that calls none and makes none, hides
/// its caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackChain {
    pointer: u64,
    stack: Range<u64>,
    /// The size of a word.
    word: u64,
    /// Where in the caller's frame the address is kept.
    link: u64,
}

impl BackChain {
    /// From this stack pointer on, within this stack: from its lowest address to behind its highest, where
    /// registers have 64 bits.
    #[inline(always)]
    #[must_use]
    pub const fn of_64_bits(pointer: u64, stack: Range<u64>) -> Self {
        Self { pointer, stack, word: 8, link: 16 }
    }

    /// The same where registers have 32 bits.
    #[inline(always)]
    #[must_use]
    pub const fn of_32_bits(pointer: u64, stack: Range<u64>) -> Self {
        Self { pointer, stack, word: 4, link: 4 }
    }

    /// Finds the callers. `read` is the word at an address, if it can be had; it is asked for multiples of
    /// a word's size within the stack alone.
    ///
    /// # Errors
    /// Where the stack makes no sense, or cannot be read; the callers found until then stay.
    #[inline(always)]
    pub fn walk(&self, callers: &mut Callers<'_>, mut read: impl FnMut(u64) -> Option<u64>) -> Result<(), Broken> {
        let mut frame = self.pointer;
        self.check(frame, 0)?;
        loop {
            let next = read(frame).ok_or(Broken::Unreadable)?;
            if next == 0 {
                return Ok(());
            }
            self.check(next, frame.wrapping_add(self.word))?;
            let returns_to = read(next.wrapping_add(self.link)).ok_or(Broken::Unreadable)?;
            if returns_to == 0 || !callers.push(returns_to) {
                return Ok(());
            }
            frame = next;
        }
    }

    /// Can a frame be here, behind the one that it called?
    #[inline(always)]
    fn check(&self, frame: u64, lowest: u64) -> Result<(), Broken> {
        let least = self.link.wrapping_add(self.word);
        let fits = frame >= self.stack.start && self.stack.end.checked_sub(least).is_some_and(|last| frame <= last);
        match () {
            () if frame & (self.word - 1) != 0 => Err(Broken::Misaligned),
            () if !fits => Err(Broken::Outside),
            () if frame < lowest => Err(Broken::Inwards),
            () => Ok(()),
        }
    }
}
