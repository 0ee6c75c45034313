//! The second contract: the three traits that a processor's driver implements for the portable half.
//!
//! They differ in who may call them. [`Plan`] accesses no register and is called anywhere. [`Counters`] is called by
//! threads and by the overflow handler, which may be an NMI. [`Control`] is called by a thread of the unit's own CPU,
//! with ordinary interrupts off.
//!
//! A placement is programmed as a whole, because counters share control registers: POWER's MMCR1, the Pentium 4's
//! ESCRs, Intel's FIXED_CTR_CTRL, chained and merged counters. So a request goes through four functions:
//! [`Plan::encode`] finds the ways to count it, [`Plan::place`] chooses counters beside those in use, [`Control::load`]
//! programs them, and [`Counters::run`] starts them.
//!
//! The [`Unit`](crate::Unit) keeps an [`Image`] of the control registers, as they were last written, in atomic words.

use super::{Description, Kind, Late, Registers, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Error, Event, Generic, Refusal, Remaining, Request, Width};

/// What the portable half needs to read a counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counter<H> {
    /// The handle for [`Counters::read`].
    pub handle: H,
    /// Its width, and where it overflows.
    pub width: Width,
    /// The most events that it can be preset to wait for.
    pub longest: Remaining,
    /// The number by which a user program's own instruction reads it while it counts; `None` if programs cannot read it.
    pub user_index: Option<u32>,
}

/// The control registers of a unit as they were last written, in atomic words.
///
/// All its bits are zero while nothing is programmed, so that an unclaimed unit is in `.bss`.
pub trait Image {
    /// What is in use: the counters that are loaded, and the values of the registers that they share.
    ///
    /// A placement depends on nothing else: one that was found beside some occupancy can be loaded beside any equal
    /// occupancy. So two occupancies MUST be equal exactly if the same requests can be placed beside both in the same way. The
    /// default is the occupancy of an unused unit.
    type Occupancy: Copy + Eq + Default;

    /// Nothing is programmed. All bits are zero.
    const BLANK: Self;

    /// Returns the counters that are loaded.
    fn counters(&self) -> CounterSet;

    /// Returns what a placement has to live beside.
    fn occupancy(&self) -> Self::Occupancy;
}

/// The capabilities of a unit. These functions access no register, and can be called anywhere.
pub trait Plan {
    /// The registers that the driver programs.
    type Registers: Registers;
    /// The ways to count one request, and what it needs in shared registers. The default is a
    /// placeholder.
    type Demand: Copy + Default;
    /// The shared control words of a placement. The default is a placeholder.
    type Program: Copy;
    /// What a placement has to live beside: that of the unit's [`Image`].
    type Occupancy: Copy + Eq + Default;
    /// The handle by which a counter is read.
    type Handle: Copy;

    /// The control words of a placement of nothing.
    const NO_PROGRAM: Self::Program;

    /// Returns the registers that the driver programs.
    fn registers(&self) -> &Self::Registers;

    /// Returns the description of the unit.
    fn description(&self) -> Description;

