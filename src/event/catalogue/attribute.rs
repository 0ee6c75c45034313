//! The words of a notation that refine a request.

use super::MaskField;
use crate::event::{Event, Flag, Modes, Repeat, Request, Sampling};

/// A word of a notation that refines a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// The word.
    pub name: &'static str,
    /// What it does.
    pub effect: Effect,
    /// The largest value; 1 if the attribute is on or off.
    pub largest: u64,
}

/// What an attribute does to a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Effect {
    /// Replaces the unit mask.
    UnitMask,
    /// Adds bits to the unit mask (libcpc's `emask`).
    MoreUnitMask,
    /// Compares the events of a cycle with a threshold, which they reach.
    Threshold,
    /// Compares the events of a cycle with a number, which they exceed: a threshold that is one more. 0 changes nothing.
    MoreThan,
    /// Compares the events of a cycle with a threshold, which is 1 unless another attribute says more.
    Compare,
    /// Replaces a field of the event's code that is not its unit mask.
    Field(MaskField),
    /// The same with all bits of the value inverted.
    Inverted(MaskField),
    /// Sets a flag.
    Flag(Flag),
    /// Clears a flag that is set by default.
    NoFlag(Flag),
    /// Counts in user programs.
    User,
    /// Counts in the kernel.
    Kernel,
    /// Counts in a hypervisor.
    Hypervisor,
    /// Counts also in a mode that only this processor has, by these bits of the event's auxiliary value.
    OwnMode(u64),
    /// Samples with this period.
    Period,
    /// Lets the counter interrupt on overflow. This changes nothing: drivers enable the interrupt of each counter that
    /// needs it.
    Interrupt,
    /// Sets the value of an auxiliary register, for the events with these codes.
    Auxiliary(&'static [u64]),
}

impl Effect {
    /// Returns the request with this attribute set to this value.
    #[must_use]
    pub fn apply(self, mut request: Request, value: u64, mask: MaskField) -> Request {
        self.refine(&mut request, value, mask);
        request
    }

    /// Sets this attribute of the request to this value.
    pub(crate) fn refine(self, request: &mut Request, value: u64, mask: MaskField) {
        let is_on = value != 0;
        match self {
            Self::UnitMask => {
                if let Event::Raw { code, .. } = &mut request.event {
                    *code = mask.put(*code, value);
                }
            }
            Self::MoreUnitMask => {
                if let Event::Raw { code, .. } = &mut request.event {
                    *code = mask.put(*code, mask.of(*code) | value);
                }
            }
            Self::Threshold => request.threshold = u8::try_from(value).unwrap_or(u8::MAX),
            Self::MoreThan if is_on => {
                request.threshold = u8::try_from(value).map_or(u8::MAX, |than| than.saturating_add(1))
            }
            Self::Compare if is_on => request.threshold = request.threshold.max(1),
            Self::MoreThan | Self::Compare => {}
            Self::Field(field) => {
                if let Event::Raw { code, .. } = &mut request.event {
                    *code = field.put(*code, value);
                }
            }
            Self::Inverted(field) => Self::Field(field).refine(request, !value, mask),
            Self::Flag(flag) => request.flags = request.flags.set(flag, is_on),
            Self::NoFlag(flag) => request.flags = request.flags.set(flag, !is_on),
            Self::User => request.modes = request.modes.set(Modes::USER, is_on),
            Self::Kernel => request.modes = request.modes.set(Modes::KERNEL, is_on),
            Self::Hypervisor => request.modes = request.modes.set(Modes::HYPERVISOR, is_on),
            Self::Period => request.sampling = Some(Sampling { period: value, repeat: Repeat::Continuous }),
            Self::Interrupt => {}
            Self::OwnMode(bits) => {
                if let Event::Raw { auxiliary, .. } = &mut request.event {
                    *auxiliary = if is_on { *auxiliary | bits } else { *auxiliary & !bits };
                }
            }
            Self::Auxiliary(_) => {
                if let Event::Raw { auxiliary, .. } = &mut request.event {
                    *auxiliary = value;
                }
            }
        }
    }

    /// Returns the value of this attribute in a request, or `None` if the attribute need not be given.
    #[must_use]
    pub fn value_in(self, request: &Request, chosen_mask: u64) -> Option<u64> {
        let value = match self {
            Self::UnitMask => chosen_mask,
            Self::Threshold => request.threshold.into(),
            Self::MoreThan => request.threshold.saturating_sub(1).into(),
            Self::Compare => (request.threshold != 0).into(),
            Self::Field(field) => match request.event {
                Event::Raw { code, .. } => field.of(code),
                Event::Generic(_) => 0,
            },
            Self::Inverted(field) => {
                let value = !Self::Field(field).value_in(request, chosen_mask).unwrap_or(0) & field.largest;
                return (value != field.largest).then_some(value);
            }
            Self::Flag(flag) => request.flags.contains(flag).into(),
            Self::NoFlag(flag) => (!request.flags.contains(flag)).into(),
            Self::User => request.modes.covers(Modes::USER).into(),
            Self::Kernel => request.modes.covers(Modes::KERNEL).into(),
            Self::Hypervisor => request.modes.covers(Modes::HYPERVISOR).into(),
            Self::Period => request.sampling.map_or(0, |sampling| sampling.period),
            Self::OwnMode(bits) => (request.event.auxiliary() & bits == bits).into(),
            Self::MoreUnitMask | Self::Interrupt => 0,
            Self::Auxiliary(_) => {
                if self.is_for(request.event) {
                    request.event.auxiliary()
                } else {
                    0
                }
            }
        };
        (value != 0).then_some(value)
    }

    /// Returns true if the attribute is for this event. Only auxiliary values are for certain events.
    pub(crate) fn is_for(self, event: Event) -> bool {
        match (self, event) {
            (Self::Auxiliary(codes), Event::Raw { code, .. }) => codes.contains(&code),
            (Self::Auxiliary(_) | Self::OwnMode(_), Event::Generic(_)) => false,
            _ => true,
        }
    }
}
