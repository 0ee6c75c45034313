//! Errors. Each says which counter, event or request is wrong, and what to do about it where something can be done.

use core::fmt;

use super::request::Asked;
use crate::event::catalogue::{EventName, Name};
use crate::event::{Conflict, CounterId, CounterSet, Event, Flag, Full, Modes, Request};

/// The result of an operation of this crate.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The number of a processor, as the kernel numbers them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct CpuId(pub u32);

impl fmt::Display for CpuId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The reason why an operation was refused. Unless the operation says otherwise, nothing was programmed and
/// nothing is reserved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The processor has no performance-monitoring unit.
    NoUnit {
        /// The register or CPUID leaf that says so, and what it says.
        reason: &'static str,
    },
    /// The crate has no driver for this processor's unit.
    UnknownProcessor {
        /// The family, as the vendor numbers it.
        family: u32,
        /// The model within the family.
        model: u32,
    },
    /// The crate has no driver for a processor of this vendor.
    UnknownVendor {
        /// The vendor's name, as the processor reports it.
        name: [u8; 12],
    },
    /// The processor has another unit than the driver's.
    OtherDriver {
        /// The family, as the vendor numbers it.
        family: u32,
        /// The model within the family.
        model: u32,
        /// The driver of its unit.
        driver: &'static str,
    },
    /// A register does not hold what was written to it: the unit is emulated incompletely.
    Swallowed {
        /// The address of the register.
        register: u32,
        /// The value that was written.
        wrote: u64,
        /// The value that was read.
        read: u64,
    },
    /// The unit counted fewer events than occurred, or so many more that it cannot have kept what was written to its
    /// counters: it exists and does not count.
    Silent {
        /// The number that it counted.
        counted: u64,
        /// The least number that it should have counted.
        least: u64,
    },
    /// The kernel has no unit for this CPU: a kernel answers this whose table of units is too short.
    NoSuchCpu(CpuId),
    /// No unit can be claimed by a CPU with this number.
    CpuNumberTooLarge {
        /// The number of the CPU.
        cpu: CpuId,
        /// The largest number: 2^32 - 2, or 2^16 - 2 where pointers have 32 bits.
        largest: CpuId,
    },
    /// The unit is already claimed.
    AlreadyClaimed {
        /// The CPU that claimed it.
        owner: CpuId,
    },
    /// The unit is not claimed.
    NotClaimed,
    /// The unit has open sessions or a thread that is switched in, which use these counters.
    InUse(CounterSet),
    /// Somebody else, as firmware or a watchdog, uses these counters, which are all that the unit has.
    UsedByOthers(CounterSet),
    /// The unit belongs to another CPU.
    WrongCpu {
        /// The CPU that the unit belongs to.
        owner: CpuId,
        /// The CPU that the operation ran on.
        here: CpuId,
    },
    /// The unit sleeps: it was suspended, and not resumed yet.
    Suspended,
    /// The unit is a guest's: a [`Mediated`](crate::virt::Mediated) has it, and for the host it sleeps meanwhile. It is the answer
    /// wherever [`Self::Suspended`] would be one.
    GuestIn,
    /// The unit was halted, as for a panic, and counts nothing until it is claimed again.
    Halted,
    /// The unit was claimed before with a driver of another unit, or of one whose counters or line are others.
    OtherUnit,
    /// The driver's type names one generation of units, and this unit is of another.
    OtherGeneration {
        /// The generation that the driver's type names.
        driver: &'static str,
        /// The generation of the unit.
        unit: &'static str,
    },
    /// A guest's counters cannot be those of the real unit.
    NoPassThrough {
        /// What one of the two units has, and the other has not.
        reason: &'static str,
    },
    /// A sampler cannot use the memory that it was given for its records.
    Unusable {
        /// What is wrong with the memory, and what it should be.
        reason: &'static str,
    },
    /// What is in use on the unit changed again and again while a placement was looked for.
    Changed,
    /// The context is enabled already.
    Running,
    /// The context is disabled or frozen already, or nothing was started.
    Stopped,
    /// The samples already have a reader.
    ReaderTaken,
    /// The context already has requests.
    AlreadyBound,
    /// The context has no requests.
    NotBound,
    /// A context is switched in: this one, or another one on the same CPU.
    ThreadIn,
    /// No thread is switched in that has counters which could be lent: it waits for some, or measures nothing.
    ThreadWaits,
    /// No program can read any of these counters, which are the thread's.
    Unreadable(CounterSet),
    /// The context's counters were taken from it, or the session's unit was given up: its counts are not valid.
    Invalidated,
    /// The unit cannot count what a request asks for.
    Refused {
        /// The number of the request, from 0.
        request: u8,
        /// The event of the request.
        event: Event,
        /// The name that the request was made by, if it was made by one. It is printed by it.
        name: Option<Name>,
        /// The reason.
        reason: Refusal,
    },
    /// Each request can be counted, but not all of them together.
    Conflict(Conflict),
    /// A set has no room for a further request.
    Full(Full),
    /// A text that asks for something is wrong. [`notation::Error`](crate::text::notation::Error), of which `?` makes this, also
    /// prints the words that are wrong ([`in_text`](crate::text::notation::Error::in_text)) and the counters that could be meant.
    Text {
        /// The first byte that is wrong.
        at: usize,
        /// What is wrong with it.
        problem: &'static str,
        /// The number that the problem is printed with, if it has a limit.
        limit: Option<u64>,
        /// The name that was probably meant.
        nearest: Option<EventName>,
    },
    /// A text that asks for something has something else where this was expected.
    Expected {
        /// The first byte that is wrong.
        at: usize,
        /// What was expected.
        what: &'static str,
    },
}

