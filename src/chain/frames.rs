//! Stacks that are walked by frame pointers.
//!
//! A frame's record is two words: where the record of the calling function is, and the address
//! that the call returns to. So it is on x86-64, at RBP (System V Application Binary Interface,
//! AMD64 Architecture Processor Supplement, section 3.2.2, "The Stack Frame"), and on AArch64, at
//! X29 (Procedure Call Standard for the Arm 64-bit Architecture, section 6.4.6, "The Frame
//! Pointer"). Stacks grow down, so a caller's record has the higher address; the outermost record
//! points to 0.
//!
//! Part of the interrupt path: nothing here allocates, locks or panics, whatever the stack holds,
//! and a walk reads two words a caller.

use core::ops::Range;

use super::{Broken, Callers};

/// The size of a word.
const WORD: u64 = 8;
/// The size of a record.
const RECORD: u64 = 2 * WORD;

/// The frames of a stack, from the one that was interrupted outwards.
///
/// Code MUST be compiled to keep frame pointers (`-C force-frame-pointers=yes`): what does not, and
/// uses the register for something else, ends the walk, mostly as [`Broken`], or lets it go astray
/// within the stack. A function that was interrupted before it made its record hides its caller. On
/// AArch64 a function that calls none need not have a record, and where return addresses are signed
/// they come as they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frames {
    pointer: u64,
    stack: Range<u64>,
}

impl Frames {
    /// From this frame pointer on, within this stack: from its lowest address to behind its highest.
    #[inline(always)]
    #[must_use]
    pub const fn new(pointer: u64, stack: Range<u64>) -> Self {
        Self { pointer, stack }
    }

    /// From this frame pointer on, wherever the stack is.
    ///
    /// Frames still lie one behind the other, so that a walk ends.
    #[inline(always)]
    #[must_use]
    pub const fn anywhere(pointer: u64) -> Self {
        Self::new(pointer, 0..u64::MAX)
    }

    /// Finds the callers. `read` is the word at an address, if it can be had; it is asked for
    /// multiples of 8 within the stack alone.
    ///
    /// # Errors
    /// Where the stack makes no sense, or cannot be read; the callers found until then stay.
    #[inline(always)]
    pub fn walk(&self, callers: &mut Callers<'_>, mut read: impl FnMut(u64) -> Option<u64>) -> Result<(), Broken> {
        let (mut record, mut lowest) = (self.pointer, 0);
        while record != 0 {
            self.check(record, lowest)?;
            let next = read(record).ok_or(Broken::Unreadable)?;
            let returns_to = read(record.wrapping_add(WORD)).ok_or(Broken::Unreadable)?;
            if returns_to == 0 || !callers.push(returns_to) {
                break;
            }
            lowest = record.wrapping_add(RECORD);
            record = next;
        }
        Ok(())
    }

    /// Can a record be here, behind all that came before?
    #[inline(always)]
    fn check(&self, record: u64, lowest: u64) -> Result<(), Broken> {
        let fits = record >= self.stack.start && self.stack.end.checked_sub(RECORD).is_some_and(|last| record <= last);
        match () {
            () if !record.is_multiple_of(WORD) => Err(Broken::Misaligned),
            () if !fits => Err(Broken::Outside),
            () if record < lowest => Err(Broken::Inwards),
            () => Ok(()),
        }
    }
}
