//! Where overflow interrupts go: the local APIC's line from the counters (LVTPC), as a value, and
//! the ways to reach it.
//!
//! Intel's processors mask the line at each interrupt it delivers, so that a handler must unmask
//! it again; AMD's never mask it, and their driver leaves it alone.
//!
//! Source: SDM vol. 3, "Advanced Programmable Interrupt Controller (APIC)", section "Local Vector
//! Table" and its figure.

/// A value for LVTPC: which interrupt an overflow raises.
///
/// A kernel that owns its APIC writes [`Lvtpc::bits`] itself; others hand it to [`X2Apic`] or
/// [`XApic`]. Whatever its value, it raises an NMI or an interrupt that is no exception, or it is
/// masked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lvtpc(u32);

impl Lvtpc {
    const VECTOR: u32 = 0xFF;
    const DELIVERY: u32 = 7 << 8;
    const DELIVERY_NMI: u32 = 4 << 8;
    const MASKED: u32 = 1 << 16;

    /// An overflow is a non-maskable interrupt: samples reach everywhere, handlers included.
    pub const NMI: Self = Self(Self::DELIVERY_NMI);

    /// The first vector that is no exception's (SDM vol. 3, table "Protected-Mode Exceptions and
    /// Interrupts").
    const FIRST: u32 = 32;

    /// An overflow is the interrupt with this vector; `None` for 0 to 31, which are the
    /// processor's own: the handler of an exception would take the interrupt for one.
    #[must_use]
    pub const fn vector(number: u8) -> Option<Self> {
        if (number as u32) < Self::FIRST { None } else { Some(Self(number as u32)) }
    }

    /// The same, with the line cut.
    #[must_use]
    pub const fn masked(self) -> Self {
        Self(self.0 | Self::MASKED)
    }

    /// The same, with the line open.
    #[must_use]
    pub const fn unmasked(self) -> Self {
        match Self::from_bits(self.0 & !Self::MASKED) {
            Some(open) => open,
            None => self,
        }
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
            (0, vector @ Self::FIRST..) => Some(Self(vector | mask)),
            _ => None,
        }
    }

    /// What the register held, less what it only reports; masked if it is nothing to raise.
    const fn harmless(bits: u32) -> Self {
        let held = bits & (Self::DELIVERY | Self::VECTOR | Self::MASKED);
        Self(if Self::from_bits(bits).is_some() { held } else { held | Self::MASKED })
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

/// A local APIC's LVTPC, as a register that can be read and written: in memory, 340H above the
/// APIC's base (x86's own `access::MappedLine`), or in x2APIC mode by RDMSR and WRMSR (its
/// `access::Hardware`).
///
/// What is written is an [`Lvtpc`], so that no safe program makes an overflow reset the processor
/// or raise one of its exceptions.
pub trait LineRegister {
    /// Reads it.
    fn read_line(&self) -> u32;

    /// Writes it.
    fn write_line(&self, entry: Lvtpc);
}

/// The line of a local APIC whose register is `R`.
#[derive(Clone, Copy, Debug)]
pub struct Attached<R> {
    register: R,
    entry: Lvtpc,
}

/// The line of a local APIC in x2APIC mode.
///
/// The APIC MUST be in that mode whenever the unit is claimed, interrupts, or is released: else
/// the register faults.
pub type X2Apic<R> = Attached<R>;

/// The line of a local APIC in xAPIC mode.
pub type XApic<R> = Attached<R>;

impl<R: LineRegister> Attached<R> {
    /// A line that raises `entry`.
    pub const fn new(register: R, entry: Lvtpc) -> Self {
        Self { register, entry: entry.unmasked() }
    }
}

impl<R: LineRegister> Line for Attached<R> {
    fn install(&self) -> u64 {
        let before = self.register.read_line();
        self.rearm();
        before.into()
    }

    #[inline(always)]
    fn rearm(&self) {
        self.register.write_line(self.entry);
    }

    /// An open line that raised neither a vector nor an NMI comes back masked.
    fn restore(&self, before: u64) {
        self.register.write_line(Lvtpc::harmless(before as u32));
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    impl LineRegister for &Cell<u32> {
        fn read_line(&self) -> u32 {
            self.get()
        }

        fn write_line(&self, entry: Lvtpc) {
            self.set(entry.bits());
        }
    }

    #[test]
    fn every_entry_comes_back_from_its_bits() {
        let vectors = (32..=255).filter_map(Lvtpc::vector);
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
        assert_eq!([management, 31, 0].map(Lvtpc::from_bits), [None; 3]);
    }

    #[test]
    fn vectors_of_exceptions_are_refused() {
        assert_eq!((Lvtpc::vector(31), Lvtpc::vector(32).map(Lvtpc::bits)), (None, Some(32)));
    }

    #[test]
    fn a_line_that_would_reset_the_processor_or_raise_an_exception_is_given_back_masked() {
        let (management, reset, exception, after_reset) = (2 << 8, 5 << 8, 14, 1 << 16);
        let register = Cell::new(0);
        let line = XApic::new(&register, Lvtpc::NMI);
        let given_back = [management, reset, exception, after_reset].map(|before| {
            line.restore(before);
            register.get()
        });
        let masked = 1 << 16;
        assert_eq!(given_back, [masked | 2 << 8, masked | 5 << 8, masked | 14, masked]);
        assert!(Lvtpc::harmless(reset as u32).unmasked().is_masked());
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