/// The reason why the unit cannot count what a request asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// No counter of this unit counts the event.
    UnknownEvent,
    /// The code sets bits that no event uses.
    ReservedBits(u64),
    /// The unit cannot do what the code asks for. The text is the reason.
    Impossible(&'static str),
    /// The auxiliary value sets bits that its register does not have, or the event has no auxiliary register.
    Auxiliary(u64),
    /// The unit cannot count in exactly these modes.
    Modes {
        /// The modes of which a request of this kind can name one or more.
        able: Modes,
    },
    /// The unit has no such flag.
    Flag(Flag),
    /// The flag changes the meaning of a threshold, and there is no threshold.
    NeedsThreshold(Flag),
    /// The two flags cannot be combined.
    FlagsExclude(Flag, Flag),
    /// The threshold is too large for the unit.
    ThresholdTooLarge {
        /// The largest threshold; 0 if the unit has none.
        largest: u8,
    },
    /// The request does not sample, so it has no period that could be changed.
    NoPeriod,
    /// A period of 0 never interrupts.
    PeriodZero,
    /// The period is so short that there would be no time between two interrupts.
    PeriodTooShort {
        /// The shortest period for this request.
        least: u64,
    },
    /// The hardware has no such period. These are the nearest that it has, a shorter and a longer one, in the request's events.
    PeriodBetween(u64, u64),
    /// The unit cannot interrupt on overflow.
    NoInterrupt,
    /// The unit can interrupt on overflow, and its driver was given no interrupt line.
    NoLine,
    /// The unit has no such counter.
    NoSuchCounter(CounterId),
    /// The pinned counter cannot count this event.
    CounterCannot(CounterId),
    /// These counters could count it, but they, or the selectors that they need, are used by somebody else, as firmware or a
    /// watchdog.
    UsedByOthers(CounterSet),
    /// The threads of this processor share its unit, and only these counters, which are the other thread's, can count it.
    OtherThread(CounterSet),
    /// None of the counters that the request is limited to can count this event.
    CountersCannot {
        /// The counters that the request is limited to.
        asked: CounterSet,
        /// The counters that can count the event.
        able: CounterSet,
    },
}

