//! What IBM's own tests of POWER9 and POWER10 take and refuse, and so does the driver.
//!
//! The codes are those of torvalds/linux tools/testing/selftests/powerpc/pmu/event_code_tests (numbers alone); each
//! test here names the one that has them.

use pmu::arch::powerpc::book3s::Model;
use pmu::driver::Control;
use pmu::request::Refusal;
use pmu::{Event, Request};

use crate::power64::{Bench, counter, over};

/// Branches completed (PM_BR_CMPL); POWER9 and POWER10.
const BRANCHES: Event = Event::raw(0x4_D05E);
/// Cycles (PM_CYC), on any of PMC1 to PMC4; POWER6 to POWER9.
const CYCLES: Event = Event::raw(0x1E);

const POWER9: Model = Model::Power9;
const POWER10: Model = Model::Power10;
const BOTH: [Model; 2] = [POWER9, POWER10];

const BANK: &str = "the bank of L2 and L3 events, which PMC4 selects";

/// Can they be counted at once?
fn go_together(model: Model, codes: [u64; 2]) -> bool {
    Bench::new(model).open(codes.map(Event::raw)).is_ok()
}

/// reserved_bits_mmcra_sample_elig_mode_test.
#[test]
fn sampling_modes_that_are_reserved_are_refused_and_each_processor_has_one_of_its_own() {
    let refusal = |model, code| Bench::new(model).refusal(Event::raw(code));
    let is_refused = |model, code| matches!(refusal(model, code), Some(Refusal::Impossible(_)));
    for model in BOTH {
        for sample in [0x05, 0x09, 0x0D, 0x19, 0x1D, 0x1A, 0x1E] {
            assert!(is_refused(model, sample << 24 | 0x4_01E0), "{model:?} {sample:#x}");
        }
        assert!(!is_refused(model, 0x14 << 24 | 0x4_01E0), "{model:?}");
    }
    assert_eq!([0x0C, 0x10].map(|sample: u64| is_refused(POWER9, sample << 24 | 0x4_01E0)), [true, false]);
    assert_eq!([0x0C, 0x10].map(|sample: u64| is_refused(POWER10, sample << 24 | 0x4_01E0)), [false, true]);
}

/// reserved_bits_mmcra_thresh_ctl_test.
#[test]
fn a_thresholds_start_and_stop_that_are_reserved_are_refused() {
    for model in BOTH {
        for code in [0xF0_3404_01E0, 0x0F_3404_01E0] {
            let refusal = Bench::new(model).refusal(Event::raw(code));
            assert!(matches!(refusal, Some(Refusal::Impossible(_))), "{model:?} {code:#x}: {refusal:?}");
        }
    }
}

/// invalid_event_code_test: a source and the radix scope are POWER10's.
#[test]
fn what_power10_alone_selects_is_refused_on_power9() {
    for code in [0x13_4000_0001_C040, 0x1_4242] {
        assert!(matches!(Bench::new(POWER9).refusal(Event::raw(code)), Some(Refusal::ReservedBits(_))), "{code:#x}");
        assert_eq!(Bench::new(POWER10).refusal(Event::raw(code)), None, "{code:#x}");
    }
}

/// group_constraint_cache_test, group_constraint_mmcra_sample_test, group_constraint_thresh_ctl_test.
#[test]
fn events_go_together_that_agree_on_what_they_share() {
    for model in BOTH {
        assert_eq!([0x23_E054, 0x13_E054].map(|code| go_together(model, [0x11_00FC, code])), [false, true]);
        let marked = [0x35_3C01_01EC, 0x34_3401_01EC, 0x35_3401_01EC];
        let beside = marked.map(|code| go_together(model, [0x35_3404_01E0, code]));
        assert_eq!(beside, [false, false, true], "{model:?}");
    }
}

