//! perfex on the processors that it was made for: the 32 events in pairs, the costs, the statistics, the report.

use pmu::arch::mips::mipsxx::{Device, Identity, Mipsxx};
use pmu::driver::Plan as _;
use pmu::output::{perfex::Costs, perfex::Input, perfex::Inputs, perfex::Statistic};
use pmu::output::{report::PerfexRow, report::PerfexTable};
use pmu::stats::Rate;
use pmu::text::catalogue::Catalogue;
use pmu::text::catalogue::EventName;
use pmu::text::catalogue::{Cost, CostUnit as Per};
use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};
use pmu::{Event, Mode, Multiplex, Request, Unit};

type Driver<'d> = Mipsxx<&'d Device<Unconnected>>;

const KINDS: Kinds = Kinds::CLOCK
    .with(Kind::Branches)
    .with(Kind::MispredictedBranches)
    .with(Kind::Loads)
    .with(Kind::Stores)
    .with(Kind::CacheMisses);

/// The identities whose events are perfex' 32.
const IDENTITIES: [Identity; 4] = [Identity::R10000_V2, Identity::R10000, Identity::R12000, Identity::R14000];

/// 1000 instructions of a program.
fn work() -> Work {
    Work::instructions(Mode::User, 1000)
        .with(Kind::Branches, 100)
        .with(Kind::MispredictedBranches, 10)
        .with(Kind::Loads, 300)
        .with(Kind::Stores, 200)
        .with(Kind::CacheMisses, 5)
}

/// Counts all 32 events in pairs for so many ticks, and returns the estimates by number.
fn all_events(identity: &Identity, ticks: usize) -> Vec<u64> {
    let device = Device::new(identity, KINDS, Unconnected);
    let unit = Unit::<Driver<'_>, 0>::new();
    let pmu = unit.claim(Mipsxx::detect(&device).unwrap()).unwrap();
    let pairs: [_; 16] = core::array::from_fn(|low| [low, low + 16].map(|code| Request::new(Event::raw(code as u64))));
    let mut all = Multiplex::<_, 16, 2>::new(0);
    all.bind(&pmu, pairs).unwrap();
    pmu.switch_in(all.context());
    for _tick in 0..ticks {
        device.advance(&work());
        pmu.rotate(&mut all);
    }
    pmu.switch_out(all.context());
    let estimates = |of| (0..16).map(move |group| (of, group));
    let numbers = estimates(0).chain(estimates(1));
    numbers.map(|(of, group)| all.scaled(group).unwrap()[of].expect("each group had a turn").estimate).collect()
}

/// perfex' name of an event.
fn name(catalogue: &'static Catalogue, number: u64) -> EventName {
    catalogue.events.iter().find(|event| event.code == number).expect("there are 32").name
}

fn rows(catalogue: &'static Catalogue, counts: &[u64]) -> Vec<PerfexRow> {
    let row = |(number, &count): (usize, &u64)| PerfexRow {
        number: number as u32,
        name: name(catalogue, number as u64),
        count,
    };
    counts.iter().enumerate().map(row).collect()
}

/// The inputs that these counts of the 32 events give on this processor.
fn inputs(identity: &Identity, counts: &[u64]) -> Inputs {
    let device = Device::new(identity, KINDS, Unconnected);
    let driver = Mipsxx::detect(&device).unwrap();
    Inputs::counted(&driver, |event| {
        let Event::Raw { code, .. } = event else { return None };
        counts.get(code as usize).copied()
    })
}

#[test]
fn perfex_a_projects_the_totals_of_the_32_events_two_at_a_time() {
    let estimates = all_events(&Identity::R10000, 64);
    let observed = [0, 15, 16, 17, 18, 19, 24, 26, 6].map(|number| estimates[number]);
    assert_eq!(observed, [64_000, 64_000, 64_000, 64_000, 64 * 300, 64 * 200, 640, 320, 6400]);
    let estimates = all_events(&Identity::R12000, 64);
    let observed = [0, 15, 18, 19, 24, 26].map(|number| estimates[number]);
    assert_eq!(observed, [64_000, 64_000, 64 * 300, 64 * 200, 640, 320]);
}

#[test]
fn every_count_that_a_statistic_needs_is_one_of_the_32_events() {
    for identity in IDENTITIES {
        let known = inputs(&identity, &[1; 32]).with(Input::L1LineBytes, 32).with(Input::L2LineBytes, 128);
        let known = known.with(Input::MemoryCycles, 1);
        for statistic in Statistic::ALL {
            let value = statistic.of(&known, Rate::hertz(1));
            assert!(value.is_ok(), "{}: {}: {value:?}", identity.name(), statistic.name());
        }
    }
}

