//! The model-specific registers of performance-monitoring units.
//!
//! An [`Msr`] is an address in a private field, and not an enum: it is computed once, where a register is
//! named, and hot paths need no match on it. None of these registers holds a memory address, so that a write
//! cannot reach memory. (The debug store and the processor trace are left out for that reason.)

mod branches;
mod netburst;

use core::fmt;

use crate::event::CounterId;

/// A model-specific register of a performance-monitoring unit.
///
/// The local APIC's entry for counters is not one of them, even if it is a model-specific register (x2APIC mode):
/// only an [`Lvtpc`](super::Lvtpc) may be written to it.
///
/// Addresses: SDM vol. 4, table "IA-32 Architectural MSRs"; for `MSR_` names the tables of the
/// microarchitectures. AMD's registers, the Pentium 4's, and those of the recorders of branches are in files of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Msr(u32);

/// The register through which a general counter is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Window {
    /// `IA32_PMCx`: takes 32 bits and sign-extends them.
    Narrow = 0xC1,
    /// `IA32_A_PMCx`: takes all bits. It exists if `IA32_PERF_CAPABILITIES.FW_WRITE` is set.
    Full = 0x4C1,
}

impl Msr {
    /// The number of general counters that have addresses: `IA32_PMC0` to `IA32_PMC9`.
    pub const GENERAL: u8 = 10;
    /// The number of fixed counters that have addresses: `IA32_FIXED_CTR0` to `IA32_FIXED_CTR6`.
    pub const FIXED: u8 = 7;

    /// The address of IA32_PERFEVTSEL0.
    pub(in crate::arch::x86) const FIRST_SELECT: u32 = 0x186;
    /// The address of IA32_FIXED_CTR0.
    pub(in crate::arch::x86) const FIRST_FIXED: u32 = 0x309;

    /// The address of the Pentium's counter 0 (CTR0).
    pub(in crate::arch::x86) const FIRST_P5_COUNTER: u32 = 0x12;

    /// What both counters of the Pentium count (CESR).
    pub const CESR: Self = Self(0x11);
    /// Aborts transactions, which leaves counter 3 to software (IA32_TSX_FORCE_ABORT).
    pub const FORCE_ABORT: Self = Self(0x10F);
    /// Offcore response 0 (MSR_OFFCORE_RSP_0).
    pub const OFFCORE_0: Self = Self(0x1A6);
    /// Offcore response 1 (MSR_OFFCORE_RSP_1).
    pub const OFFCORE_1: Self = Self(0x1A7);
    /// The abilities of the unit (IA32_PERF_CAPABILITIES).
    pub const CAPABILITIES: Self = Self(0x345);
    /// The control of the fixed counters (IA32_FIXED_CTR_CTRL).
    pub const FIXED_CONTROL: Self = Self(0x38D);
    /// The counters that have overflowed (IA32_PERF_GLOBAL_STATUS).
    pub const GLOBAL_STATUS: Self = Self(0x38E);
    /// The counters that are enabled (IA32_PERF_GLOBAL_CTRL).
    pub const GLOBAL_CONTROL: Self = Self(0x38F);
    /// Clears overflows (IA32_PERF_GLOBAL_OVF_CTRL; from version 4 on IA32_PERF_GLOBAL_STATUS_RESET).
    pub const GLOBAL_RESET: Self = Self(0x390);
    /// Sets overflows, from version 4 on (IA32_PERF_GLOBAL_STATUS_SET).
    pub const GLOBAL_SET: Self = Self(0x391);
    /// The counters that are in use, from version 4 on (IA32_PERF_GLOBAL_INUSE).
    pub const GLOBAL_IN_USE: Self = Self(0x392);
    /// The front-end bubbles that are counted (MSR_PEBS_FRONTEND).
    pub const FRONTEND: Self = Self(0x3F7);

