//! The bits of a counter's control.
//!
//! Sources: "MIPS32 Architecture For Programmers, volume III", table "Performance Counter Control Register Field
//! Descriptions"; "MIPS R10000 Microprocessor User's Manual", section 14.20; "MIPS32 34K Processor Core
//! Family Software User's Manual", for MT_EN, VPEID and TCID. Positions were compared with torvalds/linux
//! arch/mips/include/asm/mipsregs.h (MIPS_PERFCTRL_*).

use crate::contract::bit_set;

bit_set! {
    /// What a counter counts, and where (PerfCtl).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct PerfCtl: u32 {
        /// Count while Status\[EXL\] is set (EXL).
        const EXCEPTION as "EXL" = 1 << 0;
        /// Count in kernel mode (K).
        const KERNEL as "K" = 1 << 1;
        /// Count in supervisor mode (S).
        const SUPERVISOR as "S" = 1 << 2;
        /// Count in user mode (U).
        const USER as "U" = 1 << 3;
        /// Interrupt while the counter's top bit is set (IE).
        const INTERRUPT as "IE" = 1 << 4;
        /// The event. No core has all of these bits.
        const EVENT as "Event" = 0x3FF << 5;
        /// The virtual processing element whose events count (VPEID; 34K and 1004K).
        const VPE as "VPEID" = 0xF << 16;
        /// Which threads' events count: all, those of a VPE, or those of a TC (MT_EN; 34K and 1004K).
        const THREADS as "MT_EN" = 0b11 << 20;
        /// The thread context whose events count (TCID; 34K and 1004K).
        const TC as "TCID" = 0xFF << 22;
        /// The counter has 64 bits (W). Read-only.
        const WIDE as "W" = 1 << 30;
        /// There is another counter (M). Read-only.
        const MORE as "M" = 1 << 31;
    }
}

impl PerfCtl {
    /// The modes. A counter with none of them does not count.
    pub const MODES: Self = Self::EXCEPTION.union(Self::KERNEL).union(Self::SUPERVISOR).union(Self::USER);
    /// The bits that describe the unit and cannot be written.
    pub const READ_ONLY: Self = Self::WIDE.union(Self::MORE);
    /// The selection of threads.
    pub const SELECTION: Self = Self::VPE.union(Self::THREADS).union(Self::TC);

    /// Returns the limit to the events of this VPE.
    #[must_use]
    pub const fn of_vpe(vpe: u8) -> Self {
        Self::from_bits_retain(1 << 20 | (vpe as u32 & 0xF) << 16)
    }

    /// Returns the limit to the events of this thread context.
    #[must_use]
    pub const fn of_tc(tc: u8) -> Self {
        Self::from_bits_retain(2 << 20 | (tc as u32) << 22)
    }

    /// Returns true if a counter with this control counts the events of a thread context of a VPE (MT_EN; 3 is reserved).
    #[must_use]
    pub const fn counts_thread(self, vpe: u8, tc: u8) -> bool {
        match self.intersection(Self::THREADS).bits() >> 20 {
            0 => true,
            1 => self.bits() >> 16 & 0xF == vpe as u32,
            2 => self.bits() >> 22 & 0xFF == tc as u32,
            _ => false,
        }
    }

    /// Returns the event's number.
    #[inline(always)]
    #[must_use]
    pub const fn event(self) -> u16 {
        (self.bits() >> 5) as u16 & 0x3FF
    }

    /// Returns a control with only this event in it.
    #[inline(always)]
    #[must_use]
    pub const fn of_event(event: u16) -> Self {
        Self::from_bits_retain((event as u32 & 0x3FF) << 5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_to_a_vpe_or_a_tc_counts_no_other() {
        assert_eq!((PerfCtl::of_vpe(1).bits(), PerfCtl::of_tc(3).bits()), (0x0011_0000, 0x00E0_0000));
        let counted = |control: PerfCtl| [(0, 0), (1, 2), (1, 3)].map(|(vpe, tc)| control.counts_thread(vpe, tc));
        assert_eq!(counted(PerfCtl::empty()), [true; 3]);
        assert_eq!(counted(PerfCtl::of_vpe(1)), [false, true, true]);
        assert_eq!(counted(PerfCtl::of_tc(3)), [false, false, true]);
        assert_eq!(counted(PerfCtl::THREADS), [false; 3]);
    }

    #[test]
    fn an_event_comes_back_and_disturbs_nothing() {
        assert_eq!((PerfCtl::of_event(0x7F).event(), PerfCtl::of_event(0x7F).bits()), (0x7F, 0xFE0));
        assert_eq!(PerfCtl::of_event(0x3FF), PerfCtl::EVENT);
    }
}
