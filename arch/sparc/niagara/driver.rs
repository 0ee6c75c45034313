//! The driver of T1, T2, T2+ and T3: [`Plan`], [`Counters`] and [`Control`].
//!
//! The modes in %pcr stop both counters at once. From T2 on, a single counter is stopped by selecting no instruction at
//! all (group 2 with an empty mask), so that a run is one write of %pcr, which holds the overflow bits (HOLDOV) and so
//! loses none. T1's counters cannot be stopped singly: `kept` says what is done about it.
//!
//! # Two counters in one register
//!
//! A preset of one of T2's counters reads %pic and writes it back. If the other one counts, both are halted meanwhile: its
//! events between the two writes of %pcr, of about a dozen instructions, are not counted. If it does not count, nothing is
//! lost. A read of %pic changes nothing. The driver keeps interrupts off during a preset by PSTATE.IE, which
//! also holds the overflow trap back.
//!
//! # Overflow
//!
//! T2's counter overflows on the first event that it counts from a value between -16 and -1 (`Model::early`). So
//! the driver counts as if its values were 15 higher: a period of n events is preset to -(n + 15), and the overflow comes
//! on the n-th. What the driver reads and presets are these values. A user program that reads %pic itself sees the
//! processor's: its [`UserPage`](crate::UserPage) adds the 15. So that one addition is right for all values, the longest
//! preset is 15 shorter.
//!
//! On hardware events reach %pic in batches of up to eight cycles, so that the value may be a few events higher at
//! the overflow: the interrupt is as much later. The count stays exact.
//!
//! Whether a counter has overflowed is decided by its value. Its overflow bit asserts the interrupt and must be cleared;
//! on T1 every run clears both.

use super::capabilities::{Capabilities, Privilege};
use super::encode::encode;
use super::events;
use super::registers::Pcr;
use crate::arch::sparc::kept::Kept;
use crate::arch::sparc::program::{COUNTERS, Demand, Image, Occupancy, place};
use crate::arch::sparc::saved::Saved;
use crate::arch::sparc::{Asr, Half};
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Overflow, Plan, Registers, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Error, Event, Generic, Mode, Refusal, Remaining, Request, Result};

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct Niagara<R> {
    pub(super) registers: R,
    pub(super) capabilities: Capabilities,
    /// Used on T1 alone.
    pub(super) kept: Kept,
}

impl<R: Registers<Address = Asr, Index = Half>> Niagara<R> {
    /// Creates the driver of a unit with these capabilities.
    pub fn new(registers: R, capabilities: Capabilities) -> Self {
        Self { registers, capabilities, kept: Kept::new() }
    }

    /// Detects the unit by the processor's name in the machine description ("compatible"), and creates its driver.
    ///
    /// `privilege` says whether writes of %pcr can count in the hypervisor. That is tried, too.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`], or [`Error::Swallowed`] if %pcr does not keep what is written: any bit, or HT although
    /// the caller has the right to it. The unit is not changed.
    pub fn detect(compatible: &str, privilege: Privilege, registers: R) -> Result<Self> {
        let driver = Self::new(registers, Capabilities::discover(compatible)?.with(privilege));
        driver.check_kept()?;
        Ok(driver)
    }

    /// Returns the capabilities of the unit.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Checks that %pcr keeps what is written to it. Nothing counts meanwhile.
    fn check_kept(&self) -> Result<()> {
        let flipped = self.control().difference(Pcr::MODES) ^ PROBED;
        self.check_kept_bits(flipped, PROBED)?;
        if self.capabilities.modes().contains(Mode::Hypervisor) {
            let resting = Half::ALL.map(|half| Pcr::selecting(half, NO_INSTRUCTION));
            self.check_kept_bits(resting[0] | resting[1] | Pcr::HYPERVISOR, Pcr::HYPERVISOR)?;
        }
        Ok(())
    }

