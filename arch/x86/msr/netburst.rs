//! The registers of the Pentium 4's unit: 18 counters, a CCCR for each, 45 ESCRs, and those of replay tagging.
//!
//! Sources: SDM vol. 3, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)", table
//! "Performance Counter MSRs and Associated CCCR and ESCR MSRs"; SDM vol. 4, table "MSRs in the Pentium 4 and Intel
//! Xeon Processors". Checked against torvalds/linux, arch/x86/include/asm/msr-index.h (MSR_P4_*), and illumos-gate,
//! usr/src/uts/intel/pcbe/p4_pcbe.c.

use super::{Msr, within};

/// The address of MSR_BPU_COUNTER0.
const FIRST_COUNTER: u32 = 0x300;
/// The address of MSR_BPU_CCCR0.
const FIRST_CCCR: u32 = 0x360;
/// The address of MSR_BSU_ESCR0, the first ESCR.
const FIRST_ESCR: u32 = 0x3A0;

/// The ESCRs, by address, and their names.
const ESCRS: [(u32, &str); Msr::ESCRS as usize] = [
    (0x3A0, "MSR_BSU_ESCR"),
    (0x3A1, "MSR_BSU_ESCR"),
    (0x3A2, "MSR_FSB_ESCR"),
    (0x3A3, "MSR_FSB_ESCR"),
    (0x3A4, "MSR_FIRM_ESCR"),
    (0x3A5, "MSR_FIRM_ESCR"),
    (0x3A6, "MSR_FLAME_ESCR"),
    (0x3A7, "MSR_FLAME_ESCR"),
    (0x3A8, "MSR_DAC_ESCR"),
    (0x3A9, "MSR_DAC_ESCR"),
    (0x3AA, "MSR_MOB_ESCR"),
    (0x3AB, "MSR_MOB_ESCR"),
    (0x3AC, "MSR_PMH_ESCR"),
    (0x3AD, "MSR_PMH_ESCR"),
    (0x3AE, "MSR_SAAT_ESCR"),
    (0x3AF, "MSR_SAAT_ESCR"),
    (0x3B0, "MSR_U2L_ESCR"),
    (0x3B1, "MSR_U2L_ESCR"),
    (0x3B2, "MSR_BPU_ESCR"),
    (0x3B3, "MSR_BPU_ESCR"),
    (0x3B4, "MSR_IS_ESCR"),
    (0x3B5, "MSR_IS_ESCR"),
    (0x3B6, "MSR_ITLB_ESCR"),
    (0x3B7, "MSR_ITLB_ESCR"),
    (0x3B8, "MSR_CRU_ESCR"),
    (0x3B9, "MSR_CRU_ESCR"),
    (0x3BA, "MSR_IQ_ESCR"),
    (0x3BB, "MSR_IQ_ESCR"),
    (0x3BC, "MSR_RAT_ESCR"),
    (0x3BD, "MSR_RAT_ESCR"),
    (0x3BE, "MSR_SSU_ESCR"),
    (0x3C0, "MSR_MS_ESCR"),
    (0x3C1, "MSR_MS_ESCR"),
    (0x3C2, "MSR_TBPU_ESCR"),
    (0x3C3, "MSR_TBPU_ESCR"),
    (0x3C4, "MSR_TC_ESCR"),
    (0x3C5, "MSR_TC_ESCR"),
    (0x3C8, "MSR_IX_ESCR"),
    (0x3C9, "MSR_IX_ESCR"),
    (0x3CA, "MSR_ALF_ESCR"),
    (0x3CB, "MSR_ALF_ESCR"),
    (0x3CC, "MSR_CRU_ESCR"),
    (0x3CD, "MSR_CRU_ESCR"),
    (0x3E0, "MSR_CRU_ESCR"),
    (0x3E1, "MSR_CRU_ESCR"),
];

impl Msr {
    /// The number of counters of the Pentium 4, and of their CCCRs.
    pub const CCCRS: u8 = 18;
    /// The number of its ESCRs.
    pub const ESCRS: u8 = 45;

    /// What the processor announces of itself, and switches (IA32_MISC_ENABLE). It belongs to the kernel, and
    /// [`Msr::from_address`] does not return it; the Pentium 4's driver reads it.
    pub const MISC_ENABLE: Self = Self::at(0x1A0);
    /// Enables replay tagging, and precise sampling (IA32_PEBS_ENABLE).
    pub const PEBS_ENABLE: Self = Self::at(0x3F1);
    /// Selects what replay tagging tags (MSR_PEBS_MATRIX_VERT).
    pub const PEBS_MATRIX_VERT: Self = Self::at(0x3F2);

