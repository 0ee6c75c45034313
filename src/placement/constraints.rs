//! What a search asks of requests that have alternatives.

use super::register::{Register, Takes};
use crate::event::CounterSet;

/// One way to count a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The request, by its position.
    pub request: usize,
    /// The way, by its number among the request's.
    pub way: usize,
}

/// The shared registers that a search leaves out of account, to find out over which one requests conflict.
#[derive(Clone, Copy, Debug)]
pub enum Ignored {
    /// None: every field has to agree.
    Nothing,
    /// This one.
    Register(&'static Register),
    /// All of them: only counters count.
    Everything,
}

impl Ignored {
    /// Returns true if this register is left out of account.
    #[must_use]
    pub fn has(self, register: &Register) -> bool {
        match self {
            Self::Nothing => false,
            Self::Register(ignored) => ignored.number() == register.number(),
            Self::Everything => true,
        }
    }
}

/// What constrains a placement: the alternatives of requests, pairs of counters, and shared registers.
///
/// The functions MUST answer the same each time.
pub trait Constraints {
    /// How many steps [`Constraints::fits`] and [`Constraints::agree`] cost each.
    const STEPS: u32 = 1;

    /// Returns how many requests there are.
    fn length(&self) -> usize;

    /// Returns the counters of a way and what it takes, or `None` after a request's last way. Of a pair the counters are
    /// the first ones. The preferred way comes first; one without counters is none.
    fn way(&self, choice: Choice) -> Option<(CounterSet, Takes)>;

    /// Returns true if two requests have the same ways in the same order.
    fn are_alike(&self, one: usize, other: usize) -> bool;

    /// Returns true if a way agrees with what is in use.
    fn fits(&self, way: Choice, ignored: Ignored) -> bool {
        let _ = (way, ignored);
        true
    }

    /// Returns the shared registers that a way needs, by the bits of their numbers. Ways that have none in common are not
    /// compared.
    fn shared(&self, way: Choice) -> u64 {
        let _ = way;
        u64::MAX
    }

    /// Returns true if two ways agree on all that they share.
    fn agree(&self, one: Choice, other: Choice, ignored: Ignored) -> bool {
        let _ = (one, other, ignored);
        true
    }

    /// Returns the shared registers that a request's ways need.
    fn registers(&self, request: usize) -> impl Iterator<Item = &'static Register> {
        let _ = request;
        core::iter::empty()
    }
}
