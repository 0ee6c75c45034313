//! The driver of UltraSPARC I to IV+: [`Plan`], [`Counters`] and [`Control`].
//!
//! The modes in %pcr stop both counters at once. From III on, a single counter is stopped by parking it on the event
//! SW_count, so that a run is one write of %pcr. It counts an instruction that nothing but a test of the counters
//! contains (SETHI of FC000H into %g0); a user program that executes it while its kernel's other counter counts adds
//! to the parked one. The counters of I and II cannot be stopped singly: `kept` says what is done about it.
//!
//! # Two counters in one register
//!
//! A preset of one counter reads %pic and writes it back. From III on, if the other one counts, both are halted
//! meanwhile: its events between the two writes of %pcr, of about a dozen instructions, are not counted. That cannot be
//! avoided: the other half is written with the value that was read before. If it does not count, nothing is lost. On I
//! and II a preset touches no register, and the same loss comes with each change of what runs. A read of %pic changes
//! nothing. The driver keeps interrupts off during a preset by PSTATE.IE, which also holds the overflow trap back.
//!
//! # Overflow
//!
//! Nothing says which counter has overflowed: one whose value has wrapped, and no other, has its top bit clear. From
//! III on each wrap sets bit 15 of SOFTINT. I and II do not interrupt: requests with a period are refused, and a
//! [`Timer`](crate::Timer) samples.

use super::capabilities::Capabilities;
use super::encode::encode;
use super::events;
use super::registers::Pcr;
use crate::arch::sparc::kept::Kept;
use crate::arch::sparc::program::{COUNTERS, Demand, Image, Occupancy, place};
use crate::arch::sparc::saved::Saved;
use crate::arch::sparc::{Asr, Half, Ver};
use crate::contract::{Control, Counter, Counters, Description, Kind, Late, Overflow, Plan, Registers, Slot, Steps};
use crate::event::catalogue::Catalogue;
use crate::event::{Conflict, CounterId, CounterSet, Error, Event, Generic, Refusal, Remaining, Request, Result};

/// The driver of one CPU's unit, over `R`.
#[derive(Debug)]
pub struct UltraSparc<R> {
    pub(super) registers: R,
    pub(super) capabilities: Capabilities,
    /// Used on I and II alone.
    pub(super) kept: Kept,
}

impl<R: Registers<Address = Asr, Index = Half>> UltraSparc<R> {
    /// Creates the driver of a unit with these capabilities.
    pub fn new(registers: R, capabilities: Capabilities) -> Self {
        Self { registers, capabilities, kept: Kept::new() }
    }

    /// Detects the unit by the version register, and creates its driver.
    ///
    /// # Errors
    /// Returns [`Error::UnknownProcessor`] or [`Error::Swallowed`]. The unit is not changed.
    pub fn detect(version: Ver, registers: R) -> Result<Self> {
        let driver = Self::new(registers, Capabilities::discover(version)?);
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
        let before = self.control();
        let wrote = before.difference(Pcr::MODES) ^ PROBED;
        self.write_control(wrote);
        let read = self.control();
        self.write_control(before);
        if (wrote ^ read).intersects(PROBED) {
            let register = Asr::Pcr.number().into();
            return Err(Error::Swallowed { register, wrote: wrote.bits(), read: read.bits() });
        }
        Ok(())
    }

    /// Returns what %pcr holds.
    #[inline(always)]
    pub(super) fn control(&self) -> Pcr {
        Pcr::from_bits_retain(self.registers.read(Asr::Pcr))
    }

    #[inline(always)]
    pub(super) fn write_control(&self, control: Pcr) {
        self.registers.write(Asr::Pcr, control.bits());
    }

    /// Replaces one counter of %pic. If the other one counts, it is halted meanwhile.
    #[inline(always)]
    fn replace(&self, half: Half, value: u64) {
        let before = self.registers.mask();
        let control = self.control();
        let counts = control.intersects(Pcr::MODES);
        if counts {
            self.write_control(control.difference(Pcr::MODES));
        }
        let pic = self.registers.read(Asr::Pic);
        self.registers.write(Asr::Pic, half.replaced(pic, value));
        if counts {
            self.write_control(control);
        }
        self.registers.unmask(before);
    }

    /// Makes exactly these counters count from III on. One that does not is parked.
    #[inline(always)]
    fn run_parked(&self, image: &Image, exactly: CounterSet) {
        let idle = |half| Pcr::selecting(half, parking(half)).bits();
        self.registers.write(Asr::Pcr, image.control(exactly, idle));
    }
}

