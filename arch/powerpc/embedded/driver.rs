//! The driver of the units of e300, e500 and e500mc: [`Plan`], [`Counters`] and [`Control`].
//!
//! PMGC0's FAC stops all counters at once. Each counter has a freeze of its own in PMLCan, beside its event and its
//! modes, so requests share nothing. The PMLCan of a counter that does not run holds only its freeze: [`Counters::run`]
//! writes the event when it starts the counter.
//!
//! A counter has overflowed while its top bit is set; there is no status bit. It interrupts (IVOR35; on e300 vector
//! 0xF00) while that bit, its condition enable in PMLCan and PMGC0's PMIE are set. The interrupt clears
//! PMIE, and every run sets it again.

use super::capabilities::Capabilities;
use super::program::Image;
use super::registers::{Pmgc0, Pmlca};
use super::saved::Saved;
use super::{encode, events};
use crate::arch::powerpc::{Demand, Pmr, Pvr};
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Overflow, Plan, Registers, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Event, Generic, Refusal, Remaining, Request, Result};
use crate::family::{check_kept, place_each};

/// The most events that a counter can be preset to wait for.
const LONGEST: Remaining = Remaining::events(Capabilities::WIDTH.longest());

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Embedded<R> {
    pub(super) registers: R,
    pub(super) capabilities: Capabilities,
}

impl<R: Registers<Address = Pmr, Index = Pmr>> Embedded<R> {
    /// Creates the driver of a unit with these capabilities.
    pub fn new(registers: R, capabilities: Capabilities) -> Self {
        Self { registers, capabilities }
    }

    /// Detects the unit by the processor version register, and creates its driver.
    ///
    /// # Errors
    /// Returns [`NoUnit`](crate::Error::NoUnit), [`UnknownProcessor`](crate::Error::UnknownProcessor) or
    /// [`Swallowed`](crate::Error::Swallowed). The unit is not changed.
    pub fn detect(pvr: Pvr, registers: R) -> Result<Self> {
        let capabilities = Capabilities::discover(pvr)?;
        check_local(&registers)?;
        Ok(Self::new(registers, capabilities))
    }

    /// Returns the capabilities of the unit.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Stops every counter, and disables the overflow interrupt.
    #[inline(always)]
    pub(super) fn freeze(&self) {
        self.registers.write(Pmr::GLOBAL, Pmgc0::FREEZE.bits().into());
    }

    /// Freezes this counter, and disables its overflow condition.
    #[inline(always)]
    pub(super) fn freeze_one(&self, counter: CounterId) {
        self.registers.write(Pmr::local_of(counter), Pmlca::FREEZE.bits().into());
    }

    /// Starts and stops single counters in a frozen unit, so that exactly these count when it is unfrozen.
    ///
    /// The image is changed last. An overflow handler during this starts from the counters that ran before, and makes
    /// the whole change itself before it unfreezes the unit. If it has ended a counter, the caller runs again.
    #[inline(always)]
    fn exchange(&self, image: &Image, before: CounterSet, exactly: CounterSet) {
        for counter in exactly.without(before) {
            self.registers.write(Pmr::local_of(counter), image.local(counter));
        }
        before.without(exactly).into_iter().for_each(|counter| self.freeze_one(counter));
        image.set_running(exactly);
    }
}

/// Checks that the first counter's word keeps what is written to it. The counter is frozen meanwhile.
fn check_local<R: Registers<Address = Pmr, Index = Pmr>>(registers: &R) -> Result<()> {
    let at = Pmr::local_of(CounterId::ZERO);
    let before = registers.read(at);
    let event = u64::from(Pmlca::of_event(0x7F).bits());
    let trial = (before ^ event) & event | u64::from(Pmlca::FREEZE.bits());
    check_kept(registers, at, at.number().into(), [trial, before, u64::MAX])
}

impl<R: Registers<Address = Pmr, Index = Pmr>> Plan for Embedded<R> {
    type Registers = R;
    type Demand = Demand;
    type Program = ();
    type Occupancy = CounterSet;
    type Handle = Pmr;

    const NO_PROGRAM: () = ();

    #[inline(always)]
    fn registers(&self) -> &R {
        &self.registers
    }

