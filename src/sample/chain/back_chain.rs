//! Walks stacks by their back chain.
//!
//! The lowest word of each frame points to the caller's frame; in the outermost frame it is 0. A function
//! stores its return address in the frame of its caller. On PowerPC every function that calls another makes
//! such a frame, with all compiler options. The address is two words above the lowest where registers have 64
//! bits ("64-Bit ELF V2 ABI Specification", section 2.2.3, "The Stack Frame"), and one word above it where they
//! have 32 ("System V Application Binary Interface, PowerPC Processor Supplement", "The Stack Frame").
//!
//! This is part of the interrupt path: it does not allocate, lock or panic, whatever the stack contains.
//! A walk reads two words for each caller.

use core::ops::Range;

use super::{Broken, Callers};

/// The frames of a stack, beginning with the one that was interrupted.
///
/// A function that was interrupted before it made its frame, or that calls no other and makes none, hides its
/// caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackChain {
    pointer: u64,
    stack: Range<u64>,
    /// The size of a word.
    word: u64,
    /// The offset of the return address in the caller's frame.
    link: u64,
}

impl BackChain {
    /// Begins at this stack pointer, where registers have 64 bits. The range of the stack is from its lowest
    /// address to the one after its highest.
    #[inline(always)]
    #[must_use]
    pub const fn of_64_bits(pointer: u64, stack: Range<u64>) -> Self {
        Self { pointer, stack, word: 8, link: 16 }
    }

    /// Begins at this stack pointer, where registers have 32 bits. The range is as in [`BackChain::of_64_bits`].
    #[inline(always)]
    #[must_use]
    pub const fn of_32_bits(pointer: u64, stack: Range<u64>) -> Self {
        Self { pointer, stack, word: 4, link: 4 }
    }

    /// Finds the callers. `read` returns the word at an address, if it can be read. It is called only for
    /// multiples of a word's size within the stack.
    ///
    /// # Errors
    /// The reason why the stack is not well formed or cannot be read. The callers found until then are kept.
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

    /// Checks that a frame can be here, beyond the one that it called.
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
