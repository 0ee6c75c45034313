//! Alerts of negative counters: when they occur, their effects, and the end of the interrupt.

use pmu::Mode;
use pmu::arch::powerpc::Pvr;
use pmu::arch::powerpc::book3s::{Book3s, Identity, Model};
use pmu::virt::{Device as _, Work};

use super::{
    EBE, FC, FCECE, PMAE, PMAO, PMC1CE, PMCC, PMCJCE, Unit, advance, at, executing, instructions, pmc, read, unit,
    write,
};

const STEP: Work = Work::instructions(Mode::User, 1);

/// PMC`number` is negative in `events` instructions; MMCR0 is `mmcr0`.
fn sampling(identity: &Identity, number: u8, events: u64, mmcr0: u64) -> Unit {
    let unit = unit(identity);
    write(&unit, at(798), instructions(identity));
    write(&unit, pmc(number), (1 << 31) - events);
    write(&unit, at(795), mmcr0);
    unit
}

#[test]
fn an_alert_comes_on_the_nth_event_and_clears_pmae() {
    for events in [1, 2, 1000] {
        let unit = sampling(&Identity::POWER9, 1, events, PMAE | PMC1CE);
        assert_eq!(unit.until_overflow(&STEP), Some(events));
        advance(&unit, Mode::User, events - 1);
        assert_eq!((unit.trigger().rises(), read(&unit, at(795))), (0, PMAE | PMC1CE));
        advance(&unit, Mode::User, 1);
        assert_eq!((unit.trigger().rises(), read(&unit, at(795))), (1, PMAO | PMC1CE));
    }
}

#[test]
fn each_condition_enable_is_for_its_own_counters() {
    for (number, enable, alerts) in [(1, PMC1CE, 1), (1, PMCJCE, 0), (4, PMCJCE, 1), (4, PMC1CE, 0), (6, PMCJCE, 1)] {
        let unit = sampling(&Identity::POWER8, number, 3, PMAE | enable);
        advance(&unit, Mode::User, 3);
        assert_eq!(unit.trigger().rises(), alerts, "PMC{number} with {enable:#x}");
    }
}

#[test]
fn a_counter_that_is_excluded_does_not_alert() {
    for (identity, mmcr0) in [(Identity::POWER6, 0), (Identity::POWER9, PMCC)] {
        let unit = sampling(&identity, 5, 3, mmcr0 | PMAE | PMCJCE);
        advance(&unit, Mode::User, 9);
        assert_eq!((read(&unit, pmc(5)), unit.trigger().rises()), ((1 << 31) + 6, 0), "{}", identity.name());
    }
}

#[test]
fn counting_goes_on_after_an_alert_unless_it_is_to_freeze() {
    for (fcece, value) in [(0, 5), (FCECE, 0)] {
        let unit = sampling(&Identity::POWER7, 2, 3, PMAE | PMCJCE | fcece);
        (0..8).for_each(|_| advance(&unit, Mode::User, 1));
        assert_eq!(read(&unit, pmc(2)), (1 << 31) + value);
        assert_eq!(read(&unit, at(795)) & FC != 0, fcece != 0);
    }
}

#[test]
fn a_counter_freezes_without_an_alert_and_the_step_is_foretold() {
    let unit = sampling(&Identity::POWER7, 2, 3, PMCJCE | FCECE);
    assert_eq!(unit.until_overflow(&STEP), Some(3));
    advance(&unit, Mode::User, 3);
    assert_eq!((read(&unit, at(795)), unit.trigger().rises()), (PMCJCE | FCECE | FC, 0));
}

#[test]
fn being_negative_is_a_condition_for_as_long_as_it_lasts() {
    let unit = sampling(&Identity::PPC970, 1, 0, PMC1CE);
    assert_eq!(unit.trigger().rises(), 0);
    write(&unit, at(795), PMC1CE | PMAE);
    assert_eq!((unit.trigger().rises(), read(&unit, at(795))), (1, PMC1CE | PMAO));
    write(&unit, at(795), PMC1CE | PMAE);
    assert_eq!(unit.trigger().rises(), 2, "acknowledged, and negative still");
}

#[test]
fn a_counter_that_was_negative_in_passing_has_alerted() {
    let unit = sampling(&Identity::POWER10, 3, 1, PMAE | PMCJCE);
    advance(&unit, Mode::User, (1 << 31) + 4);
    assert_eq!((read(&unit, pmc(3)), unit.trigger().rises()), (3, 1));
}

