//! The placement of requests on counters, and conflicts over shared fields.

use pmu::arch::powerpc::book3s::{Model, Privilege};
use pmu::driver::{Control, Plan as _};
use pmu::{Event, Modes, Request};

use crate::power64::{Bench, over, pvr};

/// Branches completed (PM_BR_CMPL); POWER9 and POWER10.
const BRANCHES: Event = Event::raw(0x4_D05E);
/// Branches completed that were mispredicted (PM_BR_MPRED_CMPL); POWER7 to POWER10.
const BRANCH_MISSES: Event = Event::raw(0x4_00F6);
/// Cycles (PM_CYC), on any of PMC1 to PMC4; POWER6 to POWER9.
const CYCLES: Event = Event::raw(0x1E);
/// Branches finished (PM_BRU_FIN); POWER7 and POWER8.
const FINISHED_BRANCHES: Event = Event::raw(0x1_0068);
/// Instructions completed (PM_INST_CMPL), on any of PMC1 to PMC4; POWER6 to POWER9.
const INSTRUCTIONS: Event = Event::raw(0x02);
/// Demand loads of data that missed the second-level cache (PM_DATA_FROM_L2MISS), on PMC2; POWER7 to POWER10.
const LOADS_PAST_L2: Event = Event::raw(0x2_00FE);
/// Demand loads of data that missed the third-level cache (PM_DATA_FROM_L3MISS), on PMC3; POWER7 to POWER10.
const LOADS_PAST_L3: Event = Event::raw(0x3_00FE);
/// Cycles (PM_CYC), on any of PMC1 to PMC4; POWER10.
const POWER10_CYCLES: Event = Event::raw(0x1_00F0);
/// Instructions completed (PM_INST_CMPL), on any of PMC1 to PMC4; POWER10.
const POWER10_INSTRUCTIONS: Event = Event::raw(0x1_00FE);
/// Instructions completed by POWER4, on PMC1; PMC4, 6, 7 and 8 count them too.
const POWER4_INSTRUCTIONS: Event = Event::raw(0x1001);
/// Cycles of POWER5, on any counter.
const POWER5_CYCLES: Event = Event::raw(0x0F);
/// Instructions completed by POWER5, on PMC1; PMC2 counts them too, and is used for this code on POWER5+.
const POWER5_INSTRUCTIONS: Event = Event::raw(0x10_0009);
/// Branches completed (PM_BR_CMPL); POWER8.
const POWER8_BRANCHES: Event = Event::raw(0x4_0060);
/// Cycles of POWER4 and the PowerPC 970, on any counter.
const PPC970_CYCLES: Event = Event::raw(0x07);
/// Instructions completed by the PowerPC 970, on any counter.
const PPC970_INSTRUCTIONS: Event = Event::raw(0x01);
/// Cycles while CTRL\[RUN\] is set (PM_RUN_CYC), on PMC6; POWER7 on PMC2, POWER8 and POWER9 on either.
const RUN_CYCLES: Event = Event::raw(0x6_00F4);
/// Instructions completed while CTRL\[RUN\] is set (PM_RUN_INST_CMPL), on PMC5; POWER7 on PMC4, POWER8 and POWER9 on
const RUN_INSTRUCTIONS: Event = Event::raw(0x5_00FA);

const POWER7: Model = Model::Power7;
const POWER8: Model = Model::Power8;
const POWER9: Model = Model::Power9;

const USER: Modes = Modes::USER;
const KERNEL: Modes = Modes::KERNEL;

/// As many requests for instructions as fit on an empty unit.
fn room(model: Model) -> usize {
    let bench = Bench::new(model);
    (0..9).take_while(|_| bench.open([Event::INSTRUCTIONS]).is_ok()).count()
}

#[test]
fn instructions_are_counted_by_as_many_counters_as_the_lists_say() {
    assert_eq!(Model::ALL.map(room), [5, 8, 2, 2, 4, 4, 5, 5, 2, 5]);
}

