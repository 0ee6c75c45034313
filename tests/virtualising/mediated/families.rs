//! The families whose counters can be a guest's, on CPUs that take interrupts: a sentence is written once, and is about each.

use std::cell::RefCell;
use std::rc::Rc;

use pmu::arch::aarch64::{SystemRegister, pmuv3};
use pmu::arch::x86::amd::Svm;
use pmu::arch::x86::{Block, Msr, Window, amd, intel};
use pmu::driver::{Driver, Registers};
use pmu::virt::Mediated;
use pmu::virt::{Device, Kinds, PassThrough, Selection};
use pmu::{CounterId, Event, Handled, Mode, Modes, Pmu, Result, Session, Unit};

use crate::mediated::{ALL, Line, OfAmd, OfArm, OfIntel, counting};
use crate::support::machine::{HERE, Machine, Wire};

/// A processor of the host and a guest on it, which counts its instructions.
pub(super) trait Family {
    type Real: Device
        + Registers<Address = <Self::Real as Device>::Address, Index = <Self::Real as Device>::Index>
        + 'static;
    type Driver: Driver<Registers = &'static Machine<Self::Real>> + 'static;
    type Guest: Device + PassThrough<Address = <Self::Real as Device>::Address, Index = <Self::Real as Device>::Index>;

    fn machine() -> &'static Machine<Self::Real>;
    fn driver(machine: &'static Machine<Self::Real>) -> Result<Self::Driver>;
    /// A guest that is interrupted after so many instructions.
    fn guest(interrupts_after: u64) -> Self::Guest;
    /// It counts again from the beginning, until so many.
    fn begin(guest: &Self::Guest, interrupts_after: u64);
    /// What its counter holds, from 0 at the interrupt.
    fn value(guest: &Self::Guest) -> i64;
    /// The interrupts that the guest has had.
    fn heard(guest: &Self::Guest) -> u64;

    /// Tells the processor whether a guest runs.
    fn runs(_: &Self::Real, _guest: bool) {}
}

/// A value of so many bits, which is negative before it wraps.
fn signed(value: u64, bits: u32) -> i64 {
    (value << (64 - bits)).cast_signed() >> (64 - bits)
}

pub(super) struct Intel;

impl Family for Intel {
    type Real = intel::Device<&'static Wire>;
    type Driver = intel::Intel<&'static Machine<Self::Real>, &'static Wire>;
    type Guest = OfIntel;

    fn machine() -> &'static Machine<Self::Real> {
        Machine::new(Wire::that_masks_itself(), |wire| intel::Device::new(&intel::Identity::SKYLAKE, ALL, wire))
    }

    fn driver(machine: &'static Machine<Self::Real>) -> Result<Self::Driver> {
        intel::Intel::detect(&intel::Identity::SKYLAKE, machine, machine.wire)
    }

    fn guest(interrupts_after: u64) -> OfIntel {
        counting(interrupts_after)
    }

    fn begin(guest: &OfIntel, interrupts_after: u64) {
        guest.try_write(Msr::counter(Window::Full, 0).unwrap(), (1 << 48) - interrupts_after).unwrap();
    }

    fn value(guest: &OfIntel) -> i64 {
        signed(guest.state().general[0], 48)
    }

    fn heard(guest: &OfIntel) -> u64 {
        guest.trigger().rises()
    }
}

pub(super) struct Amd;

impl Family for Amd {
    type Real = amd::Device<&'static Wire>;
    type Driver = amd::Amd<&'static Machine<Self::Real>, &'static Wire>;
    type Guest = OfAmd;

    fn machine() -> &'static Machine<Self::Real> {
        Machine::new(Wire::that_brings_each(), |wire| amd::Device::new(&amd::Identity::ZEN_4, ALL, wire))
    }

    fn driver(machine: &'static Machine<Self::Real>) -> Result<Self::Driver> {
        amd::Amd::detect(&amd::Identity::ZEN_4, machine, machine.wire)
    }

    fn guest(interrupts_after: u64) -> OfAmd {
        let guest = OfAmd::new(&amd::Identity::ZEN_4, ALL, Line::default());
        guest.try_write(Msr::core_select(Block::Core, 0).unwrap(), 0x0053_00C0).unwrap();
        guest.try_write(Msr::CORE_CONTROL, 1).unwrap();
        Self::begin(&guest, interrupts_after);
        guest
    }

    fn begin(guest: &OfAmd, interrupts_after: u64) {
        guest.try_write(Msr::core_counter(Block::Core, 0).unwrap(), (1 << 48) - interrupts_after).unwrap();
    }

    fn value(guest: &OfAmd) -> i64 {
        signed(guest.state().counters[0], 48)
    }

    fn heard(guest: &OfAmd) -> u64 {
        guest.trigger().rises()
    }

    fn runs(real: &Self::Real, guest: bool) {
        real.set_svm(if guest { Svm::Guest } else { Svm::Off });
    }
}

pub(super) struct Arm;

impl Family for Arm {
    type Real = pmuv3::Device<&'static Wire>;
    type Driver = pmuv3::Pmuv3<&'static Machine<Self::Real>>;
    type Guest = OfArm;