    /// Returns a general counter, written through `window`, or `None` if it has no address.
    #[must_use]
    pub const fn counter(window: Window, number: u8) -> Option<Self> {
        Self::one_of(window as u32, number, Self::GENERAL)
    }

    /// Returns the selector of a general counter (IA32_PERFEVTSELx), or `None` if it has no address.
    #[must_use]
    pub const fn select(number: u8) -> Option<Self> {
        Self::one_of(Self::FIRST_SELECT, number, Self::GENERAL)
    }

    /// Returns a fixed counter (IA32_FIXED_CTRx), or `None` if it has no address.
    #[must_use]
    pub const fn fixed(number: u8) -> Option<Self> {
        Self::one_of(Self::FIRST_FIXED, number, Self::FIXED)
    }

    /// Returns a counter of the Pentium (CTR0, CTR1), or `None` if it has no address.
    #[must_use]
    pub const fn p5_counter(number: u8) -> Option<Self> {
        Self::one_of(Self::FIRST_P5_COUNTER, number, 2)
    }

    const fn one_of(first: u32, number: u8, count: u8) -> Option<Self> {
        if number < count { Some(Self(first + number as u32)) } else { None }
    }

    /// Returns the register with this address, if it belongs to a unit. For hypervisors, whose guests use any
    /// address.
    #[inline(always)]
    #[must_use]
    pub const fn from_address(address: u32) -> Option<Self> {
        let is_a_units = if address < Self::EXTENDED { is_low(address) } else { is_extended(address) };
        if is_a_units { Some(Self(address)) } else { None }
    }

    /// The first of AMD's own registers. It is compared first, so that a trapped access need not be compared with
    /// all the others.
    const EXTENDED: u32 = 0xC000_0000;

    /// Returns the address.
    #[inline(always)]
    #[must_use]
    pub const fn address(self) -> u32 {
        self.0
    }

    /// Returns the selector of a general counter that Intel's capabilities have.
    #[inline(always)]
    pub(in crate::arch::x86) const fn selector(counter: CounterId) -> Self {
        Self(Self::FIRST_SELECT + counter.number() as u32)
    }

    /// Returns one of the two counters that a Pentium's capabilities have.
    #[inline(always)]
    pub(in crate::arch::x86) const fn of_p5_counter(counter: CounterId) -> Self {
        Self(Self::FIRST_P5_COUNTER + (counter.number() as u32 & 1))
    }

    /// Creates a register from an address that a family has computed from its own checked capabilities.
    #[inline(always)]
    pub(in crate::arch::x86) const fn at(address: u32) -> Self {
        Self(address)
    }

    /// Returns the manual's name up to its number, and the number of a numbered register.
    const fn name(self) -> (&'static str, Option<u32>) {
        match self.0 {
            0x11 => ("CESR", None),
            0x12..=0x13 => ("CTR", Some(self.0 - 0x12)),
            0xC1..=0xCA => ("IA32_PMC", Some(self.0 - 0xC1)),
            0x10F => ("IA32_TSX_FORCE_ABORT", None),
            0x186..=0x18F => ("IA32_PERFEVTSEL", Some(self.0 - 0x186)),
            0x1A6..=0x1A7 => ("MSR_OFFCORE_RSP_", Some(self.0 - 0x1A6)),
            0x309..=0x30F => ("IA32_FIXED_CTR", Some(self.0 - 0x309)),
            0x345 => ("IA32_PERF_CAPABILITIES", None),
            0x38D => ("IA32_FIXED_CTR_CTRL", None),
            0x38E => ("IA32_PERF_GLOBAL_STATUS", None),
            0x38F => ("IA32_PERF_GLOBAL_CTRL", None),
            0x390 => ("IA32_PERF_GLOBAL_OVF_CTRL", None),
            0x391 => ("IA32_PERF_GLOBAL_STATUS_SET", None),
            0x392 => ("IA32_PERF_GLOBAL_INUSE", None),
            0x3F7 => ("MSR_PEBS_FRONTEND", None),
            0x4C1..=0x4CA => ("IA32_A_PMC", Some(self.0 - 0x4C1)),
            0x1900..=0x1925 if self.0 & 0b10 == 0 => ("IA32_PMC_GP", Some((self.0 - 0x1900) / 4)),
            0x1980..=0x1998 if self.0 & 0b11 == 0 => ("IA32_PMC_FX", Some((self.0 - 0x1980) / 4)),
            _ => match (self.branch_name(), self.netburst_name()) {
                (Some((name, number, _)), _) => (name, number),
                (None, Some(name)) => name,
                (None, None) => self.core_name(),
            },
        }
    }