#[test]
fn the_interrupt_lasts_until_pmao_is_cleared() {
    let unit = sampling(&Identity::POWER8, 1, 1, PMAE | PMC1CE);
    advance(&unit, Mode::User, 1);
    assert!(unit.trigger().is_high());
    write(&unit, at(795), FC | PMAO);
    assert!(unit.trigger().is_high(), "it was written back");
    write(&unit, at(795), FC);
    assert!(!unit.trigger().is_high());
    write(&unit, at(795), FC | PMAO);
    assert_eq!((unit.trigger().is_high(), unit.trigger().rises()), (true, 2), "software may set it");
}

#[test]
fn an_event_based_branch_is_no_interrupt() {
    let unit = sampling(&Identity::POWER8, 1, 1, PMAE | PMC1CE | EBE);
    advance(&unit, Mode::User, 1);
    assert_eq!((read(&unit, at(795)) & PMAO, unit.trigger().is_high()), (PMAO, false));
    write(&unit, at(795), PMAO);
    assert!(unit.trigger().is_high());
}

fn alerted_at(identity: &Identity, mode: Mode) -> Unit {
    let unit = sampling(identity, 1, 1, FC);
    if identity.capabilities().model < Model::Power6 {
        write(&unit, at(798), 0x9 << 25); // POWER5's PMC1SEL: instructions
    }
    write(&unit, at(795), PMAE | PMC1CE);
    let mut context = executing(0x1_0000_4000);
    context.datum = Some(0x77);
    unit.set_processor(context);
    advance(&unit, mode, 1);
    unit.set_processor(executing(0x1_0000_4004));
    advance(&unit, Mode::Kernel, 1);
    unit
}

/// The driver's own reading of what the unit captured; both were written apart.
#[test]
fn a_driver_finds_what_the_unit_has_captured() {
    for identity in &Identity::ALL[2..] {
        for mode in [Mode::User, Mode::Kernel, Mode::Hypervisor] {
            let unit = alerted_at(identity, mode);
            let sampled = Book3s::new(&unit, identity.capabilities()).sampled();
            assert_eq!((sampled.address, sampled.datum), (Some(0x1_0000_4000), Some(0x77)), "{}", identity.name());
            let is_said = identity.capabilities().model != Model::Power10;
            assert_eq!(sampled.mode, is_said.then_some(mode), "{}", identity.name());
        }
    }
}

#[test]
fn power7_plus_says_whether_what_it_captured_is_valid() {
    let identity = Identity::of_processor(Pvr::from_bits(0x004A_0201)).unwrap();
    let unit = alerted_at(&identity, Mode::User);
    assert_eq!(read(&unit, at(786)), 1 << 41 | 1 << 28 | 1 << 27);
    let sampled = Book3s::new(&unit, identity.capabilities()).sampled();
    assert_eq!((sampled.address, sampled.datum, sampled.mode), (Some(0x1_0000_4000), Some(0x77), Some(Mode::User)));
}

#[test]
fn the_970_captures_marked_instructions_alone() {
    let captured = |mmcra| {
        let unit = unit(&Identity::PPC970);
        write(&unit, at(786), mmcra);
        unit.set_processor(executing(0x4000));
        write(&unit, pmc(1), 1 << 31);
        write(&unit, at(795), PMAE | PMC1CE);
        (unit.trigger().rises(), read(&unit, at(796)))
    };
    assert_eq!([0x2000, 0x2001].map(captured), [(1, 0), (1, 0x4000)]);
}

#[test]
fn siar_and_sdar_hold_what_was_executed_as_the_alert_came() {
    for identity in &Identity::ALL[4..] {
        let unit = alerted_at(identity, Mode::User);
        assert_eq!([796, 797].map(|number| read(&unit, at(number))), [0x1_0000_4000, 0x77], "{}", identity.name());
    }
}

#[test]
fn the_mode_is_in_sier_since_power8_and_in_mmcra_before() {
    let modes = [Mode::User, Mode::Kernel, Mode::Hypervisor];
    let captured = |identity: &Identity, number| modes.map(|mode| read(&alerted_at(identity, mode), at(number)));
    assert_eq!(captured(&Identity::POWER9, 784), [0x260_0000, 0x60_0000, 0x160_0000]);
    assert_eq!(captured(&Identity::POWER7, 786), [1 << 41, 0, 1 << 42]);
}
