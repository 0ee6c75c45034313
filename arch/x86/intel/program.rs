//! The image of the control registers, and how a placement gets into it and into the unit.

use super::auxiliary::AuxiliaryRegister;
use super::capabilities::Capabilities;
use super::registers::{FixedControl, Select};
use super::shared::{self, Held, Program, Shared};
use crate::arch::x86::place::place_each;
use crate::arch::x86::{Demand, Generation, Msr, Msrs};
use crate::contract::{self, Slot, Steps};
use crate::event::{Conflict, CounterId, CounterSet};
use crate::sync::Cell;

/// The control registers as they were last written, and the counters in use.
#[derive(Debug)]
pub struct Image {
    occupied: Cell,
    /// The counters whose selectors are written with EN. Only version 1 needs it.
    running: Cell,
    /// The selectors of the general counters, without what [`Image::running`] says. The table has 16 places so that an
    /// index needs no check.
    selects: [Cell; 16],
    fixed_control: Cell,
    shared: Shared,
}

/// The counters in use, and the values of the auxiliary registers that must stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    counters: CounterSet,
    held: Held,
}

impl contract::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self {
        occupied: Cell::new(0),
        running: Cell::new(0),
        selects: [const { Cell::new(0) }; 16],
        fixed_control: Cell::new(0),
        shared: Shared::blank(),
    };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> Occupancy {
        Occupancy { counters: self.occupied.counters(), held: self.shared.held() }
    }
}

/// Returns true for the fixed counters, 32 to 63.
#[inline(always)]
pub(super) const fn is_fixed(counter: CounterId) -> bool {
    counter.number() & 32 != 0
}

/// Fits `new` beside what is in use: counters by matching, then auxiliary registers. A slot's bits are its counter's
/// selector, with the mark of its auxiliary register, or a fixed counter's control.
#[inline(always)]
pub(super) fn place(
    capabilities: &Capabilities,
    beside: &Occupancy,
    new: &[Demand],
    steps: Steps,
    out: &mut [Slot],
) -> Result<Program, Conflict> {
    let free = capabilities.counters_of_all_kinds().without(beside.counters);
    let mut words = 0;
    place_each(free, new, steps, out, |counter, word| {
        words |= word;
        if is_fixed(counter) { FixedControl::like(Select::from_bits_retain(word)).bits() } else { word }
    })?;
    if AuxiliaryRegister::is_marked(words) {
        shared::place(capabilities.auxiliaries, &beside.held, new, out)
    } else {
        Ok(Program::NONE)
    }
}

impl Image {
    /// Writes the control registers of a placement where they differ, and notes them: auxiliary registers before
    /// the selectors that need them.
    #[inline(always)]
    pub(super) fn load<R: Msrs>(&self, registers: &R, generation: impl Generation, program: &Program, slots: &[Slot]) {
        self.shared.load(registers, program, slots);
        let before = self.fixed_control.get();
        let (mut control, mut occupied) = (before, self.occupied.counters());
        for slot in slots {
            occupied = occupied.or(slot.counter.only());
            if is_fixed(slot.counter) {
                control = FixedControl::from_bits_retain(slot.bits).within(slot.counter, control);
            } else {
                self.load_select(registers, generation, slot.counter, Select::from_bits_truncate(slot.bits));
            }
        }
        if control != before {
            self.fixed_control.set(control);
            registers.write(Msr::FIXED_CONTROL, control);
        }
        self.occupied.set(occupied.bits());
    }

    /// Selectors keep EN under a global control. Elsewhere a selector is only noted: a start writes it whole.
    #[inline(always)]
    fn load_select<R: Msrs>(&self, registers: &R, generation: impl Generation, counter: CounterId, select: Select) {
        if !generation.has_global() {
            self.noted(counter).set((select - Select::ENABLE).bits());
        } else if self.select(counter) != select {
            self.noted(counter).set(select.bits());
            registers.write(Msr::selector(counter), select.bits());
        }
    }

    /// Notes the controls of fixed counters that are others', `bits` of IA32_FIXED_CTR_CTRL: every write keeps them.
    #[cold]
    pub(super) fn keep_fixed(&self, bits: u64, others: CounterSet) {
        let ours = others
            .into_iter()
            .fold(self.fixed_control.get(), |control, counter| FixedControl::empty().within(counter, control));
        self.fixed_control.set(ours | bits);
    }

    /// Takes counters out. What they select stays in the registers, where it harms nobody, and is noted here.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
        self.shared.release(counters);
    }

    /// Writes all control registers, whatever they hold. No counter is started by its selector.
    pub(super) fn write<R: Msrs>(&self, registers: &R, capabilities: &Capabilities) {
        self.shared.write(registers);
        for counter in capabilities.general {
            registers.write(Msr::selector(counter), self.select(counter).bits());
        }
        if !capabilities.fixed.is_empty() {
            registers.write(Msr::FIXED_CONTROL, self.fixed_control.get());
        }
        self.running.set(0);
    }

    /// Starts and stops counters by their selectors, for version 1. Only those are written that change. What is noted
    /// covers what counts at every moment, so that an interrupt that comes amid it halts all.
    #[inline(never)]
    pub(super) fn run<R: Msrs>(&self, registers: &R, exactly: CounterSet) {
        let before = self.running.counters();
        self.running.set(before.or(exactly).bits());
        for counter in before.without(exactly) {
            registers.write(Msr::selector(counter), self.select(counter).bits());
        }
        for counter in exactly.without(before) {
            registers.write(Msr::selector(counter), (self.select(counter) | Select::ENABLE).bits());
        }
        self.running.set(exactly.bits());
    }

    /// Returns the code of the event that a counter selects; 0 for a fixed counter.
    #[inline(always)]
    pub(super) fn code(&self, counter: CounterId) -> u64 {
        if is_fixed(counter) { 0 } else { self.select(counter).code() }
    }

    /// Returns what a general counter selects.
    #[inline(always)]
    fn select(&self, counter: CounterId) -> Select {
        Select::from_bits_retain(self.noted(counter).get())
    }

    #[inline(always)]
    fn noted(&self, counter: CounterId) -> &Cell {
        &self.selects[usize::from(counter.number() & 15)]
    }
}
