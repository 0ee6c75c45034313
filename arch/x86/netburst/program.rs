//! The image of the ESCRs and CCCRs, and how a placement gets into it and into the unit.
//!
//! A load writes the ESCRs, and notes the CCCRs. A start and a stop write the CCCRs of the counters that they concern,
//! whole: with the enable bit or without it, and always without the overflow, which a stop so clears.

use super::capabilities::Capabilities;
use super::encode::Word as Control;
use super::place::{Escrs, Occupancy, Program};
use super::registers::{Cccr, cccr_msr};
use super::replay;
use crate::arch::x86::{Index, Msr};
use crate::contract::{self, Registers, Slot};
use crate::event::{CounterId, CounterSet};
use crate::sync::Cell;

/// All counters that there are. A set is cut down to them where a machine of 32 bits is to leave out its upper half.
pub(super) const COUNTERS: CounterSet = CounterSet::first(Msr::CCCRS);

/// The ESCRs and CCCRs as they were last written, and the counters in use.
#[derive(Debug)]
pub struct Image {
    occupied: Cell,
    /// The counters whose CCCRs are written with their enable bit.
    running: Cell,
    /// The counters whose overflows were asked for.
    interrupting: Cell,
    /// The counters in use whose ESCRs another one may share.
    sharing: Cell,
    /// The counters that depend on the registers of replay tagging, and the values of those.
    replaying: Cell,
    replay: Cell,
    /// The control words of the counters. The table has 32 places so that an index needs no check.
    controls: [Cell; 32],
    /// The ESCRs. The table has 64 places for the same reason.
    escrs: [Cell; 64],
}

impl contract::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self {
        occupied: Cell::new(0),
        running: Cell::new(0),
        interrupting: Cell::new(0),
        sharing: Cell::new(0),
        replaying: Cell::new(0),
        replay: Cell::new(0),
        controls: [const { Cell::new(0) }; 32],
        escrs: [const { Cell::new(0) }; 64],
    };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> Occupancy {
        let sharing = self.sharing.counters();
        let escrs = if sharing.is_empty() { Escrs::default() } else { self.escrs_of(sharing) };
        Occupancy { counters: self.occupied.counters(), replay: self.replay.get(), escrs }
    }
}

