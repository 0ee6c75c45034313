//! Interrupts that found nothing to account for.

use crate::sync::Word;

/// Interrupts that found nothing to account for, since the unit was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Spurious {
    /// A stop or another interrupt had accounted for their overflow: [`Handled::Late`](crate::Handled::Late).
    pub late: u64,
    /// Not this unit's: [`Handled::NotMine`](crate::Handled::NotMine).
    pub foreign: u64,
}

/// What [`Spurious`] is kept in; only the interrupt writes it.
#[derive(Debug)]
pub(super) struct SpuriousCounts {
    pub(super) late: Word,
    pub(super) foreign: Word,
}

impl SpuriousCounts {
    pub(super) const fn none() -> Self {
        Self { late: Word::new(0), foreign: Word::new(0) }
    }

    pub(super) fn summary(&self) -> Spurious {
        Spurious { late: self.late.get(), foreign: self.foreign.get() }
    }
}