    fn machine() -> &'static Machine<Self::Real> {
        Machine::new(Wire::that_is_held(), |wire| {
            pmuv3::Device::new(&pmuv3::Identity::NEOVERSE_N2, ALL, wire).driven_from(Mode::Hypervisor)
        })
    }

    fn driver(machine: &'static Machine<Self::Real>) -> Result<Self::Driver> {
        pmuv3::Pmuv3::detect(machine)
    }

    fn guest(interrupts_after: u64) -> OfArm {
        let guest = OfArm::new(&pmuv3::Identity::NEOVERSE_N2.for_guest(), ALL, Line::default());
        for (at, value) in [
            (SystemRegister::select(0).unwrap(), 0x08),
            (SystemRegister::ENABLE_SET, 1),
            (SystemRegister::INTERRUPT_SET, 1),
            (SystemRegister::CONTROL, pmuv3::Pmcr::ENABLE.bits()),
        ] {
            guest.try_write(at, value).unwrap();
        }
        Self::begin(&guest, interrupts_after);
        guest
    }

    fn begin(guest: &OfArm, interrupts_after: u64) {
        guest.try_write(SystemRegister::OVERFLOW_CLEAR, 1).unwrap();
        guest.try_write(SystemRegister::counter(0).unwrap(), (1 << 32) - interrupts_after).unwrap();
    }

    fn value(guest: &OfArm) -> i64 {
        signed(guest.state().counters[0], 32)
    }

    fn heard(guest: &OfArm) -> u64 {
        guest.trigger().rises()
    }
}

/// A CPU of the host, whose handler leaves the processor to the host's exit when a guest has the unit.
pub(super) struct Cpu<F: Family> {
    pub(super) machine: &'static Machine<F::Real>,
    pub(super) unit: &'static Unit<F::Driver, 64>,
    pub(super) pmu: Pmu<'static, F::Driver>,
    handled: Rc<RefCell<Vec<Handled>>>,
}

impl<F: Family> Cpu<F> {
    pub(super) fn new(number: u32) -> Self {
        HERE.set(number);
        let machine = F::machine();
        let unit: &'static Unit<F::Driver, 64> = Box::leak(Box::new(Unit::new()));
        let pmu = unit.claim(F::driver(machine).unwrap()).unwrap();
        let handled = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&handled);
        machine.on_interrupt(move |at| {
            let before = machine.device.state();
            let handled = unit.on_overflow(at);
            if handled == Handled::Guest {
                machine.wire.held.set(true);
                assert_eq!(machine.device.state(), before, "nothing is touched");
            }
            log.borrow_mut().push(handled);
        });
        Self { machine, unit, pmu, handled }
    }

    /// CPUs 0 and 1. The thread is on the first.
    pub(super) fn two() -> [Self; 2] {
        let cpus = [0, 1].map(Self::new);
        HERE.set(0);
        cpus
    }

    /// Its guest, which is interrupted after so many instructions.
    pub(super) fn guest(&self, interrupts_after: u64) -> Mediated<'static, F::Driver, F::Guest> {
        Mediated::new(self.pmu, F::guest(interrupts_after)).unwrap()
    }

    /// A session of the host that counts instructions.
    pub(super) fn session(&self) -> Session<'static, F::Driver, 1> {
        let mut session = self.pmu.open([Event::INSTRUCTIONS]).unwrap();
        session.start().unwrap();
        session
    }

    /// A guest works between its host's entry and exit.
    pub(super) fn guest_works(&self, instructions: u64) {
        F::runs(&self.machine.device, true);
        self.machine.work(instructions);
        F::runs(&self.machine.device, false);
    }

    /// The guest is entered, works, and is left. The host accounts for its interrupt, if there was one.
    pub(super) fn enters(&self, guest: &mut Mediated<'static, F::Driver, F::Guest>, instructions: u64) {
        guest.enter().unwrap();
        self.guest_works(instructions);
        guest.exit().unwrap();
        self.account(guest);
    }

    /// The guest was left: its host accounts for its interrupt, if there was one, and no other follows.
    pub(super) fn account(&self, guest: &mut Mediated<'static, F::Driver, F::Guest>) {
        if self.machine.wire.held.get() {
            guest.interrupted().unwrap();
            self.machine.wire.held.set(false);
        }
        self.machine.deliver();
        assert!(!self.machine.wire.held.get(), "it interrupts twice");
    }

    /// The handler's results since the last call.
    pub(super) fn handled(&self) -> Vec<Handled> {
        self.handled.take()
    }

    /// Would anything be counted if a guest ran?
    pub(super) fn counts_a_guest(&self) -> bool {
        F::runs(&self.machine.device, true);
        let counts = self.machine.device.wanted() != Kinds::NONE;
        F::runs(&self.machine.device, false);
        counts
    }

    /// The counters that count in any mode now.
    pub(super) fn counting(&self) -> Vec<CounterId> {
        let modes = |counter| self.machine.device.selection(counter).map_or(Modes::NONE, Selection::modes);
        (0..63).filter_map(CounterId::new).filter(|&counter| modes(counter) != Modes::NONE).collect()
    }
}