impl Image {
    /// Writes the ESCRs of these slots where they differ, and notes their CCCRs.
    #[inline(always)]
    pub(super) fn load<R>(&self, registers: &R, program: &Program, slots: &[Slot])
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let (mut occupied, mut interrupting) = (self.occupied.counters(), self.interrupting.counters());
        for slot in slots {
            let (own, control) = (slot.counter.only().and(COUNTERS), Control(slot.bits));
            occupied = occupied.or(own);
            interrupting = if control.is_sampled() { interrupting.or(own) } else { interrupting.without(own) };
            if control.is_replay() || control.is_sharing() {
                self.load_shared(registers, program, own, control);
            }
            self.load_escr(registers, control.number(), control.escr());
            self.noted(slot.counter).set(slot.bits);
        }
        self.interrupting.set(interrupting.bits());
        self.occupied.set(occupied.bits());
    }

    #[inline(always)]
    fn load_escr<R>(&self, registers: &R, number: u8, value: u64)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let noted = self.escr(number);
        if noted.get() != value {
            noted.set(value);
            write_escr(registers, number, value);
        }
    }

    /// Notes that a counter relies on registers that others may share, and writes those of replay tagging for the first.
    #[cold]
    #[inline(never)]
    fn load_shared<R>(&self, registers: &R, &Program(values): &Program, own: CounterSet, control: Control)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        if control.is_sharing() {
            self.sharing.set(self.sharing.counters().or(own).bits());
        }
        if control.is_replay() {
            if self.replay.get() != values {
                self.replay.set(values);
                write_replay(registers, values);
            }
            self.replaying.set(self.replaying.counters().or(own).bits());
        }
    }

    /// Takes counters out. What their ESCRs select stays, where it harms nobody; what is tagged for nobody any more would
    /// be missing in others' counts.
    #[inline(always)]
    pub(super) fn release<R>(&self, registers: &R, counters: CounterSet)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let counters = counters.and(COUNTERS);
        let kept = self.occupied.counters().without(counters);
        self.occupied.set(kept.bits());
        self.sharing.set(self.sharing.counters().and(kept).bits());
        let tags = counters.into_iter().fold(0, |all, counter| all | self.noted(counter).get());
        if Control(tags).is_tagging() {
            self.untag(registers, counters, kept);
        }
        if !self.replaying.counters().and(counters).is_empty() {
            self.release_replay(registers, kept);
        }
    }

    /// Clears the tagging ESCRs of these counters that no other one uses.
    #[cold]
    #[inline(never)]
    fn untag<R>(&self, registers: &R, counters: CounterSet, kept: CounterSet)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        for counter in counters {
            let control = Control(self.noted(counter).get());
            let is_used = self.numbers(kept) >> control.number() & 1 != 0;
            if control.is_tagging() && !is_used {
                self.load_escr(registers, control.number(), 0);
            }
        }
    }

    /// Tags no more replays once no counter depends on it.
    #[cold]
    #[inline(never)]
    fn release_replay<R>(&self, registers: &R, kept: CounterSet)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let left = self.replaying.counters().and(kept);
        self.replaying.set(left.bits());
        if left.is_empty() {
            self.replay.set(0);
            write_replay(registers, 0);
        }
    }

    /// Writes all ESCRs of the driver's counters and, if there are any, the registers of replay tagging, whatever they
    /// hold, and the CCCRs of counters that rest.
    pub(super) fn write<R>(&self, registers: &R, capabilities: &Capabilities)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        for escr in capabilities.escrs() {
            registers.write(escr.msr(), self.escr(escr as u8).get());
        }
        if capabilities.replay {
            write_replay(registers, self.replay.get());
        }
        for counter in capabilities.counters() {
            registers.write(cccr_msr(counter), self.cccr(counter).bits());
        }
        self.running.set(0);
    }

    /// Starts and stops counters by their CCCRs. Only those are written that change. What is noted covers what counts at
    /// every moment, so that an interrupt that comes amid it halts all.
    ///
    /// A counter counts what of this comes before it is stopped and after it is started, when an interrupt does it. So
    /// those whose overflows were asked for are the first to be stopped and the last to be started.
    #[inline(never)]
    pub(super) fn run<R>(&self, registers: &R, exactly: CounterSet)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let (exactly, interrupting) = (exactly.and(COUNTERS), self.interrupting.counters());
        let before = self.running.counters().and(COUNTERS);
        self.running.set(before.or(exactly).bits());
        let (stopped, started) = (before.without(exactly), exactly.without(before));
        self.write_each(registers, stopped.and(interrupting), Cccr::empty());
        self.write_each(registers, stopped.without(interrupting), Cccr::empty());
        self.write_each(registers, started.without(interrupting), Cccr::ENABLE);
        self.write_each(registers, started.and(interrupting), Cccr::ENABLE);
        self.running.set(exactly.bits());
    }

    #[inline(always)]
    fn write_each<R>(&self, registers: &R, counters: CounterSet, enable: Cccr)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        for counter in counters {
            registers.write(cccr_msr(counter), (self.cccr(counter) | enable).bits());
        }
    }

    /// Returns the CCCR of a counter that rests. It always counts in some state of the threads: on a processor without
    /// hyper-threading the field must be 3 (SDM vol. 3, "CCCR MSRs").
    #[inline(always)]
    fn cccr(&self, counter: CounterId) -> Cccr {
        let control = Control(self.noted(counter).get());
        if control.0 == 0 { Cccr::ACTIVE_THREAD } else { control.cccr() }
    }

    /// Returns the ESCRs of these counters by number.
    fn numbers(&self, counters: CounterSet) -> u64 {
        counters.into_iter().fold(0, |all, counter| all | 1 << Control(self.noted(counter).get()).number())
    }

    #[cold]
    #[inline(never)]
    fn escrs_of(&self, sharing: CounterSet) -> Escrs {
        Escrs::of(self.numbers(sharing), |number| self.escr(number).get())
    }

    #[inline(always)]
    fn noted(&self, counter: CounterId) -> &Cell {
        &self.controls[usize::from(counter.number() & 31)]
    }

    #[inline(always)]
    fn escr(&self, number: u8) -> &Cell {
        &self.escrs[usize::from(number & 63)]
    }
}

#[inline(always)]
fn write_escr<R>(registers: &R, number: u8, value: u64)
where
    R: Registers<Address = Msr, Index = Index>,
{
    if let Some(register) = Msr::escr(number) {
        registers.write(register, value);
    }
}

/// Writes the registers of replay tagging: what is tagged before the tagging is enabled.
fn write_replay<R>(registers: &R, values: u64)
where
    R: Registers<Address = Msr, Index = Index>,
{
    registers.write(Msr::PEBS_MATRIX_VERT, replay::vertical(values));
    registers.write(Msr::PEBS_ENABLE, replay::enable(values));
}
