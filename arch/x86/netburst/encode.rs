//! What a request takes on this unit: which counters can count it, and with which ESCR and CCCR.

use super::capabilities::Capabilities;
use super::events::{self, FSB, Meaning};
use super::registers::{Cccr, EscrId};
use super::share::{Share, View};
use crate::arch::x86::request::check_least;
use crate::arch::x86::{Demand, LEAST, LEAST_OF_OTHERS_IN_KERNEL};
use crate::event::{CounterId, CounterSet, Event, Flag, Flags, Generic, Modes, Refusal, Request, Result};

impl Capabilities {
    /// The shortest period of instructions, or of branches among them, that repeats while the kernel is counted; whatever else
    /// is counted there needs [`LEAST_OF_OTHERS_IN_KERNEL`](Self::LEAST_OF_OTHERS_IN_KERNEL).
    ///
    /// An interrupt counts those of its own instructions that come before its counter is halted and after it is let go on, as
    /// on AMD's units ([`LEAST_IN_KERNEL`](crate::arch::x86::amd::Capabilities::LEAST_IN_KERNEL)), where up to six counters are halted
    /// one by one; here there are up to 18. OProfile allows no period below 3000.
    pub const LEAST_IN_KERNEL: u64 = 256;

    /// The shortest period of other events that may repeat while the kernel is counted.
    pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = LEAST_OF_OTHERS_IN_KERNEL;
}

/// The largest threshold: more than 15 events in a cycle.
const LARGEST: u8 = 16;

/// A control word: an ESCR in bits 0 to 31, a CCCR in bits 32 to 63, and in the low bits of the CCCR, which it does not
/// have, what else the driver has to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word(pub(super) u64);

impl Word {
    /// The ESCR's number, once a placement has chosen it.
    const NUMBER: u64 = 0x3F << 32;
    /// The ESCR is one of the bus, whatever its number in the CCCR says.
    const BUS: u64 = 1 << 38;
    /// The event depends on the registers of replay tagging.
    const REPLAY: u64 = 1 << 39;
    /// Its overflows are asked for, not only counted on.
    const SAMPLED: u64 = 1 << 40;
    /// Its ESCR tags micro-operations.
    const TAGS: u64 = 1 << 41;
    /// Another counter may use the same ESCR.
    const SHARES: u64 = 1 << 42;

    /// Returns the value of the ESCR.
    #[inline(always)]
    pub(super) const fn escr(self) -> u64 {
        self.0 & 0xFFFF_FFFF
    }

    /// Returns what decides on the ESCR and its value: its number in the CCCR beside the value.
    #[inline(always)]
    pub(super) const fn escr_word(self) -> u64 {
        let select = Cccr::ESCR_SELECT.bits() << 32;
        self.0 & (0xFFFF_FFFF | select | Self::BUS)
    }

    /// Returns the CCCR of a counter that rests.
    #[inline(always)]
    pub(super) const fn cccr(self) -> Cccr {
        Cccr::from_bits_truncate(self.0 >> 32).difference(Cccr::ENABLE)
    }

    /// Returns the ESCR's number, which a placement has chosen.
    #[inline(always)]
    pub(super) const fn number(self) -> u8 {
        ((self.0 & Self::NUMBER) >> 32) as u8
    }

    /// Returns the ESCR of this word on a counter.
    #[inline(always)]
    pub(super) const fn escr_on(self, counter: CounterId) -> Option<EscrId> {
        let select = if self.0 & Self::BUS == 0 { self.cccr().escr_select() } else { FSB };
        EscrId::of(counter, select)
    }

    /// Returns the word for a counter that a placement has chosen.
    #[inline(always)]
    pub(super) const fn on(self, counter: CounterId) -> u64 {
        match self.escr_on(counter) {
            Some(escr) => self.0 & !Self::NUMBER | (escr as u64) << 32,
            None => self.0,
        }
    }

    #[inline(always)]
    pub(super) const fn is_replay(self) -> bool {
        self.0 & Self::REPLAY != 0
    }

    #[inline(always)]
    pub(super) const fn is_sampled(self) -> bool {
        self.0 & Self::SAMPLED != 0
    }

    #[inline(always)]
    pub(super) const fn is_tagging(self) -> bool {
        self.0 & Self::TAGS != 0
    }

    #[inline(always)]
    pub(super) const fn is_sharing(self) -> bool {
        self.0 & Self::SHARES != 0
    }

    /// Returns true if its counter has its ESCR to itself and tags nothing.
    #[inline(always)]
    pub(super) const fn is_plain(self) -> bool {
        self.0 & (Self::REPLAY | Self::TAGS | Self::SHARES) == 0
    }
}

