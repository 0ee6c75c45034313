//! The second contract: what a processor's driver promises to the portable half.
//!
//! A placement is programmed as a whole, because control registers are shared: POWER's MMCR1, the
//! Pentium 4's ESCRs, Intel's FIXED_CTR_CTRL, chained and merged counters. So a request passes
//! through four stations: [`Backend::encode`] says what it would take, [`Backend::place`] fits it
//! beside what is there, [`Backend::load`] writes the control registers, [`Backend::run`] starts.
//!
//! The unit's control registers are never read back. Their image is an [`Image`] of atomic words
//! which the thread and the interrupt share.

mod description;
mod renewal;

pub use self::description::{Description, Overflow};
pub use self::renewal::{Period, Periods, Renewed};
pub(crate) use crate::contract::Slot;
use crate::contract::{Occupancy, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Event, Generic, Refusal, Remaining, Request, Result, Width};

/// The image of a unit's control registers, in atomic words, and what they held before the unit
/// was claimed; its home is [`crate::Unit`].
pub trait Image {
    /// What of the unit is in use, as placements see it.
    type Occupancy: Occupancy;

    /// Nothing is programmed.
    const BLANK: Self;

    /// The counters that belong to somebody.
    fn occupied(&self) -> CounterSet;

    /// The counters that belong to somebody, and what these need in shared registers.
    fn occupancy(&self) -> Self::Occupancy;
}

/// The interrupts that come when their overflows are accounted for already. They find nothing, and
/// are the unit's all the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Late {
    /// None: an overflow that is forgotten does not interrupt.
    Never,
    /// One after a stop that has accounted for overflows: the line masks itself at each interrupt.
    One {
        /// For how many ticks it is waited for.
        within: u64,
    },
    /// One for each overflow that an interrupt has accounted for beside its own, and for each that a
    /// stop has: the line is never masked.
    Each {
        /// The most that can be on their way at once: no more are waited for.
        most: u64,
        /// For how many ticks they are waited for.
        within: u64,
    },
}

/// A processor's driver.
///
/// One value drives one CPU's unit, on that CPU. The functions marked *interrupt* are called from
/// the overflow interrupt too, which may be an NMI: they MUST NOT allocate, lock, panic, loop
/// without a bound, or use a float.
pub trait Backend {
    /// What one request takes: the ways to count it, and what it needs in shared registers. The
    /// default is a placeholder.
    type Demand: Copy + Default;
    /// The shared control words that a placement ends in.
    type Program: Copy;
    /// What a placement has to live beside.
    type Occupancy: Occupancy;
    /// The control registers as they were last written.
    type Image: Image<Occupancy = Self::Occupancy>;
    /// A counter, ready to be read.
    type Handle: Copy;
    /// What [`Backend::resume`] wants to know of a counter and of what it shall count; nothing where it is
    /// never called.
    type WayBack: Copy;

    /// What this unit is.
    fn description(&self) -> Description;

