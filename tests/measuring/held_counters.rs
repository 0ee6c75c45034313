//! Two cores of one processor, on one of which somebody else has a part of the counters: firmware, a hypervisor, or the other
//! hardware thread. A thread that asks for a code counts it on both.

use pmu::arch::aarch64::pmuv3::{self, Pmuv3};
use pmu::arch::mips::mipsxx::{self, Mipsxx};
use pmu::arch::x86::intel::{self, Intel};
use pmu::arch::x86::netburst::CounterGroup;
use pmu::arch::x86::netburst::{self, Netburst, Share};
use pmu::arch::x86::p5::{self, P5};
use pmu::arch::x86::{Apic, LineRegister, Lvtpc, Unattached};
use pmu::driver::{Driver, Registers, WithKernel};
use pmu::request::Refusal;
use pmu::virt::{Device, Kinds, Unconnected, Work};
use pmu::{Context, CounterSet, CpuId, Error, Event, Kernel, Mode, Pmu, Request, Unit};

/// Instructions retired, tagged or not (instr_retired: NBOGUSNTAG, NBOGUSTAG).
const INSTRUCTIONS: Event = Event::raw(CounterGroup::Iq.code(0x02, 4, 0b11));

/// A kernel, as one of its CPUs sees it.
#[derive(Clone, Copy)]
struct Cpu(u32);

impl Kernel for Cpu {
    fn cpu(&self) -> CpuId {
        CpuId(self.0)
    }
}

/// A core: its unit, claimed, and what makes it execute.
struct Core<D: Driver + 'static> {
    pmu: Pmu<'static, D>,
    work: Box<dyn Fn(u64)>,
}

impl<D: Driver> Core<D> {
    fn new(driver: D, device: &'static impl Device) -> Self {
        let unit: &'static Unit<D, 0> = Box::leak(Box::new(Unit::new()));
        let work = |instructions| device.advance(&Work::instructions(Mode::Kernel, instructions));
        Self { pmu: unit.claim(driver).expect("nobody has it"), work: Box::new(work) }
    }

