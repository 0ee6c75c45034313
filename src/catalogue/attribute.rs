//! The words that refine a request, and what each does to it.

use super::MaskField;
use crate::event::{Event, Flag, Modes, Repeat, Request, Sampling};

/// A word of a notation that refines a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// The word.
    pub name: &'static str,
    /// What it does.
    pub effect: Effect,
    /// The largest value it takes; 1 if it is on or off.
    pub largest: u64,
}

/// What an attribute does to a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Effect {
    /// Replaces the unit mask.
    UnitMask,
    /// Compares the events of a cycle with a threshold.
    Threshold,
    /// Sets a flag.
    Flag(Flag),
    /// Clears a flag that is set unless it is given.
    NoFlag(Flag),
    /// Counts in user programs.
    User,
    /// Counts in the kernel.
    Kernel,
    /// Counts in a hypervisor.
    Hypervisor,
    /// Interrupts each so many events.
    Period,
}

impl Effect {
    /// The request with this attribute at this value.
    #[must_use]
    pub fn apply(self, request: Request, value: u64, mask: MaskField) -> Request {
        match (self, request.event) {
            (Self::UnitMask, Event::Raw { code, auxiliary }) => {
                Request { event: Event::Raw { code: mask.put(code, value), auxiliary }, ..request }
            }
            (Self::UnitMask, Event::Generic(_)) => request,
            (Self::Threshold, _) => Request { threshold: u8::try_from(value).unwrap_or(u8::MAX), ..request },
            (Self::Flag(flag), _) => Request { flags: request.flags.set(flag, value != 0), ..request },
            (Self::NoFlag(flag), _) => Request { flags: request.flags.set(flag, value == 0), ..request },
            (Self::User, _) => request.modes(request.modes.set(Modes::USER, value != 0)),
            (Self::Kernel, _) => request.modes(request.modes.set(Modes::KERNEL, value != 0)),
            (Self::Hypervisor, _) => request.modes(request.modes.set(Modes::HYPERVISOR, value != 0)),
            (Self::Period, _) => {
                Request { sampling: Some(Sampling { period: value, repeat: Repeat::Continuous }), ..request }
            }
        }
    }

    /// The value that makes a request what it is; `None` if the attribute need not be given.
    #[must_use]
    pub fn value_in(self, request: &Request, chosen_mask: u64) -> Option<u64> {
        let value = match self {
            Self::UnitMask => chosen_mask,
            Self::Threshold => request.threshold.into(),
            Self::Flag(flag) => request.flags.contains(flag).into(),
            Self::NoFlag(flag) => (!request.flags.contains(flag)).into(),
            Self::User => request.modes.covers(Modes::USER).into(),
            Self::Kernel => request.modes.covers(Modes::KERNEL).into(),
            Self::Hypervisor => request.modes.covers(Modes::HYPERVISOR).into(),
            Self::Period => request.sampling.map_or(0, |sampling| sampling.period),
        };
        (value != 0).then_some(value)
    }
}
