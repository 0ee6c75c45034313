//! The registers of the recorders of branches.
//!
//! Sources: SDM vol. 4, the tables of the microarchitectures (MSR_LASTBRANCH_x, MSR_LBR_x) and table "IA-32 Architectural MSRs"
//! (IA32_LBR_x); APM vol. 2, "Last Branch Stack Registers". Checked against torvalds/linux, arch/x86/include/asm/msr-index.h
//! (MSR_LBR_*, MSR_ARCH_LBR_*, MSR_AMD_SAMP_BR_FROM).

use super::{Msr, within};

impl Msr {
    /// What is recorded, and what an overflow freezes (IA32_DEBUGCTL). It belongs to the kernel, and [`Msr::from_address`]
    /// does not return it; the recorder's driver changes two of its bits.
    pub(in crate::arch::x86) const DEBUG_CONTROL: Self = Self::at(0x1D9);
    /// Which branches are left out (MSR_LBR_SELECT).
    pub(in crate::arch::x86) const BRANCH_SELECT: Self = Self::at(0x1C8);
    /// The newest entry (MSR_LASTBRANCH_TOS).
    pub(in crate::arch::x86) const BRANCH_TOP: Self = Self::at(0x1C9);
    /// What is recorded (IA32_LBR_CTL).
    pub(in crate::arch::x86) const BRANCH_CONTROL: Self = Self::at(0x14CE);
    /// The number of entries (IA32_LBR_DEPTH).
    pub(in crate::arch::x86) const BRANCH_DEPTH: Self = Self::at(0x14CF);
    /// Which branches AMD's recorder leaves out (LastBranchStackSelect).
    pub(in crate::arch::x86) const CORE_BRANCH_SELECT: Self = Self::at(0xC000_010E);
    /// Whether it records (DebugExtnCtl).
    pub(in crate::arch::x86) const CORE_BRANCH_CONTROL: Self = Self::at(0xC000_010F);

    /// Returns true if it is a recorder's.
    #[cfg(test)]
    pub(in crate::arch::x86) const fn is_recorders(self) -> bool {
        is_intels(self.address()) || is_amds(self.address())
    }

    /// Returns the manual's name of one of these up to its number, the number of a numbered register, and what follows that.
    pub(super) const fn branch_name(self) -> Option<(&'static str, Option<u32>, &'static str)> {
        let address = self.address();
        Some(match address {
            0x40..=0x47 => ("MSR_LASTBRANCH_", Some(address - 0x40), "_FROM_IP"),
            0x60..=0x67 => ("MSR_LASTBRANCH_", Some(address - 0x60), "_TO_IP"),
            0x1C8 => ("MSR_LBR_SELECT", None, ""),
            0x1C9 => ("MSR_LASTBRANCH_TOS", None, ""),
            0x1D9 => ("IA32_DEBUGCTL", None, ""),
            0x680..=0x69F => ("MSR_LASTBRANCH_", Some(address - 0x680), "_FROM_IP"),
            0x6C0..=0x6DF => ("MSR_LASTBRANCH_", Some(address - 0x6C0), "_TO_IP"),
            0xDC0..=0xDDF => ("MSR_LBR_INFO_", Some(address - 0xDC0), ""),
            0x1200..=0x121F => ("IA32_LBR_", Some(address - 0x1200), "_INFO"),
            0x14CE => ("IA32_LBR_CTL", None, ""),
            0x14CF => ("IA32_LBR_DEPTH", None, ""),
            0x1500..=0x151F => ("IA32_LBR_", Some(address - 0x1500), "_FROM_IP"),
            0x1600..=0x161F => ("IA32_LBR_", Some(address - 0x1600), "_TO_IP"),
            0xC000_010E => ("LastBranchStackSelect", None, ""),
            0xC000_010F => ("DebugExtnCtl", None, ""),
            0xC001_0300..=0xC001_031F if address & 1 == 0 => {
                ("LastBranchStackFromIp", Some((address - 0xC001_0300) / 2), "")
            }
            0xC001_0300..=0xC001_031F => ("LastBranchStackToIp", Some((address - 0xC001_0300) / 2), ""),
            _ => return None,
        })
    }
}

/// Returns true if it is the address of one of Intel's.
#[inline(always)]
pub(super) const fn is_intels(address: u32) -> bool {
    within(address, 0x680, 32)
        || within(address, 0x6C0, 32)
        || within(address, 0xDC0, 32)
        || within(address, 0x1500, 32)
        || within(address, 0x1600, 32)
        || within(address, 0x1200, 32)
        || within(address, 0x40, 8)
        || within(address, 0x60, 8)
        || within(address, 0x1C8, 2)
        || within(address, 0x14CE, 2)
}

/// Returns true if it is the address of one of AMD's.
#[inline(always)]
pub(super) const fn is_amds(address: u32) -> bool {
    within(address, 0xC001_0300, 32) || within(address, 0xC000_010E, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_prints_as_its_manual_names_it() {
        let printed = [0x43, 0x6C5, 0xDDF, 0x1502, 0xC001_0300, 0xC001_031F].map(|at| format!("{:?}", Msr::at(at)));
        let names = ["MSR_LASTBRANCH_3_FROM_IP", "MSR_LASTBRANCH_5_TO_IP", "MSR_LBR_INFO_31", "IA32_LBR_2_FROM_IP"];
        assert_eq!(printed[..4], names);
        assert_eq!(printed[4..], ["LastBranchStackFromIp0", "LastBranchStackToIp15"]);
    }
}