    fn run(&self, thread: &mut Context<D, 1>) {
        self.pmu.switch_in(thread);
        (self.work)(100);
        self.pmu.switch_out(thread);
    }
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn of<T: Registers>(device: &'static T, cpu: u32) -> WithKernel<&'static T, Cpu> {
    WithKernel::new(device, Cpu(cpu))
}

/// Returns what a thread counts that is on both cores in turn. Between two turns of its own on a core it is elsewhere.
fn counted<D: Driver>(cores: &[Core<D>; 2], event: Event) -> u64 {
    let mut thread = Context::<D, 1>::new(1);
    thread.bind(&cores[0].pmu, [event]).expect("the first core counts it");
    for turn in [0, 1, 0, 1, 1] {
        cores[turn].run(&mut thread);
    }
    thread.counts().expect("it is out").raw[0]
}

fn intel(cpu: u32, held: CounterSet) -> Core<impl Driver> {
    let identity = &intel::Identity::SKYLAKE;
    let device = leak(intel::Device::new(identity, Kinds::CLOCK, Unconnected));
    let mut unit = identity.capabilities();
    (unit.general, unit.used_by_others) = (unit.general.without(held), held);
    Core::new(Intel::new(of(device, cpu), Unattached, unit), device)
}

#[test]
fn a_code_is_counted_beside_firmware_on_intel() {
    // The thread's code is counted on the highest counter that is free: 7, and 3 on the second core.
    let cores = [intel(0, CounterSet::EMPTY), intel(1, CounterSet::from_bits(0xF0))];
    assert_eq!(counted(&cores, Event::raw(0x00C0)), 500);
}

#[test]
fn a_code_is_counted_beside_firmware_on_a_pentium() {
    let core = |cpu, held: CounterSet| {
        let device = leak(p5::Device::new(&p5::Identity::P5, Kinds::CLOCK));
        let mut unit = p5::Identity::P5.capabilities();
        (unit.counters, unit.used_by_others) = (unit.counters.without(held), held);
        Core::new(P5::new(of(device, cpu), unit), device)
    };
    let cores = [core(0, CounterSet::EMPTY), core(1, CounterSet::from_bits(0b10))];
    assert_eq!(counted(&cores, Event::raw(0x16)), 500);
}

#[test]
fn a_code_is_counted_on_either_thread_of_a_pentium_4() {
    let core = |cpu, share| {
        let identity = netburst::Identity::PENTIUM_4.with_share(share);
        let device = leak(netburst::Device::new(&identity, Kinds::CLOCK, Unconnected));
        Core::new(Netburst::new(of(device, cpu), Unattached, identity.capabilities()), device)
    };
    let cores = [core(0, Share::Thread0), core(1, Share::Thread1)];
    assert_eq!(counted(&cores, INSTRUCTIONS), 500);
}

#[test]
fn a_code_is_counted_beside_a_hypervisor_on_arm() {
    let core = |cpu, counters| {
        let device = leak(pmuv3::Device::new(&pmuv3::Identity::CORTEX_A57, Kinds::CLOCK, Unconnected));
        let mut unit = *Pmuv3::detect(of(device, cpu)).unwrap().capabilities();
        unit.event_counters = counters;
        Core::new(Pmuv3::new(of(device, cpu), unit, pmuv3::Share::WHOLE), device)
    };
    assert_eq!(counted(&[core(0, 6), core(1, 2)], Event::raw(8)), 500);
}

#[test]
fn a_code_is_counted_on_either_vpe_of_a_34k() {
    let core = |cpu, vpe| {
        let identity = mipsxx::Identity::M34K;
        let device = leak(mipsxx::Device::new(&identity, Kinds::CLOCK, Unconnected));
        device.set_thread(mipsxx::Thread { vpe, tc: 0 });
        Core::new(Mipsxx::new(of(device, cpu), identity.capabilities().of_vpe(vpe).unwrap()), device)
    };
    assert_eq!(counted(&[core(0, 0), core(1, 1)], Event::raw(1)), 500);
}

/// A local APIC's entry, which nobody looks at.
struct Entry;

impl LineRegister for Entry {
    fn read_line(&self) -> u32 {
        0
    }

    fn write_line(&self, _: Lvtpc) {}
}

/// The first driver was once kept without a word, and the unit never interrupted.
#[test]
fn a_later_claim_with_other_counters_or_another_line_is_refused() {
    let identity = &intel::Identity::SKYLAKE;
    let device = &intel::Device::new(identity, Kinds::CLOCK, Unconnected);
    let driver = |line, held| {
        let mut unit = identity.capabilities();
        unit.general = unit.general.without(CounterSet::first(held));
        Intel::new(device, line, unit)
    };
    let x2apic = |entry| Apic::x2apic(Entry, entry);
    let unit = Unit::<Intel<_, _>, 0>::new();
    unit.claim(driver(Apic::unattached(), 0)).unwrap().release().unwrap();
    for (line, held) in [(Apic::unattached(), 1), (x2apic(Lvtpc::NMI), 0)] {
        assert_eq!(unit.claim(driver(line, held)).err(), Some(Error::OtherUnit));
    }
    unit.claim(driver(Apic::unattached(), 0)).unwrap().release().unwrap();
    assert!(unit.reclaim().is_ok());
    let unit = Unit::<Intel<_, _>, 0>::new();
    unit.claim(driver(x2apic(Lvtpc::NMI), 0)).unwrap().release().unwrap();
    let vector = Lvtpc::vector(0x40).unwrap();
    assert_eq!(unit.claim(driver(x2apic(vector), 0)).err(), Some(Error::OtherUnit), "another entry of the same line");
}

#[test]
fn a_code_whose_only_counter_is_somebody_elses_says_whose_where_it_waits() {
    let cores = [intel(0, CounterSet::EMPTY), intel(1, CounterSet::from_bits(0b10))];
    let request = Request::new(Event::raw(0x00C0)).pinned_to(pmu::CounterId::new(1).unwrap());
    let mut thread = Context::<_, 1>::new(1);
    thread.bind(&cores[0].pmu, [request]).unwrap();
    cores[1].run(&mut thread);
    let reason = Refusal::UsedByOthers(CounterSet::from_bits(0b10));
    assert_eq!(
        cores[1].pmu.place(&mut thread),
        Err(Error::Refused { request: 0, event: request.event, name: None, reason })
    );
    cores[0].run(&mut thread);
    assert_eq!(thread.counts().unwrap().raw, [100]);
}
