//! What the unit has, by CPUCFG, and the shortest periods.
//!
//! Sources: "LoongArch Reference Manual, volume 1", table of CPUCFG's words; torvalds/linux
//! arch/loongarch/include/asm/cpu.h (PRID_SERIES_*), for the cores' names.

use super::registers::{Cpucfg6, Pmcfg};
use crate::arch::loongarch::Register;
use crate::contract::{Field, Kind, Registers};
use crate::event::{CounterSet, Error, Result, Width};

/// What the unit of a processor has. Driver and device are created from the same capabilities.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    /// The processor's identification (PRID): the company in bits 23 to 16, the series in bits 15 to 12.
    pub prid: u32,
    /// The version of the events that the architecture defines. KVM's guests are told 0.
    pub version: u8,
    /// The counters.
    pub counters: CounterSet,
    /// The width of a counter, which overflows when its top bit becomes 1.
    pub width: Width,
}

const WIDEST: Width = Width::top_bit(64).expect("a width of 64 bits");

impl Capabilities {
    /// The number of the overflow interrupt, in ESTAT\[IS\] and ECFG\[LIE\] ("LoongArch Reference Manual, volume 1",
    /// "Interrupt Types"; Linux' INT_PCOV).
    pub const INTERRUPT: u8 = 10;

    /// The shortest period of instructions, or of events that happen at most once for each, that may repeat while the kernel
    /// is counted. The handler counts its own instructions until it has stopped the counter and after it has started it, and
    /// a load-linked (LL) must reach its conditional store (SC) between two interrupts. The value is MIPS'
    /// for registers of 64 bits. The test kernel makes progress with it; nothing was measured on silicon.
    pub const LEAST_IN_KERNEL: u64 = 384;

    /// The shortest period of other events, such as cycles, that may repeat while the kernel is counted. MIPS' value, not
    /// measured.
    pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = 2_000;

    /// The shortest period of instructions or cycles that may repeat while the kernel is not counted: the interrupt's ERTN
    /// makes an SC fail, so a loop of LL and SC must fit between two interrupts. MIPS' value, not measured.
    pub const LEAST_IN_USER: u64 = 128;

    /// The bits of a counter's configuration that can be written.
    pub(super) const WRITABLE: Pmcfg = Pmcfg::EVENT.union(Pmcfg::LEVELS).union(Pmcfg::INTERRUPT);

    /// Finds out what the unit has. Only reads words of CPUCFG.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`] if CPUCFG announces no counters.
    pub fn discover<R: Registers<Address = Register>>(registers: &R) -> Result<Self> {
        let word = Cpucfg6::from_bits_retain(registers.read(Register::UNIT) as u32);
        if !word.contains(Cpucfg6::PRESENT) {
            return Err(Error::NoUnit { reason: "CPUCFG announces no performance counters" });
        }
        Ok(Self::of(registers.read(Register::PRID) as u32, word))
    }

    pub(super) const fn of(prid: u32, word: Cpucfg6) -> Self {
        let counters = if word.counters() < Register::COUNTERS { word.counters() } else { Register::COUNTERS };
        let width = match Width::top_bit(word.width()) {
            Some(width) => width,
            None => WIDEST,
        };
        Self { prid, version: word.version(), counters: CounterSet::first(counters), width }
    }

    /// Returns the kind of unit. All have the same events. Placements also depend on the counters and their width.
    pub(super) fn kind(&self) -> Kind {
        let events = u64::from(b'L');
        Kind::new(events, events | self.counters.bits() << 16 | u64::from(self.width.bits()) << 24)
    }

    /// Returns the core's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.prid >> 12 & 0xFFF {
            0x14A => "LA264",
            0x14B => "LA364",
            0x14C => "LA464",
            0x14D => "LA664",
            _ => "LoongArch",
        }
    }

    /// Returns the fields of a register; none if it is one number.
    #[must_use]
    pub const fn fields(at: Register) -> &'static [Field] {
        if at.is_word() || at.number() & 1 == 1 { &[] } else { Pmcfg::FIELDS }
    }
}