/// group_constraint_thresh_cmp_test: 1,000 and 2,000 cycles.
#[test]
fn events_go_together_that_compare_with_the_same_threshold() {
    let compared = [0x1_7D34_3401_01EC, 0x1_3E35_3401_01EC].map(|code| go_together(POWER9, [0x1_3E35_3404_01E0, code]));
    assert_eq!(compared, [false, true]);
    let with = |code, threshold| Event::raw_with(code, threshold);
    let compared = [0x1F4 | 1 << 9, 0x1FA].map(|threshold| {
        Bench::new(POWER10).open([with(0x35_3404_01E0, 0x1FA), with(0x35_3401_01EC, threshold)]).is_ok()
    });
    assert_eq!(compared, [false, true]);
}

/// group_constraint_radix_scope_qual_test, group_constraint_l2l3_sel_test.
#[test]
fn power10s_events_go_together_that_agree_on_their_scope_and_on_their_caches() {
    assert_eq!([0x2_00FC, 0x2_4242].map(|code| go_together(POWER10, [0x1_4242, code])), [false, true]);
    let beside = [0x2_6880, 0x0100_0002_6880].map(|code| go_together(POWER10, [0x0100_0004_6080, code]));
    assert_eq!(beside, [false, true]);
}

/// group_constraint_unit_test: 26080H counts nothing unless PMC4 selects its bank, as 46080H does; 36880H goes with that.
#[test]
fn power9s_fourth_counter_selects_the_bank_that_the_others_count() {
    let selects = |codes: &[u64]| {
        let bench = Bench::new(POWER9);
        for &code in codes {
            bench.open([Event::raw(code)]).expect("they are of one bank");
        }
        bench.run(codes.iter().map(|code| counter((code >> 16) as u8 - 1)).collect());
        bench.register(798)
    };
    assert_eq!(selects(&[0x2_6080]), 0x0606_0000_0080_0080);
    assert_eq!(selects(&[0x4_6080, 0x3_6880]), 0x0066_0008_0000_8080);
    assert_eq!(selects(&[0x3_6880, 0x4_6080]), selects(&[0x4_6080, 0x3_6880]));
}

/// Whatever came first, and whether it is asked for alone or beside others.
#[test]
fn while_power9s_caches_are_counted_its_fourth_counter_counts_nothing_else() {
    let (cache, branches) = (Event::raw(0x2_6080), BRANCHES);
    let (requests, reason) = over(Bench::new(POWER9).open([cache, branches]));
    assert_eq!((requests, reason.contains(BANK)), (0b11, true), "{reason}");
    let (_, reason) = over(Bench::new(POWER9).open([cache, Event::raw(0x1_6084)]));
    assert!(reason.contains(BANK), "{reason}");

    let bench = Bench::new(POWER9);
    bench.open([Request::new(CYCLES).pinned_to(counter(3))]).unwrap();
    assert!(over(bench.open([cache])).1.contains(BANK));

    let bench = Bench::new(POWER9);
    bench.open([cache]).unwrap();
    assert!(over(bench.open([branches])).1.contains(BANK));
    let beside = [0, 1].map(|_| bench.counters([CYCLES]).map(|[counter]| counter).ok());
    assert_eq!((beside, bench.open([CYCLES]).is_err()), ([Some(2), Some(0)], true));
}

#[test]
fn power9s_generic_events_keep_their_own_counters_beside_its_caches() {
    let bench = Bench::new(POWER9);
    let counters = bench.counters([Event::raw(0x2_6080), Event::CYCLES, Event::INSTRUCTIONS, Event::CYCLES]);
    let mut counters = counters.expect("PMC5 and PMC6 are free, and PMC1 and PMC3");
    counters.sort_unstable();
    assert!(!counters.contains(&3), "{counters:?}");
}

/// What was counted is given back: PMC4 is free again.
#[test]
fn power9s_fourth_counter_is_free_once_its_caches_are_not_counted() {
    let bench = Bench::new(POWER9);
    let [slot] = bench.open([Event::raw(0x2_6080)]).unwrap();
    bench.driver.release(&bench.image, slot.counter.only());
    assert_eq!(bench.counters([CYCLES]).ok(), Some([3]));
}