    /// Returns what follows the number in the manual's name.
    const fn ending(self) -> &'static str {
        match (self.0, self.branch_name()) {
            (0x1900..0x2000, _) if self.0 & 0b11 == 0 => "_CTR",
            (0x1900..0x2000, _) => "_CFG_A",
            (_, Some((.., ending))) => ending,
            _ => "",
        }
    }
}

/// The registers that an interrupt uses come first, as one range after the other, and then those of a switch.
#[inline(always)]
const fn is_low(address: u32) -> bool {
    within(address, 0x4C1, 10)
        || within(address, 0x38D, 6)
        || within(address, 0xC1, 10)
        || within(address, 0x309, 7)
        || within(address, 0x186, 10)
        || is_set_up(address)
}

/// Returns true if it is one of `count` addresses from `first` on.
#[inline(always)]
const fn within(address: u32, first: u32, count: u32) -> bool {
    address.wrapping_sub(first) < count
}

#[inline(always)]
const fn is_set_up(address: u32) -> bool {
    match address {
        0x11..=0x13 | 0x10F | 0x1A6..=0x1A7 | 0x345 | 0x3F7 => true,
        // Second addresses: of selectors and counters two of every four, and one.
        0x1900..=0x1925 => address & 0b10 == 0,
        0x1980..=0x1998 => address & 0b11 == 0,
        _ => netburst::is_netburst(address) || branches::is_intels(address),
    }
}

#[inline(always)]
const fn is_extended(address: u32) -> bool {
    matches!(address, 0xC001_0200..=0xC001_020B | 0xC000_0300..=0xC000_0303 | 0xC001_0000..=0xC001_0007)
        || branches::is_amds(address)
}

impl fmt::Debug for Msr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            (name, Some(number)) => write!(f, "{name}{number}{}", self.ending()),
            (name, None) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_the_unit_names_its_register_and_no_other_does() {
        for address in (0..0x2000).chain(0xC000_0000..0xC000_2000).chain(0xC001_0000..0xC001_2000) {
            if [Msr::MISC_ENABLE, Msr::DEBUG_CONTROL].contains(&Msr(address)) {
                assert_eq!(Msr::from_address(address), None, "the kernel's register is taken for the unit's");
            } else if let Some(msr) = Msr::from_address(address) {
                assert!(!msr.name().0.starts_with("MSR "), "{address:#x} has no name");
                assert_eq!(msr.address(), address);
            } else {
                assert_eq!(Msr(address).name().0, "MSR ", "{address:#x} has a name and is refused");
            }
        }
    }

    #[test]
    fn numbers_beyond_the_last_register_are_refused() {
        assert_eq!(Msr::select(9).map(Msr::address), Some(0x18F));
        assert_eq!((Msr::select(10), Msr::counter(Window::Full, 10), Msr::fixed(7)), (None, None, None));
    }

    #[test]
    fn registers_print_as_the_manual_names_them() {
        assert_eq!(format!("{:?} {:?}", Msr(0x187), Msr::GLOBAL_STATUS), "IA32_PERFEVTSEL1 IA32_PERF_GLOBAL_STATUS");
        assert_eq!(format!("{:?} {:?}", Msr(0x1925), Msr(0x1984)), "IA32_PMC_GP9_CFG_A IA32_PMC_FX1_CTR");
    }
}
