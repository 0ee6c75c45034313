//! What a recorder's snapshot holds.

use core::cell::Cell;

use super::Device;
use crate::arch::x86::lbr::capabilities::{Freeze, Generation, MOST};
use crate::virt::{Contents, Family, Fault, RestoreError, Snapshot, check_fit, words};

/// The contents of all registers. Registers that the recorder does not have are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct State {
    /// The sources of the entries, their targets, and what else is known of them. The newest is at `top`.
    pub(super) sources: [u64; MOST],
    pub(super) targets: [u64; MOST],
    pub(super) infos: [u64; MOST],
    /// The newest entry.
    pub(super) top: u64,
    /// The number of entries.
    pub(super) depth: u64,
    /// IA32_DEBUGCTL's two bits.
    pub(super) debug: u64,
    /// IA32_LBR_CTL, DebugExtnCtl.
    pub(super) control: u64,
    /// MSR_LBR_SELECT, LastBranchStackSelect.
    pub(super) select: u64,
    /// The status says that the records are frozen.
    pub(super) is_frozen: bool,
}

words!(State { sources, targets, infos, top, depth, debug, control, select, is_frozen });

impl Contents for State {
    const FAMILY: Family = Family::new("lbr");
    const VERSIONS: &'static [usize] = &[102];
}

impl Device {
    /// Returns the contents of all registers as bytes.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let all = |parts: &[Cell<u64>; MOST]| parts.each_ref().map(Cell::get);
        let state = State {
            sources: all(&self.sources),
            targets: all(&self.targets),
            infos: all(&self.infos),
            top: self.top.get(),
            depth: self.depth.get(),
            debug: self.debug.get(),
            control: self.control.get(),
            select: self.select.get(),
            is_frozen: self.is_frozen.get(),
        };
        Snapshot::new(self.able.fingerprint(), &state)
    }

    /// Restores the contents of all registers from the bytes of a snapshot.
    ///
    /// # Errors
    /// Those of [`virt::Device::restore`](crate::virt::Device::restore). Nothing has changed then.
    pub fn restore(&self, snapshot: &[u8]) -> Result<(), RestoreError> {
        let state: State = Snapshot::read(snapshot, self.able.fingerprint())?;
        let is_depth = match self.able.generation {
            Generation::Architectural => self.able.has_depth(state.depth),
            _ => state.depth == u64::from(self.able.depth),
        };
        let select = self.able.select().map(|_| self.able.selectable().bits());
        let beyond = [state.sources, state.targets, state.infos];
        let is_within = |part: &[u64; MOST]| part.iter().skip(state.depth as usize).all(|&word| word == 0);
        check_fit(Some(self.debug_bits()), state.debug)?;
        check_fit(Some(self.controllable()), state.control)?;
        check_fit(select, state.select)?;
        let is_frozen_by_status = !state.is_frozen || self.able.freeze == Some(Freeze::ByStatus);
        if is_depth && state.top < state.depth && is_frozen_by_status && beyond.iter().all(is_within) {
            self.put(&state);
            Ok(())
        } else {
            Err(Fault::Reserved.into())
        }
    }

    pub(super) fn put(&self, state: &State) {
        let parts = [(&self.sources, state.sources), (&self.targets, state.targets), (&self.infos, state.infos)];
        parts.into_iter().for_each(|(places, words)| {
            places.iter().zip(words).for_each(|(place, word)| place.set(word));
        });
        self.top.set(state.top);
        self.depth.set(state.depth);
        self.debug.set(state.debug);
        self.control.set(state.control);
        self.select.set(state.select);
        self.is_frozen.set(state.is_frozen);
    }
}