    fn description(&self) -> Description {
        let model = self.capabilities.model;
        let mut description = Description::new(model.name(), model.manual(), Capabilities::WIDTH);
        description.general = self.capabilities.counters;
        description.overflow = Overflow::Interrupt;
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.capabilities.model.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        events::native(self.capabilities.model, generic)
    }

    /// The kind contains the model and the bits of its registers, which determine the events, and the counters.
    #[inline(always)]
    fn kind(&self) -> Kind {
        let capabilities = &self.capabilities;
        let (event, threshold) = ((capabilities.local & Pmlca::EVENT).event(), capabilities.threshold.bits());
        let bits = u64::from(event) << 24 | u64::from(threshold) << 32;
        Kind::from_bits(u64::from(b'E') | (capabilities.model as u64) << 8 | capabilities.counters.bits() << 16 | bits)
    }

    #[inline(always)]
    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        encode::encode(&self.capabilities, request)
    }

    #[inline(always)]
    fn place(&self, beside: &CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        let free = self.capabilities.counters.without(*beside);
        place_each(free, new, steps, out, |demand| demand.counters, |demand, _| demand.word)
    }

    /// User programs read a counter by its copy, which every program can read: nothing opens or closes it ("PowerPC
    /// e500 Core Family Reference Manual", sections 1.12.2 and 2.15.7, figure 2-42: "Supervisor/user read-only";
    /// "MPC8308 PowerQUICC II Pro Processor Reference Manual", chapter 7, "e300 Processor Core Overview":
    /// "UPMC0-UPMC3 provide user-level read access").
    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Pmr> {
        let handle = Pmr::counter_of(slot.counter);
        Counter {
            handle,
            width: Capabilities::WIDTH,
            longest: LONGEST,
            user_index: Some(handle.user().number().into()),
        }
    }
}

impl<R: Registers<Address = Pmr, Index = Pmr>> Counters for Embedded<R> {
    type Image = Image;

    const WRAPS: bool = false;

    /// The unit is frozen while single counters are started or stopped, so that a set starts at once.
    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        if exactly.is_empty() {
            self.freeze();
            return image.is_frozen.set(1);
        }
        let before = image.running();
        if before != exactly {
            if image.is_frozen.get() == 0 {
                self.freeze();
            }
            self.exchange(image, before, exactly);
        }
        self.registers.write(Pmr::GLOBAL, Pmgc0::INTERRUPT.bits().into());
        image.is_frozen.set(0);
    }

    #[inline(always)]
    fn read(&self, counter: Pmr) -> u64 {
        self.registers.read_counter(counter)
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let actual = remaining.min(LONGEST);
        self.registers.write(Pmr::counter_of(counter), Capabilities::WIDTH.start(actual));
        actual
    }

    #[inline(always)]
    fn overflowed(&self, _: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        for counter in among {
            if let Some(past) = Capabilities::WIDTH.past(self.read(Pmr::counter_of(counter))) {
                found(counter, past as i64);
            }
        }
    }

    /// Does nothing: a counter has overflowed until it is preset, and no other register says so.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, _: CounterSet) {}

    /// Does nothing: every run sets PMIE.
    #[inline(always)]
    fn rearm(&self) {}

    /// A kernel that masks lazily may have recorded one interrupt, and handles it when it unmasks, however late that is.
    #[inline(always)]
    fn late(&self) -> Late {
        Late::One { within: u64::MAX }
    }
}

impl<R: Registers<Address = Pmr, Index = Pmr>> Control for Embedded<R> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    /// A counter that still runs by its own register, in a unit that is halted, is frozen before its word changes. A
    /// core without PMLCbn has no event with a threshold.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot]) {
        for slot in slots {
            let counter = slot.counter;
            let (local, threshold) = (slot.bits & u64::from(u32::MAX), slot.bits >> 32);
            if image.running().contains(counter) && image.local(counter) != local {
                self.freeze_one(counter);
                image.rest(counter.only());
            }
            if image.threshold(counter) != threshold {
                self.registers.write(Pmr::threshold_of(counter), threshold);
            }
            image.take(slot);
        }
    }

    /// A counter that runs by its own register is frozen by the next run of others.
    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(counters);
    }

    fn reload(&self, image: &Image) {
        self.reload_from(image);
    }

    fn save(&self, into: &Saved) {
        self.save_registers(into);
    }

    fn restore(&self, from: &Saved) {
        self.restore_registers(from);
    }
}
