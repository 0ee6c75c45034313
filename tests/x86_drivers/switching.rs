//! The registers that a switch of threads accesses on x86: the one that starts and stops all counters, each selector that
//! differs, and each counter of the thread that leaves, which is read once. A thread that only counts goes on from what its
//! counter holds. That no overflow is pending is told by the values, so no status is read.

use pmu::arch::x86::{Index, Msr, Unattached, amd, intel};
use pmu::driver::{Driver, Recorder, Registers};
use pmu::virt::{Device, Kinds, Unconnected, Work};
use pmu::{Context, CounterSet, Event, Mode, Modes, Pmu, Request, Unit};

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
const BRANCHES: Request = Request::new(Event::BRANCHES);

/// A unit whose every access is written down.
struct Bench<D: Registers + 'static, B: Driver + 'static> {
    device: &'static D,
    registers: &'static Recorder<&'static D, 64>,
    pmu: Pmu<'static, B>,
}

type Intel = intel::Intel<&'static Recorder<&'static intel::Device<Unconnected>, 64>, Unattached>;
type Amd = amd::Amd<&'static Recorder<&'static amd::Device<Unconnected>, 64>, Unattached>;

impl Bench<intel::Device<Unconnected>, Intel> {
    fn of_intel(identity: &intel::Identity) -> Self {
        Self::of(intel::Device::new(identity, Kinds::CLOCK, Unconnected), |registers| {
            Intel::new(registers, Unattached, identity.capabilities())
        })
    }
}

impl Bench<amd::Device<Unconnected>, Amd> {
    fn of_amd(identity: &amd::Identity) -> Self {
        Self::of(amd::Device::new(identity, Kinds::CLOCK, Unconnected), |registers| {
            Amd::new(registers, Unattached, identity.capabilities())
        })
    }
}

impl<D, B> Bench<D, B>
where
    D: Device<Address = Msr, Index = Index> + Registers<Address = Msr, Index = Index>,
    B: Driver,
{
    fn of(device: D, driver: impl FnOnce(&'static Recorder<&'static D, 64>) -> B) -> Self {
        let device: &'static D = Box::leak(Box::new(device));
        let registers: &'static _ = Box::leak(Box::new(Recorder::new(device)));
        let unit: &'static Unit<B, 0> = Box::leak(Box::new(Unit::new()));
        let pmu = unit.claim(driver(registers)).expect("nobody has claimed it");
        Self { device, registers, pmu }
    }

    /// A thread that asks for this on the first general counter.
    fn thread(&self, request: Request) -> Context<B, 1> {
        self.thread_on(self.pmu.description().general, request)
    }

    /// A thread that asks for this on the first of these counters.
    fn thread_on(&self, counters: CounterSet, request: Request) -> Context<B, 1> {
        let first = counters.lowest().expect("the unit has counters");
        let mut context = Context::new(1);
        context.bind(&self.pmu, [request.pinned_to(first)]).expect("the unit counts it");
        context
    }

    /// Lets the thread have a turn of ten instructions; answers what its switches read and wrote.
    fn turn(&self, context: &mut Context<B, 1>) -> Vec<String> {
        self.registers.clear();
        self.pmu.switch_in(context);
        self.device.advance(&Work::instructions(Mode::Kernel, 10));
        self.pmu.switch_out(context);
        self.accesses()
    }

    /// Lets one thread make way for another; answers what that read and wrote.
    fn exchange(&self, from: &mut Context<B, 1>, to: &mut Context<B, 1>) -> Vec<String> {
        self.registers.clear();
        self.pmu.switch(from, to);
        self.accesses()
    }

    fn accesses(&self) -> Vec<String> {
        let accesses = (0..self.registers.len()).map(|number| self.registers.access(number).expect("there is room"));
        accesses.map(|access| format!("{access:?}")).collect()
    }
}

#[test]
fn a_thread_that_finds_its_counters_as_it_left_them_writes_one_register_twice() {
    let intel = Bench::of_intel(&intel::Identity::SKYLAKE);
    let mut thread = intel.thread(INSTRUCTIONS);
    intel.turn(&mut thread);
    let expected = [
        "write IA32_PERF_GLOBAL_CTRL <- 0x1",
        "write IA32_PERF_GLOBAL_CTRL <- 0x0",
        "read counter general 0 -> 0x800000000014",
    ];
    assert_eq!(intel.turn(&mut thread), expected);
    let amd = Bench::of_amd(&amd::Identity::ZEN_4);
    let mut thread = amd.thread(INSTRUCTIONS);
    amd.turn(&mut thread);
    let expected = [
        "write PerfCntrGlobalCtl <- 0x1",
        "write PerfCntrGlobalCtl <- 0x0",
        "read counter general 0 -> 0x800000000014",
    ];
    assert_eq!(amd.turn(&mut thread), expected);
}

#[test]
fn a_selector_is_written_if_the_thread_in_between_has_counted_something_else() {
    let bench = Bench::of_intel(&intel::Identity::SKYLAKE);
    let [mut first, mut second] = [INSTRUCTIONS, BRANCHES].map(|request| bench.thread(request));
    bench.turn(&mut first);
    bench.turn(&mut second);
    let expected = [
        "write IA32_PERFEVTSEL0 <- 0x5300c0",
        "write IA32_PERF_GLOBAL_CTRL <- 0x1",
        "write IA32_PERF_GLOBAL_CTRL <- 0x0",
        "read counter general 0 -> 0x800000000014",
    ];
    assert_eq!(bench.turn(&mut first), expected);
}