    /// This processor's events by name, as far as they are known. Who does not call it does not link
    /// the tables.
    fn catalogue(&self) -> &'static Catalogue {
        &Catalogue::EMPTY
    }

    /// The event of this processor's own that a generic one is, by its code. Pure: touches no register.
    ///
    /// What has a counter to itself is counted there too under its generic name, and under its code it may
    /// not be. [`crate::native`] says it with names, and of generic events that are made of several.
    ///
    /// # Errors
    /// [`Refusal::UnknownEvent`]: the processor has none, as where all events are known by their codes.
    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        let _ = generic;
        Err(Refusal::UnknownEvent)
    }

    /// What a request takes. Pure: touches no register.
    ///
    /// # Errors
    /// The request asks for what this unit does not have.
    fn encode(&self, request: &Request) -> Result<Self::Demand, Refusal>;

    /// The counters that a request can have while nothing else counts. Pure: touches no register.
    fn counters_for(&self, request: &Request) -> CounterSet {
        let can_have = |counter: &CounterId| self.encode(&request.pinned_to(*counter)).is_ok();
        self.description().counters().filter(|&counter| request.counters.contains(counter)).filter(can_have).collect()
    }

    /// Fits `new` beside what is in use, and fills one slot for each. Pure: touches no register.
    ///
    /// MUST find a placement if there is one, or say [`crate::Contention::Effort`] after so many `steps`.
    /// What is in use stays where it is. `out` is as long as `new`; after an error it holds nothing of use.
    ///
    /// # Errors
    /// The requests that cannot be together, by their position in `new`.
    fn place(
        &self,
        beside: &Self::Occupancy,
        new: &[Self::Demand],
        steps: Steps,
        out: &mut [Slot],
    ) -> Result<Self::Program, Conflict>;

    /// Writes the control registers of a placement, in the family's order, and notes them in
    /// `image`. The new counters do not count yet. What `running` counts goes on counting right:
    /// a unit that cannot be changed under a running counter halts itself and resumes exactly
    /// `running`. An overflow interrupt may come amid it, and may end what `running` says: the
    /// caller looks afterwards and runs what is left.
    fn load(&self, image: &Self::Image, program: &Self::Program, slots: &[Slot], running: CounterSet);

    /// Gives counters back. They do not run; their control words may stay as they are.
    fn release(&self, image: &Self::Image, counters: CounterSet);

    /// [`Backend::release`] of the counters that a thread has left behind, and [`Backend::load`] for
    /// the thread that comes in its stead. A family may leave out the writes of what a register holds
    /// already. `running` has none of `old`.
    #[inline(always)]
    fn replace(
        &self,
        image: &Self::Image,
        old: CounterSet,
        program: &Self::Program,
        slots: &[Slot],
        running: CounterSet,
    ) {
        self.release(image, old);
        self.load(image, program, slots, running);
    }

    /// Do these counters, which were loaded, take nothing but their own control words, so that
    /// [`Backend::resume`] gives them to another thread?
    fn resumes(&self, image: &Self::Image, counters: CounterSet) -> bool {
        let _ = (image, counters);
        false
    }

    /// How a thread comes back to a slot that was loaded for it.
    fn way_back(&self, image: &Self::Image, slot: &Slot) -> Self::WayBack;

    /// Has a counter that one thread has left behind go on for another, which had it before: with that
    /// one's control word, and otherwise as [`Backend::bring_back`]. It is called where
    /// [`Backend::resumes`] has said so.
    #[inline(always)]
    fn resume(&self, image: &Self::Image, way_back: &Self::WayBack, raw: u64) {
        let _ = (image, way_back, raw);
    }

    /// Does a counter that stopped keep its value and its control words, whatever else is started,
    /// stopped or added, until it is preset or released? Then a thread that comes back to counters
    /// which nobody has needed meanwhile goes on without programming them.
    #[inline(always)]
    fn keeps(&self) -> bool {
        false
    }

    /// How wide this counter is. *Interrupt.*
    fn width(&self, image: &Self::Image, counter: CounterId) -> Width;

    /// The most events that this counter can be preset to wait for.
    fn longest(&self, image: &Self::Image, counter: CounterId) -> Remaining;

    /// Makes the counter overflow on the event after `remaining` - 1 more. Touches no selector.
    /// *Interrupt.*
    ///
    /// The counter does not run, but others may, and their overflow interrupt may come amid it: a
    /// unit with several counters in one register MUST keep it out, and no event of theirs may be
    /// undone.
    fn preset(&self, image: &Self::Image, counter: CounterId, remaining: Remaining);

    /// Puts back what [`Backend::read`] gave when this counter was stopped last, here or on another
    /// CPU, and had not overflowed; as [`Backend::preset`] for the events that were left.
    #[inline(always)]
    fn bring_back(&self, image: &Self::Image, counter: CounterId, raw: u64) {
        let width = self.width(image, counter);
        let left = width.longest().wrapping_sub(width.position(raw));
        self.preset(image, counter, Remaining::events(left));
    }

    /// How many events this counter is past its overflow; `None` if it has not overflowed. *Interrupt.*
    #[inline(always)]
    fn past(&self, image: &Self::Image, counter: CounterId) -> Option<u64> {
        let raw = self.read(self.handle(image, counter));
        self.width(image, counter).past(raw)
    }

    /// Lets a counter that has overflowed begin its next period, of which the events since the overflow
    /// are a part: it is preset to the rest. If they are the whole of it or more, it is not preset, and
    /// `period` is told how many they are. False, and nothing is done, if it has not overflowed.
    /// *Interrupt.*
    ///
    /// A unit whose counters are of several kinds asks here once of which kind this one is.
    #[inline(always)]
    fn renew(&self, image: &Self::Image, counter: CounterId, period: &impl Period) -> bool {
        let Some(past) = self.past(image, counter) else { return false };
        let length = period.length();
        if past >= length {
            period.outrun(past);
            return true;
        }
        period.begin(length);
        self.preset(image, counter, Remaining::events(length.wrapping_sub(past)));
        true
    }

    /// Are counters renewed by [`Backend::renew_at_once`]? Where a counter's number is part of the instructions
    /// that reach it, each can have its own there, and none need be found by its number.
    #[inline(always)]
    fn renews_at_once(&self) -> bool {
        false
    }

    /// [`Backend::renew`] of those of `armed` that have overflowed, which is found out by the way. The unit is
    /// halted. *Interrupt.*
    #[inline(always)]
    fn renew_at_once<P: Periods>(&self, image: &Self::Image, armed: CounterSet, renewed: &mut Renewed<P>) {
        let _ = (image, armed, renewed);
    }

    /// These counters count, and no others do; the empty set halts the unit. *Interrupt.*
    fn run(&self, image: &Self::Image, exactly: CounterSet);

    /// Is [`Backend::run`] a matter of a few instructions on this unit, which [`Backend::run_at_once`] does?
    /// MUST be so where it [`Backend::keeps`].
    #[inline(always)]
    fn runs_at_once(&self) -> bool {
        true
    }

    /// [`Backend::run`] of a unit that [`Backend::runs_at_once`].
    #[inline(always)]
    fn run_at_once(&self, image: &Self::Image, exactly: CounterSet) {
        self.run(image, exactly);
    }

    /// Writes what has to be there before these counters can be run at once, if it is not: others may be
    /// halted then until they are.
    #[inline(always)]
    fn get_ready(&self, image: &Self::Image, exactly: CounterSet) {
        let _ = (image, exactly);
    }

    /// [`Backend::run_at_once`], unless something has to be written first for what these counters take: false
    /// then, and the hardware is told nothing.
    #[inline(always)]
    fn run_if_ready(&self, image: &Self::Image, exactly: CounterSet) -> bool {
        self.run_at_once(image, exactly);
        true
    }

    /// Those of `armed` that have overflowed and were not acknowledged. The unit is halted, or
    /// `armed` has just stopped. *Interrupt.*
    ///
    /// A unit that does not say, or says it in a register that [`Backend::run`] writes, looks
    /// which counters are past the value that fires ([`Width::past`]). One that named others too
    /// would claim other people's interrupts.
    fn overflowed(&self, image: &Self::Image, armed: CounterSet) -> CounterSet;

    /// [`Backend::overflowed`] of counters that [`Backend::run_at_once`] has stopped: a unit that has
    /// several ways to say so need not ask again which is its own.
    #[inline(always)]
    fn overflowed_at_once(&self, image: &Self::Image, stopped: CounterSet) -> CounterSet {
        self.overflowed(image, stopped)
    }

    /// Forgets these overflows. *Interrupt.*
    fn acknowledge(&self, image: &Self::Image, counters: CounterSet);

    /// Keeps these overflows from interrupting, until they are admitted again: a stop is about to
    /// account for them, and a request that is a level would interrupt it for ever. Where the request
    /// is none there is nothing to do. *Interrupt.*
    fn withhold(&self, _image: &Self::Image, _counters: CounterSet) {}

    /// Lets the overflows of these counters interrupt, withheld or not; they are acknowledged.
    fn admit(&self, _image: &Self::Image, _counters: CounterSet) {}

    /// Lets the next overflow interrupt again, where the interrupt controller masks itself at
    /// each one. The counters are preset and still halted. *Interrupt.*
    fn rearm(&self);

    /// Which interrupts still come when their overflows are accounted for. *Interrupt.*
    fn late(&self) -> Late;

    /// The counter, ready to be read.
    fn handle(&self, image: &Self::Image, counter: CounterId) -> Self::Handle;

    /// The number by which a user program's own instruction reads the counter; `None` if programs
    /// cannot read it.
    fn user_index(&self, counter: Self::Handle) -> Option<u32> {
        let _ = counter;
        None
    }

    /// Can user programs be lent counters one by one, so that they see nothing of the others?
    fn lends_each(&self) -> bool {
        false
    }

    /// Lets user programs read these counters, if there is one in the set, or else none; now, and
    /// whatever runs afterwards. Where they cannot be lent one by one, nothing is in the others.
    ///
    /// Where what opens them is no register of the unit (CR4 on x86), there is nothing to do.
    fn lend(&self, image: &Self::Image, counters: CounterSet) {
        let _ = (image, counters);
    }

    /// The counter's raw value. *Interrupt.*
    fn read(&self, counter: Self::Handle) -> u64;

    /// The processor's free-running clock, in ticks of its own.
    fn ticks(&self) -> u64;

    /// [`Registers::fence`](crate::Registers::fence), of what the unit is reached through. *Interrupt.*
    #[inline(always)]
    fn fence(&self) {
        crate::sync::fence();
    }

    /// Halts the unit, keeps in `image` what it held, and leaves no overflow behind.
    fn save(&self, image: &Self::Image);

    /// Puts back what [`Backend::save`] kept.
    fn restore(&self, image: &Self::Image);
}