/// What an R10000 of 200 MHz with lines of 32 and 128 bytes may count in ten seconds, in numbers that divide well.
fn ten_seconds() -> [u64; 32] {
    let mut counts = [0; 32];
    let counted = [
        (0, 2_000_000_000),
        (6, 100_000_000),
        (7, 8_000_000),
        (15, 1_600_000_000),
        (16, 2_000_000_000),
        (17, 1_600_000_000),
        (18, 300_000_000),
        (19, 100_000_000),
        (21, 200_000_000),
        (22, 20_000_000),
        (23, 1_000_000),
        (24, 5_000_000),
        (25, 40_000_000),
        (26, 4_000_000),
    ];
    counted.into_iter().for_each(|(number, count)| counts[number] = count);
    counts
}

/// Costs as a user measured them on a machine, in a file for perfex -c. The numbers are no machine's.
const FILE: &str = "\
Graduated_loads                    1    1    1  clocks
Graduated_stores                   1    1    1  clocks
Mispredicted_branches              2    1    5  clocks
Primary_data_cache_misses          8    3   10  clocks
Secondary_data_cache_misses      400  250  450  ns
TLB_misses                        70   70   70  clocks
";

/// The events whose typical costs are perfex' time accessing memory.
const MEMORY: [u32; 5] = [18, 19, 23, 25, 26];

#[test]
fn perfex_a_y_reports_every_event_and_every_statistic() {
    let (catalogue, clock) = (Identity::R10000.capabilities().model.catalogue(), Rate::hertz(200_000_000).unwrap());
    let counts = ten_seconds();
    let rows = rows(catalogue, &counts);
    let texts = [FILE];
    let costs = Costs::of_processor(catalogue.costs).after(&texts);
    assert_eq!(costs.check(), Ok(()));
    let cycles = |row: &PerfexRow| costs.of(&row.name.text()).map_or(0, |cost| cost.cycles(row.count, clock));
    let memory = rows.iter().filter(|row| MEMORY.contains(&row.number)).map(cycles).sum();
    assert_eq!(memory, 300_000_000 + 100_000_000 + 70_000_000 + 320_000_000 + 320_000_000);

    let inputs = inputs(&Identity::R10000, &counts).with(Input::MemoryCycles, memory);
    let inputs = inputs.with(Input::L1LineBytes, 32).with(Input::L2LineBytes, 128);
    let table = PerfexTable { rows: &rows, costs: Some((costs, clock)), inputs: Some(inputs) }.to_string();
    let words = |line: &str| line.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let events: Vec<_> = table.lines().skip(3).take(32).map(words).collect();
    let widths: Vec<_> = table.lines().skip(3).take(32).map(str::len).collect();
    assert_eq!(widths, [116; 32], "every name fits its column");
    let by_time: Vec<_> = events.iter().map(|words| words[0].as_str()).take(8).collect();
    assert_eq!(by_time, ["0", "16", "25", "26", "18", "19", "23", "24"], "{table}");
    let row = |number: &str| events.iter().find(|words| words[0] == number).expect("all are listed")[2..].to_vec();
    assert_eq!(row("26"), ["4000000", "1.600000", "1.000000", "1.800000"]);
    assert_eq!(row("24"), ["5000000", "0.050000", "0.025000", "0.125000"]);
    assert_eq!(row("31"), ["0", "-", "-", "-"]);
    let values: Vec<_> = table.lines().skip(38).filter_map(|line| line.split_ascii_whitespace().last()).collect();
    let wanted = [
        "0.800000",
        "0.100000",
        "0.200000",
        "2.000000",
        "0.050000",
        "9.000000",
        "9.000000",
        "0.900000",
        "0.900000",
        "0.555000",
        "160.000000",
        "64.000000",
        "20.000000",
    ];
    assert_eq!(values, wanted, "{table}");
}

#[test]
fn a_cycle_costs_a_clock_without_a_file_and_nothing_else_has_a_cost() {
    for identity in IDENTITIES {
        let catalogue = identity.capabilities().model.catalogue();
        let costs = Costs::of_processor(catalogue.costs);
        assert_eq!(costs.of("Cycles"), Some(Cost::always(1000, Per::Clocks)), "{}", identity.name());
        assert!(catalogue.costs.iter().all(|(name, cost)| catalogue.named(name).is_some() && *cost == Cost::CLOCK));
    }
}

#[test]
fn an_event_that_was_not_counted_is_no_input() {
    let device = Device::new(&Identity::R10000, KINDS, Unconnected);
    let driver = Mipsxx::detect(&device).unwrap();
    let instructions = driver.catalogue().named("Graduated_instructions").unwrap();
    let only = Inputs::counted(&driver, |event| (event == driver.catalogue().event(instructions)).then_some(7));
    assert_eq!(only, Inputs::none().with(Input::Instructions, 7));
}
