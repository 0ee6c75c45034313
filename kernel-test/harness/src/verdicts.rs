//! Whose the interrupts were, by what the driver said of each.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::Handled;

/// A tally that an interrupt handler keeps.
#[derive(Debug)]
pub struct Verdicts([AtomicUsize; 3]);

/// How many interrupts there were of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// They brought overflows.
    pub overflow: u64,
    /// They came for overflows that a stop had accounted for.
    pub late: u64,
    /// They were somebody else's.
    pub foreign: u64,
}

impl Verdicts {
    /// No interrupt yet.
    #[expect(clippy::new_without_default, reason = "a test keeps it in a static")]
    pub const fn new() -> Self {
        Self([const { AtomicUsize::new(0) }; 3])
    }

    /// One more.
    pub fn note(&self, handled: Handled) {
        let kind = match handled {
            Handled::Overflow => 0,
            Handled::Late => 1,
            _ => 2,
        };
        self.0[kind].fetch_add(1, Relaxed);
    }

    /// Those since this was asked last.
    pub fn take(&self) -> Tally {
        let [overflow, late, foreign] = self.0.each_ref().map(|number| number.swap(0, Relaxed) as u64);
        Tally { overflow, late, foreign }
    }
}