/// Returns the selector that an idle counter has from III on: SW_count_0 or SW_count_1 (illumos-gate, us234_pcbe.c,
/// `us_pcbe_program`; torvalds/linux arch/sparc/kernel/perf_event.c, `lower_nop` and `upper_nop` of `ultra3_pmu`).
const fn parking(half: Half) -> u8 {
    match half {
        Half::Pic0 => 0x14,
        Half::Pic1 => 0x1C,
    }
}

/// The most events that a counter can be preset to wait for.
const LONGEST: Remaining = Remaining::events(Half::WIDTH.longest());

/// The bit of %pcr that detection flips: the lowest of pic0's selector.
const PROBED: Pcr = Pcr::selecting(Half::Pic0, 1);

impl<R: Registers<Address = Asr, Index = Half>> Plan for UltraSparc<R> {
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
        description.overflow = if self.capabilities.interrupts() { Overflow::Interrupt } else { Overflow::None };
        description
    }

    fn catalogue(&self) -> &'static Catalogue {
        self.capabilities.model.catalogue()
    }

    fn native(&self, generic: Generic) -> Result<Event, Refusal> {
        events::native(self.capabilities.model, generic)
    }

    /// The kind contains the model, which determines the events and whether overflows interrupt.
    #[inline(always)]
    fn kind(&self) -> Kind {
        Kind::from_bits(u64::from(b'U') | (self.capabilities.model as u64) << 8)
    }

    fn encode(&self, request: &Request) -> Result<Demand, Refusal> {
        encode(&self.capabilities, request)
    }

    fn place(&self, beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
        place(beside, new, steps, out)
    }

    /// The index for user programs is the half of %pic, which they read whole (ASR 17). On I and II too %pic has the value of a
    /// counter while that counts.
    #[inline(always)]
    fn counter(&self, slot: &Slot) -> Counter<Half> {
        let handle = Half::of(slot.counter);
        Counter { handle, width: Half::WIDTH, longest: LONGEST, user_index: Some(handle.number().into()) }
    }
}

impl<R: Registers<Address = Asr, Index = Half>> Counters for UltraSparc<R> {
    type Image = Image;

    #[inline(always)]
    fn run(&self, image: &Image, exactly: CounterSet) {
        if self.capabilities.interrupts() {
            self.run_parked(image, exactly)
        } else {
            self.kept.run(&self.registers, image, exactly)
        }
    }

    #[inline(always)]
    fn read(&self, half: Half) -> u64 {
        if !self.capabilities.interrupts() && !self.kept.counting().contains(half.counter()) {
            return self.kept.get(half);
        }
        self.registers.read_counter(half)
    }

    #[inline(always)]
    fn preset(&self, _: &Image, counter: CounterId, remaining: Remaining) -> Remaining {
        let (half, actual) = (Half::of(counter), remaining.min(LONGEST));
        let value = Half::WIDTH.start(actual);
        if self.capabilities.interrupts() {
            self.replace(half, value);
        } else {
            self.kept.set(half, value);
        }
        actual
    }

    /// A counter has overflowed if its value says so.
    #[inline(always)]
    fn overflowed(&self, _: &Image, among: CounterSet, mut found: impl FnMut(CounterId, i64)) {
        Half::for_each(among, |half| {
            if let Some(past) = Half::WIDTH.past(self.read(half)) {
                found(half.counter(), past.cast_signed());
            }
        });
    }

    /// There is no status.
    #[inline(always)]
    fn acknowledge(&self, _: &Image, _: CounterSet) {}

    /// Does nothing: the trap's entry clears the bit of SOFTINT.
    #[inline(always)]
    fn rearm(&self) {}

    /// The bit of SOFTINT stays when a stop has accounted for its overflow: one interrupt, however long PSTATE.IE is clear or
    /// PIL is 15.
    #[inline(always)]
    fn late(&self) -> Late {
        if self.capabilities.interrupts() { Late::One { within: u64::MAX } } else { Late::Never }
    }
}

impl<R: Registers<Address = Asr, Index = Half>> Control for UltraSparc<R> {
    type Saved = Saved;

    const NOTHING_SAVED: Saved = Saved::nothing();

    /// From UltraSPARC III on a program can add to a half that is parked on SW_count.
    const RESTLESS: CounterSet = CounterSet::ALL;

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
