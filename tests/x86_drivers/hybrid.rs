//! A thread moves between cores of two kinds. Generic events and events by name are placed anew on each, native codes
//! wait until the thread is on their kind again, and no register that a unit does not have is written.

mod at_random;

use pmu::arch::aarch64::pmuv3::{self, Pmuv3};
use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::{self, Intel};
use pmu::driver::{Driver, WithKernel};
use pmu::request::Refusal;
use pmu::text::native::Native;
use pmu::text::notation::Perfmon;
use pmu::virt::{Device as _, Kind, Kinds, Strict, Unconnected, Work};
use pmu::{Context, CpuId, Error, Event, Kernel, Mode, Modes, Multiplex, Pmu, Request, Set, Unit};

/// A unit, claimed, and what makes its processor execute.
struct Core<D: Driver + 'static> {
    pmu: Pmu<'static, D>,
    work: Box<dyn Fn(u64)>,
}

fn core<D: Driver>(driver: D, work: impl Fn(u64) + 'static) -> Core<D> {
    let unit: &'static Unit<D, 0> = Box::leak(Box::new(Unit::new()));
    Core { pmu: unit.claim(driver).expect("nobody has it"), work: Box::new(work) }
}

/// So many instructions of the kernel. Each fifth of them is a taken branch, and each tenth a load.
fn kernel(instructions: u64) -> Work {
    Work::instructions(Mode::Kernel, instructions)
        .with(Kind::Branches, instructions / 5)
        .with(Kind::TakenBranches, instructions / 5)
        .with(Kind::Loads, instructions / 10)
}

const FED: Kinds = Kinds::CLOCK.with(Kind::Branches).with(Kind::TakenBranches).with(Kind::Loads);

/// A kernel, as one of its CPUs sees it.
#[derive(Clone, Copy)]
struct Cpu(u32);

impl Kernel for Cpu {
    fn cpu(&self) -> CpuId {
        CpuId(self.0)
    }
}

type IntelDevice = Strict<intel::Device<Unconnected>>;

fn intel(
    cpu: u32,
    identity: &'static intel::Identity,
) -> Core<Intel<WithKernel<&'static IntelDevice, Cpu>, Unattached>> {
    let device: &'static IntelDevice = Box::leak(Box::new(Strict(intel::Device::new(identity, FED, Unconnected))));
    let driver = Intel::detect(identity, WithKernel::new(device, Cpu(cpu)), Unattached).expect("it has a unit");
    core(driver, move |instructions| device.advance(&kernel(instructions)))
}

type ArmDevice = Strict<pmuv3::Device<Unconnected>>;

fn arm(cpu: u32, identity: pmuv3::Identity) -> Core<Pmuv3<WithKernel<&'static ArmDevice, Cpu>>> {
    let device: &'static ArmDevice = Box::leak(Box::new(Strict(pmuv3::Device::new(&identity, FED, Unconnected))));
    let driver = Pmuv3::detect(WithKernel::new(device, Cpu(cpu))).expect("it has a unit");
    core(driver, move |instructions| device.advance(&kernel(instructions)))
}

/// The cores of Lunar Lake.
fn lunar_lake() -> [Core<impl Driver>; 2] {
    [intel(0, &intel::Identity::LION_COVE), intel(1, &intel::Identity::SKYMONT)]
}

/// Cortex-A72 and Cortex-A53.
fn big_little() -> [Core<impl Driver>; 2] {
    [arm(0, pmuv3::Identity::CORTEX_A72), arm(1, pmuv3::Identity::CORTEX_A53)]
}

impl<D: Driver> Core<D> {
    /// Reads events as they are typed on this core.
    fn read<const N: usize>(&self, text: &str) -> Set<N> {
        Perfmon::parse(text, self.pmu.processor()).expect("this core has them")
    }

    /// A thread that counts what is typed on this core.
    fn thread<const N: usize>(&self, text: &str) -> Context<D, N> {
        let mut context = Context::new(1);
        context.bind_by_name(&self.pmu, self.read(text)).expect("this core counts them");
        context
    }