    /// Returns a counter of the Pentium 4 (MSR_BPU_COUNTER0 to MSR_IQ_COUNTER5), or `None` if there are not so many.
    ///
    /// Seven of them have the addresses of the fixed counters of later processors, whose names they print.
    #[must_use]
    pub const fn netburst_counter(number: u8) -> Option<Self> {
        Self::one_of(FIRST_COUNTER, number, Self::CCCRS)
    }

    /// Returns the CCCR of a counter (MSR_BPU_CCCR0 to MSR_IQ_CCCR5), or `None` if there are not so many.
    #[must_use]
    pub const fn cccr(number: u8) -> Option<Self> {
        Self::one_of(FIRST_CCCR, number, Self::CCCRS)
    }

    /// Returns an ESCR, by its place in the order of their addresses, or `None` if there are not so many.
    #[must_use]
    pub const fn escr(number: u8) -> Option<Self> {
        if number < Self::ESCRS { Some(Self::at(ESCRS[number as usize].0)) } else { None }
    }

    /// Returns the manual's name of one of these, and the number of a numbered register.
    pub(super) const fn netburst_name(self) -> Option<(&'static str, Option<u32>)> {
        let address = self.address();
        match address {
            0x1A0 => Some(("IA32_MISC_ENABLE", None)),
            0x3F1 => Some(("IA32_PEBS_ENABLE", None)),
            0x3F2 => Some(("MSR_PEBS_MATRIX_VERT", None)),
            0x300..=0x303 => Some(("MSR_BPU_COUNTER", Some(address - 0x300))),
            0x304..=0x307 => Some(("MSR_MS_COUNTER", Some(address - 0x304))),
            0x308 => Some(("MSR_FLAME_COUNTER", Some(0))),
            0x310..=0x311 => Some(("MSR_IQ_COUNTER", Some(address - 0x30C))),
            0x360..=0x363 => Some(("MSR_BPU_CCCR", Some(address - 0x360))),
            0x364..=0x367 => Some(("MSR_MS_CCCR", Some(address - 0x364))),
            0x368..=0x36B => Some(("MSR_FLAME_CCCR", Some(address - 0x368))),
            0x36C..=0x371 => Some(("MSR_IQ_CCCR", Some(address - 0x36C))),
            _ => escr_name(address),
        }
    }
}

/// Returns the name of an ESCR. Only CRU has more than two, at addresses of three ranges.
const fn escr_name(address: u32) -> Option<(&'static str, Option<u32>)> {
    let mut number = 0;
    while number < ESCRS.len() {
        let (at, name) = ESCRS[number];
        if at == address {
            let before = match at {
                0x3CC..=0x3CD => 2,
                0x3E0..=0x3E1 => 4,
                _ => 0,
            };
            return Some((name, Some(before + address % 2)));
        }
        number += 1;
    }
    None
}

/// Returns true if it is the address of one of the Pentium 4's registers. Nothing but the counters is used by an
/// interrupt of another processor.
#[inline(always)]
pub(super) const fn is_netburst(address: u32) -> bool {
    within(address, FIRST_CCCR, Msr::CCCRS as u32)
        || within(address, FIRST_ESCR, 31)
        || within(address, 0x3C0, 6)
        || within(address, 0x3C8, 6)
        || within(address, 0x3E0, 2)
        || within(address, 0x3F1, 2)
        || within(address, FIRST_COUNTER, Msr::CCCRS as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escr_prints_as_the_manual_names_it() {
        let printed = [0x3A1, 0x3BE, 0x3B8, 0x3CD, 0x3E1].map(|address| format!("{:?}", Msr::at(address)));
        assert_eq!(printed, ["MSR_BSU_ESCR1", "MSR_SSU_ESCR0", "MSR_CRU_ESCR0", "MSR_CRU_ESCR3", "MSR_CRU_ESCR5"]);
    }

    #[test]
    fn every_escr_has_an_address_of_the_unit_and_nothing_between_them_has() {
        let mut addresses: Vec<_> = (0..=u8::MAX).filter_map(Msr::escr).map(Msr::address).collect();
        assert_eq!(addresses.len(), 45);
        addresses.extend([0x3F1, 0x3F2]);
        for address in 0x3A0..0x400 {
            assert_eq!(is_netburst(address), addresses.contains(&address), "{address:#x}");
        }
    }

    #[test]
    fn counters_and_their_cccrs_have_eighteen_addresses() {
        let last = [Msr::netburst_counter(17), Msr::cccr(17)].map(|register| register.map(Msr::address));
        assert_eq!(last, [Some(0x311), Some(0x371)]);
        assert_eq!([Msr::netburst_counter(18), Msr::cccr(18), Msr::escr(45)], [None; 3]);
    }
}
