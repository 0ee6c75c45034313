//! The driver of the classic units, 604 to 745x: [`Plan`], [`Counters`] and [`Control`].
//!
//! MMCR0's FC stops all counters at once. A single counter is stopped by selecting event 0. So [`Counters::run`] writes all
//! running counters together, in a unit that it freezes first unless it is frozen: MMCR2 if a counter uses it, MMCR1 if it
//! changes, and MMCR0, which starts them. [`Control::load`] only records a placement.
//!
//! A counter has overflowed while its top bit is set; there is no status bit. It interrupts (vector 0xF00) while
//! that bit, its condition enable and PMXE are set. The interrupt clears PMXE (on the 604 the freeze does),
//! and every run sets it again.
//!
//! PMC2 and all later counters have one common condition enable. One of them that was stopped past its overflow
//! therefore keeps interrupting while another one runs, until it is preset.

use super::capabilities::{Capabilities, Model};
use super::program::{Image, Occupancy, place};
use super::registers::Mmcr0;
use super::saved::Saved;
use super::{encode, events};
use crate::arch::powerpc::{Demand, Pvr, Spr};
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Overflow, Plan, Registers, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Event, Generic, Refusal, Remaining, Request, Result};
use crate::family::check_kept;

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Classic<R> {
    pub(super) registers: R,
    pub(super) capabilities: Capabilities,
}

impl<R: Registers<Address = Spr, Index = Spr>> Classic<R> {
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
        check_select(&registers)?;
        Ok(Self::new(registers, capabilities))
    }

    /// Returns the capabilities of the unit.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Writes the selectors of these counters unless they are written, and starts them. Writes MMCR2 only if one of the
    /// counters uses it. Counters that use it agree on it.
    #[inline(always)]
    fn select(&self, image: &Image, exactly: CounterSet) {
        let need = image.needs(exactly);
        if need.scales() {
            self.registers.write(Spr::CLASSIC_MMCR2, need.extension().into());
        }
        let selects = need.selects().into();
        if self.capabilities.has_selects() && image.renews_selects(selects) {
            self.registers.write(Spr::CLASSIC_MMCR1, selects);
        }
        let control = need.control() | (Mmcr0::EXCEPTION | conditions(exactly)).bits();
        self.registers.write(Spr::CLASSIC_MMCR0, control.into());
        image.is_frozen.set(0);
    }

    /// Stops every counter, and disables the overflow interrupt.
    #[inline(always)]
    pub(super) fn freeze(&self) {
        self.registers.write(Spr::CLASSIC_MMCR0, Mmcr0::FREEZE.bits().into());
    }
}

/// The registers of the counters; 8 places so that an index needs no check.
const REGISTERS: [Spr; 8] = [
    Spr::CLASSIC_PMCS[0],
    Spr::CLASSIC_PMCS[1],
    Spr::CLASSIC_PMCS[2],
    Spr::CLASSIC_PMCS[3],
    Spr::CLASSIC_PMCS[4],
    Spr::CLASSIC_PMCS[5],
    Spr::CLASSIC_PMCS[0],
    Spr::CLASSIC_PMCS[0],
];

/// Returns the register of a counter, which must exist.
#[inline(always)]
pub(in crate::arch::powerpc) const fn counter_register(counter: CounterId) -> Spr {
    REGISTERS[(counter.number() & 7) as usize]
}

/// PMC1, which has a condition enable to itself.
const FIRST: CounterSet = CounterId::ZERO.only();

/// The most events that a counter can be preset to wait for.
const LONGEST: Remaining = Remaining::events(Capabilities::WIDTH.longest());

/// Returns the bits that let the overflows of these counters interrupt.
#[inline(always)]
fn conditions(running: CounterSet) -> Mmcr0 {
    let first = if running.and(FIRST).is_empty() { Mmcr0::empty() } else { Mmcr0::FIRST };
    if running.without(FIRST).is_empty() { first } else { first.union(Mmcr0::OTHERS) }
}

