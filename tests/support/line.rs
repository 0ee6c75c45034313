//! The line to an interrupt controller, as a test sees it.

use std::cell::Cell;
use std::ops::Deref;

use pmu::arch::x86::{LineRegister, Lvtpc};
use pmu::virt::Trigger;

/// A line that knows its level, and how often it rose and fell. A unit whose interrupts are pulses only lets it rise.
#[derive(Debug, Default)]
pub(crate) struct Line {
    rises: Cell<u64>,
    falls: Cell<u64>,
    is_high: Cell<bool>,
}

impl Line {
    pub(crate) fn rises(&self) -> u64 {
        self.rises.get()
    }

    pub(crate) fn falls(&self) -> u64 {
        self.falls.get()
    }

    pub(crate) fn is_high(&self) -> bool {
        self.is_high.get()
    }

    /// Returns true if the line is high, and lowers it: the interrupt is taken.
    pub(crate) fn take(&self) -> bool {
        self.is_high.take()
    }

    /// The host has put a snapshot back, and tells its interrupt controller the level.
    pub(crate) fn hold(&self, is_high: bool) {
        self.is_high.set(is_high);
    }

    /// The unit has moved here from another host, whose line it had: this one goes on.
    pub(crate) fn go_on_from(&self, other: &Self) {
        self.rises.set(other.rises());
        self.falls.set(other.falls());
        self.hold(other.is_high());
    }
}

impl Trigger for Line {
    fn interrupt(&self) {
        self.is_high.set(true);
        self.rises.set(self.rises() + 1);
    }

    fn withdraw(&self) {
        self.is_high.set(false);
        self.falls.set(self.falls() + 1);
    }
}

/// A line that rises only when it is low, and falls only when it is high.
#[derive(Debug, Default)]
pub(crate) struct Level(Line);

impl Deref for Level {
    type Target = Line;

    fn deref(&self) -> &Line {
        &self.0
    }
}

impl Trigger for Level {
    fn interrupt(&self) {
        assert!(!self.is_high(), "a line that is high cannot rise");
        self.0.interrupt();
    }

    fn withdraw(&self) {
        assert!(self.is_high(), "a line that is low cannot fall");
        self.0.withdraw();
    }
}

/// A local APIC's LVTPC, which holds what is written to it.
#[derive(Debug, Default)]
pub(crate) struct Entry(pub(crate) Cell<u32>);

impl LineRegister for &Entry {
    fn read_line(&self) -> u32 {
        self.0.get()
    }

    fn write_line(&self, entry: Lvtpc) {
        self.0.set(entry.bits());
    }
}
