//! What the firmware says of its counters: what they are, and what they can count.

use super::events::{call_of, is_of_firmware, specified};
use crate::arch::riscv::hpm::capabilities::Announced;
use crate::arch::riscv::hpm::counters::from_register;
use crate::arch::riscv::hpm::{Extensions, Interrupt, Model, events as codes};
use crate::arch::riscv::sbi::{Address, Call, SbiError};
use crate::arch::riscv::{Csr, Part};
use crate::contract::Registers;
use crate::event::{CounterId, CounterSet, Error, Result, Width};
use crate::sync::Cell;

/// The most events that a unit remembers the counters of.
const MOST_EVENTS: usize = 96;

/// The most counters that calls with a base of 0 can name.
pub(super) const COUNTERS: usize = 64;

/// How an overflow interrupts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Line {
    /// By the local interrupt ([`Capabilities::interrupt`]), which waits while the supervisor's interrupts are off.
    #[default]
    Local,
    /// By the firmware's software event 0x10000 (SSE), which does not wait. The kernel has registered its handler; the claim
    /// enables the event, and the release disables it. OpenSBI makes it of T-Head's interrupt from version 1.7 on, and not of
    /// Andes'.
    Software,
}

/// What a counter is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// The register of this number, which the supervisor reads itself.
    Register(u8),
    /// The firmware's memory.
    Firmware,
}

/// An event, and the counters that can count it.
#[derive(Debug)]
struct Asked {
    code: u64,
    counters: Cell,
}

impl Clone for Asked {
    fn clone(&self) -> Self {
        Self { code: self.code, counters: Cell::new(self.counters.get()) }
    }
}

/// What a unit has.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor's identification, as the firmware says it.
    pub part: Part,
    /// Whose unit it is, if the kernel knows it. A core whose counters have one event each keeps to them.
    pub model: Model,
    /// The extensions.
    pub extensions: Extensions,
    /// How overflows interrupt.
    pub line: Line,
    /// The counters of the processor.
    pub hardware: CounterSet,
    /// The counters of the firmware.
    pub firmware: CounterSet,
    pub(super) registers: [u8; COUNTERS],
    pub(super) bits: [u8; COUNTERS],
    asked: [Asked; MOST_EVENTS],
    length: usize,
    /// The counters that counted none of the events: somebody else had given them one.
    pub(super) busy: CounterSet,
}

/// Makes a call.
#[inline(always)]
pub(super) fn call<R: Registers<Address = Address>>(registers: &R, call: Call) -> Result<u64, SbiError> {
    SbiError::unpack(registers.read(Address::Call(call)))
}

impl Capabilities {
    /// Asks the firmware what it has: its counters, and which of them can count the specification's events and the kernel's
    /// `own`. Counters that have an event are left alone, cycle and instret among them; the others have none afterwards. What
    /// an earlier kernel has left an event is asked when the unit is claimed.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`] if the firmware has no PMU extension, no counter that counts any of the events, or for
    /// [`Line::Software`] no software events.
    pub fn discover<R>(registers: &R, announced: &Announced, line: Line, own: &[u64]) -> Result<Self>
    where
        R: Registers<Address = Address>,
    {
        if !matches!(call(registers, Call::Probe), Ok(1..)) {
            return Err(Error::NoUnit { reason: "the firmware has no PMU extension (SBI, extension 0x504D55)" });
        }
        if line == Line::Software {
            check_events(registers, announced.extensions)?;
        }
        let part = announced.part.unwrap_or_else(|| read_part(registers));
        let mut unit = Self {
            part,
            model: announced.model.unwrap_or(Model::Other),
            extensions: announced.extensions,
            line,
            hardware: CounterSet::EMPTY,
            firmware: CounterSet::EMPTY,
            registers: [0; COUNTERS],
            bits: [0; COUNTERS],
            asked: [const { Asked { code: 0, counters: Cell::new(0) } }; MOST_EVENTS],
            length: 0,
            busy: CounterSet::EMPTY,
        };
        unit.find_counters(registers, announced.counters);
        unit.ask_all(registers, own);
        match unit.length {
            0 => {
                Err(Error::NoUnit { reason: "the firmware's counters count none of the events that it was asked for" })
            }
            _ => Ok(unit),
        }
    }

