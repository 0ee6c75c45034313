//! What can go wrong, said so that the reader knows which counter, which event, and the way out.

use core::fmt;

use crate::counter::{CounterId, CounterSet};
use crate::event::{Event, Flag};
use crate::requests::Requests;

/// The result of whatever can fail here.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// A processor, as the kernel numbers them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct CpuId(pub u32);

impl fmt::Display for CpuId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Why an operation was refused. Nothing was programmed, and nothing is held, unless the operation
/// says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The processor announces no performance-monitoring unit.
    NoUnit,
    /// The unit of this processor is not one that this crate knows.
    UnknownProcessor {
        /// Family, as the vendor counts it.
        family: u32,
        /// Model within the family.
        model: u32,
    },
    /// A register did not keep what was written: something emulates the unit, and badly.
    Swallowed {
        /// The register's address.
        register: u32,
        /// What was written.
        wrote: u64,
        /// What was read back.
        read: u64,
    },
    /// The unit counted fewer events than there were: it is announced, and does not count.
    Silent {
        /// What it counted.
        counted: u64,
        /// What it should have counted at the least.
        least: u64,
    },
    /// No CPU can have this number: where pointers have 32 bits, the last three are kept back.
    NoSuchCpu(CpuId),
    /// The unit has its owner already.
    AlreadyClaimed,
    /// The unit was not claimed, or has been released since.
    NotClaimed,
    /// The unit has sessions that are still open, or a thread that is switched in.
    InUse(CounterSet),
    /// The unit belongs to another CPU than this one.
    WrongCpu {
        /// The CPU whose unit it is.
        owner: CpuId,
        /// The CPU that asked.
        here: CpuId,
    },
    /// An operation on this unit was interrupted by this one.
    Busy,
    /// The session is counting already.
    Running,
    /// The session is not counting.
    Stopped,
    /// The samples have their one reader already.
    ReaderTaken,
    /// The context asks for requests already.
    AlreadyBound,
    /// The context asks for nothing.
    NotBound,
    /// A context is switched in: this one, or another on the same CPU.
    ThreadIn,
    /// The context's counters were taken from it: its counts are void.
    Invalidated,
    /// A request asks for what this unit does not have.
    Refused {
        /// Which request, from 0.
        request: u8,
        /// Its event.
        event: Event,
        /// What it asked for.
        reason: Refusal,
    },
    /// Each request is possible, but not all of them together.
    Conflict(Conflict),
}

/// What one request asks for that the unit does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// No counter of this unit counts the event.
    UnknownEvent,
    /// The code sets bits that no event has.
    ReservedBits(u64),
    /// The code asks for what the unit cannot do; the reason.
    Impossible(&'static str),
    /// The auxiliary value sets bits that its register does not have, or the event takes none.
    Auxiliary(u64),
    /// The unit cannot count in just these modes.
    Modes,
    /// The unit has no such flag.
    Flag(Flag),
    /// The flag turns a threshold round, and there is none.
    NeedsThreshold(Flag),
    /// The two flags contradict each other.
    FlagsExclude(Flag, Flag),
    /// The threshold is beyond what the unit compares with.
    ThresholdTooLarge {
        /// The largest there is; 0 if the unit has none.
        largest: u8,
    },
    /// The request counts and does not interrupt: it has no period that could be another.
    NoPeriod,
    /// A period of 0 never interrupts.
    PeriodZero,
    /// Interrupting so often would leave no time between two interrupts.
    PeriodTooShort {
        /// The shortest there is, for this request.
        least: u64,
    },
    /// No counter for this event is wide enough.
    PeriodTooLong {
        /// The longest there is, for this request.
        longest: u64,
    },
    /// The unit cannot interrupt on overflow.
    NoInterrupt,
    /// The unit has no such counter.
    NoSuchCounter(CounterId),
    /// The pinned counter cannot count this event.
    CounterCannot(CounterId),
    /// None of the counters that the request is kept to can count this event.
    CountersCannot {
        /// Those that it may use.
        asked: CounterSet,
        /// Those that could count it.
        able: CounterSet,
    },
}

/// Requests that cannot be counted together, and what they would have to share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// These cannot all be placed beside what runs already.
    pub requests: Requests,
    /// What there is too little of.
    pub over: Contention,
}

