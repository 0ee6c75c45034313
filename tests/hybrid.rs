//! A thread moves between cores of two kinds: generic events are placed anew on each, codes of the processor's own wait
//! until it is back, and no register that a unit does not have is written.

use pmu::arch::aarch64::pmuv3::{self, Pmuv3};
use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::{self, Intel};
use pmu::virt::{Device as _, Kinds, Strict, Unconnected, Work};
use pmu::{Context, CpuId, Driver, Event, Kernel, Mode, Pmu, Request, Unit, WithKernel};

/// A unit, claimed, and what makes its processor execute.
struct Core<D: Driver + 'static> {
    pmu: Pmu<'static, D>,
    work: Box<dyn Fn(u64)>,
}

fn core<D: Driver>(driver: D, work: impl Fn(u64) + 'static) -> Core<D> {
    let unit: &'static Unit<D, 0> = Box::leak(Box::new(Unit::new()));
    Core { pmu: unit.claim(driver).expect("nobody has it"), work: Box::new(work) }
}

fn kernel(instructions: u64) -> Work {
    Work::instructions(Mode::Kernel, instructions)
}

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
    let device: &'static IntelDevice =
        Box::leak(Box::new(Strict(intel::Device::new(identity, Kinds::CLOCK, Unconnected))));
    let driver = Intel::detect(identity, WithKernel::new(device, Cpu(cpu)), Unattached).expect("it has a unit");
    core(driver, move |instructions| device.advance(&kernel(instructions)))
}

type ArmDevice = Strict<pmuv3::Device<Unconnected>>;

fn arm(cpu: u32, identity: pmuv3::Identity) -> Core<Pmuv3<WithKernel<&'static ArmDevice, Cpu>>> {
    let device: &'static ArmDevice =
        Box::leak(Box::new(Strict(pmuv3::Device::new(&identity, Kinds::CLOCK, Unconnected))));
    let driver = Pmuv3::detect(WithKernel::new(device, Cpu(cpu))).expect("it has a unit");
    core(driver, move |instructions| device.advance(&kernel(instructions)))
}

/// Runs a thread on these cores in turn, and returns its counts and times after each turn.
fn travel<D: Driver, const N: usize>(
    cores: [&Core<D>; 2],
    requests: [Request; N],
    turns: [usize; 4],
) -> [([u64; N], bool); 4] {
    let mut context = Context::<D, N>::new(1);
    context.bind(&cores[turns[0]].pmu, requests).expect("the first core counts them");
    let mut ran = 0;
    turns.map(|turn| {
        let Core { pmu, work } = cores[turn];
        pmu.switch_in(&mut context);
        work(100);
        pmu.switch_out(&mut context);
        let counts = context.counts().unwrap();
        let counted = counts.running > ran;
        ran = counts.running;
        (counts.raw, counted)
    })
}

#[test]
fn generic_events_are_counted_on_every_core() {
    let (big, little) = (intel(0, &intel::Identity::LION_COVE), intel(1, &intel::Identity::CORE_2));
    let requests = [Event::INSTRUCTIONS, Event::CYCLES].map(Request::new);
    let counted = travel([&big, &little], requests, [0, 1, 0, 1]).map(|(raw, _)| raw[0]);
    assert_eq!(counted, [100, 200, 300, 400]);

    let (big, little) = (arm(0, pmuv3::Identity::NEOVERSE_N2), arm(1, pmuv3::Identity::CORTEX_A57));
    let counted = travel([&big, &little], requests, [1, 0, 1, 0]).map(|(raw, _)| raw[0]);
    assert_eq!(counted, [100, 200, 300, 400]);
}

#[test]
fn a_code_waits_until_the_thread_is_back_and_the_time_says_so() {
    let (big, little) = (intel(0, &intel::Identity::LION_COVE), intel(1, &intel::Identity::CORE_2));
    let requests = [Request::new(Event::raw(0x00C0))];
    let turns = travel([&big, &little], requests, [0, 1, 0, 1]);
    assert_eq!(turns.map(|(raw, _)| raw[0]), [100, 100, 200, 200]);
    assert_eq!(turns.map(|(_, counted)| counted), [true, false, true, false]);
}

#[test]
fn requests_that_only_the_larger_core_has_room_for_wait_on_the_smaller() {
    let (big, little) = (intel(0, &intel::Identity::SKYLAKE), intel(1, &intel::Identity::CORE_2));
    let turns = travel([&big, &little], [Request::new(Event::INSTRUCTIONS); 8], [0, 1, 0, 1]);
    assert_eq!(turns.map(|(raw, _)| raw), [[100; 8], [100; 8], [200; 8], [200; 8]]);
    assert_eq!(turns.map(|(_, counted)| counted), [true, false, true, false]);
}