#[test]
fn before_power8_all_counters_count_in_the_same_states() {
    let requests = [Request::new(Event::CYCLES).modes(USER), Request::new(Event::INSTRUCTIONS).modes(KERNEL)];
    for model in Model::ALL {
        let bench = Bench::new(model);
        if model >= POWER8 {
            assert!(bench.open(requests).is_ok(), "{model:?}");
        } else {
            let (requests, reason) = over(bench.open(requests));
            assert_eq!((requests, reason.contains("MMCR0[FCS, FCP, FCHV]")), (0b11, true), "{reason}");
        }
    }
}

#[test]
fn a_request_beside_what_runs_agrees_with_its_states_too() {
    let bench = Bench::new(POWER7);
    bench.open([Request::new(Event::CYCLES).modes(USER)]).unwrap();
    assert!(bench.open([Request::new(Event::INSTRUCTIONS).modes(KERNEL)]).is_err());
    assert!(bench.open([Request::new(Event::INSTRUCTIONS).modes(USER)]).is_ok());
}

#[test]
fn what_was_given_back_is_agreed_on_no_more() {
    let bench = Bench::new(POWER7);
    let [slot] = bench.open([Request::new(Event::CYCLES).modes(USER)]).unwrap();
    bench.driver.release(&bench.image, slot.counter.only());
    assert!(bench.open([Request::new(Event::INSTRUCTIONS).modes(KERNEL)]).is_ok());
}

#[test]
fn two_thresholds_cannot_be_compared_with_at_once() {
    let bench = Bench::new(POWER8);
    let with = |threshold: u64, counter: u64| Event::raw(counter << 16 | threshold << 40 | 1 << 29 | 0x1E0);
    let (requests, reason) = over(bench.open([with(0x60, 4), with(0x61, 3)]));
    assert_eq!((requests, reason.contains("MMCRA[THRESH_START")), (0b11, true), "{reason}");
    assert!(bench.open([with(0x60, 4), with(0x60, 3)]).is_ok());
}

#[test]
fn an_event_without_a_threshold_goes_with_any() {
    let bench = Bench::new(POWER8);
    assert!(bench.open([Event::raw(0x60 << 40 | 1 << 29 | 0x4_01E0), CYCLES, Event::INSTRUCTIONS]).is_ok());
}

#[test]
fn power10s_cache_events_agree_on_their_selector() {
    let bench = Bench::new(Model::Power10);
    let cache = |select: u64, counter: u64| Event::raw(select << 40 | counter << 16 | 0x6880);
    let (_, reason) = over(bench.open([cache(1, 1), cache(2, 2)]));
    assert!(reason.contains("MMCR2[L2L3SEL]"), "{reason}");
    assert!(bench.open([cache(1, 1), cache(1, 2)]).is_ok());
}

#[test]
fn power7s_l2_events_agree_on_their_selector() {
    let bench = Bench::new(POWER7);
    let (_, reason) = over(bench.open([Event::raw(0x1_6080), Event::raw(0x2_6180)]));
    assert!(reason.contains("each needs another value in MMCR1"), "{reason}");
}

#[test]
fn the_970s_isu_takes_the_second_multiplexer_where_the_first_is_taken() {
    let bench = Bench::new(Model::Ppc970);
    let (isu, fpu) = (Event::raw(0x300), Event::raw(0x110));
    bench.open([isu, fpu]).unwrap();
    bench.run_all();
    let mmcr1 = bench.register(798);
    // TTM0SEL = 0 is FPU's, TTM1SEL = 2 ISU's; lane 0 comes from 1, and lane 1 from 0.
    assert_eq!((mmcr1 >> 62, mmcr1 >> 59 & 3, mmcr1 >> 50 & 3, mmcr1 >> 48 & 3), (0, 2, 1, 0));
    let bench = Bench::new(Model::Ppc970);
    bench.open([isu]).unwrap();
    bench.run_all();
    assert_eq!((bench.register(798) >> 62, bench.register(798) >> 50 & 3), (1, 0));
}

