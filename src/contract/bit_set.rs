//! Declares sets of named bits: registers, and what processors can.
//!
//! As `bitflags!` does, with the same constants, methods and operators, but without the text parser and the printers that it
//! compiles for each set: nobody parses a register, and one function prints all of them.

use core::fmt::{self, Formatter};

/// Declares a set of bits: `bit_set! { pub struct Select: u64 { const USER = 1 << 16; } }`. It is `Debug`.
///
/// `const USER as "USR" = 1 << 16;` gives a constant the manual's name too: it is an alias in the documentation, and
/// `FIELDS` lists the constants that have one. If both names are the same, `named` stands for `as`.
macro_rules! bit_set {
    (
        $(#[$attribute:meta])* $visibility:vis struct $Name:ident: $Bits:ty {
            $($(#[$($inner:tt)*])* const $flag:tt $(as $manual:literal)? $(named $same:literal)? = $value:expr;)*
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $Name($Bits);

        ::bitflags::bitflags! {
            impl $Name: $Bits {
                $($(#[$($inner)*])* $(#[doc(alias = $manual)])? const $flag = $value;)*
            }
        }

        #[allow(dead_code, reason = "only the registers that a driver writes are explained")]
        impl $Name {
            /// The fields that have a name in the manual, in the order of their constants.
            pub(crate) const FIELDS: &'static [$crate::contract::Field] = &[
                $($({
                    let bits: $Bits = $value;
                    $crate::contract::Field::new($manual, bits as u64)
                },)? $({
                    let bits: $Bits = $value;
                    $crate::contract::Field::new($same, bits as u64)
                },)?)*
            ];
        }

        impl ::core::fmt::Debug for $Name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let flags = <Self as ::bitflags::Flags>::FLAGS;
                let mut names = flags.iter().map(|flag| (flag.name(), flag.value().bits().into()));
                $crate::contract::bit_set::print(f, ::core::stringify!($Name), self.bits().into(), &mut names)
            }
        }
    };
}

pub(crate) use bit_set;

/// Prints the names of the bits that are set, and the others as a number.
pub(crate) fn print(
    f: &mut Formatter<'_>,
    set: &str,
    bits: u64,
    names: &mut dyn Iterator<Item = (&'static str, u64)>,
) -> fmt::Result {
    f.write_str(set)?;
    let (mut rest, mut separator) = (bits, "(");
    for (name, value) in names.filter(|(name, value)| !name.is_empty() && bits & value == *value) {
        if rest & value != 0 {
            write!(f, "{separator}{name}")?;
            (rest, separator) = (rest & !value, " | ");
        }
    }
    if rest != 0 || bits == 0 {
        write!(f, "{separator}{rest:#x}")?;
    }
    f.write_str(")")
}

#[cfg(test)]
mod tests {
    bit_set! {
        #[derive(Clone, Copy, PartialEq, Eq)]
        struct Select: u16 {
            const USER = 1;
            const KERNEL = 2;
            const BOTH = 3;
            const _ = !0;
        }
    }

    #[test]
    fn a_set_prints_its_bits_names_and_the_others_as_a_number() {
        assert_eq!(format!("{:?}", Select::USER), "Select(USER)");
        assert_eq!(format!("{:?}", Select::BOTH), "Select(USER | KERNEL)");
        assert_eq!(format!("{:?}", Select::from_bits_retain(0x102)), "Select(KERNEL | 0x100)");
        assert_eq!(format!("{:?}", Select::empty()), "Select(0x0)");
    }
}