#[test]
fn a_selector_is_left_if_the_thread_in_between_has_counted_the_same() {
    let intel = Bench::of_intel(&intel::Identity::SKYLAKE);
    let [mut first, mut second] = [INSTRUCTIONS; 2].map(|request| intel.thread(request));
    intel.turn(&mut first);
    intel.turn(&mut second);
    assert_eq!(intel.turn(&mut first)[0], "write IA32_PERF_GLOBAL_CTRL <- 0x1");
    let amd = Bench::of_amd(&amd::Identity::ZEN_4);
    let [mut first, mut second] = [INSTRUCTIONS; 2].map(|request| amd.thread(request));
    amd.turn(&mut first);
    amd.turn(&mut second);
    assert_eq!(amd.turn(&mut first)[0], "write PerfCntrGlobalCtl <- 0x1");
}

#[test]
fn of_two_threads_on_the_same_counter_one_makes_way_by_what_differs() {
    let bench = Bench::of_intel(&intel::Identity::SKYLAKE);
    let [mut first, mut second, mut third] = [INSTRUCTIONS, BRANCHES, BRANCHES].map(|request| bench.thread(request));
    [&mut first, &mut second, &mut third].into_iter().for_each(|thread| _ = bench.turn(thread));
    bench.pmu.switch_in(&mut first);
    let stop = ["write IA32_PERF_GLOBAL_CTRL <- 0x0", "read counter general 0 -> 0x80000000000a"];
    let start = ["write IA32_PERF_GLOBAL_CTRL <- 0x1"];
    let selector = ["write IA32_PERFEVTSEL0 <- 0x5300c4"];
    assert_eq!(bench.exchange(&mut first, &mut second), [&stop[..], &selector, &start].concat());
    assert_eq!(bench.exchange(&mut second, &mut third), [&stop[..], &start].concat());
}

#[test]
fn a_fixed_counter_is_another_threads_by_its_field_if_that_differs() {
    let bench = Bench::of_intel(&intel::Identity::SKYLAKE);
    let requests = [INSTRUCTIONS, INSTRUCTIONS.modes(Modes::USER), INSTRUCTIONS.modes(Modes::USER)];
    let [mut first, mut second, mut third] =
        requests.map(|request| bench.thread_on(bench.pmu.description().fixed, request));
    [&mut first, &mut second, &mut third].into_iter().for_each(|thread| _ = bench.turn(thread));
    bench.pmu.switch_in(&mut first);
    let stop = ["write IA32_PERF_GLOBAL_CTRL <- 0x0", "read counter fixed 0 -> 0x80000000000a"];
    let start = ["write IA32_PERF_GLOBAL_CTRL <- 0x100000000"];
    let control = ["write IA32_FIXED_CTR_CTRL <- 0xa"];
    assert_eq!(bench.exchange(&mut first, &mut second), [&stop[..], &control, &start].concat());
    assert_eq!(bench.exchange(&mut second, &mut third), [&stop[..], &start].concat());
}

#[test]
fn a_selector_is_written_again_if_a_session_has_used_the_counter() {
    let bench = Bench::of_intel(&intel::Identity::SKYLAKE);
    let mut thread = bench.thread(INSTRUCTIONS);
    bench.turn(&mut thread);
    let first = bench.pmu.description().general.lowest().expect("the unit has counters");
    drop(bench.pmu.open([BRANCHES.pinned_to(first)]).expect("the thread is out"));
    assert_eq!(bench.turn(&mut thread)[0], "write IA32_PERFEVTSEL0 <- 0x5300c0");
}

/// Before version 2 a counter starts and stops by its selector, and nobody else's is written.
#[test]
fn a_thread_writes_its_own_selectors_alone_where_no_register_starts_all() {
    let intel = Bench::of_intel(&intel::Identity::CORE_DUO);
    let mut thread = intel.thread(INSTRUCTIONS);
    intel.turn(&mut thread);
    let expected = [
        "write IA32_PERFEVTSEL0 <- 0x5300c0",
        "write IA32_PERFEVTSEL0 <- 0x1300c0",
        "read counter general 0 -> 0xff80000014",
    ];
    assert_eq!(intel.turn(&mut thread), expected);
    let amd = Bench::of_amd(&amd::Identity::K8);
    let [mut first, mut second] = [INSTRUCTIONS, BRANCHES].map(|request| amd.thread(request));
    amd.turn(&mut first);
    amd.turn(&mut second);
    let expected =
        ["write PerfEvtSel0 <- 0x5300c0", "write PerfEvtSel0 <- 0x1300c0", "read counter general 0 -> 0x800000000014"];
    assert_eq!(amd.turn(&mut first), expected);
}

/// Nehalem's counters are woken when the unit is claimed: switches program what differs and no more.
#[test]
fn a_switch_does_not_wake_nehalems_counters() {
    let bench = Bench::of_intel(&intel::Identity::NEHALEM);
    let [mut first, mut second] = [INSTRUCTIONS; 2].map(|request| bench.thread(request));
    let wakes = |accesses: Vec<String>| accesses.iter().any(|access| access.contains("IA32_PERFEVTSEL3"));
    let woken = [&mut first, &mut second].map(|thread| wakes(bench.turn(thread)));
    assert_eq!(woken, [false; 2]);
}