#[test]
fn three_units_do_not_fit_through_two_multiplexers() {
    let bench = Bench::new(Model::Ppc970);
    let (requests, _) = over(bench.open([Event::raw(0x300), Event::raw(0x110), Event::raw(0x520)]));
    assert_eq!(requests, 0b111);
}

#[test]
fn an_event_of_a_lane_is_counted_by_the_half_that_the_lane_reaches() {
    let bench = Bench::new(Model::Ppc970);
    let even = bench.counters([Event::raw(0x100), Event::raw(0x101), Event::raw(0x122), Event::raw(0x123)]).unwrap();
    assert!(even.iter().all(|counter| [0, 1, 4, 5].contains(counter)), "{even:?}");
    assert!(bench.open([Event::raw(0x104)]).is_err());
    assert!(bench.open([Event::raw(0x114)]).is_ok());
}

#[test]
fn what_counters_that_do_not_stop_count_is_counted_by_others() {
    let on = |model, code| Bench::new(model).counters([Event::raw(code)]).unwrap()[0];
    assert_eq!([on(POWER7, 0x5_00FA), on(POWER7, 0x6_00F4)], [3, 1]);
    assert_eq!(on(Model::Power5, 0x60_0005), 0);
    assert!(on(Model::Power5, 0x50_0009) < 2);
    assert_eq!(on(Model::Power6, 0x60_0005), 0);
}

#[test]
fn a_count_while_run_is_set_and_one_always_do_not_go_together_on_the_last_two() {
    let bench = Bench::new(POWER8);
    let always = Request::new(Event::INSTRUCTIONS).pinned_to(crate::power64::counter(4));
    let while_running = Request::new(RUN_CYCLES).pinned_to(crate::power64::counter(5));
    let (_, reason) = over(bench.open([always, while_running]));
    assert!(reason.contains("MMCR0[CC5-6RUN]"), "{reason}");
    let counters = bench.counters([Request::new(Event::INSTRUCTIONS), while_running]).unwrap();
    assert!(counters[0] < 4 && counters[1] == 5, "{counters:?}");
}

/// libpfm4's lib/events/power8_events.h has what starts and stops the threshold's counter in these eight codes, which IBM's
/// lists in Linux leave out. THRESH_START and THRESH_STOP are bits 8 to 15 of MMCRA, and THRESH_SEL is 16 to 18.
#[test]
fn an_event_of_a_latency_by_name_starts_and_stops_the_thresholds_counter() {
    let started = |name: &str| {
        let bench = Bench::new(POWER8);
        let catalogue = bench.driver.catalogue();
        let [slot] = bench.open([catalogue.request(catalogue.named(name).unwrap())]).unwrap();
        bench.run(slot.counter.only());
        (bench.register(786) >> 8 & 0xFF, bench.register(786) >> 16 & 7)
    };
    for cycles in ["32", "256", "1024", "2048"] {
        assert_eq!(started(&format!("PM_L1MISS_LAT_EXC_{cycles}")), (0x67, 1), "{cycles}");
        assert_eq!(started(&format!("PM_RC_LIFETIME_EXC_{cycles}")), (0xDE, 1), "{cycles}");
    }
}

