//! The bits that freeze counters.

use pmu::Mode;
use pmu::arch::powerpc::ProcessorState;
use pmu::arch::powerpc::book3s::Identity;

use super::{
    FC, FC1_4, FC1_4WAIT, FC5_6, FCH, FCM0, FCM1, FCP, FCPC, FCS, INSTRUCTIONS, TRIGGER, Unit, advance, at, pmc, read,
    unit, waiting, write,
};

/// A unit that counts instructions with this MMCR0.
fn counting(identity: &Identity, mmcr0: u64) -> Unit {
    let unit = unit(identity);
    write(&unit, at(798), INSTRUCTIONS);
    write(&unit, at(795), mmcr0);
    unit
}

/// What PMC1 reads after 1 instruction in user mode, 10 in the kernel and 100 in the hypervisor.
fn by_mode(unit: &Unit) -> u64 {
    for (mode, count) in [(Mode::User, 1), (Mode::Kernel, 10), (Mode::Hypervisor, 100)] {
        advance(unit, mode, count);
    }
    read(unit, pmc(1))
}

#[test]
fn modes_are_frozen_for_all_counters() {
    for (mmcr0, expected) in [(0, 111), (FC, 0), (FCS, 101), (FCP, 110), (FCH, 11), (FCS | FCH, 1), (FCP | FCS, 100)] {
        assert_eq!(by_mode(&counting(&Identity::POWER7, mmcr0)), expected, "{mmcr0:#x}");
    }
}

#[test]
fn fcpc_turns_the_freeze_of_problem_state_to_where_there_is_no_hypervisor() {
    assert_eq!(by_mode(&counting(&Identity::POWER8, FCPC)), 110);
    assert_eq!(by_mode(&counting(&Identity::POWER8, FCPC | FCP)), 111);
}

#[test]
fn a_counter_has_freezes_of_its_own_since_power8() {
    let unit = counting(&Identity::POWER8, 0);
    write(&unit, at(785), 1 << 63 | 1 << 53 | 1 << 39); // FC1S, FC2P0, FC3H
    by_mode(&unit);
    assert_eq!([1, 2, 3, 4].map(|number| read(&unit, pmc(number))), [101, 110, 11, 111]);
}

/// pmu.vhdl, `pmu_2`: FCnM1 is tested twice, and neither FCnM0 nor FCnWAIT is. MMCR2 keeps both.
#[test]
fn two_of_microwatts_own_freezes_freeze_nothing() {
    let bits = 1 << 59 | 1 << 13; // FC1M0, FC6WAIT
    for (identity, expected) in [(Identity::POWER9, [0, 0]), (Identity::MICROWATT, [10, 10])] {
        let unit = counting(&identity, 1 << 8); // CC5-6RUN
        write(&unit, at(798), 0xF0 << 24);
        write(&unit, at(785), bits);
        assert_eq!(read(&unit, at(785)), bits);
        unit.set_processor(waiting());
        advance(&unit, Mode::Kernel, 10);
        assert_eq!([1, 6].map(|number| read(&unit, pmc(number))), expected, "{}", identity.name());
    }
}

/// Power ISA 3.0B Book III, "Monitor Mode Control Register 2", FCnP0 and FCnP1, and "0", FCPC: they tell
/// problem state with MSR[HV] clear from that with MSR[HV] set, which a kernel that is its own hypervisor has.
#[test]
fn the_processes_of_a_kernel_that_is_its_own_hypervisor_have_a_freeze_of_their_own() {
    for (identity, expected) in [(Identity::POWER9, [110, 111]), (Identity::POWER9.above_all(), [111, 110])] {
        let unit = counting(&identity, 0);
        write(&unit, at(785), 1 << 62 | 1 << 52); // FC1P0, FC2P1
        by_mode(&unit);
        assert_eq!([1, 2].map(|number| read(&unit, pmc(number))), expected, "{}", identity.name());
        assert_eq!(by_mode(&counting(&identity, FCPC | FCP)), expected[1]);
    }
}

#[test]
fn marked_processes_are_told_from_others() {
    for (mmcr0, expected) in [(FCM1, 1), (FCM0, 10)] {
        let unit = counting(&Identity::POWER6, mmcr0);
        advance(&unit, Mode::User, 1);
        let mut context = ProcessorState::default();
        context.marked = true;
        unit.set_processor(context);
        advance(&unit, Mode::User, 10);
        assert_eq!(read(&unit, pmc(2)), expected, "{mmcr0:#x}");
    }
}

#[test]
fn the_first_four_and_the_last_two_freeze_apart() {
    for (mmcr0, expected) in [(FC1_4, [0, 5]), (FC5_6, [5, 0])] {
        let unit = counting(&Identity::POWER9, mmcr0);
        advance(&unit, Mode::User, 5);
        assert_eq!([4, 5].map(|number| read(&unit, pmc(number))), expected, "{mmcr0:#x}");
    }
}

#[test]
fn where_the_970_has_these_bits_it_selects() {
    let unit = unit(&Identity::PPC970);
    write(&unit, at(795), 0x0F3E); // PMC1SEL 01111, PMC2SEL 11111
    advance(&unit, Mode::User, 5);
    assert_eq!(read(&unit, pmc(1)), 5);
}

#[test]
fn a_waiting_processor_freezes_all_but_cycles_by_f0() {
    let unit = counting(&Identity::POWER9, FC1_4WAIT);
    write(&unit, at(798), 0xF01E_0000);
    unit.set_processor(waiting());
    advance(&unit, Mode::User, 5);
    assert_eq!([1, 2].map(|number| read(&unit, pmc(number))), [5, 0]);
}

#[test]
fn others_wait_for_the_first_until_it_is_negative() {
    let unit = counting(&Identity::POWER7, FC);
    write(&unit, pmc(1), (1 << 31) - 3);
    write(&unit, at(795), TRIGGER);
    (0..5).for_each(|_| advance(&unit, Mode::User, 1));
    assert_eq!(read(&unit, pmc(1)), (1 << 31) + 2);
    assert_eq!(read(&unit, pmc(2)), 2, "it has waited for three of five");
    assert_eq!(read(&unit, at(795)), 0, "TRIGGER has ended");
}