    /// Runs a thread for 100 instructions. Returns whether it was counted.
    fn run<const N: usize>(&self, context: &mut Context<D, N>) -> bool {
        self.pmu.switch_in(context);
        let is_waiting = context.is_waiting();
        (self.work)(100);
        self.pmu.switch_out(context);
        !is_waiting
    }
}

#[test]
fn groups_by_name_take_turns() {
    let [large, _] = lunar_lake();
    let groups = ["INST_RETIRED.ANY_P:k", "BR_INST_RETIRED.NEAR_TAKEN:k"].map(|name| large.read::<1>(name));
    let mut turns = Multiplex::<_, 2, 1>::new(1);
    turns.bind_by_name(&large.pmu, groups).unwrap();
    large.pmu.switch_in(turns.context());
    for _ in 0..2 {
        (large.work)(100);
        large.pmu.rotate(&mut turns);
    }
    large.pmu.switch_out(turns.context());
    assert_eq!([0, 1].map(|group| turns.counts(group).unwrap().raw), [[100], [20]]);
}

fn counts<D: Driver, const N: usize>(context: &Context<D, N>) -> [u64; N] {
    context.counts().expect("it is out").raw
}

/// Runs a thread on these cores in turn, and returns its counts after each turn, and whether it was counted in it.
fn travel<D: Driver, const N: usize>(
    cores: [&Core<D>; 2],
    requests: [Request; N],
    turns: [usize; 4],
) -> [([u64; N], bool); 4] {
    let mut context = Context::<D, N>::new(1);
    context.bind(&cores[turns[0]].pmu, requests).expect("the first core counts them");
    let mut ran = 0;
    turns.map(|turn| {
        let is_counted = cores[turn].run(&mut context);
        let running = context.counts().unwrap().running;
        assert_eq!(running > ran, is_counted);
        ran = running;
        (counts(&context), is_counted)
    })
}

#[test]
fn generic_events_are_counted_on_every_core() {
    let requests = [Event::INSTRUCTIONS, Event::CYCLES].map(Request::new);
    let counted = |turns: [([u64; 2], bool); 4]| turns.map(|(raw, _)| raw[0]);
    let [big, little] = lunar_lake();
    assert_eq!(counted(travel([&big, &little], requests, [0, 1, 0, 1])), [100, 200, 300, 400]);
    let [big, little] = big_little();
    assert_eq!(counted(travel([&big, &little], requests, [1, 0, 1, 0])), [100, 200, 300, 400]);
    let (wide, narrow) = (arm(0, pmuv3::Identity::NEOVERSE_N2), arm(1, pmuv3::Identity::CORTEX_A57));
    assert_eq!(counted(travel([&wide, &narrow], requests, [1, 0, 1, 0])), [100, 200, 300, 400]);
}

#[test]
fn a_code_waits_until_the_thread_is_back_and_the_time_says_so() {
    let [big, little] = lunar_lake();
    let turns = travel([&big, &little], [Request::new(Event::raw(0x00C0))], [0, 1, 0, 1]);
    assert_eq!(turns, [([100], true), ([100], false), ([200], true), ([200], false)]);
    let [big, little] = big_little();
    let turns = travel([&big, &little], [Request::new(Event::raw(0x0008))], [0, 1, 0, 1]);
    assert_eq!(turns, [([100], true), ([100], false), ([200], true), ([200], false)]);
}

#[test]
fn requests_that_only_the_larger_core_has_room_for_wait_on_the_smaller() {
    let (big, little) = (intel(0, &intel::Identity::SKYLAKE), intel(1, &intel::Identity::CORE_2));
    let turns = travel([&big, &little], [Request::new(Event::INSTRUCTIONS); 8], [0, 1, 0, 1]);
    assert_eq!(turns.map(|(raw, _)| raw), [[100; 8], [100; 8], [200; 8], [200; 8]]);
    assert_eq!(turns.map(|(_, counted)| counted), [true, false, true, false]);
}

/// The two cores have other codes for it: 20C4H and C0C4H (intel/perfmon, lnc and skt).
#[test]
fn an_event_by_name_is_counted_under_its_name_on_both_of_lunar_lakes_cores() {
    let [big, little] = lunar_lake();
    let mut context = big.thread::<1>("BR_INST_RETIRED.NEAR_TAKEN:k");
    assert!(big.run(&mut context));
    assert!(!little.run(&mut context), "no switch looks a name up");
    assert_eq!(little.pmu.place(&mut context), Ok(()));
    let counted = [&little, &big, &little].map(|core| (core.run(&mut context), counts(&context)));
    assert_eq!(counted, [(true, [40]), (true, [60]), (true, [80])]);
}

