//! What is done with groups that take turns.

use pmu::{Error, Multiplex};

use super::{Kernel, Stay};
use crate::{INSTRUCTIONS, Subject};

/// Groups that take turns, and what they should say.
pub(super) struct Turns<S: Subject> {
    pub(super) groups: Multiplex<S::Driver, 2, 1>,
    pub(super) stay: Stay,
    /// Their counters were taken from them: they are bound anew when they come next.
    pub(super) is_invalid: bool,
    pub(super) enabled: u64,
    /// What was counted of each group, and for how long.
    pub(super) before: [(u64, u64); 2],
}

impl<S: Subject> Kernel<S> {
    pub(super) fn bind_turns(&mut self) {
        self.turns.groups.unbind().expect("they are out");
        self.turns.groups.bind(self.bench.pmu, [[INSTRUCTIONS]; 2]).expect("the unit counts instructions");
        (self.turns.is_invalid, self.turns.enabled, self.turns.before) = (false, 0, [(0, 0); 2]);
    }

    pub(super) fn switch_turns(&mut self) {
        self.note(format!("switch turns, {:?}", self.turns.stay));
        if self.turns.stay == Stay::Out {
            if self.turns.is_invalid {
                if self.yields && !self.sessions.is_empty() {
                    return;
                }
                self.bind_turns();
            }
            self.bench.pmu.switch_in(self.turns.groups.context());
            self.note_turn();
        } else {
            self.bench.pmu.switch_out(self.turns.groups.context());
            self.note_turns_end();
        }
    }

    pub(super) fn rotate(&mut self) {
        self.note("rotate");
        if self.turns.stay == Stay::Out {
            return;
        }
        if self.turns.stay == Stay::Lost {
            return self.switch_turns();
        }
        self.bench.pmu.rotate(&mut self.turns.groups);
        self.note_turns_end();
        self.note_turn();
    }

    /// The turn of a group has begun.
    pub(super) fn note_turn(&mut self) {
        if self.is_occupied() {
            self.turns.stay = Stay::Unknown;
        } else if self.yields && !self.sessions.is_empty() {
            self.turns.is_invalid = true;
        } else {
            self.turns.stay = Stay::In;
        }
    }

    /// The turn of a group has ended. What was counted in it is as long as it was counted: an instruction a tick.
    pub(super) fn note_turns_end(&mut self) {
        let was_lost = self.turns.stay == Stay::Lost;
        self.turns.stay = Stay::Out;
        if was_lost {
            self.turns.is_invalid = true;
            return;
        }
        let is_out = |group: &usize| self.turns.groups.counts(*group) != Err(Error::ThreadIn);
        for group in [0, 1].into_iter().filter(is_out) {
            let Ok(counts) = self.turns.groups.counts(group) else {
                assert!(self.yields);
                continue;
            };
            let before = &mut self.turns.before[group];
            assert_eq!(counts.raw[0] - before.0, counts.running - before.1, "group {group}");
            assert_eq!(counts.enabled, self.turns.enabled);
            *before = (counts.raw[0], counts.running);
        }
    }
}
