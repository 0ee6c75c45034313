//! What a unit has: its counters and their width, by trying; its extensions, as the caller was told.
//!
//! No register announces the extensions, and an access to a register that does not exist is an exception. So the caller
//! passes what a device tree or ACPI says, as [`Announced`].

use super::counters;
use super::counters::{COUNTERS, FIXED, PROGRAMMABLE, from_register, to_register};
use super::extensions::Extensions;
use super::hardwired::Hardwired;
use super::interrupt::Interrupt;
use super::model::Model;
use super::privilege::Privilege;
use super::registers::Select;
use super::wide::{Form, Handle};
use crate::arch::riscv::{Csr, Part};
use crate::contract::Registers;
use crate::event::{CounterId, CounterSet, Error, Result, Width};

/// What a kernel knows of a unit before it is detected, from a device tree or ACPI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Announced {
    pub(super) extensions: Extensions,
    pub(super) counters: CounterSet,
    pub(super) part: Option<Part>,
    pub(super) model: Option<Model>,
}

impl Announced {
    /// A unit with these extensions, and possibly every counter.
    #[must_use]
    pub const fn new(extensions: Extensions) -> Self {
        Self { extensions, counters: COUNTERS, part: None, model: None }
    }

    /// Names the counters whose registers can be accessed without an exception, by their bits in mcounteren. The
    /// architecture requires registers for all of them, which read 0 where there is no counter, but QEMU and some processors
    /// have exceptions instead. To a supervisor these are the counters that were delegated.
    #[must_use]
    pub const fn with_counters(mut self, bits: u32) -> Self {
        self.counters = from_register(bits as u64);
        self
    }

    /// Names the processor, which a supervisor cannot read.
    #[must_use]
    pub const fn of_part(mut self, part: Part) -> Self {
        self.part = Some(part);
        self
    }

    /// Chooses the events, whatever the processor's identification says.
    ///
    /// T-Head's register MCPUID (FC0H, machine mode) has the class of the processor in bits 21 to 18 of its first word, whose
    /// bits 31 to 28 are 0: 3 is a C910, 4 a C906 (openc910, ct_cp0_regs.v; openc906, aq_cp0_info_csr.v). A read of it goes on
    /// to the next word, and QEMU's `thead-c906` has no such register. It does not tell a C906 from a D1, which has one. So a
    /// detection does not read it, and tells the three apart by how many counters they have.
    #[must_use]
    pub const fn with_model(mut self, model: Model) -> Self {
        self.model = Some(model);
        self
    }
}

/// The width of mcycle and minstret.
pub(super) const FIXED_WIDTH: Width = Width::wrapping(64).expect("a width of 64 bits");

/// What a unit has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor's identification; [`Part::UNKNOWN`] if it was not told.
    pub part: Part,
    /// Whose events it has.
    pub model: Model,
    /// The extensions.
    pub extensions: Extensions,
    /// The mode that the driver runs in.
    pub privilege: Privilege,
    /// The counters. Without mcountinhibit mcycle and minstret are not among them.
    pub counters: CounterSet,
    /// The width of the counters other than mcycle and minstret, which have 64 bits.
    pub width: Width,
    /// The counters whose selectors are hardwired.
    pub(super) hardwired: Hardwired,
}

impl Capabilities {
    /// The number of the local interrupt on counter overflow (LCOFI), and of its bit in mip, mie, sip and sie ("The RISC-V
    /// Instruction Set Manual, volume II", "Sscofpmf").
    #[doc(alias = "LCOFI")]
    pub const INTERRUPT: u32 = 13;

    /// The counter mcycle.
    pub const MCYCLE: CounterId = counters::CYCLES;
    /// The counter minstret.
    pub const MINSTRET: CounterId = counters::INSTRUCTIONS;

    /// Finds out what the unit has: which of the announced counters keep what is written to them, and how many bits, and whose
    /// selectors keep anything. Nothing counts meanwhile, and everything is restored.
    ///
    /// T-Head's processors are told apart by the number of their selectors, if all counters are announced, and no model.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`] if no counter can be used: none keeps its value, or the extensions for this mode are
    /// missing.
    pub fn discover<R>(registers: &R, privilege: Privilege, announced: &Announced) -> Result<Self>
    where
        R: Registers<Address = Csr>,
    {
        if privilege == Privilege::Supervisor && !announced.extensions.contains(Extensions::SSCCFG) {
            return Err(Error::NoUnit {
                reason: "without Ssccfg no counters are delegated to a supervisor; use the firmware's (hpm::sbi)",
            });
        }
        let part = announced.part.unwrap_or_else(|| read_part(registers, privilege));
        let model = announced.model.unwrap_or(Model::of(part));
        let extensions = announced.extensions;
        let (counters, width, hardwired) = (announced.counters, FIXED_WIDTH, Hardwired::NONE);
        let unit = Self { part, model, extensions, privilege, counters, width, hardwired }.tried(registers)?;
        let is_told = announced.model.is_some() || announced.counters != COUNTERS;
        Ok(if is_told { unit } else { unit.told_apart() })
    }