/// Linux' tables of alternatives, arch/powerpc/perf/{power6,power8,power9,power10}-pmu.c: what PMCnSEL and PMCnUNIT are
/// on each of the two counters.
#[test]
fn a_code_is_counted_by_the_other_code_for_the_same_on_that_ones_counter() {
    let programmed = |model, code, number: u8| {
        let bench = Bench::new(model);
        let [slot] = bench.open([Request::new(Event::raw(code)).pinned_to(crate::power64::counter(number))]).unwrap();
        bench.run(slot.counter.only());
        let mmcr1 = bench.register(798);
        (mmcr1 >> (60 - 4 * number) & 0xF, mmcr1 >> (24 - 8 * number) & 0xFF)
    };
    for code in [0x3_E054, 0x4_00F0] {
        assert_eq!([2, 3].map(|number| programmed(POWER9, code, number)), [(0xE, 0x54), (0, 0xF0)], "PM_LD_MISS_L1");
    }
    assert_eq!([0, 3].map(|number| programmed(POWER8, 0x1_D14E, number)), [(0xD, 0x4E), (0, 0xE8)], "marked");
    assert_eq!([1, 3].map(|number| programmed(POWER8, 0x2_0036, number)), [(0, 0x36); 2], "PM_BR_2PATH");
    let power6 = [1, 3].map(|number| programmed(Model::Power6, 0x20_000E, number).1);
    assert_eq!(power6, [0x0E, 0x07], "PM_LSU_DERAT_MISS");
    let power10 = |code| [0, 1, 3].map(|number| programmed(Model::Power10, code, number));
    assert_eq!(power10(0x1_00FE), [(0, 0xFE), (0, 0x02), (0, 0x02)]);
    assert_eq!(power10(0x1_00F0), [(0, 0xF0), (0, 0x1E), (0, 0x1E)]);
}

/// Each of these sets needs the counter that the code contains twice.
#[test]
fn a_group_that_an_alternative_code_makes_possible_is_placed() {
    let placed = |model, codes: [u64; 2]| Bench::new(model).counters(codes.map(Event::raw));
    assert_eq!(
        placed(Model::Power10, [0x1_00FE, 0x1_00FC]).map(|[counter, other]| (counter > 0, other)),
        Ok((true, 0))
    );
    assert_eq!(placed(POWER9, [0x3_E054, 0x3_00FC]), Ok([3, 2]));
    assert_eq!(placed(POWER8, [0x2_00F2, 0x2_00F0]), Ok([2, 1]));
    assert_eq!(placed(POWER7, [0x2_00F2, 0x2_00F0]), Ok([2, 1]));
    let power6 = placed(Model::Power6, [0x10_0056, 0x10_0054]).map(|mut counters| {
        counters.sort_unstable();
        counters
    });
    assert_eq!(power6, Ok([0, 1]), "PM_L1_ICACHE_MISS and PM_ST_FIN");
    assert_eq!(placed(Model::Power5Plus, [0x30_0009, 0x30_0003]), Ok([3, 2]));
    let bench = Bench::new(POWER8);
    let always = Request::new(Event::INSTRUCTIONS).pinned_to(crate::power64::counter(4));
    let counters = bench.counters([always, Request::new(RUN_CYCLES)]);
    assert_eq!(counters, Ok([4, 1]), "PMC5 always counts, and PMC6 would have to");
}

/// The alternative is for the same event: bits beside the code are of one of the two alone.
#[test]
fn a_code_with_more_bits_has_no_alternative() {
    let able = |code| {
        let bench = Bench::new(POWER8);
        let can = |number: &u8| {
            bench.refusal(Request::new(Event::raw(code)).pinned_to(crate::power64::counter(*number))).is_none()
        };
        (0..6).filter(can).collect::<Vec<_>>()
    };
    assert_eq!((able(0x2_013C), able(1 << 24 | 0x2_013C)), (vec![1, 2], vec![1]));
}

/// MMCR1, bits 46 and 47 (torvalds/linux arch/powerpc/perf/isa207-common.c, `isa207_compute_mmcr`).
#[test]
fn a_cache_units_code_keeps_its_qualifier_of_the_l1_caches() {
    let qualifier = |model, code| {
        let bench = Bench::new(model);
        let [slot] = bench.open([Event::raw(code)]).unwrap();
        bench.run(slot.counter.only());
        bench.register(798) >> 46 & 3
    };
    for model in [POWER9, Model::Power10] {
        assert_eq!([0x31_6080, 0x21_8080, 0x1_6080].map(|code| qualifier(model, code)), [3, 2, 0], "{model:?}");
        let beside = |code| Bench::new(model).open([Event::raw(code), Event::raw(0x12_C040)]).is_ok();
        assert_eq!([0x31_6080, 0x11_6080, 0x1_6080].map(beside), [false, true, true], "{model:?}");
    }
}

