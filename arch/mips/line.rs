//! The line of the overflow interrupt.
//!
//! Source: "MIPS32 Architecture For Programmers, volume III", "Interrupt Control Register" and "Configuration Register 3";
//! the positions are the same as in torvalds/linux arch/mips/include/asm/mipsregs.h (INTCTLB_IPPCI, MIPS_CONF3_VEIC).

/// The line by which overflows interrupt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// A line of the processor's own.
    Pending {
        /// Its bit in Status\[IM\] and Cause\[IP\], from 2 to 7. On most processors it is 7.
        bit: u8,
        /// Whether the timer of Count and Compare has the same line. From release 2 of the architecture on Cause\[PCI\] and
        /// Cause\[TI\] tell them apart.
        is_timers: bool,
    },
    /// An external interrupt controller has the line. The board's manual says where it leads.
    Controller,
}

/// Config3\[VEIC\]: there is an external interrupt controller.
const EXTERNAL: u32 = 1 << 6;
/// The line of both where processors do not say it (torvalds/linux arch/mips/kernel/traps.c).
const LEGACY: u8 = 7;

impl Line {
    /// Returns the line by the contents of IntCtl, which processors have from release 2 of the architecture on, and of
    /// Config3, or 0 if there is none.
    #[must_use]
    pub const fn of(interrupt_control: Option<u32>, config_3: u32) -> Self {
        let (bit, timers) = match interrupt_control {
            Some(_) if config_3 & EXTERNAL != 0 => return Self::Controller,
            Some(control) => (line_in(control >> 26), line_in(control >> 29)),
            None => (LEGACY, LEGACY),
        };
        Self::Pending { bit, is_timers: bit == timers }
    }
}

/// Returns a field of IntCtl (IPPCI, IPTI). Lines 0 and 1 are software's, so a field with one of them says nothing.
const fn line_in(field: u32) -> u8 {
    let line = field as u8 & 7;
    if line < 2 { LEGACY } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_of_release_1_shares_the_timers_line() {
        assert_eq!(Line::of(None, 0), Line::Pending { bit: 7, is_timers: true });
    }

    #[test]
    fn a_processor_of_release_2_says_which_line_it_is() {
        assert_eq!(Line::of(Some(7 << 29 | 7 << 26), 0), Line::Pending { bit: 7, is_timers: true });
        assert_eq!(Line::of(Some(7 << 29 | 5 << 26), 0), Line::Pending { bit: 5, is_timers: false });
    }

    #[test]
    fn an_external_controller_has_the_line() {
        assert_eq!(Line::of(Some(7 << 26), 1 << 6), Line::Controller);
    }
}