    /// Returns the unit with the model that has so many counters: 29 are left a D1's.
    fn told_apart(self) -> Self {
        let model = match (self.model, self.counters.and(PROGRAMMABLE).len()) {
            (Model::D1, 8) => Model::C906,
            (Model::D1, 16) => Model::C910,
            (model, _) => model,
        };
        Self { model, ..self }
    }

    /// Returns the unit with the counters that keep a value, and their width.
    fn tried<R: Registers<Address = Csr>>(self, registers: &R) -> Result<Self> {
        let inhibit = self.privilege.inhibit();
        let before = self.can_inhibit().then(|| registers.read(inhibit));
        if before.is_some() {
            registers.write(inhibit, to_register(self.counters));
        }
        let usable = self.counters.without(if self.can_inhibit() { CounterSet::EMPTY } else { FIXED });
        let (mut counters, mut width, mut hardwired) = (CounterSet::EMPTY, FIXED_WIDTH, Hardwired::NONE);
        for counter in usable {
            let Some(found) = self.tried_counter(registers, counter) else { continue };
            match self.tried_select(registers, counter) {
                Some(0) => continue,
                Some(event) => hardwired.record(counter, event),
                None => {}
            }
            counters = counters.or(counter.only());
            width = if FIXED.contains(counter) { width } else { found };
        }
        if let Some(before) = before {
            registers.write(inhibit, before);
        }
        match counters {
            CounterSet::EMPTY => Err(Error::NoUnit { reason: "no counter keeps what is written to it" }),
            counters => Ok(Self { counters, width, hardwired, ..self }),
        }
    }

    /// Returns the width of a counter, or `None` if it does not exist.
    fn tried_counter<R: Registers<Address = Csr>>(&self, registers: &R, counter: CounterId) -> Option<Width> {
        let (at, select) = (self.counter(counter), self.select(counter));
        let stops = !self.can_inhibit();
        let selected = if stops { select.read(registers) } else { 0 };
        if stops {
            select.write(registers, 0);
        }
        let before = at.read(registers);
        at.write(registers, u64::MAX);
        let kept = at.read(registers);
        at.write(registers, before);
        if stops {
            select.write(registers, selected);
        }
        Width::wrapping(kept.trailing_ones())
    }

    /// Returns the event that a counter's selector is hardwired to: it reads the same whatever is written. 0 is no event. The
    /// counter is stopped by mcountinhibit; where that does not exist nothing is tried, as the selector is what stops it.
    fn tried_select<R: Registers<Address = Csr>>(&self, registers: &R, counter: CounterId) -> Option<u64> {
        if FIXED.contains(counter) || !self.can_inhibit() {
            return None;
        }
        let select = self.select(counter);
        let before = select.read(registers);
        let after = |event| {
            select.write(registers, event);
            select.read(registers)
        };
        let (none, all) = (after(0), self.event_bits().bits());
        let keeps = [1, all].into_iter().any(|event| after(event) != none);
        select.write(registers, before);
        if keeps { None } else { Some(none & all) }
    }

    /// Returns how overflows interrupt. T-Head's registers and Andes' are machine mode's.
    #[inline(always)]
    #[must_use]
    pub const fn interrupt(&self) -> Interrupt {
        match (self.privilege, Interrupt::of(self.extensions)) {
            (Privilege::Supervisor, Interrupt::Thead | Interrupt::Andes) => Interrupt::None,
            (_, interrupt) => interrupt,
        }
    }

    /// Returns true if the interrupt on overflow exists.
    #[inline(always)]
    #[must_use]
    pub const fn interrupts(&self) -> bool {
        !matches!(self.interrupt(), Interrupt::None)
    }

    /// Returns the counters whose overflows interrupt.
    #[inline(always)]
    pub(super) const fn interrupting(&self) -> CounterSet {
        match self.interrupt() {
            Interrupt::None => CounterSet::EMPTY,
            Interrupt::Sscofpmf => self.counters.without(FIXED),
            Interrupt::Thead | Interrupt::Andes => self.counters,
        }
    }

    /// Returns true if a register shows every overflow. On QEMU it shows none of the very instruction that stops the counter,
    /// as the interrupt of another counter does (QEMU 10.0, target/riscv/pmu.c, pmu_timer_trigger_irq), and machine mode sees
    /// those alone that mcounteren lets lower modes read; the manual shows it all ("Sscofpmf", "Supervisor Count Overflow").
    #[inline(always)]
    pub(super) const fn identifies(&self) -> bool {
        self.interrupts() && !matches!(self.model, Model::Qemu)
    }

    /// Returns true if counters can be stopped.
    #[inline(always)]
    #[must_use]
    pub const fn can_inhibit(&self) -> bool {
        matches!(self.privilege, Privilege::Supervisor) || self.extensions.contains(Extensions::INHIBIT)
    }

