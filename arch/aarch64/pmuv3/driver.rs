//! PMUv3, driven: the promises of [`Backend`], kept with PMUv3 to PMUv3p9.
//!
//! PMCR_EL0.E stays set while the unit is claimed. PMCNTENSET_EL0 and PMCNTENCLR_EL0 start and stop
//! counters, any number of them at once; a write to either is in effect when the next instruction
//! is executed, which is the promise of [`access`](crate::arch::aarch64), not of the registers. So
//! whoever runs counters writes the one that stops first: with it everything that was written
//! before is in effect, too.
//!
//! Every counter interrupts on overflow, also one that only counts: that is how it comes to 64
//! bits. The request is a level: it is there as long as PMOVSSET_EL0 and PMINTENSET_EL1 have a bit
//! in common, and goes when the overflow is acknowledged (D13.3.1, "Generating overflow interrupt
//! requests").

use super::encode::{Demand, Repertoire, levels};
use super::events;
use super::facts::Facts;
use super::handle::Handle;
use super::program::{Image, WayBack, place};
use super::reach::{NARROW, Reach, WIDE, width};
use super::registers::Select;
use super::share::Share;
use crate::arch::aarch64::{Index, SystemRegister};
use crate::backend::{Backend, Description, Late, Overflow, Period, Slot};
use crate::contract::{Registers, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{
    Conflict, CounterId, CounterSet, Error, Event, Generic, Refusal, Remaining, Request, Result, Width,
};

/// The interrupt that the architecture recommends for the unit's overflows, among those that each
/// processor has for itself (PPI): the number that the interrupt controller reads as (D13.3.1). What
/// the firmware's tables say (ACPI's MADT, "Performance Interrupt GSIV"; a device tree's node `pmu`)
/// goes before.
pub const INTERRUPT: u32 = 23;

/// For how many ticks of the system counter an interrupt is waited for whose overflow a stop has
/// accounted for. The counter has 1 to 50 million ticks a second, and a thousand million from
/// Armv8.6 on (D12.1.2): from 16 microseconds to 16 milliseconds.
pub const LATE: u64 = 1 << 14;

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Pmuv3<R> {
    pub(super) registers: R,
    pub(super) facts: Facts,
    pub(super) share: Share,
    /// The counters that are the driver's.
    pub(super) own: CounterSet,
    repertoire: Repertoire,
    pub(super) reach: Reach,
}

impl<R> Pmuv3<R>
where
    R: Registers<Address = SystemRegister, Index = Index>,
{
    /// The driver of a unit with these facts, or of its share of one.
    pub fn new(registers: R, facts: Facts, share: Share) -> Self {
        let own = share.counters(&facts);
        Self { registers, own, repertoire: Repertoire::of(&facts, own), reach: Reach::of(&facts), facts, share }
    }

    /// The driver of the unit that the ID registers announce, once it has been seen to keep what is
    /// written.
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::UnknownProcessor`], [`Error::Swallowed`]; the unit is as it was.
    pub fn detect(registers: R) -> Result<Self> {
        let facts = Facts::discover(&registers)?;
        let first = facts.counters().lowest().map_or(SystemRegister::CYCLE_FILTER, SystemRegister::any_select);
        check_kept(&registers, first)?;
        Ok(Self::new(registers, facts, Share::WHOLE))
    }

    /// What the processor says about its unit.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Which of its counters the driver has.
    #[must_use]
    pub fn share(&self) -> Share {
        self.share
    }

    /// The registers that it drives.
    #[must_use]
    pub fn registers(&self) -> &R {
        &self.registers
    }

    /// Adds one to those of these counters that count [`super::events::SOFTWARE_INCREMENTS`].
    #[inline(always)]
    pub fn increment(&self, counters: CounterSet) {
        self.registers.write(SystemRegister::SOFTWARE_INCREMENT, counters.and(self.own).bits());
    }

    /// What counts at every level.
    #[inline(always)]
    fn everywhere(&self) -> Select {
        if self.facts.has_hypervisor { Select::HYPERVISOR } else { Select::empty() }
    }
}

/// Does the register that says what a counter counts keep what is written to it? Some emulators
/// announce a unit and ignore every write.
fn check_kept<R>(registers: &R, at: SystemRegister) -> Result<()>
where
    R: Registers<Address = SystemRegister, Index = Index>,
{
    let before = registers.read(at);
    let wrote = before ^ (Select::NOT_USER | Select::NOT_KERNEL).bits();
    registers.write(at, wrote);
    let read = registers.read(at);
    registers.write(at, before);
    if read == wrote { Ok(()) } else { Err(Error::Swallowed { register: at.number().into(), wrote, read }) }
}

impl<R> Backend for Pmuv3<R>
where
    R: Registers<Address = SystemRegister, Index = Index>,
{
    type Demand = Demand;
    type Program = ();
    type Occupancy = CounterSet;
    type Image = Image;
    type Handle = Handle;
    type WayBack = WayBack;

    fn description(&self) -> Description {
        let manual = "Arm ARM (DDI 0487), chapter \"The Performance Monitors Extension\"";
        let events = CounterSet::first(self.facts.event_counters).and(self.own);
        let width = self.reach.width(CounterId::ZERO);
        let mut description = Description::new("Arm PMUv3", manual, width);
        description.version = self.facts.version;
        description.general = events;
        description.fixed = self.own.without(events);
        description.fixed_width = WIDE;
        description.modes = levels(&self.facts);
        description.flags = self.repertoire.flags();
        description.overflow = Overflow::Identified;
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.facts.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        events::native(&self.facts, generic)
    }

    #[inline(always)]
    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        self.repertoire.encode(&self.facts, &self.reach, request)
    }

    #[inline(always)]
    fn place(&self, beside: &CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        place(self.own.without(*beside), new, steps, out)
    }

    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot], _: CounterSet) {
        image.load(&self.registers, slots, self.everywhere());
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(&self.registers, counters);
    }

    /// A pair takes two of everything.
    fn resumes(&self, image: &Image, counters: CounterSet) -> bool {
        image.pairs().and(counters).is_empty()
    }

    fn way_back(&self, _: &Image, slot: &Slot) -> WayBack {
        WayBack::to(slot)
    }

    /// That it interrupts stays as it is.
    #[inline(always)]
    fn resume(&self, _: &Image, way_back: &WayBack, raw: u64) {
        self.registers.write(SystemRegister::any_select(way_back.counter), way_back.select);
        self.registers.write(SystemRegister::any_counter(way_back.counter), raw);
    }

    /// A counter is started and stopped by its bit in PMCNTENSET_EL0 and PMCNTENCLR_EL0 alone.
    #[inline(always)]
    fn keeps(&self) -> bool {
        true
    }

    #[inline(always)]
    fn width(&self, image: &Image, counter: CounterId) -> Width {
        width(self.reach.narrow().without(image.pairs()).contains(counter))
    }

    #[inline(always)]
    fn longest(&self, image: &Image, counter: CounterId) -> Remaining {
        Remaining::events(self.width(image, counter).longest())
    }

    #[inline(always)]
    fn preset(&self, image: &Image, counter: CounterId, remaining: Remaining) {
        if image.pairs().contains(counter) {
            self.preset_pair(counter, remaining);
        } else {
            let start = self.reach.width(counter).start(remaining);
            self.registers.write(SystemRegister::any_counter(counter), start);
        }
    }

    #[inline(always)]
    fn renew(&self, image: &Image, counter: CounterId, period: &impl Period) -> bool {
        // Asked first is what most counters are. With one call for both widths the compiler would work out what is the same for either.
        if image.narrow().contains(counter) {
            self.renew_single(NARROW, counter, period)
        } else if image.pairs().contains(counter) {
            self.renew_pair(counter, period)
        } else {
            self.renew_single(WIDE, counter, period)
        }
    }

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        if exactly.is_empty() {
            return self.registers.write(SystemRegister::ENABLE_CLEAR, self.own.bits());
        }
        let enabled = image.both(exactly);
        self.registers.write(SystemRegister::ENABLE_CLEAR, self.own.without(enabled).bits());
        self.registers.write(SystemRegister::ENABLE_SET, enabled.bits());
    }

    #[inline(always)]
    fn overflowed(&self, _: &Image, armed: CounterSet) -> CounterSet {
        CounterSet::from_bits(self.registers.read(SystemRegister::OVERFLOW_SET)).and(armed)
    }

    #[inline(always)]
    fn acknowledge(&self, _: &Image, counters: CounterSet) {
        self.registers.write(SystemRegister::OVERFLOW_CLEAR, counters.bits());
    }

    /// The request goes without its overflow being forgotten: PMOVSSET_EL0 keeps its bit.
    fn withhold(&self, _: &Image, counters: CounterSet) {
        self.registers.write(SystemRegister::INTERRUPT_CLEAR, counters.bits());
    }

    fn admit(&self, _: &Image, counters: CounterSet) {
        self.registers.write(SystemRegister::INTERRUPT_SET, counters.bits());
    }

    /// The request is a level, which nothing masks.
    #[inline(always)]
    fn rearm(&self) {}

    /// An acknowledgement withdraws the request. What the interrupt controller had delivered by then
    /// comes all the same, and one that takes edges remembers it: one, however many overflows it was.
    #[inline(always)]
    fn late(&self) -> Late {
        Late::One { within: LATE }
    }

    #[inline(always)]
    fn handle(&self, image: &Image, counter: CounterId) -> Handle {
        Handle::new(counter, image.pairs().contains(counter))
    }

    /// A pair takes two reads, and has none.
    fn user_index(&self, counter: Handle) -> Option<u32> {
        counter.single().map(|index| index.number().into())
    }

    fn lends_each(&self) -> bool {
        self.facts.has_user_access()
    }

    fn lend(&self, _: &Image, counters: CounterSet) {
        if counters.is_empty() { self.close_user_reads() } else { self.open_to_users(counters) }
    }

    #[inline(always)]
    fn read(&self, counter: Handle) -> u64 {
        match counter.single() {
            Some(single) => self.registers.read_any_counter(single),
            None => self.read_pair(counter.upper()),
        }
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        self.registers.ticks()
    }

    fn save(&self, image: &Image) {
        image.begin(self.reach.narrow());
        self.take(&image.before);
    }

    fn restore(&self, image: &Image) {
        self.put_back(&image.before);
    }
}
