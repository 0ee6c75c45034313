//! The model-specific registers that a guest must not reach, and the maps that say so to the processor.
//!
//! A guest that reaches one of them reads or changes the host's own unit. A register that is in neither map always exits.
//!
//! Sources: AMD APM vol. 2, "MSR Intercepts": two bits a register, the lower for reads, in ranges of 2 KB; SDM vol. 3,
//! "MSR-Bitmap Address": four bitmaps of 1 KB, for reads of low and high registers and for writes, in the order that the
//! chapter "Virtual-Machine Monitor Programming Considerations" has as well; compared with Linux (arch/x86/kvm/svm/svm.c,
//! msrpm_ranges) and with other hypervisors, for VMX with hvpp (ia32/vmx/msr_bitmap.h).

use crate::arch::x86::Msr;

/// SVM's permission map (MSRPM_BASE_PA of the VMCB).
pub type SvmMap = [u8; 0x2000];
/// VMX's bitmaps (the MSR-bitmap address of the VMCS).
pub type VmxMap = [u8; 0x1000];

/// The registers of a range.
const RANGE: u32 = 0x2000;
/// The first registers of SVM's ranges, of which VMX has the first two.
const RANGES: [u32; 3] = [0, 0xC000_0000, 0xC001_0000];
/// The size of a range in SVM's map, and of a bitmap of VMX.
const SVM_RANGE: usize = 0x800;
const VMX_RANGE: usize = 0x400;
/// The offset of VMX's bitmaps for writes.
const VMX_WRITES: usize = 0x800;

/// Returns the registers that a host must not leave to its guest: those of units of every family, also of those that the
/// guest's processor does not have, those of the recorders of branches, and those beside them that a unit depends on or that count
/// as well.
///
/// Not among them are the counters of the uncore and of a whole package, the last branch and interrupt that every processor of
/// AMD's keeps (1DBH to 1DEH), and the monitoring of memory and of power (IA32_QM_CTR, IA32_APERF): a host that leaves any of
/// those to a guest has decided so by itself.
pub fn trapped() -> impl Iterator<Item = u32> {
    let all = RANGES.into_iter().flat_map(|first| first..first + RANGE);
    all.filter(|&register| Msr::from_address(register).is_some() || is_beside(register))
}

/// Returns true for a register that is no unit's, but counts, samples or traces for one vendor's.
const fn is_beside(register: u32) -> bool {
    is_beside_of_intel(register) || is_beside_of_amd(register)
}

/// IA32_DEBUGCTL, IA32_MISC_ENABLE and IA32_DS_AREA; PERF_METRICS (329H); PEBS and its latencies (3F1H to 3F6H); what reloads a
/// counter by itself (1309H, 14C1H; 1902H and 1982H, every fourth with the next); what events count of memory (MSR_OMR_x, 3E0H;
/// MSR_SNOOP_RSP_x, 1328H); the processor trace (IA32_RTIT_x, 560H to 587H), which writes to physical addresses (SDM vol. 4,
/// table "IA-32 Architectural MSRs"; Linux' msr-index.h has the same numbers).
const fn is_beside_of_intel(register: u32) -> bool {
    let control =
        matches!(register, 0x1A0 | 0x1D9 | 0x600 | 0x3F1..=0x3F6 | 0x560..=0x561 | 0x570..=0x572 | 0x580..=0x587);
    let events = matches!(register, 0x329 | 0x3E0..=0x3E3 | 0x1328..=0x1329);
    let reloads = matches!(register, 0x1309..=0x130F | 0x14C1..=0x14CA | 0x1900..=0x193F | 0x1980..=0x199F);
    control || events || reloads
}

/// The counters of the caches, of the northbridge and data fabric (16 of them at most), of the memory controllers, of retired
/// instructions (IRPERF) and of time (PTSC), and instruction-based sampling (PPR for family 19h model 11h, "MSR Registers"; its
/// last two controls, IBS_OP_CTL2 and IBS_FETCH_CTL2, as Linux' msr-index.h has them); lightweight profiling (LWP_CFG,
/// LWP_CBADDR; APM vol. 2, "Lightweight Profiling").
const fn is_beside_of_amd(register: u32) -> bool {
    let low = matches!(register, 0xC000_00E9 | 0xC000_0105..=0xC000_0106);
    let counters = matches!(register, 0xC001_0230..=0xC001_025F | 0xC001_0280 | 0xC001_0800..=0xC001_08FF);
    low || counters || matches!(register, 0xC001_1030..=0xC001_103F)
}

/// Sets the bits of [`trapped`] registers, for reads and writes.
pub fn protect_svm(map: &mut SvmMap) {
    for (range, offset) in trapped().filter_map(place) {
        let byte = map.get_mut(range * SVM_RANGE + offset / 4);
        byte.into_iter().for_each(|byte| *byte |= 0b11 << (offset % 4 * 2));
    }
}

/// Sets the bits of [`trapped`] registers, for reads and writes. The processor exits at those from C0010000H on without.
pub fn protect_vmx(map: &mut VmxMap) {
    for (range, offset) in trapped().filter_map(place).filter(|&(range, _)| range < 2) {
        for bitmaps in [0, VMX_WRITES] {
            let byte = map.get_mut(bitmaps + range * VMX_RANGE + offset / 8);
            byte.into_iter().for_each(|byte| *byte |= 1 << (offset % 8));
        }
    }
}

/// Returns a register's range, and its number there.
fn place(register: u32) -> Option<(usize, usize)> {
    let offset = |first: u32| register.checked_sub(first).filter(|&offset| offset < RANGE);
    RANGES.into_iter().enumerate().find_map(|(range, first)| Some((range, offset(first)? as usize)))
}
