//! libcpc's numbers for what is wrong with a request.

use crate::event::{Conflict, Contention, Error, Refusal};

/// One of libcpc's reasons, with its number (`cpc_seterrhndlr(3CPC)`).
///
/// Two of the eleven are missing, because this crate refuses nothing for them. 9 is an attribute that requires
/// privilege: which requests a program may make is for the kernel to decide before it binds them. 11 is an event that
/// a hypervisor does not allow: no unit is reached by calls to a hypervisor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Subcode {
    /// There is no such event.
    InvalidEvent = 1,
    /// There is no such counter.
    InvalidPicnum = 2,
    /// The processor has no such attribute.
    InvalidAttribute = 3,
    /// The value of an attribute is out of range.
    AttributeOutOfRange = 4,
    /// There are not enough counters.
    ResourceUnavail = 5,
    /// The counter cannot count the event.
    PicNotCapable = 6,
    /// The request counts in no mode, or in modes that the unit cannot select.
    ReqInvalidFlags = 7,
    /// Requests need different values in a register that they share.
    ConflictingReqs = 8,
    /// The thread is not on the CPU whose unit it uses.
    PbindFailed = 10,
}

impl Subcode {
    /// Returns the number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }
}

impl Error {
    /// Returns libcpc's reason for this error, or `None` if libcpc has no number for it.
    #[must_use]
    pub const fn subcode(&self) -> Option<Subcode> {
        match self {
            Self::Refused { reason, .. } => reason.subcode(),
            Self::Conflict(conflict) => Some(conflict.subcode()),
            Self::WrongCpu { .. } => Some(Subcode::PbindFailed),
            _ => None,
        }
    }
}

impl Refusal {
    /// Returns libcpc's reason for this error, as [`Error::subcode`] does.
    #[must_use]
    pub const fn subcode(&self) -> Option<Subcode> {
        match self {
            Self::UnknownEvent | Self::ReservedBits(_) => Some(Subcode::InvalidEvent),
            Self::NoSuchCounter(_) => Some(Subcode::InvalidPicnum),
            Self::Flag(_) => Some(Subcode::InvalidAttribute),
            Self::Auxiliary(_)
            | Self::NeedsThreshold(_)
            | Self::FlagsExclude(..)
            | Self::ThresholdTooLarge { .. }
            | Self::PeriodZero
            | Self::PeriodTooShort { .. }
            | Self::PeriodBetween(..) => Some(Subcode::AttributeOutOfRange),
            Self::CounterCannot(_) | Self::CountersCannot { .. } | Self::OtherThread(_) => Some(Subcode::PicNotCapable),
            Self::UsedByOthers(_) => Some(Subcode::ResourceUnavail),
            Self::Modes { .. } | Self::NoPeriod => Some(Subcode::ReqInvalidFlags),
            _ => None,
        }
    }
}

impl Conflict {
    /// Returns libcpc's reason for this error, as [`Error::subcode`] does.
    #[must_use]
    pub const fn subcode(&self) -> Subcode {
        match self.over {
            Contention::Counters(_) | Contention::Effort => Subcode::ResourceUnavail,
            Contention::Register(_) => Subcode::ConflictingReqs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{CounterId, CounterSet, CpuId, Event, Flag, Modes};

    fn number(error: Error) -> Option<u8> {
        error.subcode().map(Subcode::number)
    }

    #[test]
    fn a_refusal_has_libcpcs_number() {
        let refused = |reason| number(Error::Refused { request: 0, event: Event::CYCLES, name: None, reason });
        assert_eq!(refused(Refusal::UnknownEvent), Some(1));
        assert_eq!(refused(Refusal::NoSuchCounter(CounterId::ZERO)), Some(2));
        assert_eq!(refused(Refusal::Flag(Flag::Edge)), Some(3));
        assert_eq!(refused(Refusal::ThresholdTooLarge { largest: 15 }), Some(4));
        assert_eq!(refused(Refusal::CounterCannot(CounterId::ZERO)), Some(6));
        assert_eq!(refused(Refusal::Modes { able: Modes::ALL }), Some(7));
    }

    #[test]
    fn a_conflict_is_over_counters_or_over_a_register() {
        let conflict = |over| number(Conflict::new(Default::default(), over).into());
        assert_eq!(conflict(Contention::Counters(CounterSet::EMPTY)), Some(5));
        assert_eq!(conflict(Contention::Register("MMCR1")), Some(8));
    }

    #[test]
    fn a_use_on_another_cpu_is_a_failed_binding() {
        assert_eq!(number(Error::WrongCpu { owner: CpuId(0), here: CpuId(1) }), Some(10));
        assert_eq!(number(Error::Suspended), None);
    }
}