/// Checks that MMCR0 keeps what is written to it. The counters are frozen meanwhile.
fn check_select<R: Registers<Address = Spr, Index = Spr>>(registers: &R) -> Result<()> {
    let at = Spr::CLASSIC_MMCR0;
    let before = registers.read(at);
    let select = u64::from(Mmcr0::SELECT_2.bits());
    let trial = (before ^ select) & select | u64::from(Mmcr0::FREEZE.bits());
    check_kept(registers, at, at.number().into(), [trial, before, u64::MAX])
}

impl<R: Registers<Address = Spr, Index = Spr>> Plan for Classic<R> {
    type Registers = R;
    type Demand = Demand;
    type Program = ();
    type Occupancy = Occupancy;
    type Handle = Spr;

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

    /// The kind contains the model, which determines the events and their needs, and the counters.
    #[inline(always)]
    fn kind(&self) -> Kind {
        Kind::from_bits(
            u64::from(b'C') | (self.capabilities.model as u64) << 8 | self.capabilities.counters.bits() << 16,
        )
    }

    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        encode::encode(&self.capabilities, request)
    }

    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        place(self.capabilities.counters, beside, new, steps, out)
    }

    /// User programs read a counter by its copy, which every program can read. The 604 and the 604e have none.
    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Spr> {
        let handle = counter_register(slot.counter);
        let user_index = (self.capabilities.model >= Model::P750).then(|| handle.number_of_copy());
        Counter { handle, width: Capabilities::WIDTH, longest: LONGEST, user_index }
    }
}

impl<R: Registers<Address = Spr, Index = Spr>> Counters for Classic<R> {
    type Image = Image;

    const WRAPS: bool = false;

    /// An overflow handler that interrupts the writes leaves the unit halted, because the rest of them would change what
    /// counters count while they count.
    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        if exactly.is_empty() {
            self.freeze();
            return image.is_frozen.set(1);
        }
        if image.is_writing.get() != 0 {
            self.freeze();
            return image.is_interrupted.set(1);
        }
        loop {
            image.is_writing.set(1);
            if image.is_frozen.get() == 0 {
                self.freeze();
            }
            self.select(image, exactly);
            image.is_writing.set(0);
            if image.is_interrupted.get() == 0 {
                break;
            }
            // The handler may have halted the unit after the last write.
            image.is_interrupted.set(0);
        }
    }

    #[inline(always)]
    fn read(&self, counter: Spr) -> u64 {
        self.registers.read_counter(counter)
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let actual = remaining.min(LONGEST);
        self.registers.write(counter_register(counter), Capabilities::WIDTH.start(actual));
        actual
    }

    #[inline(always)]
    fn overflowed(&self, _: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        for counter in among {
            if let Some(past) = Capabilities::WIDTH.past(self.read(counter_register(counter))) {
                found(counter, past as i64);
            }
        }
    }

    /// Does nothing: a counter has overflowed until it is preset, and no other register says so.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, _: CounterSet) {}

    /// Does nothing: every run sets PMXE.
    #[inline(always)]
    fn rearm(&self) {}

    /// A kernel that masks lazily may have recorded one interrupt, and handles it when it unmasks, however late that is.
    #[inline(always)]
    fn late(&self) -> Late {
        Late::One { within: u64::MAX }
    }
}

impl<R: Registers<Address = Spr, Index = Spr>> Control for Classic<R> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    /// Selectors cannot be written while counters count, so [`Counters::run`] writes them.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot]) {
        slots.iter().for_each(|slot| image.take(slot));
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(counters);
    }

    /// Writes nothing: the next [`Counters::run`] writes the selectors, whatever they were.
    fn reload(&self, image: &Image) {
        image.begin_anew();
    }

    fn save(&self, into: &Saved) {
        self.save_registers(into);
    }

    fn restore(&self, from: &Saved) {
        self.restore_registers(from);
    }
}
