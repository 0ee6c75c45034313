//! What a switch from one thread to the next reads and writes, where both have the same counters.

use pmu::arch::aarch64::pmuv3::{Device, Identity, Pmuv3};
use pmu::driver::Recorder;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Context, CounterId, Event, Interrupted, Mode, Modes, Request, Unit};

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

#[test]
fn a_thread_inherits_a_period_that_was_changed_while_its_parent_was_in() {
    const LONG: u64 = 1 << 40; // takes a pair of counters
    let device = Device::new(&Identity::CORTEX_A57, Kinds::CLOCK, Unconnected);
    let unit = Unit::<_, 4>::new();
    let pmu = unit.claim(Pmuv3::detect(&device).unwrap()).unwrap();
    let mut parent = Context::<_, 1>::new(1);
    parent.bind(&pmu, [INSTRUCTIONS.every(1000)]).unwrap();
    pmu.switch_in(&mut parent);
    parent.set_period(&pmu, 0, LONG).unwrap();
    let mut child = parent.inherit(2);
    pmu.switch(&mut parent, &mut child);
    device.advance(&Work::instructions(Mode::Kernel, 1 << 32));
    let _ = unit.on_overflow(Interrupted::new(0, Mode::Kernel));
    pmu.switch_out(&mut child);
    assert_eq!((child.counts().unwrap().raw, unit.waiting_samples()), ([1 << 32], 0));
}

#[test]
fn of_two_threads_on_the_same_counter_one_makes_way_by_straight_writes() {
    let device = Device::new(&Identity::CORTEX_A57, Kinds::CLOCK, Unconnected);
    let registers = Recorder::<_, 16>::new(&device);
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(Pmuv3::detect(&registers).unwrap()).unwrap();
    let [mut first, mut second] = [Modes::ALL, Modes::USER].map(|modes| {
        let mut thread = Context::<_, 1>::new(1);
        thread.bind(&pmu, [INSTRUCTIONS.modes(modes).pinned_to(CounterId::ZERO)]).unwrap();
        pmu.switch_in(&mut thread);
        pmu.switch_out(&mut thread);
        thread
    });
    pmu.switch_in(&mut first);
    registers.clear();
    pmu.switch(&mut first, &mut second);
    let accesses: Vec<_> = (0..registers.len()).filter_map(|number| registers.access(number)).collect();
    let names: Vec<_> = accesses.iter().map(|access| format!("{access:?}")).collect();
    let expected = [
        "write PMCNTENCLR_EL0 <- 0x8000003f",
        "read counter PMEVCNTR0_EL0 -> 0x80000000",
        "write PMEVTYPER0_EL0 <- 0x80000008",
        "write PMCNTENSET_EL0 <- 0x1",
    ];
    assert_eq!(names, expected);
}
