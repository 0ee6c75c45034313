//! Every operation gets the number of its CPU while interrupts are off. Otherwise the thread could move to another CPU
//! afterwards. A switch that has nothing to do does neither.

use std::cell::Cell;

use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::driver::{Masked, Registers, WithKernel};
use pmu::virt::{Kinds, Unconnected};
use pmu::{Context, CpuId, Error, Event, Kernel, Unit};

/// What is asked of a kernel that can move the thread to another CPU.
#[derive(Default)]
struct Calls {
    /// How deep its exclusion is nested.
    depth: Cell<u64>,
    entered: Cell<u32>,
    /// How often it was asked for the CPU.
    asked: Cell<u32>,
    /// How often that was outside of its exclusion.
    asked_outside: Cell<u32>,
}

impl Kernel for &Calls {
    fn cpu(&self) -> CpuId {
        self.asked.set(self.asked.get() + 1);
        if self.depth.get() == 0 {
            self.asked_outside.set(self.asked_outside.get() + 1);
        }
        CpuId(0)
    }

    fn enter<R: Registers + ?Sized>(&self, _: &R) -> Masked {
        self.entered.set(self.entered.get() + 1);
        Masked::from_bits(self.depth.replace(self.depth.get() + 1))
    }

    fn leave<R: Registers + ?Sized>(&self, _: &R, before: Masked) {
        self.depth.set(before.bits());
    }
}

#[test]
fn no_operation_asks_for_its_cpu_while_it_can_be_moved() {
    let calls = Calls::default();
    let asks_inside = |what: &str| assert_eq!((calls.asked_outside.get(), calls.depth.get()), (0, 0), "{what}");
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let unit = Unit::<_, 0>::new();
    let driver = <Intel<_, _>>::detect(&Identity::SKYLAKE, WithKernel::new(&device, &calls), Unattached).unwrap();
    unit.claim(driver).unwrap();
    asks_inside("claim");
    let pmu = unit.here().unwrap();
    asks_inside("here");
    assert_eq!((pmu.cpu(), format!("{pmu:?}").contains("CpuId(0)")), (CpuId(0), true));
    asks_inside("the CPU's number");
    let mut session = pmu.open([Event::CYCLES]).unwrap();
    session.start().unwrap();
    session.counts().unwrap();
    session.stop().unwrap();
    asks_inside("a session's operations");
    let mut thread = Context::<_, 1>::new(1);
    thread.bind(&pmu, [Event::CYCLES]).unwrap();
    pmu.switch_in(&mut thread);
    pmu.thread_counts(&thread).unwrap();
    pmu.switch_out(&mut thread);
    asks_inside("a thread's switches");
    pmu.suspend().unwrap();
    session.counts().unwrap();
    unit.resume().unwrap();
    asks_inside("a sleep");
    pmu.switch_in(&mut thread);
    pmu.revoke().unwrap();
    pmu.switch_out(&mut thread);
    assert_eq!((thread.counts(), session.read()), (Err(Error::Invalidated), Err(Error::Invalidated)));
    drop(session);
    asks_inside("what is left when the unit is given up");
    unit.reclaim().unwrap();
    asks_inside("reclaim");
    pmu.release().unwrap();
    asks_inside("release");
}

/// A CPU whose number is valid only while interrupts are off.
#[derive(Clone, Copy)]
struct Moving<'d>(&'d Device<Unconnected>, CpuId);

impl Kernel for Moving<'_> {
    fn cpu(&self) -> CpuId {
        let before = self.0.mask();
        self.0.unmask(before);
        assert_ne!(before.bits(), 0, "the thread can be moved");
        self.1
    }
}

#[test]
fn a_unit_is_found_in_a_table_while_the_thread_cannot_be_moved() {
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let claimed_of = |cpu| {
        let units = [const { Unit::<_, 0>::new() }; 2];
        let registers = WithKernel::new(&device, Moving(&device, cpu));
        units[1].claim(<Intel<_, _>>::detect(&Identity::SKYLAKE, registers, Unattached)?)?;
        let unit = Unit::of_this_cpu(&units, &registers)?;
        unit.here().map(|pmu| pmu.cpu())
    };
    assert_eq!(claimed_of(CpuId(1)), Ok(CpuId(1)));
    assert_eq!(claimed_of(CpuId(0)), Err(Error::NotClaimed), "it is the other unit");
    assert_eq!(claimed_of(CpuId(2)), Err(Error::NoSuchCpu(CpuId(2))));
}

#[test]
fn a_switch_between_threads_that_measure_nothing_asks_for_no_cpu_and_masks_nothing() {
    let calls = Calls::default();
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let unit = Unit::<_, 0>::new();
    let registers = WithKernel::new(&device, &calls);
    let pmu = unit.claim(<Intel<_, _>>::detect(&Identity::SKYLAKE, registers, Unattached).unwrap()).unwrap();
    let [mut unbound, mut disabled, mut bound] = [1, 2, 3].map(Context::<_, 1>::new);
    disabled.bind(&pmu, [Event::CYCLES]).unwrap();
    disabled.disable().unwrap();
    bound.bind(&pmu, [Event::CYCLES]).unwrap();
    let calls_of = |from: &mut _, to: &mut _| {
        let before = (calls.entered.get(), calls.asked.get());
        pmu.switch(from, to);
        (calls.entered.get() - before.0, calls.asked.get() - before.1)
    };
    assert_eq!(calls_of(&mut unbound, &mut disabled), (0, 0));
    assert_eq!(calls_of(&mut disabled, &mut unbound), (0, 0));
    assert_eq!(calls_of(&mut unbound, &mut bound), (1, 1), "one thread measures");
}
