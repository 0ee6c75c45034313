//! What the unit held before it was claimed.

use super::auxiliary::AuxiliaryRegister;
use crate::arch::x86::Msr;
use crate::sync::Cell;

/// What every register of the unit held, and the line's entry.
///
/// Some processors cannot restore everything. Where general counters take only 32 bits, a value is sign-extended
/// from those. Before version 4 no overflow can be set, so one that was pending is lost.
#[derive(Debug)]
pub struct Saved {
    pub(super) line: Cell,
    pub(super) status: Cell,
    /// The selectors, and the global control.
    pub(super) controls: [Cell; Self::CONTROLS],
    /// The counters, the control of the fixed ones, and the auxiliary registers.
    pub(super) others: [Cell; Self::OTHERS],
}

impl Saved {
    const CONTROLS: usize = Msr::GENERAL as usize + 1;
    const OTHERS: usize = Msr::GENERAL as usize + Msr::FIXED as usize + 1 + AuxiliaryRegister::COUNT;

    pub(super) const fn nothing() -> Self {
        Self {
            line: Cell::new(0),
            status: Cell::new(0),
            controls: [const { Cell::new(0) }; Self::CONTROLS],
            others: [const { Cell::new(0) }; Self::OTHERS],
        }
    }
}