#[test]
fn an_event_by_name_is_counted_under_its_name_on_cortex_a72_and_on_cortex_a53() {
    let [big, little] = big_little();
    let mut context = little.thread::<2>("INST_RETIRED:k,papi_tot_cyc:k");
    assert!(little.run(&mut context) && !big.run(&mut context));
    assert_eq!(big.pmu.place(&mut context), Ok(()));
    let counted = [&big, &little, &big].map(|core| (core.run(&mut context), counts(&context)));
    assert_eq!(counted, [(true, [200; 2]), (true, [300; 2]), (true, [400; 2])]);
}

#[test]
fn a_thread_that_waits_counts_once_its_names_were_looked_up() {
    let [big, little] = lunar_lake();
    let mut context = big.thread::<1>("BR_INST_RETIRED.NEAR_TAKEN:k");
    little.pmu.switch_in(&mut context);
    (little.work)(100);
    assert!(context.is_waiting());
    assert_eq!(little.pmu.place(&mut context), Ok(()));
    assert!(!context.is_waiting());
    (little.work)(100);
    little.pmu.switch_out(&mut context);
    assert_eq!(counts(&context), [20]);
}

/// Returns whether a thread with events that were parsed on one core is counted on the other, after looking up the names.
fn is_counted_over_there<D: Driver>(here: &Core<D>, there: &Core<D>, text: &str) -> [bool; 4] {
    let mut context = here.thread::<1>(text);
    let refused = there.pmu.place(&mut context).expect_err("it is nothing there");
    assert!(matches!(refused, Error::Refused { request: 0, reason: Refusal::UnknownEvent, .. }), "{refused}");
    [here, there, here, there].map(|core| core.run(&mut context))
}

#[test]
fn an_event_whose_name_the_other_core_does_not_have_waits_there() {
    let [big, little] = lunar_lake();
    assert_eq!(is_counted_over_there(&big, &little, "L1D.REPLACEMENT"), [true, false, true, false]);
    let [big, little] = big_little();
    assert_eq!(is_counted_over_there(&little, &big, "LD_RETIRED"), [true, false, true, false]);
}

#[test]
fn a_code_that_was_typed_as_a_number_waits_whatever_the_other_core_calls_it() {
    let [big, little] = lunar_lake();
    assert_eq!(is_counted_over_there(&big, &little, "0x00c0:k"), [true, false, true, false]);
    let [big, little] = big_little();
    assert_eq!(is_counted_over_there(&little, &big, "0x0008:k"), [true, false, true, false]);
}

/// Lion Cove's code is no event of Skymont's, or another one; so is Cortex-A53's to a Cortex-A72.
#[test]
fn a_request_that_was_read_for_one_core_is_refused_by_the_other_and_keeps_nothing() {
    let [big, little] = lunar_lake();
    are_refused(&big, &little, ["BR_INST_RETIRED.NEAR_TAKEN:k", "0x00c0:k"]);
    let [big, little] = big_little();
    are_refused(&little, &big, ["INST_RETIRED:k", "0x0008:k"]);
}

fn are_refused<D: Driver>(here: &Core<D>, there: &Core<D>, texts: [&str; 2]) {
    for text in texts {
        let set = here.read::<1>(text);
        let [asked] = set.exactly().expect("it is one");
        let refused = there.pmu.open_set(&set).expect_err("it is of the other core");
        let says = format!("request 0 ({}): its code is that of another kind of unit", asked.modes(Modes::ALL));
        assert!(refused.to_string().starts_with(&says), "{refused}, not {says}");
        assert_eq!(there.pmu.open([asked]).err(), Some(refused));
        let mut context = Context::<_, 1>::new(1);
        assert_eq!(context.bind(&there.pmu, set), Err(refused));
        assert_eq!(context.bind_by_name(&there.pmu, set), Err(refused));
        assert_eq!(here.pmu.count_set(&set, || (here.work)(100)).unwrap().0.values().len(), 1);
    }
}