    /// Checks that %pcr keeps these bits of what is written, and restores it.
    fn check_kept_bits(&self, wrote: Pcr, bits: Pcr) -> Result<()> {
        let before = self.control();
        self.write_control(wrote | self.holds());
        let read = self.control();
        self.write_control(before | self.holds());
        if (wrote ^ read).intersects(bits) {
            let register = Asr::Pcr.number().into();
            return Err(Error::Swallowed { register, wrote: wrote.bits(), read: read.bits() });
        }
        Ok(())
    }

    /// Returns what %pcr holds.
    #[inline(always)]
    pub(super) fn control(&self) -> Pcr {
        Pcr::from_bits_retain(self.registers.read(Asr::Pcr)).difference(Pcr::HOLD)
    }

    /// Returns the bits by which a write of %pcr leaves the overflow bits as they are. T1 has none.
    #[inline(always)]
    pub(super) fn holds(&self) -> Pcr {
        if self.capabilities.is_t1() { Pcr::empty() } else { Pcr::HOLD }
    }

    /// Returns the value that the driver counts with for what a half of %pic holds.
    #[inline(always)]
    fn shown(&self, raw: u64) -> u64 {
        raw.wrapping_add(self.capabilities.model.early()) & Half::WIDTH.mask()
    }

    /// Returns what a half of %pic must hold for the counter to overflow after so many events.
    #[inline(always)]
    pub(super) fn start(&self, remaining: Remaining) -> u64 {
        Half::WIDTH.start(remaining).wrapping_sub(self.capabilities.model.early()) & Half::WIDTH.mask()
    }

    /// Returns the most events that a counter can be preset to wait for.
    #[inline(always)]
    fn longest(&self) -> Remaining {
        Remaining::events(Half::WIDTH.longest() - self.capabilities.model.early())
    }

    /// Replaces one counter of T2's %pic. If the other one counts, it is halted meanwhile.
    #[inline(always)]
    fn replace(&self, half: Half, value: u64) {
        let before = self.registers.mask();
        let control = self.control();
        let counts = control.intersects(Pcr::MODES);
        if counts {
            self.write_control(control.difference(Pcr::MODES) | Pcr::HOLD);
        }
        let pic = self.registers.read(Asr::Pic);
        self.registers.write(Asr::Pic, half.replaced(pic, value));
        if counts {
            self.write_control(control | Pcr::HOLD);
        }
        self.registers.unmask(before);
    }

    /// Clears the overflow bits of these counters on T2, and leaves all else as it is.
    #[inline(always)]
    fn clear_overflow(&self, counters: CounterSet) {
        let before = self.registers.mask();
        let (mut bits, mut holds) = (Pcr::empty(), Pcr::HOLD);
        Half::for_each(counters, |half| {
            bits |= Pcr::overflow(half);
            holds &= !Pcr::hold(half);
        });
        self.write_control(self.control().difference(bits) | holds);
        self.registers.unmask(before);
    }

    #[inline(always)]
    pub(super) fn write_control(&self, control: Pcr) {
        self.registers.write(Asr::Pcr, control.bits());
    }

    /// Makes exactly these counters of T2 count. One that does not counts the instructions of no kind.
    #[inline(always)]
    fn run_parked(&self, image: &Image, exactly: CounterSet) {
        let idle = |half| Pcr::selecting(half, NO_INSTRUCTION).bits();
        self.registers.write(Asr::Pcr, image.control(exactly, idle) | Pcr::HOLD.bits());
    }
}

/// The selector that counts nothing: instructions, of no kind (OpenSPARC T2, pmu_pct_ctl.v: an event of the
/// group counts if its bit of the mask is set).
const NO_INSTRUCTION: u16 = 0x200;

/// The bit of %pcr that detection flips: the lowest of T2's group of pic0, which is above T1's bits, or of T1's event.
const PROBED: Pcr = Pcr::from_bits_retain(1 << 6);

impl<R: Registers<Address = Asr, Index = Half>> Plan for Niagara<R> {
    type Registers = R;
    type Demand = Demand;
    type Program = ();
    type Occupancy = Occupancy;
    type Handle = Half;

    const NO_PROGRAM: () = ();

    #[inline(always)]
    fn registers(&self) -> &R {
        &self.registers
    }

