//! The bits of Book3S 64's registers.
//!
//! Manuals count bits from the top, where bit 63 is the lowest; here 1 << 0 is the lowest. MMCR1, MMCR3 and
//! MMCRA are different on each processor.
//!
//! Source: Power ISA 3.1 Book III, "Performance Monitor Facility", sections "Monitor Mode Control
//! Register 0" and "2", "Sampled Instruction Event Register"; 2.06B and 2.07B for when a bit was introduced;
//! for the 970's selectors Apple's xnu, osfmk/ppc/hw_perfmon_mmcr.h.
//! The architecture's text was not available; its bits are those of Microwatt's pmu.vhdl, which is 3.0B's facility in
//! hardware, of QEMU's target/ppc/cpu.h, which cites 3.1's section 10.4.4 for MMCR0, and of torvalds/linux
//! arch/powerpc/include/asm/reg.h, whose perf cites 3.0B's section 9.4.10 for SIER.

use crate::contract::bit_set;

use super::model::Model;
use crate::event::CounterId;

bit_set! {
    /// The control of all counters (MMCR0).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Mmcr0: u64 {
        /// No counter counts (FC).
        const FREEZE as "FC" = 1 << 31;
        /// No counter counts in supervisor state (FCS).
        const FREEZE_SUPERVISOR as "FCS" = 1 << 30;
        /// No counter counts in problem state (FCP).
        const FREEZE_PROBLEM as "FCP" = 1 << 29;
        /// No counter counts while MSR\[PMM\] is set (FCM1).
        const FREEZE_MARKED as "FCM1" = 1 << 28;
        /// No counter counts while MSR\[PMM\] is clear (FCM0).
        const FREEZE_UNMARKED as "FCM0" = 1 << 27;
        /// A negative counter raises an alert (PMAE; PMXE before 2.07). The alert clears this bit.
        const ALERT as "PMAE" = 1 << 26;
        /// An enabled condition freezes all counters (FCECE).
        const FREEZE_ON_CONDITION as "FCECE" = 1 << 25;
        /// The bit of the time base that is watched (TBSEL).
        const TIME_BASE_BIT as "TBSEL" = 0b11 << 23;
        /// A change of that bit is a condition (TBEE).
        const TIME_BASE as "TBEE" = 1 << 22;
        /// A negative PMC1 is a condition (PMC1CE).
        const FIRST as "PMC1CE" = 1 << 15;
        /// A negative counter other than PMC1 is a condition (PMCjCE).
        const OTHERS as "PMCjCE" = 1 << 14;
        /// The other counters wait until PMC1 is negative (TRIGGER).
        const TRIGGER named "TRIGGER" = 1 << 13;
        /// An alert has occurred (PMAO). It interrupts while this is set.
        const ALERTED as "PMAO" = 1 << 7;
        /// No counter counts in hypervisor state (FCHV).
        const FREEZE_HYPERVISOR as "FCH" = 1 << 0;
        /// The selector of PMC1 (PMC1SEL; POWER4 and 970).
        const SELECT_1 as "PMC1SEL" = 0x1F << 8;
        /// The selector of PMC2 (PMC2SEL; POWER4 and 970).
        const SELECT_2 as "PMC2SEL" = 0x1F << 1;
        /// Problem state may read the branch history (BHRBA; from POWER8 on).
        const BRANCH_HISTORY as "BHRBA" = 1 << 21;
        /// An alert causes a branch in problem state instead of an interrupt (EBE; from POWER8 on).
        const EVENT_BRANCH as "EBE" = 1 << 20;
        /// The rights of problem state (PMCC; from POWER8 on): 0 permits reading what existed before 2.07,
        /// 1 permits nothing, 2 the counters, 3 the counters except 5 and 6.
        const PROBLEM_ACCESS as "PMCC" = 0b11 << 18;
        /// The freeze of problem state depends on MSR\[HV\] (FCPC; from POWER8 on).
        const FREEZE_PROBLEM_IF as "FCPC" = 1 << 12;
        /// PMC5 and PMC6 count whatever CTRL\[RUN\] is (CC5-6RUN; from POWER7 on).
        const ALWAYS_RUN as "CC56RUN" = 1 << 8;
        /// PMC1 to PMC4 do not count (FC1-4; from POWER7 on).
        const FREEZE_FIRST_FOUR as "FC1-4" = 1 << 5;
        /// PMC5 and PMC6 do not count (FC5-6; from POWER5 on).
        const FREEZE_LAST_TWO as "FC5-6" = 1 << 4;
        /// No counter counts while CTRL\[RUN\] is clear (FCWAIT; from POWER8 on only PMC1 to PMC4).
        const FREEZE_WAITING as "FC1-4WAIT" = 1 << 1;
    }
}

impl Mmcr0 {
    /// The freezes of all counters by mode.
    pub const MODES: Self = Self::FREEZE_SUPERVISOR.union(Self::FREEZE_PROBLEM).union(Self::FREEZE_HYPERVISOR);
    /// Problem state has no access to the unit (PMCC = 1).
    pub const NO_PROBLEM_ACCESS: Self = Self::from_bits_retain(0b01 << 18);

    /// The freezes of some counters, from POWER7 on.
    pub(super) const PARTS: Self = Self::FREEZE_FIRST_FOUR.union(Self::FREEZE_LAST_TWO);

    /// Returns the freezes of some counters that a model has. POWER4 and the 970 have PMC2SEL in their place.
    pub(super) const fn parts_of(model: Model) -> Self {
        match model {
            Model::Power4 | Model::Ppc970 => Self::empty(),
            _ => Self::PARTS.intersection(Self::of(model)),
        }
    }