/// What requests compete for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Contention {
    /// The free counters that any of the requests could use.
    Counters(CounterSet),
    /// A register that each would set differently, by its name in the manual.
    Register(&'static str),
    /// The search for a placement was given up; placing fewer requests at once may succeed.
    Effort,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUnit => f.write_str("this processor announces no performance-monitoring unit"),
            Self::UnknownProcessor { family, model } => {
                write!(f, "no driver knows the unit of a processor of family {family:#x}, model {model:#x}")
            }
            Self::Swallowed { register, wrote, read } => write!(
                f,
                "register {register:#x} does not keep what is written ({wrote:#x} reads back as {read:#x}): the unit is absent or emulated incompletely"
            ),
            Self::Silent { counted, least } => write!(
                f,
                "the unit counted {counted} of at least {least} instructions: it is announced and does not count, as under some emulators and hypervisors"
            ),
            Self::NoSuchCpu(cpu) => {
                write!(f, "CPU {cpu} has one of three numbers that no CPU may have; number it lower")
            }
            Self::AlreadyClaimed => {
                f.write_str("this unit was claimed before; use it with here(), or after a release with reclaim()")
            }
            Self::NotClaimed => f.write_str("this unit is not claimed; claim it first, or reclaim it after a release"),
            Self::InUse(counters) => write!(
                f,
                "counters {counters} belong to open sessions, or to the thread that is switched in; drop the sessions, and switch the thread out"
            ),
            Self::WrongCpu { owner, here } => {
                write!(f, "this unit is CPU {owner}'s and cannot be used on CPU {here}; pin the thread")
            }
            Self::Busy => f.write_str("an operation on this unit is in progress on this CPU; try again after it"),
            Self::Running => f.write_str("it is counting already; stop it first"),
            Self::Stopped => f.write_str("it is not counting; start it first"),
            Self::ReaderTaken => f.write_str("the samples have their one reader; drop it first"),
            Self::AlreadyBound => f.write_str("the context has its requests already; unbind it first"),
            Self::NotBound => f.write_str("the context has no such request; bind it first"),
            Self::ThreadIn => f.write_str("a thread's context is switched in on its CPU; switch it out first"),
            Self::Invalidated => f.write_str(
                "a session has taken the context's counters and its counts are void; bind it anew and try again",
            ),
            Self::Refused { request, event, reason } => write!(f, "request {request} ({event}): {reason}"),
            Self::Conflict(conflict) => conflict.fmt(f),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownEvent => f.write_str("no counter of this unit counts it"),
            Self::ReservedBits(bits) => write!(f, "its code sets bits {bits:#x}, which no event has"),
            Self::Impossible(reason) => f.write_str(reason),
            Self::Auxiliary(bits) => write!(f, "bits {bits:#x} of its auxiliary value have no meaning"),
            Self::Modes => f.write_str("the unit cannot count in just these modes"),
            Self::Flag(flag) => write!(f, "the unit has no flag {}", flag.name()),
            Self::NeedsThreshold(flag) => write!(f, "the flag {} needs a threshold", flag.name()),
            Self::FlagsExclude(first, second) => {
                write!(f, "the flags {} and {} exclude each other", first.name(), second.name())
            }
            Self::ThresholdTooLarge { largest: 0 } => f.write_str("no counter compares it with a threshold"),
            Self::ThresholdTooLarge { largest } => write!(f, "the threshold is at most {largest}"),
            Self::NoPeriod => f.write_str("it asked for no interrupts, and has no period; bind it with one"),
            Self::PeriodZero => f.write_str("a period of 0 never interrupts"),
            Self::PeriodTooShort { least } => write!(f, "the period is at least {least} here"),
            Self::PeriodTooLong { longest } => write!(f, "the period is at most {longest} here"),
            Self::NoInterrupt => {
                f.write_str("the unit cannot interrupt on overflow; a Timer samples by the kernel's tick")
            }
            Self::NoSuchCounter(counter) => write!(f, "the unit has no counter {counter}"),
            Self::CounterCannot(counter) => write!(f, "counter {counter} cannot count it"),
            Self::CountersCannot { asked, able } => {
                write!(f, "none of counters {asked} can count it, but counters {able} could")
            }
        }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "requests {} cannot be counted together: ", self.requests)?;
        match self.over {
            Contention::Counters(free) if free.is_empty() => {
                f.write_str("none of their counters is free; drop what has them, or let groups take turns (Multiplex)")
            }
            Contention::Counters(free) => {
                write!(f, "of their counters only {free} are free; let groups of them take turns (Multiplex)")
            }
            Contention::Register(name) => {
                write!(f, "each needs its own value in {name}; let groups of them take turns (Multiplex)")
            }
            Contention::Effort => {
                f.write_str("no placement was found within the search's bound; request fewer at once")
            }
        }
    }
}

impl core::error::Error for Error {}
impl core::error::Error for Refusal {}
impl core::error::Error for Conflict {}

impl From<Conflict> for Error {
    fn from(conflict: Conflict) -> Self {
        Self::Conflict(conflict)
    }
}
