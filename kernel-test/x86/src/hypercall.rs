//! What the guest may ask of the host: the numbers that go with a `vmmcall`.
//!
//! EAX holds the call, DI and CX its arguments. EDX:EAX is the answer. Nothing else changes.

/// A request to the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Call {
    /// The test has passed; never returns.
    Passed,
    /// The test has failed; DI and CX are the reason's address and length. Never returns.
    Failed,
    /// What is the truth about this [`Fact`], DI? CX says of which counter, where that matters.
    Truth,
    /// Interrupt by an NMI that no counter asked for, when DI more instructions have retired.
    InterruptAfter,
    /// Keep every NMI back until DI more instructions have retired.
    HoldInterrupts,
    /// Send the threads' tick when DI more instructions have retired, in place of any interrupt with a
    /// vector that is on its way; none if DI is 0.
    TickAfter,
    /// Set the guest's time-stamp counter back to 0.
    ResetClock,
    /// Present the unit in this [`Disguise`], DI.
    Disguise,
    /// Find out by this [`Engine`], DI, what the guest has done.
    Engine,
}

/// What only the host knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Fact {
    /// The guest's instructions that had retired before this call.
    Retired,
    /// Overflows with their interrupt enabled, each pull of the wire.
    Overflows,
    /// Those that met a masked LVT entry, and are lost.
    Masked,
    /// NMIs that the guest has taken.
    Interrupts,
    /// Instructions that retired between the last overflow and the NMI it led to.
    Skid,
    /// Counters that run and select what this host does not observe; one bit each.
    Unfed,
    /// Instructions that retired while a counter was on, in the modes that it counts in; by the host's
    /// own book, whatever was written to the counter.
    Counted,
    /// A number that stays the same as long as the unit's registers and the APIC's entry do.
    Fingerprint,
    /// 1 while the host looks at each instruction, else 0.
    Observed,
}

/// How the unit is presented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Disguise {
    /// As it is.
    None,
    /// Writes are accepted and forgotten, as some emulators do.
    SwallowsWrites,
    /// Writes are kept, and nothing is counted.
    Silent,
    /// CPUID does not mention it, and its registers fault.
    Hidden,
    /// CPUID says that another vendor made the processor.
    Stranger,
}

/// How the host finds out what the guest has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Engine {
    /// It does what tells all that the unit wants to know, and no more: asks the clock, or watches the guest go from
    /// ring to ring, or observes.
    AsNeeded,
    /// It looks at each instruction before the guest executes it.
    Observer,
}

impl Call {
    const ALL: [Self; 9] = [
        Self::Passed,
        Self::Failed,
        Self::Truth,
        Self::InterruptAfter,
        Self::HoldInterrupts,
        Self::TickAfter,
        Self::ResetClock,
        Self::Disguise,
        Self::Engine,
    ];

    /// The call with this number.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|&call| call as u64 == number)
    }
}

impl Fact {
    const ALL: [Self; 9] = [
        Self::Retired,
        Self::Overflows,
        Self::Masked,
        Self::Interrupts,
        Self::Skid,
        Self::Unfed,
        Self::Counted,
        Self::Fingerprint,
        Self::Observed,
    ];

    /// The fact with this number.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|&fact| fact as u64 == number)
    }
}

impl Disguise {
    const ALL: [Self; 5] = [Self::None, Self::SwallowsWrites, Self::Silent, Self::Hidden, Self::Stranger];

    /// The disguise with this number.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|&disguise| disguise as u64 == number)
    }
}

impl Engine {
    const ALL: [Self; 2] = [Self::AsNeeded, Self::Observer];

    /// The engine with this number.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|&engine| engine as u64 == number)
    }
}
