//! perfex's pair, its override, its multiplexing, and the events that its statistics are computed from.

use core::cell::Cell;

use pmu::arch::x86::{Unattached, intel};
use pmu::driver::Plan;
use pmu::output::{perfex::Costs, perfex::Input, perfex::Inputs, perfex::Perfex, perfex::Statistic};
use pmu::output::{report::PerfexRow, report::PerfexTable};
use pmu::stats::Rate;
use pmu::text::catalogue::{Cost, CostUnit as Per};
use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};
use pmu::{Error, Event, Mode, Multiplex, Request, Unit};

use crate::support::bare::counter;

type Device = intel::Device<Unconnected>;
type Driver<'d> = intel::Intel<&'d Device, Unattached>;

const KINDS: Kinds = Kinds::CLOCK.with(Kind::Branches).with(Kind::MispredictedBranches);

fn device() -> Device {
    Device::new(&intel::Identity::SKYLAKE, KINDS, Unconnected)
}

fn driver(device: &Device) -> Driver<'_> {
    Driver::detect(&intel::Identity::SKYLAKE, device, Unattached).unwrap()
}

/// A counter of this number.
fn work(instructions: u64) -> Work {
    let work = Work::instructions(Mode::User, instructions);
    work.with(Kind::Branches, instructions / 10).with(Kind::MispredictedBranches, instructions / 100)
}

/// perfex's -e 5 -e 20 count on counters 0 and 1, whichever is named first.
#[test]
fn each_event_of_a_pair_keeps_the_counter_that_it_names_in_either_order() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let mut perfex = Perfex::new(&pmu);
    let branches = Request::new(Event::BRANCHES).pinned_to(counter(0));
    let misses = Request::new(Event::BRANCH_MISSES).pinned_to(counter(1));
    for pair in [[branches, misses], [misses, branches]] {
        perfex.start(pair[0], pair[1]).unwrap();
        device.advance(&work(1000));
        let on = |number| pmu.open([Request::new(Event::CACHE_MISSES).pinned_to(counter(number))]).is_ok();
        assert_eq!([0, 1, 2, 3].map(on), [false, false, true, true], "counters 0 and 1 are taken");
        let (counts, _) = perfex.read().unwrap();
        let wanted = pair.map(|request| if request == branches { 100 } else { 10 });
        assert_eq!(counts, wanted, "in the order of the events");
    }
}

#[test]
fn two_events_that_name_one_counter_are_a_conflict_that_names_both() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let on_zero = |event| Request::new(event).pinned_to(counter(0));
    let mut perfex = Perfex::new(&pmu);
    let refused = perfex.start(on_zero(Event::BRANCHES), on_zero(Event::BRANCH_MISSES)).unwrap_err();
    let Error::Conflict(conflict) = refused else { panic!("{refused}") };
    assert_eq!(conflict.requests.to_string(), "{0, 1}");
    perfex.start(on_zero(Event::BRANCHES), Event::BRANCH_MISSES).expect("nothing was kept");
}

#[test]
fn an_override_may_keep_state_and_leaves_an_event_on_its_counter() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let asked = Cell::new(0);
    let replace = |number: usize| {
        asked.set(asked.get() + 1);
        (number == 0 && asked.get() > 2).then_some(Event::BRANCHES)
    };
    let mut perfex = Perfex::new(&pmu).replaced_by(&replace);
    let first = Request::new(Event::BRANCH_MISSES).pinned_to(counter(2));
    let counts = [(); 2].map(|()| {
        perfex.start(first, Event::INSTRUCTIONS).unwrap();
        device.advance(&work(1000));
        assert!(pmu.open([Request::new(Event::CACHE_MISSES).pinned_to(counter(2))]).is_err());
        perfex.read().unwrap().0
    });
    assert_eq!((counts, asked.get()), ([[10, 1000], [100, 1000]], 4), "the second start is overridden");
}

/// perfex -a -y: pairs take turns, totals are projections, and the statistics are computed from them.
#[test]
fn multiplexed_pairs_give_the_table_and_the_statistics_of_the_whole() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let pairs = [[Input::Cycles, Input::Instructions], [Input::Branches, Input::Mispredicted]];
    let request = |input: Input| input.native(pmu.driver()).unwrap().requests().next().unwrap();
    let mut all = Multiplex::<_, 2, 2>::new(0);
    all.bind(&pmu, pairs.map(|pair| pair.map(request))).unwrap();
    pmu.switch_in(all.context());
    for _tick in 0..100 {
        device.advance(&work(1000));
        pmu.rotate(&mut all);
    }
    pmu.switch_out(all.context());
    let mut inputs = Inputs::none();
    for (group, pair) in pairs.iter().enumerate() {
        for (input, scaled) in pair.iter().zip(all.scaled(group).unwrap()) {
            inputs = inputs.with(*input, scaled.unwrap().estimate);
        }
    }
    let near = |statistic: Statistic, wanted: &str| {
        assert_eq!(format!("{:.1}", statistic.of(&inputs, None).unwrap()), wanted, "{}", statistic.name());
    };
    near(Statistic::InstructionsPerCycle, "1.0");
    near(Statistic::Misprediction, "0.1");
    let text = PerfexTable { rows: &[], costs: None, inputs: Some(inputs) }.to_string();
    assert!(text.contains("Mispredicted branches/Decoded branches."), "{text}");
}

#[test]
fn a_processors_own_costs_estimate_the_time_of_its_events() {
    let device = device();
    let driver = driver(&device);
    let costs = Costs::of_processor(driver.catalogue().costs);
    assert_eq!(costs.of("LD_BLOCKS.STORE_FORWARD"), Some(Cost::always(13_000, Per::Clocks)));
    assert_eq!(costs.of("mem_load_retired.l3_hit"), Some(Cost::always(6_500, Per::Nanoseconds)));
    let rows = [
        PerfexRow { number: 0, name: "CPU_CLK_UNHALTED.THREAD_P".into(), count: 2_000_000_000 },
        PerfexRow { number: 1, name: "MEM_LOAD_RETIRED.L3_HIT".into(), count: 10_000_000 },
        PerfexRow { number: 2, name: "INST_RETIRED.ANY_P".into(), count: 5 },
    ];
    let table = PerfexTable { rows: &rows, costs: Some((costs, Rate::hertz(2_000_000_000).unwrap())), inputs: None };
    let times: Vec<_> = table
        .to_string()
        .lines()
        .skip(3)
        .map(|line| line.split_ascii_whitespace().nth(3).unwrap().to_owned())
        .collect();
    assert_eq!(times, ["1.000000", "0.065000", "-"]);
}

#[test]
fn a_dump_of_a_processors_costs_is_a_table_that_can_be_loaded() {
    let device = device();
    let driver = driver(&device);
    let builtin = driver.catalogue().costs;
    let dumped = Costs::of_processor(builtin).to_string();
    assert!(
        dumped.contains("MEM_LOAD_RETIRED.L3_HIT                            6.500     6.500     6.500  ns\n"),
        "{dumped}"
    );
    let texts = [dumped.as_str()];
    let loaded = Costs::of_processor(&[]).after(&texts);
    assert_eq!(loaded.check(), Ok(()));
    assert!(builtin.iter().all(|(name, cost)| loaded.of(name) == Some(*cost)));
}
