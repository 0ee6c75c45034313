//! The bits of Intel's registers.
//!
//! Source: SDM vol. 3, chapter "Performance Monitoring", section "Architectural Performance
//! Monitoring", whose figures show the layouts by version; vol. 4, table "IA-32 Architectural
//! MSRs".

use crate::contract::bit_set;

use crate::arch::x86::selector::selector;
use crate::event::{CounterId, CounterSet};

selector! {
    /// The event of a general counter (IA32_PERFEVTSELx; "Architectural Performance Monitoring
    /// Version 1", figure "Layout of IA32_PERFEVTSELx MSRs").
    pub struct Select {
        EVENT as "EventSelect", UNIT_MASK as "UMask", USER as "USR", KERNEL as "OS", EDGE as "E",
        PIN_CONTROL as "PC", INTERRUPT as "INT",
        {
            /// Count for all threads of the core (ANY; version 3, deprecated in version 5).
            const ANY_THREAD as "AnyThread" = 1 << 21;
        }
        ENABLE as "EN", INVERT as "INV", THRESHOLD as "CMASK",
        /// Count the cycles with exactly as many events as the threshold (EQ; version 6).
        const EQUAL as "EQ" = 1 << 36;
        /// Further bits of the unit mask (UMASK2; version 6).
        const UNIT_MASK_2 as "UMASK2" = 0xFF << 40;
    }
}

impl Select {
    /// The bits that select the event: an event code, as in [`crate::Event::Raw`].
    pub const CODE: Self = Self::EVENT.union(Self::UNIT_MASK).union(Self::UNIT_MASK_2);
}

bit_set! {
    /// The control of a fixed counter: its four bits of IA32_FIXED_CTR_CTRL ("Architectural
    /// Performance Monitoring Version 2", figure "Layout of IA32_FIXED_CTR_CTRL MSR").
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct FixedControl: u64 {
        /// Count in ring 0 (bit 0 of EN).
        const KERNEL = 1 << 0;
        /// Count outside ring 0 (bit 1 of EN).
        const USER = 1 << 1;
        /// Count for all threads of the core (ANY; version 3, deprecated in version 5).
        const ANY_THREAD = 1 << 2;
        /// Interrupt on overflow (PMI).
        const INTERRUPT = 1 << 3;
    }
}

impl FixedControl {
    /// Returns the control that makes a fixed counter do what `select` makes a general one do. A fixed counter
    /// has no event, no threshold and no edge.
    #[inline(always)]
    #[must_use]
    pub const fn like(select: Select) -> Self {
        let select = select.bits();
        // OS and INT have the same distance in both registers.
        let kernel_and_interrupt = select >> 17 & (Self::KERNEL.bits() | Self::INTERRUPT.bits());
        let (user, any_thread) = (select >> 15 & Self::USER.bits(), select >> 19 & Self::ANY_THREAD.bits());
        Self::from_bits_retain(kernel_and_interrupt | user | any_thread)
    }

    /// Returns the four bits of a fixed counter in the register's value.
    #[inline(always)]
    #[must_use]
    pub const fn of(counter: CounterId, register: u64) -> Self {
        Self::from_bits_truncate(register >> Self::position(counter))
    }

    /// Returns the register's value with these four bits for a fixed counter.
    #[inline(always)]
    #[must_use]
    pub const fn within(self, counter: CounterId, register: u64) -> u64 {
        let position = Self::position(counter);
        register & !(0xF << position) | self.bits() << position
    }

    #[inline(always)]
    const fn position(counter: CounterId) -> u8 {
        counter.number() % 16 * 4
    }
}