    fn description(&self) -> Description {
        let model = self.capabilities.model;
        let mut description = Description::new(model.name(), model.manual(), Half::WIDTH);
        description.general = COUNTERS;
        description.modes = self.capabilities.modes();
        description.overflow = Overflow::Identified;
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.capabilities.model.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        events::native(self.capabilities.model, generic)
    }

    /// The kind contains the model, which determines the events, and the privilege, which determines the modes.
    #[inline(always)]
    fn kind(&self) -> Kind {
        let Capabilities { model, privilege } = self.capabilities;
        Kind::from_bits(u64::from(b'N') | (model as u64) << 8 | (privilege as u64) << 16)
    }

    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        encode(&self.capabilities, request)
    }

    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        place(beside, new, steps, out)
    }

    fn user_offset(&self) -> u64 {
        self.capabilities.model.early()
    }

    /// The index for user programs is the half of %pic, which they read whole (ASR 17). On T1 too %pic has the value of a
    /// counter while that counts.
    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Half> {
        let handle = Half::of(slot.counter);
        Counter { handle, width: Half::WIDTH, longest: self.longest(), user_index: Some(handle.number().into()) }
    }
}

impl<R: Registers<Address = Asr, Index = Half>> Counters for Niagara<R> {
    type Image = Image;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        if self.capabilities.is_t1() {
            self.kept.run(&self.registers, image, exactly)
        } else {
            self.run_parked(image, exactly)
        }
    }

    #[inline(always)]
    fn read(&self, half: Half) -> u64 {
        if self.capabilities.is_t1() && !self.kept.counting().contains(half.counter()) {
            return self.kept.get(half);
        }
        self.shown(self.registers.read_counter(half))
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let (half, actual) = (Half::of(counter), remaining.min(self.longest()));
        let value = self.start(actual);
        if self.capabilities.is_t1() {
            self.kept.set(half, value)
        } else {
            self.replace(half, value)
        }
        actual
    }

    /// A counter has overflowed if its value says so. An overflow bit whose counter has not would trap again, and is
    /// cleared.
    #[inline(always)]
    fn overflowed(&self, _: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        let status = if self.capabilities.is_t1() { Pcr::empty() } else { self.control() };
        let mut stale = CounterSet::EMPTY;
        Half::for_each(among, |half| match Half::WIDTH.past(self.read(half)) {
            Some(past) => found(half.counter(), past.cast_signed()),
            None if status.contains(Pcr::overflow(half)) => stale = stale.or(half.counter().only()),
            None => {}
        });
        if !stale.is_empty() {
            self.clear_overflow(stale);
        }
    }

    /// T1's overflow bits assert nothing while the unit is halted, and each run clears them.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, counters: CounterSet) {
        if !self.capabilities.is_t1() {
            self.clear_overflow(counters);
        }
    }

    /// Does nothing: the trap's entry clears the bit of SOFTINT.
    #[inline(always)]
    fn rearm(&self) {}

    /// The bit of SOFTINT stays when a stop has accounted for its overflow: one interrupt, however long PSTATE.IE is clear or
    /// PIL is 15.
    #[inline(always)]
    fn late(&self) -> Late {
        Late::One { within: u64::MAX }
    }
}

impl<R: Registers<Address = Asr, Index = Half>> Control for Niagara<R> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    /// Only records the placement: [`Counters::run`] writes all of %pcr.
    #[inline(always)]
    fn load(&self, image: &Image, (): &(), slots: &[Slot]) {
        slots.iter().for_each(|slot| image.take(slot));
    }

    #[inline(always)]
    fn release(&self, image: &Image, counters: CounterSet) {
        image.release(counters);
    }

    /// Does nothing: [`Counters::run`] writes %pcr.
    fn reload(&self, _: &Image) {}

    fn save(&self, into: &Saved) {
        self.save_registers(into);
    }

    fn restore(&self, from: &Saved) {
        self.restore_registers(from);
    }

    fn lend(&self, image: &Image, counters: CounterSet) {
        image.lend(counters);
        self.write_privacy(image.privacy());
    }
}