    /// The bits of all processors.
    const COMMON: Self = Self::from_bits_retain(0xFFC0_E083);

    /// Returns the bits of a model.
    pub(super) const fn of(model: Model) -> Self {
        let frozen = Self::COMMON.union(Self::FREEZE_LAST_TWO);
        let later = frozen.union(Self::FREEZE_FIRST_FOUR).union(Self::ALWAYS_RUN);
        match model {
            Model::Power4 | Model::Ppc970 => Self::COMMON.union(Self::SELECT_1).union(Self::SELECT_2),
            Model::Power5 | Model::Power5Plus | Model::Power6 => frozen,
            Model::Power7 => later,
            // It drops BHRBA and EBE (pmu.vhdl, "no BHRB yet", "no EBBs yet").
            Model::Microwatt => later.union(Self::PROBLEM_ACCESS).union(Self::FREEZE_PROBLEM_IF),
            Model::Power8 | Model::Power9 | Model::Power10 => {
                Self::of(Model::Microwatt).union(Self::BRANCH_HISTORY).union(Self::EVENT_BRANCH)
            }
        }
    }
}

bit_set! {
    /// The states in which a counter does not count: its nine bits of MMCR2 (from POWER8 on), in the position of
    /// the last counter that the register could have. [`Freeze::of`] shifts them to a counter's position.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Freeze: u16 {
        /// In supervisor state (FCnS).
        const SUPERVISOR = 1 << 8;
        /// In problem state with MSR\[HV\] clear (FCnP0): the processes of a kernel that runs under a
        /// hypervisor.
        const PROBLEM = 1 << 7;
        /// In problem state with MSR\[HV\] set (FCnP1): the processes of a kernel that is its own
        /// hypervisor.
        const HYPERVISORS_PROBLEM = 1 << 6;
        /// While MSR\[PMM\] is set (FCnM1).
        const MARKED = 1 << 5;
        /// While MSR\[PMM\] is clear (FCnM0).
        const UNMARKED = 1 << 4;
        /// While CTRL\[RUN\] is clear (FCnWAIT).
        const WAITING = 1 << 3;
        /// In hypervisor state (FCnH).
        const HYPERVISOR = 1 << 2;
    }
}

impl Freeze {
    /// Problem state, whatever MSR\[HV\] is.
    pub const ALL_PROBLEM: Self = Self::PROBLEM.union(Self::HYPERVISORS_PROBLEM);
    /// All states: the counter does not count.
    pub const EVERYWHERE: Self = Self::SUPERVISOR.union(Self::ALL_PROBLEM).union(Self::HYPERVISOR);

    /// Returns the position of a counter's nine bits: 55, 46, and so on down to 10 for the counters 0 to 5.
    #[inline(always)]
    const fn position(counter: CounterId) -> u32 {
        let number = counter.number() as u32;
        55 - 9 * (if number < 6 { number } else { 5 })
    }

    /// Returns these bits in a counter's position of MMCR2.
    #[inline(always)]
    #[must_use]
    pub const fn of(self, counter: CounterId) -> u64 {
        (self.bits() as u64) << Self::position(counter)
    }

    /// Returns a counter's bits of MMCR2.
    #[inline(always)]
    #[must_use]
    pub const fn from_register(counter: CounterId, register: u64) -> Self {
        Self::from_bits_truncate((register >> Self::position(counter)) as u16)
    }
}

bit_set! {
    /// What is known about the sampled instruction (SIER; from POWER8 on).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Sampled: u64 {
        /// The instruction was in problem state (SIPR: the sampled MSR\[PR\]).
        const PROBLEM as "SIPR" = 1 << 25;
        /// The instruction was in hypervisor state (SIHV: the sampled MSR\[HV\]).
        const HYPERVISOR as "SIHV" = 1 << 24;
        /// SIAR holds the address of the instruction (SIARV).
        const ADDRESS_VALID as "SIARV" = 1 << 22;
        /// SDAR holds the address of its data (SDARV).
        const DATUM_VALID as "SDARV" = 1 << 21;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counters_freezes_are_where_the_architecture_has_them() {
        let of = |freeze: Freeze, number| freeze.of(CounterId::new(number).unwrap());
        assert_eq!([of(Freeze::SUPERVISOR, 0), of(Freeze::PROBLEM, 0)], [1 << 63, 1 << 62]);
        assert_eq!([of(Freeze::HYPERVISOR, 0), of(Freeze::SUPERVISOR, 5)], [1 << 57, 1 << 18]);
    }

    #[test]
    fn a_counters_freezes_come_back_and_disturb_no_others() {
        for counter in (0..6).filter_map(CounterId::new) {
            let register = Freeze::EVERYWHERE.of(counter);
            assert_eq!(Freeze::from_register(counter, register), Freeze::EVERYWHERE);
            let others = (0..6).filter_map(CounterId::new).filter(|&other| other != counter);
            assert!(others.into_iter().all(|other| Freeze::from_register(other, register).is_empty()));
        }
    }

    #[test]
    fn bits_of_the_970_mean_something_else_later() {
        assert!(Mmcr0::of(Model::Ppc970).contains(Mmcr0::SELECT_1));
        assert!(!Mmcr0::of(Model::Power5).contains(Mmcr0::ALWAYS_RUN));
        assert!(Mmcr0::of(Model::Power9).contains(Mmcr0::ALWAYS_RUN));
        assert!(!Mmcr0::of(Model::Power9).contains(Mmcr0::SELECT_1));
    }
}
