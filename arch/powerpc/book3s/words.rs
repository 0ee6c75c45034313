//! The control registers of a unit as five words.

use core::ops::{BitOr, BitXor};

use crate::arch::powerpc::Spr;
use crate::sync::Cell;

/// The control registers except for MMCR0, which is written after them. The last of them do not exist on every processor.
pub(super) const SELECTORS: [Spr; 4] = [Spr::MMCRA, Spr::MMCR1, Spr::MMCR2, Spr::MMCR3];

/// The contents of the control registers, or some bits of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Words {
    pub(super) mmcr0: u64,
    pub(super) mmcr1: u64,
    pub(super) mmcr2: u64,
    pub(super) mmcr3: u64,
    pub(super) mmcra: u64,
}

impl Words {
    pub(super) const NOTHING: Self = Self { mmcr0: 0, mmcr1: 0, mmcr2: 0, mmcr3: 0, mmcra: 0 };
}

impl BitOr for Words {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self {
            mmcr0: self.mmcr0 | other.mmcr0,
            mmcr1: self.mmcr1 | other.mmcr1,
            mmcr2: self.mmcr2 | other.mmcr2,
            mmcr3: self.mmcr3 | other.mmcr3,
            mmcra: self.mmcra | other.mmcra,
        }
    }
}

impl BitXor for Words {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self {
            mmcr0: self.mmcr0 ^ other.mmcr0,
            mmcr1: self.mmcr1 ^ other.mmcr1,
            mmcr2: self.mmcr2 ^ other.mmcr2,
            mmcr3: self.mmcr3 ^ other.mmcr3,
            mmcra: self.mmcra ^ other.mmcra,
        }
    }
}

/// [`Words`] that a thread and the interrupt share.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) mmcr0: Cell,
    pub(super) mmcr1: Cell,
    pub(super) mmcr2: Cell,
    pub(super) mmcr3: Cell,
    pub(super) mmcra: Cell,
}

impl Held {
    pub(super) const fn nothing() -> Self {
        Self { mmcr0: Cell::new(0), mmcr1: Cell::new(0), mmcr2: Cell::new(0), mmcr3: Cell::new(0), mmcra: Cell::new(0) }
    }

    /// Returns the words of [`SELECTORS`].
    #[inline(always)]
    pub(super) const fn selectors(&self) -> [&Cell; 4] {
        [&self.mmcra, &self.mmcr1, &self.mmcr2, &self.mmcr3]
    }

    #[inline(always)]
    pub(super) fn get(&self) -> Words {
        Words {
            mmcr0: self.mmcr0.get(),
            mmcr1: self.mmcr1.get(),
            mmcr2: self.mmcr2.get(),
            mmcr3: self.mmcr3.get(),
            mmcra: self.mmcra.get(),
        }
    }

    pub(super) fn set(&self, words: Words) {
        self.mmcr0.set(words.mmcr0);
        self.mmcr1.set(words.mmcr1);
        self.mmcr2.set(words.mmcr2);
        self.mmcr3.set(words.mmcr3);
        self.mmcra.set(words.mmcra);
    }
}