    /// Returns the processor's known events by name. A kernel that does not call it does not link
    /// the tables.
    fn catalogue(&self) -> &'static Catalogue {
        &Catalogue::EMPTY
    }

    /// Returns the processor's own event that a generic one is, by its code.
    ///
    /// An event that has a counter of its own may be counted there only if it is requested as the generic event, not by
    /// its code.
    ///
    /// # Errors
    /// Returns [`Refusal::UnknownEvent`] if the processor has none.
    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        let _ = generic;
        Err(Refusal::UnknownEvent)
    }

    /// Returns the unit's kind. Units of one kind MUST have the same events. Units whose kinds were made with the same number
    /// of placements ([`Kind::new`]) MUST accept each other's demands and placements.
    fn kind(&self) -> Kind;

    /// Returns a number for the line by which the unit interrupts, and for how that is set up: another line has another
    /// number. A unit that has one line returns 0.
    fn line(&self) -> u64 {
        0
    }

    /// Returns the ways to count a request. Its period is not 0: that is refused for all units before.
    ///
    /// # Errors
    /// Returns the part of the request that this unit does not have.
    fn encode(&self, request: &Request) -> Result<Self::Demand, Refusal>;

    /// Places `new` requests beside what is in use, and fills one slot for each.
    ///
    /// MUST find a placement if there is one, or return [`Contention::Effort`](crate::request::Contention::Effort) after this
    /// number of `steps`. What is in use is not moved. `out` is as long as `new`; after an error its contents mean
    /// nothing.
    ///
    /// # Errors
    /// Returns the requests that cannot be counted together, by their position in `new`.
    fn place(
        &self,
        beside: &Self::Occupancy,
        new: &[Self::Demand],
        steps: Steps,
        out: &mut [Slot],
    ) -> Result<Self::Program, Conflict>;

    /// Returns what a counter's value is higher for the driver than for a user program that reads it.
    fn user_offset(&self) -> u64 {
        0
    }

    /// Returns the counter of a slot that [`Plan::place`] has filled.
    fn counter(&self, slot: &Slot) -> Counter<Self::Handle>;
}

/// The counters of a unit. Threads call these functions with ordinary interrupts off, and so does the overflow handler,
/// which may be an NMI and interrupt any of them.
///
/// They MUST NOT allocate, lock, panic, use a float, or loop without a bound.
pub trait Counters: Plan {
    /// The control registers as they were last written.
    type Image: Image<Occupancy = Self::Occupancy>;

    /// How many events before its overflow a counter may interrupt at most. A stopped counter that is further from its
    /// overflow has none to account for: a switch reads its value alone, and no status.
    const EARLY: u64 = 0;

    /// Whether its counters overflow when they wrap to 0, all of them ([`Width::wrapping`]), or when their top bit becomes 1.
    const WRAPS: bool = true;

    /// Makes exactly these counters count. The empty set halts the unit.
    ///
    /// A unit whose control registers cannot be written while it counts writes here what [`Control::load`] has only
    /// recorded. The running counters in the image MUST always be a superset of those that run, so that an overflow
    /// handler at any point halts all of them. If the handler interrupts this and stops some of the counters, this is
    /// called again with those that are left.
    fn run(&self, image: &Self::Image, exactly: CounterSet);

    /// Returns the counter's raw value.
    fn read(&self, counter: Self::Handle) -> u64;

    /// Makes the counter overflow on the `remaining`-th event from now. Does not change its selector. Returns the number
    /// of events that it was actually preset to: more than `remaining` if the unit cannot be preset to so few, and the
    /// most that the counter can be preset to if that is less.
    ///
    /// The counter does not run. Others may, and none of their events may be lost. A unit with several counters in one
    /// register MUST keep the overflow handler out, by [`Registers::mask`].
    fn preset(&self, image: &Self::Image, counter: CounterId, remaining: Remaining) -> Remaining;

    /// Returns false if no counter of the unit interrupts, while the unit runs. The overflow handler asks before it halts
    /// the unit, so that an interrupt of another device on the same line loses no events. A unit that is alone on its
    /// line, or that cannot say, returns true. If it is false, what the interrupt has frozen is let go on, by
    /// [`Counters::acknowledge`] of no counter, and the line by [`Counters::rearm`].
    #[inline(always)]
    fn is_interrupting(&self, image: &Self::Image) -> bool {
        let _ = image;
        true
    }

    /// Calls `found` once for each counter in `among` that has overflowed and was not acknowledged, with the number of
    /// events that it is past its overflow. The number is negative if the unit interrupts early.
    ///
    /// None of `among` runs. `found` may preset the counter. A status bit counts only if the counter's value agrees: it
    /// is past its overflow. A status bit in `among` whose value does not agree, and that would assert the line again,
    /// is cleared here.
    fn overflowed(&self, image: &Self::Image, among: CounterSet, found: impl FnMut(CounterId, i64));