    fn find_counters<R: Registers<Address = Address>>(&mut self, registers: &R, announced: CounterSet) {
        let room = if self.in_halves() { 32 } else { COUNTERS as u64 };
        let count = call(registers, Call::Count).unwrap_or(0).min(room);
        for counter in (0..count as u8).filter_map(CounterId::new) {
            let Ok(described) = call(registers, Call::Describe(counter)) else { continue };
            let (place, bits) = self.described(described);
            self.bits[counter.index()] = bits;
            match place {
                Some(Place::Register(number)) if from_register(1 << number).and(announced).is_empty() => {}
                Some(Place::Register(number)) => {
                    self.registers[counter.index()] = number;
                    self.hardware = self.hardware.or(counter.only());
                }
                Some(Place::Firmware) => self.firmware = self.firmware.or(counter.only()),
                None => {}
            }
        }
    }

    /// Returns what counter_get_info says: the type is its top bit, the number of bits less 1 is in bits 17 to 12, and the
    /// register in bits 11 to 0.
    fn described(&self, information: u64) -> (Option<Place>, u8) {
        let top = if self.in_halves() { 31 } else { 63 };
        let bits = (information >> 12 & 0x3F) as u8 + 1;
        let register = (information & 0xFFF).checked_sub(0xC00).filter(|&number| number < 32 && number != 1);
        match information >> top & 1 {
            1 => (Some(Place::Firmware), 64),
            _ => (register.map(|number| Place::Register(number as u8)), bits),
        }
    }

    /// Asks which counters can count each event. Where some counted none of them, every event is remembered.
    fn ask_all<R: Registers<Address = Address>>(&mut self, registers: &R, own: &[u64]) {
        let mut idle = CounterSet::EMPTY;
        for code in specified().chain(own.iter().copied()) {
            let found = self.ask(registers, code, self.to_be_asked());
            idle = idle.or(found);
            let counters = found.or(self.fixed_for(code));
            if !counters.is_empty() {
                self.remember(code, counters);
            }
        }
        self.busy = self.to_be_asked().without(idle);
        for code in specified().chain(own.iter().copied()) {
            if !self.busy.is_empty() && self.able(code).is_empty() {
                self.remember(code, CounterSet::EMPTY);
            }
        }
    }

    /// Asks about counters that had an event when the unit was detected, and have none now.
    pub(super) fn ask_again<R: Registers<Address = Address>>(&self, registers: &R, busy: CounterSet) {
        for asked in self.asked.get(..self.length).unwrap_or_default() {
            let found = self.ask(registers, asked.code, busy);
            asked.counters.set(asked.counters.counters().or(found).bits());
        }
    }

    /// Returns those of `among` that can count an event: one after the other is configured, until the firmware has none left.
    /// Then all lose the event.
    fn ask<R: Registers<Address = Address>>(&self, registers: &R, code: u64, among: CounterSet) -> CounterSet {
        let (event, data) = call_of(code);
        let mut left = among.and(if is_of_firmware(code) { self.firmware } else { self.hardware });
        let mut found = CounterSet::EMPTY;
        while !left.is_empty() {
            let answer = call(registers, Call::Configure { counters: left, filters: 0, event, data });
            let answered = answer.ok().and_then(|number| CounterId::new(number.try_into().ok()?));
            let Some(counter) = answered.filter(|&counter| left.contains(counter)) else { break };
            found = found.or(counter.only());
            left = left.without(counter.only());
        }
        if !found.is_empty() {
            // What is answered is that they are stopped already.
            let _ = call(registers, Call::Reset(found));
        }
        self.kept(code, found)
    }

    /// Returns the counters that the firmware is asked about. cycle and instret say by their registers what they count. They
    /// count for everybody, and a firmware may stop what it configures.
    pub(super) fn to_be_asked(&self) -> CounterSet {
        self.counters().without(self.fixed())
    }

    /// Returns cycle and instret.
    pub(super) fn fixed(&self) -> CounterSet {
        self.hardware.into_iter().filter(|&counter| self.is_fixed(counter)).collect()
    }

    /// Returns which of cycle and instret counts an event.
    fn fixed_for(&self, code: u64) -> CounterSet {
        let register = match code {
            1 => 0,
            2 => 2,
            _ => return CounterSet::EMPTY,
        };
        self.fixed().into_iter().filter(|&counter| self.register(counter) == register).collect()
    }

    fn remember(&mut self, code: u64, counters: CounterSet) {
        if let Some(place) = self.asked.get_mut(self.length) {
            *place = Asked { code, counters: Cell::new(counters.bits()) };
            self.length += 1;
        }
    }

    /// QEMU counts an event on one counter at a time, whatever its firmware says.
    fn kept(&self, code: u64, found: CounterSet) -> CounterSet {
        if self.model != Model::Qemu {
            return found;
        }
        let of_model = codes::able(Model::Qemu, code);
        let is_right = |counter: &CounterId| {
            self.is_fixed(*counter) || self.firmware.contains(*counter) || !of_model.and(self.hpm(*counter)).is_empty()
        };
        found.into_iter().filter(is_right).collect()
    }

