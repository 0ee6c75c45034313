//! The line to an interrupt controller, as the tests see it.

use std::cell::Cell;

use pmu::virt::Trigger;

/// A line that knows its level, and how often it rose.
#[derive(Debug, Default)]
pub(crate) struct Line {
    rises: Cell<u64>,
    is_high: Cell<bool>,
}

impl Line {
    pub(crate) fn rises(&self) -> u64 {
        self.rises.get()
    }

    pub(crate) fn is_high(&self) -> bool {
        self.is_high.get()
    }

    /// The host has put a snapshot back, and tells its interrupt controller the level.
    pub(crate) fn hold(&self, is_high: bool) {
        self.is_high.set(is_high);
    }
}

impl Trigger for Line {
    fn interrupt(&self) {
        assert!(!self.is_high.replace(true), "a line that is high cannot rise");
        self.rises.set(self.rises.get() + 1);
    }

    fn withdraw(&self) {
        assert!(self.is_high.replace(false), "a line that is low cannot fall");
    }
}
