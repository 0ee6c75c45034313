//! The special-purpose registers of performance-monitoring units.
//!
//! An [`Spr`] is a number in a private field, and not an enum: a register is named once, and where the
//! name is a constant, hot paths need no match on it. Writing one of them never changes memory:
//! SIAR and SDAR hold sampled addresses, but nothing is loaded from there.

use core::fmt;

/// A special-purpose register of a performance-monitoring unit, which MFSPR and MTSPR access.
///
/// Book3S 64's have the manual's names, and those of the classic units begin with `CLASSIC`: they have other numbers. The
/// embedded cores' registers are a type of their own ([`Pmr`](super::Pmr)).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spr(u16);

impl Spr {
    /// Returns the special-purpose register with this number, if it belongs to a unit. For hypervisors, whose
    /// guests use any number.
    #[must_use]
    pub const fn from_number(number: u16) -> Option<Self> {
        let is_a_units = match number {
            // Book3S 64: the user's copies, then the kernel's.
            736..=738 | 752..=754 | 768..=782 | 784..=798 => true,
            // 604 to 7450: the user's copies, then the kernel's.
            928..=930 | 936..=943 | 944..=946 | 952..=959 => true,
            _ => false,
        };
        if is_a_units { Some(Self(number)) } else { None }
    }

    /// Returns the number that is part of the instruction.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Returns the number of the copy of a counter that problem state reads: 16 below.
    pub(in crate::arch::powerpc) const fn number_of_copy(self) -> u32 {
        self.0 as u32 - 16
    }

    /// Creates a register. For families, which define their own.
    #[inline(always)]
    pub(in crate::arch::powerpc) const fn at(number: u16) -> Self {
        Self(number)
    }

    /// Returns the manual's name up to its number, and the number of a numbered register.
    const fn name(self) -> (&'static str, Option<u16>) {
        let number = self.0;
        match number {
            736 | 737 => ("USIER", Some(number - 734)),
            738 => ("UMMCR", Some(3)),
            752 | 753 => ("SIER", Some(number - 750)),
            754 => ("MMCR", Some(3)),
            768 | 784 => (user(number < 784, "USIER", "SIER"), None),
            769 | 785 => (user(number < 784, "UMMCR", "MMCR"), Some(2)),
            770 | 786 => (user(number < 784, "UMMCRA", "MMCRA"), None),
            771..=778 => ("UPMC", Some(number - 770)),
            787..=794 => ("PMC", Some(number - 786)),
            779 | 795 => (user(number < 784, "UMMCR", "MMCR"), Some(0)),
            780 | 796 => (user(number < 784, "USIAR", "SIAR"), None),
            781 | 797 => (user(number < 784, "USDAR", "SDAR"), None),
            782 | 798 => (user(number < 784, "UMMCR", "MMCR"), Some(1)),
            _ => classic_name(number),
        }
    }
}

const fn user(is_users: bool, users: &'static str, kernels: &'static str) -> &'static str {
    if is_users { users } else { kernels }
}

/// Names the registers of 604 to 7450. The user's copies are 16 lower.
const fn classic_name(number: u16) -> (&'static str, Option<u16>) {
    let is_users = number & 16 == 0;
    match number | 16 {
        944 => (user(is_users, "UMMCR", "MMCR"), Some(2)),
        945 | 946 => (user(is_users, "UPMC", "PMC"), Some((number | 16) - 940)),
        952 => (user(is_users, "UMMCR", "MMCR"), Some(0)),
        953 | 954 => (user(is_users, "UPMC", "PMC"), Some((number | 16) - 952)),
        955 => (user(is_users, "USIAR", "SIAR"), None),
        956 => (user(is_users, "UMMCR", "MMCR"), Some(1)),
        957 | 958 => (user(is_users, "UPMC", "PMC"), Some((number | 16) - 954)),
        959 => (user(is_users, "USDAR", "SDAR"), None),
        _ => ("SPR ", Some(number)),
    }
}

impl fmt::Debug for Spr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            (name, Some(number)) => write!(f, "{name}{number}"),
            (name, None) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_of_a_unit_has_the_manuals_name_and_no_other_register_is_one() {
        for spr in (0..1024).filter_map(Spr::from_number) {
            let printed = format!("{spr:?}");
            assert!(!printed.contains(' '), "{} is {printed}", spr.number());
        }
        assert_eq!([0, 287, 735, 783, 799, 927, 931, 947, 960, 1023].map(Spr::from_number), [None; 10]);
    }

    #[test]
    fn registers_print_as_the_manuals_have_them() {
        let sprs = [754, 779, 786, 787, 794, 795, 798, 936, 944, 946, 952, 953, 958, 959];
        let names = [
            "MMCR3", "UMMCR0", "MMCRA", "PMC1", "PMC8", "MMCR0", "MMCR1", "UMMCR0", "MMCR2", "PMC6", "MMCR0", "PMC1",
            "PMC4", "SDAR",
        ];
        assert_eq!(sprs.map(|number| format!("{:?}", Spr::at(number))), names);
    }
}