    /// Returns the counter as the other ways have it: by the number of its register.
    fn hpm(&self, counter: CounterId) -> CounterSet {
        from_register(1 << self.register(counter))
    }

    /// Returns the counters that can count an event, if it was asked for.
    #[inline(always)]
    #[must_use]
    pub fn able(&self, code: u64) -> CounterSet {
        let asked = self.asked.get(..self.length).unwrap_or_default();
        asked.iter().find(|asked| asked.code == code).map_or(CounterSet::EMPTY, |asked| asked.counters.counters())
    }

    /// Returns all counters.
    #[inline(always)]
    #[must_use]
    pub const fn counters(&self) -> CounterSet {
        self.hardware.or(self.firmware)
    }

    /// Returns true if the interrupt on overflow exists.
    #[inline(always)]
    #[must_use]
    pub const fn interrupts(&self) -> bool {
        !matches!(self.interrupt(), Interrupt::None)
    }

    /// Returns how overflows interrupt.
    #[inline(always)]
    #[must_use]
    pub const fn interrupt(&self) -> Interrupt {
        Interrupt::of(self.extensions)
    }

    /// Returns the counters whose overflows interrupt: cycle and instret by a manufacturer's own interrupt alone.
    pub(super) fn interrupting(&self) -> CounterSet {
        let has_own = self.interrupt().own().is_some();
        self.hardware.into_iter().filter(|&counter| has_own || !self.is_fixed(counter)).collect()
    }

    /// Returns the number of the register of one of the processor's counters.
    #[inline(always)]
    pub(super) fn register(&self, counter: CounterId) -> u8 {
        self.registers[counter.index()]
    }

    /// Returns true for cycle and instret.
    #[inline(always)]
    pub(super) fn is_fixed(&self, counter: CounterId) -> bool {
        self.hardware.contains(counter) && self.register(counter) < 3
    }

    /// Returns true if the counter can leave modes out.
    #[inline(always)]
    pub(super) fn filters(&self, counter: CounterId) -> bool {
        let by = if self.is_fixed(counter) { Extensions::SMCNTRPMF } else { Extensions::SSCOFPMF };
        self.hardware.contains(counter) && self.extensions.intersects(by.union(Extensions::ANDES))
    }

    /// Returns the width of a counter.
    #[inline(always)]
    pub(super) fn width(&self, counter: CounterId) -> Width {
        const WHOLE: Width = Width::wrapping(64).expect("a width of 64 bits");
        Width::wrapping(self.bits[counter.index()].into()).unwrap_or(WHOLE)
    }

    #[inline(always)]
    pub(super) const fn in_halves(&self) -> bool {
        self.extensions.contains(Extensions::RV32)
    }

    /// Returns a number for everything that placements depend on, and for the line.
    pub(super) fn digest(&self) -> u64 {
        let asked = self.asked.iter().flat_map(|asked| [asked.code, asked.counters.get()]);
        let registers =
            self.registers.iter().zip(&self.bits).map(|(&register, &bits)| u64::from(register) << 8 | u64::from(bits));
        let ways = (self.line as u64) << 32 | self.model as u64;
        let unit = [ways, self.extensions.bits().into(), self.hardware.bits(), self.firmware.bits()];
        let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x0100_0000_01B3);
        unit.into_iter().chain(registers).chain(asked).fold(0xCBF2_9CE4_8422_2325, mix)
    }
}

/// Checks that the firmware makes a software event of the overflows of a processor with these extensions.
fn check_events<R: Registers<Address = Address>>(registers: &R, extensions: Extensions) -> Result<()> {
    let reason = match Interrupt::of(extensions) {
        Interrupt::Andes => {
            "firmware makes no software event of Andes' interrupt, which mslideleg delegates; use Line::Local"
        }
        _ if matches!(call(registers, Call::ProbeEvents), Ok(1..)) => return Ok(()),
        _ => "the firmware has no software events (SBI, extension 0x535345); use Line::Local",
    };
    Err(Error::NoUnit { reason })
}

/// Returns the processor's identification. A firmware that does not say it has 0.
fn read_part<R: Registers<Address = Address>>(registers: &R) -> Part {
    let of = |at| call(registers, at).unwrap_or(0);
    Part::new(of(Call::Vendor) as u32, of(Call::Architecture), of(Call::Implementation))
}

/// Returns the register by which a counter is read.
#[inline(always)]
pub(super) const fn csr(number: u8) -> Csr {
    match CounterId::new(number) {
        Some(counter) => Csr::user_counter_of(counter),
        None => Csr::user_counter_of(CounterId::ZERO),
    }
}
