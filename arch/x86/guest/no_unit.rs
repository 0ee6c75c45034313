//! What a guest has that is shown no unit: none of the registers.

use crate::arch::x86::{Index, Msr};
use crate::event::{CounterId, CounterSet, Mode};
use crate::virt::{
    self, Contents, Family, Fault, Filter, Fingerprint, Kinds, RestoreError, Selection, Snapshot, Words, Work,
};

/// A unit without registers, to which nothing happens.
#[derive(Debug)]
pub(super) struct NoUnit;

/// The contents of no register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Nothing;

impl Words for Nothing {
    fn exchange(&mut self, _: &mut dyn FnMut(u64) -> u64) -> bool {
        true
    }
}

impl Contents for Nothing {
    const FAMILY: Family = Family::new("x86none");
    const VERSIONS: &'static [usize] = &[0];
}

impl NoUnit {
    #[expect(clippy::unused_self, reason = "as the other units'")]
    pub(super) const fn reset(&self) {}
}

impl virt::Device for NoUnit {
    type Address = Msr;
    type Index = Index;
    type State = Nothing;

    fn try_read(&self, _: Msr) -> Result<u64, Fault> {
        Err(Fault::Absent)
    }

    fn try_write(&self, _: Msr, _: u64) -> Result<(), Fault> {
        Err(Fault::Absent)
    }

    fn try_read_counter(&self, _: Index) -> Result<u64, Fault> {
        Err(Fault::Absent)
    }

    fn advance(&self, _: &Work) {}

    fn until_overflow(&self, _: &Work) -> Option<u64> {
        None
    }

    fn wanted(&self) -> Kinds {
        Kinds::NONE
    }

    fn unfed(&self) -> CounterSet {
        CounterSet::EMPTY
    }

    fn withheld(&self) -> CounterSet {
        CounterSet::EMPTY
    }

    fn set_filter(&self, _: Filter) {}

    fn selection(&self, _: CounterId) -> Option<Selection> {
        None
    }

    fn feed(&self, _: CounterId, _: Mode, _: u64) {}

    fn until_overflow_of(&self, _: CounterId, _: Mode) -> Option<u64> {
        None
    }

    fn state(&self) -> Nothing {
        Nothing
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of([])
    }

    fn restore(&self, snapshot: &[u8]) -> Result<(), RestoreError> {
        Snapshot::read::<Nothing>(snapshot, self.fingerprint()).map(drop)
    }
}