    /// Clears the overflow status of these counters, and of no others.
    fn acknowledge(&self, image: &Self::Image, counters: CounterSet);

    /// Lets the next overflow interrupt come, where the line masks itself at each one.
    fn rearm(&self);

    /// Returns which interrupts can still come after their overflows were accounted for.
    fn late(&self) -> Late;
}

/// The control registers of a unit. A thread of the unit's own CPU calls these functions, with ordinary interrupts off.
/// The overflow handler may interrupt any of them.
pub trait Control: Counters {
    /// The saved state of the registers. It is separate from the image: a hypervisor keeps one for
    /// each guest. All its bits are zero in [`Control::NOTHING_SAVED`].
    type Saved;

    /// An empty saved state.
    const NOTHING_SAVED: Self::Saved;

    /// Whether hardware may drop bits that are written to a selector. If so, a thread's requests are placed at its first
    /// switch and not when they are bound: at the switch their counters are free for the check ([`Control::swallowed`]).
    const MAY_SWALLOW: bool = false;

    /// The counters that may change while they rest, or when [`Control::load`] gives them another selection. On any other
    /// counter only [`Counters::preset`], [`Control::reload`] and [`Control::restore`] change what it holds while it rests: the
    /// next request that only counts goes on from there.
    const RESTLESS: CounterSet = CounterSet::EMPTY;

    /// Checks that the hardware keeps the selections of these slots. For each slot whose counter is not loaded, and whose
    /// selection was not checked before, writes the selection and reads it back. Returns an [`Error::Swallowed`] for the first
    /// one that is not kept, whose register is restored. It is called for new placements, before
    /// [`Control::load`]; a switch to a known placement does not call it.
    #[inline(always)]
    fn swallowed(&self, image: &Self::Image, slots: &[Slot]) -> Option<Error> {
        let _ = (image, slots);
        None
    }

    /// Programs a placement: writes the control registers where they differ from the image, in the family's order, and
    /// records them in `image`. The new counters do not count yet. Running counters continue to count correctly.
    ///
    /// A unit that must be halted for it only records the placement here, and writes it in [`Counters::run`].
    fn load(&self, image: &Self::Image, program: &Self::Program, slots: &[Slot]);

    /// Removes counters from the image. They do not run, and their overflows are accounted for. Writes only registers
    /// that must be written.
    fn release(&self, image: &Self::Image, counters: CounterSet);

    /// Halts the unit, and saves its state. Leaves no overflow pending.
    fn save(&self, into: &Self::Saved);

    /// Writes all control registers from the image: at a claim, and after a sleep. It is only called right after
    /// [`Control::save`], with an image in which nothing is lent. So the unit is halted and no overflow is pending. It
    /// leaves the unit so, lent to nobody, and its interrupt line set up, as far as `save` has not done that.
    fn reload(&self, image: &Self::Image);

    /// Restores what [`Control::save`] saved. Halts the unit first. Nothing counts until everything is restored.
    fn restore(&self, from: &Self::Saved);

    /// Lets user programs read these counters (on SPARC: read and write), or none if the set is empty, from now on and
    /// across later runs.
    ///
    /// Does nothing where the register that permits it does not belong to the unit (CR4 on x86).
    fn lend(&self, image: &Self::Image, counters: CounterSet) {
        let _ = (image, counters);
    }
}

/// A driver: all three traits.
pub trait Driver: Control {}

impl<D: Control> Driver for D {}

/// Returns the counters that can count a request while nothing else counts.
pub fn counters_for<P: Plan>(plan: &P, request: &Request) -> CounterSet {
    let can_count = |counter: &CounterId| plan.encode(&request.pinned_to(*counter)).is_ok();
    plan.description().counters().filter(|&counter| request.counters.contains(counter)).filter(can_count).collect()
}