/// Each core's own events make up a preset.
#[test]
fn a_generic_event_of_one_core_is_counted_by_the_other_and_the_requests_of_a_preset_are_refused() {
    let [big, little] = lunar_lake();
    let set = big.read::<1>("instructions:k");
    assert_eq!(little.pmu.count_set(&set, || (little.work)(100)).unwrap().0.values(), [100]);
    let taken = Native::of(big.pmu.driver(), "PAPI_br_tkn").expect("it has branches that are taken");
    let asked = taken.requests().next().expect("it is one at least");
    assert!(big.pmu.open([asked]).is_ok());
    assert!(matches!(little.pmu.open([asked]), Err(Error::Refused { reason: Refusal::Impossible(_), .. })));
}

#[test]
fn a_name_is_followed_only_if_that_was_asked_for() {
    let [big, little] = lunar_lake();
    let mut context = Context::<_, 1>::new(1);
    context.bind(&big.pmu, big.read("BR_INST_RETIRED.NEAR_TAKEN:k")).unwrap();
    assert!(little.pmu.place(&mut context).is_err());
    assert_eq!([&big, &little].map(|core| core.run(&mut context)), [true, false]);
}

/// The names of the other core are known, so each switch may place the requests beside whatever is open.
#[test]
fn names_that_were_looked_up_are_placed_anew_beside_other_sessions() {
    let [big, little] = lunar_lake();
    let mut context = big.thread::<1>("BR_INST_RETIRED.NEAR_TAKEN:k");
    little.pmu.place(&mut context).unwrap();
    assert!(big.run(&mut context) && little.run(&mut context));
    let branches = Request::new(Event::BRANCHES).modes(Modes::KERNEL);
    let session = little.pmu.open([branches; 7]).unwrap();
    assert!(little.run(&mut context) && big.run(&mut context) && little.run(&mut context));
    let last = little.pmu.open([branches]).unwrap();
    assert!(!little.run(&mut context));
    drop((session, last));
    assert!(little.run(&mut context));
    assert_eq!(counts(&context), [120]);
}

#[test]
fn a_thread_that_is_created_follows_the_names_of_the_one_that_creates_it() {
    let [big, little] = lunar_lake();
    let mut parent = big.thread::<1>("BR_INST_RETIRED.NEAR_TAKEN:k");
    little.pmu.place(&mut parent).unwrap();
    let mut child = parent.inherit(2);
    assert!(little.run(&mut child) && big.run(&mut child));
    assert_eq!((counts(&child), counts(&parent)), ([40], [0]));
}

#[test]
fn a_period_that_no_unit_has_is_refused_on_every_core() {
    let [big, little] = lunar_lake();
    for event in [Event::INSTRUCTIONS, Event::raw(0x00C0)] {
        let mut context = Context::<_, 1>::new(1);
        context.bind(&big.pmu, [Request::new(event).every(1000)]).unwrap();
        for core in [&big, &little] {
            let refused = Error::Refused { request: 0, event, name: None, reason: Refusal::PeriodZero };
            assert_eq!(context.set_period(&core.pmu, 0, 0), Err(refused));
            assert_eq!(context.set_period(&core.pmu, 0, 2000), Ok(()));
            assert_eq!(context.requests()[0].sampling.map(|sampling| sampling.period), Some(2000));
        }
    }
}

/// No processor of Intel's tells a hypervisor's mode apart.
#[test]
fn modes_that_the_other_core_cannot_count_in_are_refused_there_for_what_it_counts() {
    let [big, little] = lunar_lake();
    let mut context = Context::<_, 1>::new(1);
    for (event, answers) in [(Event::INSTRUCTIONS, true), (Event::raw(0x00C0), false)] {
        context.bind(&big.pmu, [Request::new(event)]).unwrap();
        let refused = Error::Refused { request: 0, event, name: None, reason: Refusal::Modes { able: Modes::ALL } };
        assert_eq!(context.set_modes(&big.pmu, Modes::HYPERVISOR), Err(refused));
        let there = context.set_modes(&little.pmu, Modes::HYPERVISOR);
        assert_eq!(there, if answers { Err(refused) } else { Ok(()) });
        context.unbind().unwrap();
    }
}
