//! A pair of one thread, as libperfex counted a process, and not what runs beside it.

use pmu::output::{perfex::GenerationNumber, perfex::Perfex, perfex::ThreadPerfex};
use pmu::text::notation::PerfexCommand;
use pmu::virt::Device as _;
use pmu::{CounterId, Error, Event, Pmu, Request, Set, Threads, Unit};

use crate::skylake::{Device, Driver, device, driver, work};

fn run(device: &Device, instructions: u64) {
    device.advance(&work(instructions));
}

/// Runs the pair's thread and another one, in turns.
fn take_turns<'d>(device: &'d Device, pmu: &Pmu<'_, Driver<'d>>, perfex: &mut ThreadPerfex<'_, Driver<'d>>) {
    run(device, 600);
    pmu.switch_out(perfex.context());
    run(device, 5000);
    pmu.switch_in(perfex.context());
    run(device, 400);
}

#[test]
fn a_threads_pair_counts_its_thread_and_a_cpus_pair_all_of_them() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let (mut of_cpu, mut of_thread) = (Perfex::new(&pmu), ThreadPerfex::new(1));
    for round in 1..=3 {
        of_cpu.start(Event::INSTRUCTIONS, Event::BRANCHES).unwrap();
        let started = of_thread.start(&pmu, Event::BRANCHES, Event::INSTRUCTIONS).unwrap();
        take_turns(&device, &pmu, &mut of_thread);
        assert_eq!(of_thread.read(&pmu), Ok(([100, 1000], GenerationNumber(round))), "in the order of the events");
        assert_eq!((of_cpu.read().unwrap().0, started), ([6000, 600], GenerationNumber(round)));
    }
}

#[test]
fn a_set_without_requests_is_no_pair() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let (mut of_cpu, mut of_thread) = (Perfex::new(&pmu), ThreadPerfex::new(1));
    assert_eq!(of_cpu.start_set(&Set::new()), Err(Error::NotBound));
    assert_eq!(of_thread.start_set(&pmu, &Set::new()), Err(Error::NotBound));
    assert_eq!((of_cpu.read(), of_thread.read(&pmu)), (Err(Error::Stopped), Err(Error::NotBound)));
}

#[test]
fn a_threads_pair_may_be_overridden_and_keeps_its_counters() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let replace = |number: usize| (number == 1).then_some(Event::BRANCHES);
    let mut perfex = ThreadPerfex::new(1).replaced_by(&replace);
    let second = Request::new(Event::BRANCH_MISSES).pinned_to(CounterId::new(2).unwrap());
    perfex.start(&pmu, Event::INSTRUCTIONS, second).unwrap();
    take_turns(&device, &pmu, &mut perfex);
    let occupied = pmu.open([second]).map(drop).unwrap_err();
    assert!(matches!(occupied, Error::Conflict(_)), "{occupied}");
    assert_eq!(perfex.read(&pmu).unwrap().0, [1000, 100]);
    pmu.open([second]).expect("the thread has left its counter");
}

#[test]
fn a_start_that_was_not_read_is_forgotten_and_a_read_without_a_start_is_an_error() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let mut perfex = ThreadPerfex::new(1);
    assert_eq!(perfex.read(&pmu), Err(Error::NotBound));
    perfex.start(&pmu, Event::INSTRUCTIONS, Event::BRANCHES).unwrap();
    run(&device, 1000);
    perfex.start(&pmu, Event::INSTRUCTIONS, Event::CYCLES).unwrap();
    run(&device, 10);
    assert_eq!(perfex.read(&pmu), Ok(([10, 10], GenerationNumber(2))));
    assert_eq!(perfex.read(&pmu), Err(Error::NotBound));
    let on_zero = |event| Request::new(event).pinned_to(CounterId::ZERO);
    let refused = perfex.start(&pmu, on_zero(Event::BRANCHES), on_zero(Event::BRANCH_MISSES));
    assert!(matches!(refused, Err(Error::Conflict(_))));
    assert_eq!(perfex.read(&pmu), Err(Error::NotBound), "nothing was started");
}

#[test]
fn another_generation_says_that_the_thread_was_without_counters() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let zero = Request::new(Event::BRANCHES).pinned_to(CounterId::ZERO);
    let mut perfex = ThreadPerfex::new(1);
    let started = perfex.start(&pmu, zero, Event::INSTRUCTIONS).unwrap();
    run(&device, 1000);
    pmu.switch_out(perfex.context());
    let session = pmu.open([zero]).unwrap();
    pmu.switch_in(perfex.context());
    run(&device, 1000);
    drop(session);
    let (counts, read) = perfex.read(&pmu).unwrap();
    assert_eq!((counts, started, read), ([100, 1000], GenerationNumber(1), GenerationNumber(2)));
}

#[test]
fn a_thread_that_yields_to_a_session_is_told_at_the_read_and_starts_again() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim_with(driver(&device), Threads::Yield).unwrap();
    let mut perfex = ThreadPerfex::new(1);
    perfex.start(&pmu, Event::INSTRUCTIONS, Event::BRANCHES).unwrap();
    drop(pmu.open([Event::CYCLES]).unwrap());
    assert_eq!(perfex.read(&pmu), Err(Error::Invalidated));
    perfex.start(&pmu, Event::INSTRUCTIONS, Event::BRANCHES).unwrap();
    run(&device, 50);
    assert_eq!(perfex.read(&pmu).unwrap().0, [50, 5]);
}

#[test]
fn a_pair_or_one_event_that_a_user_typed_is_counted_for_a_thread() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let replace = |number: usize| (number == 1).then_some(Event::CYCLES);
    let mut perfex = ThreadPerfex::new(1).replaced_by(&replace);
    let mut count = |text| {
        let command = PerfexCommand::parse(text, pmu.processor()).unwrap();
        perfex.start_set(&pmu, &command.sets()[0]).unwrap();
        take_turns(&device, &pmu, &mut perfex);
        perfex.read(&pmu).unwrap().0
    };
    assert_eq!(count("-e PAPI_br_ins -e INST_RETIRED.ANY_P ./a.out"), [100, 1000], "the second is replaced by cycles");
    assert_eq!(count("-e PAPI_br_ins ./a.out"), [100, 0]);
}
