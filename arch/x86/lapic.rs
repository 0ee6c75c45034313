//! Where overflow interrupts go: the local APIC's line from the counters (LVTPC), as a value, and
//! the ways to reach it.
//!
//! Intel's processors mask the line at each interrupt it delivers, so that a handler must unmask
//! it again; AMD's never mask it, and their driver leaves it alone.
//!
//! Source: SDM vol. 3, "Advanced Programmable Interrupt Controller (APIC)", section "Local Vector
//! Table" and its figure.

use crate::arch::x86::{Index, Msr};
use crate::registers::Registers;

/// A value for LVTPC: which interrupt an overflow raises.
///
/// A kernel that owns its APIC writes [`Lvtpc::bits`] itself; others hand it to [`X2Apic`] or
/// [`XApic`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lvtpc(u32);

impl Lvtpc {
    const VECTOR: u32 = 0xFF;
    const DELIVERY: u32 = 7 << 8;
    const DELIVERY_NMI: u32 = 4 << 8;
    const MASKED: u32 = 1 << 16;

    /// An overflow is a non-maskable interrupt: samples reach everywhere, handlers included.
    pub const NMI: Self = Self(Self::DELIVERY_NMI);

    /// An overflow is the interrupt with this vector; `None` for 0 to 15, which the APIC refuses.
    #[must_use]
    pub const fn vector(number: u8) -> Option<Self> {
        if number < 16 { None } else { Some(Self(number as u32)) }
    }

    /// The same, with the line cut.
    #[must_use]
    pub const fn masked(self) -> Self {
        Self(self.0 | Self::MASKED)
    }

    /// The same, with the line open.
    #[must_use]
    pub const fn unmasked(self) -> Self {
        Self(self.0 & !Self::MASKED)
    }

    /// Is the line cut?
    #[must_use]
    pub const fn is_masked(self) -> bool {
        self.0 & Self::MASKED != 0
    }

    /// Is it a non-maskable interrupt?
    #[must_use]
    pub const fn is_nmi(self) -> bool {
        self.0 & Self::DELIVERY == Self::DELIVERY_NMI
    }

    /// What the register holds, less what it only reports; `None` if the line raises something
    /// else than a vector or an NMI.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        let mask = bits & Self::MASKED;
        match (bits & Self::DELIVERY, bits & Self::VECTOR) {
            (Self::DELIVERY_NMI, _) => Some(Self(Self::DELIVERY_NMI | mask)),
            (0, vector @ 16..) => Some(Self(vector | mask)),
            _ => None,
        }
    }

    /// What to write to the register.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

/// How long after an overflow was accounted for its interrupt may still come, in ticks of the
/// time-stamp counter: a few hundred milliseconds at the slowest. It is a matter of microseconds
/// on a processor, and of the host's pleasure in a virtual machine.
pub const LATE: u64 = 1 << 28;

/// The way from the unit to the interrupt controller.
pub trait Line {
    /// Takes the line over, open; returns what it was set to.
    fn install(&self) -> u64;

    /// Opens the line again, which the last interrupt cut. Called from that interrupt.
    fn rearm(&self);

    /// Sets the line to what it was.
    fn restore(&self, before: u64);
}

/// No line that this crate drives: the kernel writes LVTPC itself, and opens it again after each
/// overflow, once [`crate::Unit::on_overflow`] has returned. Or overflows are polled for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unattached;

impl Line for Unattached {
    fn install(&self) -> u64 {
        0
    }

    #[inline(always)]
    fn rearm(&self) {}

    fn restore(&self, _: u64) {}
}

/// The line of a local APIC in x2APIC mode, which is a register like the unit's own.
///
/// The APIC MUST be in that mode whenever the unit is claimed, interrupts, or is released: else
/// the register faults.
#[derive(Clone, Copy, Debug)]
pub struct X2Apic<R> {
    registers: R,
    entry: Lvtpc,
}

impl<R: Registers<Address = Msr, Index = Index>> X2Apic<R> {
    /// A line that raises `entry`.
    pub const fn new(registers: R, entry: Lvtpc) -> Self {
        Self { registers, entry: entry.unmasked() }
    }
}

impl<R: Registers<Address = Msr, Index = Index>> Line for X2Apic<R> {
    fn install(&self) -> u64 {
        let before = self.registers.read(Msr::X2APIC_LINE);
        self.rearm();
        before
    }

    #[inline(always)]
    fn rearm(&self) {
        self.registers.write(Msr::X2APIC_LINE, self.entry.bits().into());
    }

    fn restore(&self, before: u64) {
        self.registers.write(Msr::X2APIC_LINE, before);
    }
}

/// A register of 32 bits in memory: an APIC's LVTPC, at its base + 340H.
pub trait Mapped {
    /// Reads it.
    fn read(&self) -> u32;

    /// Writes it.
    fn write(&self, value: u32);
}

/// The line of a local APIC in xAPIC mode, which is in memory: `M` is the register there.
#[derive(Clone, Copy, Debug)]
pub struct XApic<M> {
    register: M,
    entry: Lvtpc,
}

impl<M: Mapped> XApic<M> {
    /// A line that raises `entry`.
    pub const fn new(register: M, entry: Lvtpc) -> Self {
        Self { register, entry: entry.unmasked() }
    }
}

impl<M: Mapped> Line for XApic<M> {
    fn install(&self) -> u64 {
        let before = self.register.read();
        self.rearm();
        before.into()
    }

    #[inline(always)]
    fn rearm(&self) {
        self.register.write(self.entry.bits());
    }

    fn restore(&self, before: u64) {
        self.register.write(before as u32);
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    impl Mapped for Cell<u32> {
        fn read(&self) -> u32 {
            self.get()
        }

        fn write(&self, value: u32) {
            self.set(value);
        }
    }

    impl<M: Mapped> Mapped for &M {
        fn read(&self) -> u32 {
            (**self).read()
        }

        fn write(&self, value: u32) {
            (**self).write(value);
        }
    }

    #[test]
    fn every_entry_comes_back_from_its_bits() {
        let vectors = (16..=255).filter_map(Lvtpc::vector);
        for entry in vectors.chain([Lvtpc::NMI]).flat_map(|entry| [entry, entry.masked()]) {
            assert_eq!(Lvtpc::from_bits(entry.bits()), Some(entry));
        }
    }

    #[test]
    fn what_the_register_only_reports_is_left_out() {
        assert_eq!(Lvtpc::from_bits(Lvtpc::NMI.bits() | 1 << 12), Some(Lvtpc::NMI));
    }

    #[test]
    fn an_entry_that_is_neither_a_vector_nor_an_nmi_is_none() {
        let management = 2 << 8;
        assert_eq!([management, 15, 0].map(Lvtpc::from_bits), [None; 3]);
    }

    #[test]
    fn vectors_that_the_apic_refuses_are_refused() {
        assert_eq!((Lvtpc::vector(15), Lvtpc::vector(16).map(Lvtpc::bits)), (None, Some(16)));
    }

    #[test]
    fn a_mapped_line_is_opened_after_each_interrupt_and_given_back_as_it_was() {
        let register = Cell::new(Lvtpc::NMI.masked().bits() | 0x33);
        let line = XApic::new(&register, Lvtpc::NMI.masked());
        let before = line.install();
        assert_eq!(register.get(), Lvtpc::NMI.bits());
        register.set(Lvtpc::NMI.masked().bits());
        line.rearm();
        assert_eq!(register.get(), Lvtpc::NMI.bits());
        line.restore(before);
        assert_eq!(register.get(), Lvtpc::NMI.masked().bits() | 0x33);
    }
}