impl Error {
    /// The error for this request of several.
    #[cold]
    #[inline(never)]
    pub(crate) fn refused(number: usize, request: &Request, reason: Refusal) -> Self {
        Self::Refused { request: number as u8, event: request.event, name: request.name, reason }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUnit { reason } => write!(f, "this processor has no performance-monitoring unit: {reason}"),
            Self::UnknownProcessor { family, model } => {
                write!(
                    f,
                    "there is no driver for a processor of family {family:#x}, model {model:#x}; without one, a Timer samples by the kernel's tick"
                )
            }
            Self::UnknownVendor { name } => write!(
                f,
                "there is no driver for a processor of the vendor {}; without one, a Timer samples by the kernel's tick",
                name.escape_ascii()
            ),
            Self::OtherDriver { family, model, driver } => write!(
                f,
                "a processor of family {family:#x}, model {model:#x} has another unit: use the driver {driver}"
            ),
            Self::Swallowed { register, wrote, read } => write!(
                f,
                "register {register:#x} reads {read:#x} after {wrote:#x} was written: the unit is missing or incompletely emulated"
            ),
            Self::Silent { counted, least } if counted >= least => write!(
                f,
                "the unit counted {counted} where hardly more than {least} instructions were executed: it drops what is written to its counters, as under some emulators and hypervisors"
            ),
            Self::Silent { counted, least } => write!(
                f,
                "the unit counted {counted} of at least {least} instructions: it does not count, as under some emulators and hypervisors"
            ),
            Self::NoSuchCpu(cpu) => {
                write!(f, "there is no unit for CPU {cpu}: make the kernel's table of units longer")
            }
            Self::CpuNumberTooLarge { cpu, largest } => {
                write!(f, "no unit can be claimed by CPU {cpu}, whose number is larger than {largest}; number the CPUs from 0")
            }
            Self::AlreadyClaimed { owner } => write!(
                f,
                "CPU {owner} has claimed this unit already: use it there with here(), resume() it if it is suspended, or release() it first; revoke() it if the CPU was reset without a suspend()"
            ),
            Self::NotClaimed => f.write_str("this unit is not claimed; claim it first, or reclaim it after a release"),
            Self::InUse(counters) => write!(
                f,
                "counters {counters} are used by open sessions or by a thread that is switched in; drop the sessions, or switch that thread out"
            ),
            Self::UsedByOthers(counters) => write!(
                f,
                "counters {counters} count for somebody else, as firmware or a watchdog, and there are no others; disable them in the firmware's setup, or stop them before the unit is detected"
            ),
            Self::WrongCpu { owner, here } => {
                write!(f, "this unit belongs to CPU {owner} and cannot be used on CPU {here}; pin the thread")
            }
            Self::Suspended => f.write_str("the unit is suspended: resume() it first, also if it is to be released or revoked"),
            Self::GuestIn => f.write_str("a guest has the unit: release() its Mediated first"),
            Self::Halted => f.write_str("the unit was halted and counts nothing: release() it, and claim it again"),
            Self::OtherUnit => f.write_str("the unit was claimed before with another driver (its kind, counters or line differ), which it keeps; reclaim() it, or claim it with an equal one"),
            Self::OtherGeneration { driver, unit } => write!(
                f,
                "the driver is for units of the generation {driver} and this one is {unit}: name {unit} in the driver's type, or Either"
            ),
            Self::NoPassThrough { reason } => write!(
                f,
                "the guest's counters cannot be those of the real unit: {reason}; show the guest the host's identity (of_host) or less, or feed its unit"
            ),
            Self::Unusable { reason } => write!(f, "the memory for a sampler's records cannot be used: {reason}"),
            Self::Changed => f.write_str("sessions were opened or closed, or threads switched, on this CPU all the while: try again"),
            Self::Running => f.write_str("the context is enabled already"),
            Self::Stopped => f.write_str("nothing counts: start what was not started, enable() a context that is disabled, and restart() or resume() one that a notification has frozen"),
            Self::ReaderTaken => f.write_str("the samples already have a reader; drop it first"),
            Self::AlreadyBound => f.write_str("the context already has requests; unbind it first"),
            Self::NotBound => f.write_str("the context has no requests, or not this one; bind them first"),
            Self::ThreadIn => f.write_str("the context is switched in, or another one is on this CPU; switch it out first, read it while it runs by thread_counts(), and evict() one that was dropped"),
            Self::ThreadWaits => f.write_str(
                "no thread that has counters is switched in; lend them once its context was placed (Pmu::place) or a later switch has found some",
            ),
            Self::Unreadable(counters) => write!(
                f,
                "no program can read counters {counters}, which are the thread's: read its counts in the kernel, by thread_counts()"
            ),
            Self::Invalidated => {
                f.write_str("its counts are not valid: the unit of a session was given up (revoke(), release()), so open it again; a context's counters were taken (by a session, evict() or revoke(), or its thread moved while it was in), so switch it out and bind it again; a Mediated's unit was resumed or given up, so make another with its into_guest()")
            }
            Self::Refused { request, event, name, reason } => {
                write!(f, "request {request} ({}): {reason}", Asked { event: *event, name: *name })?;
                match reason {
                    Refusal::UnknownEvent => f.write_str(
                        "; Native::all lists the generic events that it counts, Plan::catalogue its own",
                    ),
                    _ => Ok(()),
                }
            }
            Self::Conflict(conflict) => conflict.fmt(f),
            Self::Full(full) => full.fmt(f),
            Self::Text { at, problem, limit, nearest } => {
                write!(f, "the text is wrong at byte {at}: {problem}")?;
                limit.map_or(Ok(()), |limit| write!(f, " {limit}"))?;
                nearest.map_or(Ok(()), |nearest| write!(f, "; the nearest name is {nearest}"))
            }
            Self::Expected { at, what } => write!(f, "the text is wrong at byte {at}: expected {what}"),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownEvent => f.write_str("no counter of this unit counts it"),
            Self::ReservedBits(bits) => write!(f, "its code sets bits {bits:#x}, which no event uses"),
            Self::Impossible(reason) => f.write_str(reason),
            Self::Auxiliary(bits) => write!(f, "bits {bits:#x} of its auxiliary value have no meaning"),
            Self::Modes { able } => {
                write!(f, "request one or more of these modes, in which it can be counted: {able}")?;
                let unable = able.others();
                if unable == Modes::NONE { Ok(()) } else { write!(f, "; it cannot be counted in {unable}") }
            }
            Self::Flag(flag) => write!(f, "the unit has no flag {}", flag.name()),
            Self::NeedsThreshold(flag) => write!(f, "the flag {} needs a threshold", flag.name()),
            Self::FlagsExclude(first, second) => {
                write!(f, "the flags {} and {} cannot be combined", first.name(), second.name())
            }
            Self::ThresholdTooLarge { largest: 0 } => f.write_str("no counter has a threshold for it"),
            Self::ThresholdTooLarge { largest } => write!(f, "the threshold must be at most {largest}"),
            Self::NoPeriod => f.write_str("the request does not sample; give it a period, as Request::every(65536) does"),
            Self::PeriodZero => f.write_str("a period of 0 never interrupts"),
            Self::PeriodTooShort { least } => write!(f, "the period must be at least {least}"),
            Self::PeriodBetween(below, above) => write!(f, "the nearest periods are {below} and {above}"),
            Self::NoInterrupt => {
                f.write_str("the unit cannot interrupt on overflow; use a Timer to sample by the kernel's tick")
            }
            Self::NoLine => f.write_str(
                "the driver was given no interrupt line, without which a period never interrupts; give it one by with_line before the unit is claimed",
            ),
            Self::NoSuchCounter(counter) => write!(f, "the unit has no counter {counter}"),
            Self::CounterCannot(counter) => write!(f, "counter {counter} cannot count it"),
            Self::UsedByOthers(counters) => write!(
                f,
                "counters {counters} that can count it, or their event selectors, are used by somebody else, as firmware or a watchdog; disable them in the firmware's setup, or stop them before the unit is detected"
            ),
            Self::OtherThread(counters) => write!(
                f,
                "only counters {counters} can count it, which are the other hardware thread's; count it on that thread's CPU"
            ),
            Self::CountersCannot { asked, able } => {
                write!(f, "none of counters {asked} can count it, but {} can", able.named())
            }
        }
    }
}

impl core::error::Error for Error {}
impl core::error::Error for Refusal {}
