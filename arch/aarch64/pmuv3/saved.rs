//! The state that a claim saves and a release restores.

use super::registers::COUNTERS;
use crate::sync::Word;

/// The saved contents of every register that the driver writes.
#[derive(Debug)]
pub struct Saved {
    pub(super) hypervisor: Word,
    pub(super) control: Word,
    pub(super) enabled: Word,
    pub(super) interrupting: Word,
    pub(super) overflowed: Word,
    pub(super) user_enable: Word,
    pub(super) user_access: Word,
    /// Each counter, and its selection.
    pub(super) counters: [(Word, Word); COUNTERS],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            hypervisor: Word::new(0),
            control: Word::new(0),
            enabled: Word::new(0),
            interrupting: Word::new(0),
            overflowed: Word::new(0),
            user_enable: Word::new(0),
            user_access: Word::new(0),
            counters: [const { (Word::new(0), Word::new(0)) }; COUNTERS],
        }
    }
}