bit_set! {
    /// The status of the unit (IA32_PERF_GLOBAL_STATUS; "Architectural Performance Monitoring Version 2" to
    /// "Version 5"). Bits 0 to 31 are the overflows of the general counters, and 32 to 47 those of the fixed
    /// counters.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct GlobalStatus: u64 {
        /// The top-down metrics have overflowed (PERF_METRICS_OVF).
        const METRICS as "PERF_METRICS_OVF" = 1 << 48;
        /// A processor trace's buffer is full (Trace_ToPA_PMI).
        const TRACE as "Trace_ToPA_PMI" = 1 << 55;
        /// The branch records are frozen (LBR_FRZ; version 4).
        const BRANCHES_FROZEN as "LBR_FRZ" = 1 << 58;
        /// The counters are frozen (CTR_FRZ; version 4).
        const COUNTERS_FROZEN as "CTR_FRZ" = 1 << 59;
        /// Counts may contain an enclave's (ASCI; version 4).
        const ENCLAVE as "ASCI" = 1 << 60;
        /// A counter outside the core has overflowed (Ovf_Uncore).
        const UNCORE as "Ovf_Uncore" = 1 << 61;
        /// The debug store's buffer is full (OvfBuf, from version 4 on OvfDSBuffer).
        const BUFFER as "OvfBuf" = 1 << 62;
        /// The unit's state has changed (CondChgd).
        const CHANGED as "CondChgd" = 1 << 63;
    }
}

impl GlobalStatus {
    /// Returns the counters that have overflowed, whether or not this processor has them.
    #[inline(always)]
    #[must_use]
    pub const fn counters(self) -> CounterSet {
        CounterSet::from_bits(self.bits() & 0xFFFF_FFFF_FFFF)
    }
}

bit_set! {
    /// The unit's part of the processor's debug control (IA32_DEBUGCTL; SDM vol. 3, "IA32_DEBUGCTL MSR"). The
    /// register belongs to the kernel. In a guest the host answers it.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct DebugControl: u64 {
        /// An overflow that interrupts freezes all counters (FREEZE_PERFMON_ON_PMI; version 2).
        const FREEZE_COUNTERS as "FREEZE_PERFMON_ON_PMI" = 1 << 12;
        /// All counters freeze in system-management mode (FREEZE_WHILE_SMM; it exists if
        /// [`PerfCapabilities::FREEZE_IN_SMM`] says so).
        const FREEZE_IN_SMM as "FREEZE_WHILE_SMM" = 1 << 14;
    }
}

bit_set! {
    /// The abilities of the unit (IA32_PERF_CAPABILITIES; it exists if CPUID.01H:ECX.PDCM is set).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct PerfCapabilities: u64 {
        /// Counting can freeze in system-management mode (FREEZE_WHILE_SMM).
        const FREEZE_IN_SMM as "FREEZE_WHILE_SMM" = 1 << 12;
        /// General counters can be written whole, through IA32_A_PMCx (FW_WRITE).
        const FULL_WRITE as "FW_WRITE" = 1 << 13;
        /// What there is of precise sampling: how records see the instruction (PEBS_TRAP, PEBS_ARCH_REG), their format
        /// (PEBS_FMT), whether groups of it can be chosen (PEBS_BASELINE), output to a trace and latencies of retirement.
        const SAMPLING as "PEBS" = 1 << 6 | 1 << 7 | 0xF << 8 | 1 << 14 | 1 << 16 | 1 << 17;
        /// There are top-down metrics (PERF_METRICS_AVAILABLE).
        const METRICS as "PERF_METRICS_AVAILABLE" = 1 << 15;
        /// Bits for the layout of branch records, which are not used here.
        const _ = !0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_is_the_topmost_byte_of_the_lower_half() {
        let select = Select::from_bits_retain(0x12_0700_0000);
        assert_eq!((select.threshold(), select & Select::THRESHOLD), (7, Select::from_bits_retain(7 << 24)));
    }

    #[test]
    fn a_fixed_counter_does_what_a_general_one_would() {
        let pairs = [
            (Select::USER, FixedControl::USER),
            (Select::KERNEL, FixedControl::KERNEL),
            (Select::ANY_THREAD, FixedControl::ANY_THREAD),
            (Select::INTERRUPT, FixedControl::INTERRUPT),
        ];
        assert!(pairs.into_iter().all(|(select, control)| FixedControl::like(select) == control));
        assert_eq!(FixedControl::like(Select::all()), FixedControl::all());
    }

    #[test]
    fn a_fixed_counters_bits_come_back_and_disturb_no_others() {
        for counter in (32..48).filter_map(CounterId::new) {
            let register = FixedControl::USER.within(counter, u64::MAX);
            assert_eq!(FixedControl::of(counter, register), FixedControl::USER);
            assert_eq!(FixedControl::all().within(counter, register), u64::MAX);
        }
    }
}