#[test]
fn a_kernel_that_is_its_own_hypervisor_is_counted_in_hypervisor_state() {
    let bench = Bench::of_processor(pvr(POWER9), Privilege::Hypervisor);
    let [slot] = bench.open([Request::new(CYCLES).modes(KERNEL).pinned_to(crate::power64::counter(0))]).unwrap();
    bench.run(slot.counter.only());
    // FC1S, FC1P0 and FC1P1 are set, FC1H is not.
    assert_eq!(bench.register(785) >> 55, 0b1_1100_0000);
}

/// A kernel that is its own hypervisor has its processes in problem state with MSR[HV] set: Power ISA 3.0B
/// Book III, "Monitor Mode Control Register 2", FCnP0 and FCnP1.
#[test]
fn processes_are_counted_in_the_problem_state_that_is_theirs_and_frozen_in_both_where_they_are_not() {
    let freezes = |privilege, modes| {
        let bench = Bench::of_processor(pvr(POWER9), privilege);
        let [slot] = bench.open([Request::new(CYCLES).modes(modes).pinned_to(crate::power64::counter(0))]).unwrap();
        bench.run(slot.counter.only());
        bench.register(785) >> 55 & 0b0_1100_0000
    };
    use Privilege::{Hypervisor, Supervisor};
    assert_eq!([freezes(Supervisor, USER), freezes(Supervisor, KERNEL)], [0b0_0100_0000, 0b0_1100_0000]);
    assert_eq!([freezes(Hypervisor, USER), freezes(Hypervisor, KERNEL)], [0b0_1000_0000, 0b0_1100_0000]);
}

/// The most that an event needs: a lane, a speculation selector, marking and, before POWER8, states.
#[test]
fn an_event_that_needs_four_shared_fields_gets_all_of_them() {
    let bench = Bench::new(Model::Ppc970);
    let [slot] = bench.open([Request::new(Event::raw_with(0x6D2, 1)).modes(USER)]).unwrap();
    bench.run(slot.counter.only());
    let (mmcr0, mmcr1) = (bench.register(795), bench.register(798));
    assert_eq!((mmcr1 >> 59 & 3, mmcr1 >> 48 & 3, mmcr1 & 3), (3, 1, 3), "STS, lane 1, speculation");
    assert_eq!((bench.register(786) & 1, mmcr0 >> 29 & 3, mmcr0 & 1), (1, 0b10, 1), "marking, FCS without FCP, FCHV");
}

/// PMCnSEL of an event of a lane on a counter, of POWER5 and its kin, and whether the counter's adder takes the higher lanes.
fn selector(model: Model, code: u64, number: u8) -> Option<(u64, bool)> {
    let bench = Bench::new(model);
    let request = Request::new(Event::raw(code)).pinned_to(crate::power64::counter(number));
    if bench.refusal(request).is_some() {
        return None;
    }
    let [slot] = bench.open([request]).unwrap();
    bench.run(slot.counter.only());
    let mmcr1 = bench.register(798);
    Some((mmcr1 >> (25 - 8 * number) & 0x7F, mmcr1 >> (35 - number) & 1 == 1))
}