    /// Returns true if the counter can leave modes out.
    #[inline(always)]
    #[must_use]
    pub const fn filters(&self, counter: CounterId) -> bool {
        self.extensions.contains(filtering(counter)) || self.masks()
    }

    /// Returns true if the modes that a counter leaves out are in mcountermask_m, _s and _u, and not in its selection.
    #[inline(always)]
    pub(super) const fn masks(&self) -> bool {
        matches!(self.interrupt(), Interrupt::Andes)
    }

    /// Returns true if the mode below is kept from the counters, or not, by a register.
    pub(super) const fn can_lend(&self) -> bool {
        matches!(self.privilege, Privilege::Supervisor) || self.extensions.contains(Extensions::USER)
    }

    /// Returns the width of a counter.
    #[inline(always)]
    pub(super) const fn width_of(&self, counter: CounterId) -> Width {
        if FIXED.contains(counter) { FIXED_WIDTH } else { self.width }
    }

    #[inline(always)]
    const fn in_halves(&self) -> bool {
        self.extensions.contains(Extensions::RV32)
    }

    /// Returns a counter's register.
    #[inline(always)]
    pub(super) const fn counter(&self, counter: CounterId) -> Handle {
        Handle::new(self.privilege.counter(counter), self.in_halves())
    }

    /// Returns the register by which a counter is read while it counts.
    #[inline(always)]
    pub(super) const fn fast_counter(&self, counter: CounterId) -> Handle {
        let form = Form::of(self.model, self.extensions, self.can_inhibit());
        Handle::counting(self.privilege.fast_counter(counter), form)
    }

    /// Returns the register of what a counter counts.
    #[inline(always)]
    pub(super) const fn select(&self, counter: CounterId) -> Handle {
        Handle::new(self.privilege.select(counter), self.has_upper_select(counter))
    }

    /// Returns true if the upper half of what a counter counts is a register of its own. It came with the filters: mhpmevent3h
    /// to 31h with Sscofpmf, mcyclecfgh and minstretcfgh with Smcntrpmf, and sireg5 with either ("Smcdeleg", table of the
    /// registers that siselect leads to). Elsewhere an access is an exception.
    #[inline(always)]
    pub(super) const fn has_upper_select(&self, counter: CounterId) -> bool {
        self.in_halves() && self.extensions.contains(filtering(counter))
    }

    /// Returns the bits of a selection that hardware must keep: the event, and of the modes those that are there in any case.
    /// SINH is read-only 0 without supervisor mode, and VSINH and VUINH without a hypervisor ("Sscofpmf").
    pub(super) const fn kept(&self, counter: CounterId) -> Select {
        let event = if FIXED.contains(counter) { Select::empty() } else { self.event_bits() };
        let machine = if matches!(self.privilege, Privilege::Machine) { Select::NOT_MACHINE } else { Select::empty() };
        let user = if self.extensions.contains(Extensions::USER) { Select::NOT_USER } else { Select::empty() };
        match self.masks() {
            true => event,
            false => event.union(machine).union(user),
        }
    }

    /// Returns the bits that an event can have: without mhpmevent3h those of 32.
    pub(super) const fn event_bits(&self) -> Select {
        match self.in_halves() && !self.extensions.contains(Extensions::SSCOFPMF) {
            true => Select::from_bits_retain(0xFFFF_FFFF),
            false => Select::EVENT,
        }
    }
}

/// Returns the extension by which a counter leaves modes out.
const fn filtering(counter: CounterId) -> Extensions {
    if FIXED.contains(counter) { Extensions::SMCNTRPMF } else { Extensions::SSCOFPMF }
}

/// Returns the processor's identification. Only machine mode can read it.
fn read_part<R: Registers<Address = Csr>>(registers: &R, privilege: Privilege) -> Part {
    match privilege {
        Privilege::Machine => Part {
            vendor: registers.read(Csr::MVENDORID) as u32,
            architecture: registers.read(Csr::MARCHID),
            implementation: registers.read(Csr::MIMPID),
        },
        Privilege::Supervisor => Part::UNKNOWN,
    }
}

/// The bits of a counter's selection that can be written, wherever the unit has them.
pub(super) const fn writable(capabilities: &Capabilities, counter: CounterId) -> Select {
    let filters = match capabilities.filters(counter) {
        true if capabilities.masks() => Select::MASKED,
        true => Select::FILTERS,
        false => Select::empty(),
    };
    match FIXED.contains(counter) {
        true => filters,
        false if matches!(capabilities.interrupt(), Interrupt::Sscofpmf) => {
            filters.union(Select::EVENT).union(Select::OVERFLOWED)
        }
        false if capabilities.hardwired.event(counter) != 0 => filters,
        false => filters.union(capabilities.event_bits()),
    }
}
