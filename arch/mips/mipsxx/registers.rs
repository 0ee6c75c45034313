//! The bits of a counter's control.
//!
//! Sources: "MIPS32 Architecture For Programmers, volume III", table "Performance Counter Control Register Field
//! Descriptions"; "MIPS R10000 Microprocessor User's Manual", section 14.20; "MIPS32 34K Processor Core
//! Family Software User's Manual", for MT_EN, VPEID and TCID. Positions were compared with torvalds/linux
//! arch/mips/include/asm/mipsregs.h (MIPS_PERFCTRL_*).

use bitflags::bitflags;

bitflags! {
    /// What a counter counts, and where (PerfCtl).
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct PerfCtl: u32 {
        /// Count while Status\[EXL\] is set (EXL).
        const EXCEPTION = 1 << 0;
        /// Count in kernel mode (K).
        const KERNEL = 1 << 1;
        /// Count in supervisor mode (S).
        const SUPERVISOR = 1 << 2;
        /// Count in user mode (U).
        const USER = 1 << 3;
        /// Interrupt while the counter's top bit is set (IE).
        const INTERRUPT = 1 << 4;
        /// The event. No core has all of these bits.
        const EVENT = 0x3FF << 5;
        /// The virtual processing element whose events count (VPEID; 34K and 1004K).
        const VPE = 0xF << 16;
        /// Which threads' events count: all, those of a VPE, or those of a TC (MT_EN; 34K and 1004K).
        const THREADS = 0b11 << 20;
        /// The thread context whose events count (TCID; 34K and 1004K).
        const TC = 0xFF << 22;
        /// The counter has 64 bits (W). Read-only.
        const WIDE = 1 << 30;
        /// There is another counter (M). Read-only.
        const MORE = 1 << 31;
    }
}

impl PerfCtl {
    /// The modes. A counter with none of them does not count.
    pub const MODES: Self = Self::EXCEPTION.union(Self::KERNEL).union(Self::SUPERVISOR).union(Self::USER);
    /// The bits that describe the unit and cannot be written.
    pub const READ_ONLY: Self = Self::WIDE.union(Self::MORE);
    /// The selection of threads.
    pub const SELECTION: Self = Self::VPE.union(Self::THREADS).union(Self::TC);

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
    fn an_event_comes_back_and_disturbs_nothing() {
        assert_eq!((PerfCtl::of_event(0x7F).event(), PerfCtl::of_event(0x7F).bits()), (0x7F, 0xFE0));
        assert_eq!(PerfCtl::of_event(0x3FF), PerfCtl::EVENT);
    }
}