/// The values of IBM's groups 10, 11, 11 and 129 in OProfile's ppc64/power5+, where these events are on counters that
/// their lanes do not lead to on POWER5. Bit 4 of PMCnSEL selects the other lanes (torvalds/linux
/// arch/powerpc/perf/power5+-pmu.c).
#[test]
fn power5_plus_counts_an_event_of_any_lane_on_any_counter() {
    use Model::{Power5, Power5Plus};
    let groups = [(0xC_70E5, 0, 0x75), (0xC_30E7, 0, 0x77), (0x1_10C3, 1, 0x53), (0xC_50C6, 1, 0x56)];
    for (code, number, select) in groups {
        assert_eq!(selector(Power5Plus, code, number), Some((select, false)), "{code:#x}");
        assert_eq!(selector(Power5, code, number), None, "{code:#x}");
    }
    let everywhere = |code| [0, 1, 2, 3].map(|number| selector(Power5Plus, code, number).map(|(select, _)| select));
    assert_eq!(everywhere(0x1_10C3), [0x53, 0x53, 0x43, 0x43].map(Some), "lane 1");
    assert_eq!(everywhere(0xC_20E7), [0x67, 0x67, 0x77, 0x77].map(Some), "lane 2");
}

/// The same source: POWER5 has no selector 28H of an adder.
#[test]
fn an_adder_of_power5_plus_takes_the_higher_lanes_by_one_selector_more() {
    use Model::{Power5, Power5Plus};
    let added = |model, code, number| selector(model, code, number).map(|(_, adds)| adds);
    assert_eq!([added(Power5Plus, 0x30_20A8, 2), added(Power5Plus, 0x30_10A8, 2)], [Some(true), Some(false)]);
    assert_eq!([added(Power5, 0x30_20A8, 2), added(Power5, 0x30_2088, 2)], [Some(false), Some(true)]);
}

#[test]
fn the_events_that_have_names_are_counted_where_their_names_say() {
    use Model::{Power4, Power5, Power5Plus, Power6, Power10, Ppc970};
    let table: &[(Event, &[Model], &[u8])] = &[
        (INSTRUCTIONS, &[Power6, POWER7, POWER8, POWER9], &[0, 1, 2, 3]),
        (CYCLES, &[Power6, POWER7, POWER8, POWER9], &[0, 1, 2, 3]),
        (RUN_INSTRUCTIONS, &[POWER8, POWER9], &[3, 4]),
        (RUN_CYCLES, &[POWER8, POWER9], &[1, 5]),
        (RUN_INSTRUCTIONS, &[Power10], &[4]),
        (RUN_CYCLES, &[Power10], &[5]),
        (POWER10_INSTRUCTIONS, &[Power10], &[0, 1, 2, 3]),
        (POWER10_CYCLES, &[Power10], &[0, 1, 2, 3]),
        (FINISHED_BRANCHES, &[POWER7, POWER8], &[0]),
        (POWER8_BRANCHES, &[POWER8], &[3]),
        (BRANCHES, &[POWER9, Power10], &[3]),
        (BRANCH_MISSES, &[POWER7, POWER8, POWER9, Power10], &[3]),
        (LOADS_PAST_L2, &[POWER7, POWER8, POWER9, Power10], &[1]),
        (LOADS_PAST_L3, &[POWER7, POWER8, POWER9, Power10], &[2]),
        (PPC970_INSTRUCTIONS, &[Ppc970], &[0, 1, 2, 3, 4, 5, 6, 7]),
        (PPC970_CYCLES, &[Power4, Ppc970], &[0, 1, 2, 3, 4, 5, 6, 7]),
        (POWER4_INSTRUCTIONS, &[Power4], &[0]),
        (POWER5_INSTRUCTIONS, &[Power5], &[0]),
        (POWER5_INSTRUCTIONS, &[Power5Plus], &[0, 1]),
        (POWER5_CYCLES, &[Power5, Power5Plus], &[0, 1, 2, 3]),
    ];
    for (event, generations, counters) in table {
        for model in *generations {
            let bench = Bench::new(*model);
            let able =
                |number: &u8| bench.refusal(Request::new(*event).pinned_to(crate::power64::counter(*number))).is_none();
            assert_eq!((0..8).filter(able).collect::<Vec<_>>(), *counters, "{event} on {model:?}");
        }
    }
}
