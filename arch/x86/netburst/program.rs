//! The image of the ESCRs and CCCRs, and how a placement gets into it and into the unit.
//!
//! A load writes the ESCRs, and notes the CCCRs. A start and a stop write the CCCRs of the counters that they concern,
//! whole: with the enable bit or without it, and always without the overflow, which a stop so clears.

use super::capabilities::Capabilities;
use super::encode::Word as Control;
use super::place::{Escrs, Occupancy, Program};
use super::registers::Cccr;
use super::replay;
use crate::arch::x86::{Msr, Msrs};
use crate::contract::{self, Slot};
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
    /// The counters in use whose ESCRs another one may share, or that tag or count what is tagged.
    special: Cell,
    /// The values of the registers of replay tagging.
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
        special: Cell::new(0),
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
        let special = self.special.counters();
        let escrs = if special.is_empty() { Escrs::default() } else { self.shared_escrs(special) };
        Occupancy { counters: self.occupied.counters(), replay: self.replay.get(), escrs }
    }
}

impl Image {
    /// Writes the ESCRs of these slots where they differ, and notes their CCCRs.
    #[inline(always)]
    pub(super) fn load<R: Msrs>(&self, registers: &R, program: &Program, slots: &[Slot]) {
        let (mut occupied, mut interrupting) = (self.occupied.counters(), self.interrupting.counters());
        for slot in slots {
            let (own, control) = (slot.counter.only().and(COUNTERS), Control(slot.bits));
            occupied = occupied.or(own);
            interrupting = if control.is_sampled() { interrupting.or(own) } else { interrupting.without(own) };
            if !control.is_plain() {
                self.load_special(registers, program, own, control);
            }
            self.load_escr(registers, control.number(), control.escr());
            self.noted(slot.counter).set(slot.bits);
        }
        self.interrupting.set(interrupting.bits());
        self.occupied.set(occupied.bits());
    }

    #[inline(always)]
    fn load_escr<R: Msrs>(&self, registers: &R, number: u8, value: u64) {
        let noted = self.escr(number);
        if noted.get() != value {
            noted.set(value);
            write_escr(registers, number, value);
        }
    }

    /// Notes a counter that is not plain, and writes the registers of replay tagging for the first that depends on them.
    #[cold]
    #[inline(never)]
    fn load_special<R: Msrs>(&self, registers: &R, &Program(values): &Program, own: CounterSet, control: Control) {
        self.special.set(self.special.counters().or(own).bits());
        if control.is_replay() && self.replay.get() != values {
            self.replay.set(values);
            write_replay(registers, values);
        }
    }

    /// Takes counters out. What their ESCRs select stays, where it harms nobody; what is tagged for nobody any more would
    /// be missing in others' counts.
    #[inline(always)]
    pub(super) fn release<R: Msrs>(&self, registers: &R, counters: CounterSet) {
        let kept = self.occupied.counters().without(counters);
        self.occupied.set(kept.bits());
        let special = self.special.counters().and(counters);
        if !special.is_empty() {
            self.release_special(registers, special, kept);
        }
    }

    /// Clears the tagging ESCRs of these counters that no other one uses, and tags no more replays once no counter depends
    /// on it.
    #[cold]
    #[inline(never)]
    fn release_special<R: Msrs>(&self, registers: &R, counters: CounterSet, kept: CounterSet) {
        self.special.set(self.special.counters().without(counters).bits());
        for control in self.controls(counters).filter(|control| control.is_tagging()) {
            if self.numbers(kept) >> control.number() & 1 == 0 {
                self.load_escr(registers, control.number(), 0);
            }
        }
        if self.replay.get() != 0 && !self.controls(kept).any(Control::is_replay) {
            self.replay.set(0);
            write_replay(registers, 0);
        }
    }

    /// Writes all ESCRs of the driver's counters and, if there are any, the registers of replay tagging, whatever they
    /// hold, and the CCCRs of counters that rest.
    pub(super) fn write<R: Msrs>(&self, registers: &R, capabilities: &Capabilities) {
        for escr in capabilities.escrs() {
            registers.write(escr.msr(), self.escr(escr as u8).get());
        }
        if capabilities.replay {
            write_replay(registers, self.replay.get());
        }
        for counter in capabilities.counters() {
            registers.write(Cccr::msr(counter), self.resting(counter).bits());
        }
        self.running.set(0);
    }

    /// Starts and stops counters by their CCCRs. Only those are written that change. What is noted covers what counts at
    /// every moment, so that an interrupt that comes amid it halts all.
    ///
    /// A counter counts what of this comes before it is stopped and after it is started, when an interrupt does it. So
    /// those whose overflows were asked for are the first to be stopped and the last to be started.
    #[inline(never)]
    pub(super) fn run<R: Msrs>(&self, registers: &R, exactly: CounterSet) {
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
    fn write_each<R: Msrs>(&self, registers: &R, counters: CounterSet, enable: Cccr) {
        for counter in counters {
            registers.write(Cccr::msr(counter), (self.control(counter).cccr() | enable).bits());
        }
    }

    /// Returns the CCCR of a counter that rests. It always counts in some state of the threads: on a processor without
    /// hyper-threading the field must be 3 (SDM vol. 3, "CCCR MSRs").
    fn resting(&self, counter: CounterId) -> Cccr {
        let control = self.control(counter);
        if control.0 == 0 { Cccr::ACTIVE_THREAD } else { control.cccr() }
    }

    /// Returns the ESCRs of these counters by number.
    fn numbers(&self, counters: CounterSet) -> u64 {
        self.controls(counters).fold(0, |all, control| all | 1 << control.number())
    }

    /// Returns those ESCRs of these counters that another one may share.
    #[cold]
    #[inline(never)]
    fn shared_escrs(&self, special: CounterSet) -> Escrs {
        let sharing = special.into_iter().filter(|counter| self.control(*counter).is_sharing()).collect();
        Escrs::of(self.numbers(sharing), |number| self.escr(number).get())
    }

    fn controls(&self, counters: CounterSet) -> impl Iterator<Item = Control> {
        counters.into_iter().map(|counter| self.control(counter))
    }

    #[inline(always)]
    fn control(&self, counter: CounterId) -> Control {
        Control(self.noted(counter).get())
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
fn write_escr<R: Msrs>(registers: &R, number: u8, value: u64) {
    if let Some(register) = Msr::escr(number) {
        registers.write(register, value);
    }
}

/// Writes the registers of replay tagging: what is tagged before the tagging is enabled.
fn write_replay<R: Msrs>(registers: &R, values: u64) {
    registers.write(Msr::PEBS_MATRIX_VERT, replay::vertical(values));
    registers.write(Msr::PEBS_ENABLE, replay::enable(values));
}
