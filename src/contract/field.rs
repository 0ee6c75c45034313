//! The fields of a register, by the manual's names: what people are told of a value that is written to it.

use core::fmt;

/// A field of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The manual's name.
    pub name: &'static str,
    /// Its bits.
    pub bits: u64,
}

impl Field {
    /// A field with these bits.
    #[must_use]
    pub const fn new(name: &'static str, bits: u64) -> Self {
        Self { name, bits }
    }

    /// Returns the field's value in that of its register.
    #[must_use]
    pub const fn of(self, register: u64) -> u64 {
        (register & self.bits) >> (self.bits.trailing_zeros() & 63)
    }

    /// Prints the fields that are not 0 in a register's value, each with the numbers of its bits, and the bits that are
    /// set in no field.
    pub fn explain(fields: &[Self], register: u64) -> impl fmt::Display {
        Explained { fields, register }
    }
}

struct Explained<'a> {
    fields: &'a [Field],
    register: u64,
}

impl fmt::Display for Explained<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for field in self.fields.iter().filter(|field| field.of(self.register) != 0) {
            let (first, last) = (field.bits.trailing_zeros(), 63 - field.bits.leading_zeros());
            match first == last {
                true => write!(f, "{between}{first} {}", field.name)?,
                false => write!(f, "{between}{first}-{last} {} = {:#x}", field.name, field.of(self.register))?,
            }
            between = ", ";
        }
        let known = self.fields.iter().fold(0, |bits, field| bits | field.bits);
        match self.register & !known {
            0 => Ok(()),
            others => write!(f, "{between}no field {others:#x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_explained_field_by_field() {
        let fields = [Field::new("EventSelect", 0xFF), Field::new("USR", 1 << 16), Field::new("OS", 1 << 17)];
        assert_eq!(Field::explain(&fields, 0x100C4).to_string(), "0-7 EventSelect = 0xc4, 16 USR");
        assert_eq!(Field::explain(&fields, 1 << 20).to_string(), "no field 0x100000");
        assert_eq!(Field::explain(&fields, 0).to_string(), "");
        assert_eq!(Field::new("high", 1 << 63).of(u64::MAX), 1);
    }
}