/// Returns what a request takes on the unit that `capabilities` describe.
#[inline(always)]
pub(super) fn encode(capabilities: &Capabilities, request: &Request) -> Result<Demand, Refusal> {
    let meaning = Meaning::of(capabilities, request.event)?;
    if request.modes == Modes::NONE || !Modes::ALL.covers(request.modes) {
        return Err(Refusal::Modes { able: Modes::ALL });
    }
    let share = capabilities.share;
    let escr = events::escr(meaning.code) | share.modes(request.modes, request.flags);
    let mut cccr = events::cccr(meaning.code) | share.interrupt();
    if request.is_refined() {
        cccr |= compare(capabilities, request)?;
    }
    let mut word = escr.bits() | cccr.bits() << 32 | marks(capabilities, &meaning);
    if let Some(sampling) = request.sampling {
        check_least(request.modes, sampling, LEAST, least_in_kernel(request))?;
        word |= Word::SAMPLED;
    }
    let counters = usable(capabilities, request, &meaning)?;
    Ok(Demand { counters, word, auxiliary: meaning.replay })
}

/// Returns the counters that a request can use. An event may have counters only in the half of the other thread.
#[inline(always)]
fn usable(capabilities: &Capabilities, request: &Request, meaning: &Meaning) -> Result<CounterSet, Refusal> {
    let all = capabilities.counters();
    let usable = request.usable(all, meaning.counters.and(all));
    usable.map_err(|refusal| explained(capabilities, request, meaning, refusal))
}

/// Returns why no counter is usable: the other thread has those that could be, or somebody else has them or their ESCRs.
#[cold]
fn explained(capabilities: &Capabilities, request: &Request, meaning: &Meaning, refusal: Refusal) -> Refusal {
    let alone = capabilities.alone();
    let seen = events::counters(&alone, meaning.code).and(alone.view.counters());
    let own = seen.and(alone.counters());
    if own.is_empty() {
        return Refusal::OtherThread(seen);
    }
    let held = own.without(meaning.counters.and(capabilities.counters()));
    request.usable(held, held).map_or(refusal, Refusal::UsedByOthers)
}

#[inline(always)]
fn marks(capabilities: &Capabilities, meaning: &Meaning) -> u64 {
    let mut marks = 0;
    if events::is_on_the_bus(meaning.code) {
        marks |= Word::BUS;
    }
    if meaning.replay != 0 {
        marks |= Word::REPLAY;
    }
    if events::is_tagging(meaning.code) {
        marks |= Word::TAGS;
    }
    if capabilities.view == View::All {
        marks |= Word::SHARES;
    }
    marks
}

/// The flags of a unit.
pub(super) const fn unit_flags(capabilities: &Capabilities) -> Flags {
    let flags = Flags::NONE.with(Flag::Edge).with(Flag::Invert);
    match capabilities.share {
        Share::Whole => flags,
        _ => flags.with(Flag::AnyThread),
    }
}

/// Returns what the threshold and the flags set in the CCCR. The register compares for more events than its threshold,
/// and a request for at least as many. Without a threshold both compare with no event at all.
#[cold]
fn compare(capabilities: &Capabilities, request: &Request) -> Result<Cccr, Refusal> {
    if let Some(flag) = request.flags.beyond(unit_flags(capabilities)) {
        return Err(Refusal::Flag(flag));
    }
    if request.threshold > LARGEST {
        return Err(Refusal::ThresholdTooLarge { largest: LARGEST });
    }
    let mut cccr = Cccr::than(request.threshold.saturating_sub(1));
    cccr.set(Cccr::EDGE, request.flags.contains(Flag::Edge));
    cccr.set(Cccr::COMPLEMENT, request.flags.contains(Flag::Invert));
    let compares = request.threshold != 0 || cccr.intersects(Cccr::EDGE | Cccr::COMPLEMENT);
    cccr.set(Cccr::COMPARE, compares);
    Ok(cccr)
}

/// The shortest period that may repeat while the kernel is counted.
fn least_in_kernel(request: &Request) -> u64 {
    let is_instructions =
        matches!(request.event, Event::Generic(Generic::Instructions | Generic::Branches | Generic::BranchMisses))
            || [events::INSTRUCTIONS, events::BRANCHES, events::TAKEN_BRANCHES, events::BRANCH_MISSES]
                .contains(&request.event);
    if is_instructions && !request.is_refined() {
        Capabilities::LEAST_IN_KERNEL
    } else {
        Capabilities::LEAST_OF_OTHERS_IN_KERNEL
    }
}
