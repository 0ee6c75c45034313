//! Maps addresses to the registers of the unit.

use crate::arch::x86::intel::AuxiliaryRegister;
use crate::arch::x86::{Msr, Window};

/// A register of the unit, with its number among those of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// IA32_PMCx or IA32_A_PMCx.
    General(Window, usize),
    /// IA32_PERFEVTSELx.
    Select(usize),
    /// IA32_FIXED_CTRx.
    Fixed(usize),
    /// An auxiliary register, by its number in [`AuxiliaryRegister`].
    AuxiliaryRegister(usize),
    /// IA32_FIXED_CTR_CTRL.
    FixedControl,
    /// IA32_PERF_GLOBAL_STATUS.
    Status,
    /// IA32_PERF_GLOBAL_CTRL.
    Control,
    /// IA32_PERF_GLOBAL_OVF_CTRL, from version 4 on IA32_PERF_GLOBAL_STATUS_RESET.
    Reset,
    /// IA32_PERF_GLOBAL_STATUS_SET.
    Set,
    /// IA32_PERF_GLOBAL_INUSE.
    InUse,
    /// IA32_PERF_CAPABILITIES.
    Capabilities,
    /// IA32_TSX_FORCE_ABORT.
    ForceAbort,
}

impl Place {
    /// Returns the register at an address, or `None` if it is not the unit's. Those that an interrupt uses come
    /// first.
    #[inline(always)]
    pub(super) const fn of(at: Msr) -> Option<Self> {
        match at {
            Msr::FIXED_CONTROL => Some(Self::FixedControl),
            Msr::GLOBAL_STATUS => Some(Self::Status),
            Msr::GLOBAL_CONTROL => Some(Self::Control),
            Msr::GLOBAL_RESET => Some(Self::Reset),
            Msr::GLOBAL_SET => Some(Self::Set),
            Msr::GLOBAL_IN_USE => Some(Self::InUse),
            _ => Self::numbered(at),
        }
    }

    /// Finds the registers that each counter has. The ranges are [`Msr`]'s.
    #[inline(always)]
    const fn numbered(at: Msr) -> Option<Self> {
        let address = at.address();
        match address {
            0x4C1..=0x4CA => Some(Self::General(Window::Full, (address - 0x4C1) as usize)),
            0x0C1..=0x0CA => Some(Self::General(Window::Narrow, (address - 0x0C1) as usize)),
            0x186..=0x18F => Some(Self::Select((address - 0x186) as usize)),
            0x309..=0x30F => Some(Self::Fixed((address - 0x309) as usize)),
            _ => Self::other(at),
        }
    }

    #[inline(always)]
    const fn other(at: Msr) -> Option<Self> {
        match at {
            Msr::CAPABILITIES => Some(Self::Capabilities),
            Msr::FORCE_ABORT => Some(Self::ForceAbort),
            Msr::OFFCORE_0 => Some(Self::AuxiliaryRegister(AuxiliaryRegister::Offcore0 as usize)),
            Msr::OFFCORE_1 => Some(Self::AuxiliaryRegister(AuxiliaryRegister::Offcore1 as usize)),
            Msr::FRONTEND => Some(Self::AuxiliaryRegister(AuxiliaryRegister::Frontend as usize)),
            _ => None,
        }
    }

    /// Finds the registers that version 6 has at second addresses (SDM vol. 4, table "IA-32 Architectural MSRs",
    /// IA32_PMC_GPx_CTR, IA32_PMC_GPx_CFG_A and IA32_PMC_FXx_CTR): four addresses a counter.
    pub(super) const fn of_second(at: Msr) -> Option<Self> {
        let address = at.address();
        let number = (address & 0x7F) as usize / 4;
        match (address & !0x7F, address & 0b11) {
            (0x1900, 0) => Some(Self::General(Window::Full, number)),
            (0x1900, 1) => Some(Self::Select(number)),
            (0x1980, 0) => Some(Self::Fixed(number)),
            _ => None,
        }
    }

    /// Returns true if every write faults.
    #[inline(always)]
    pub(super) const fn is_read_only(self) -> bool {
        matches!(self, Self::Status | Self::InUse | Self::Capabilities)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_numbered_register_is_found_by_the_name_it_was_made_from() {
        for number in 0..Msr::GENERAL {
            let at = usize::from(number);
            assert_eq!(Msr::select(number).and_then(Place::of), Some(Place::Select(at)));
            for window in [Window::Narrow, Window::Full] {
                assert_eq!(Msr::counter(window, number).and_then(Place::of), Some(Place::General(window, at)));
            }
        }
        for number in 0..Msr::FIXED {
            assert_eq!(Msr::fixed(number).and_then(Place::of), Some(Place::Fixed(number.into())));
        }
    }

    #[test]
    fn every_register_has_one_place_but_those_of_the_pentium_and_the_pentium_4() {
        let is_another_units =
            |msr: Msr| matches!(msr.address(), 0x11..=0x13 | 0x300..=0x311 | 0x360..=0x3F2) || msr.is_recorders();
        let places = |msr| (Place::of(msr).is_some(), Place::of_second(msr).is_some());
        for msr in (0..0x2000).filter_map(Msr::from_address) {
            let is_known = matches!(places(msr), (true, false) | (false, true));
            assert!(is_known || is_another_units(msr) && places(msr) == (false, false), "{msr:?}");
        }
    }
}
