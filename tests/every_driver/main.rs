//! What every driver must do against its own device, whatever the processor.
//!
//! A family joins by one `impl Subject` and one line in `every_driver!`; one whose counters interrupt nobody by one in
//! `every_driver_without_interrupts!`.

#[macro_use]
mod behaviours;

mod aarch64;
mod amd;
mod comebacks;
mod contract;
mod counting;
mod detected;
mod intel;
mod million;
mod mips;
mod multiplexing;
mod netburst;
mod niagara;
mod notifying;
mod operations;
mod ownership;
mod p5;
mod p6;
mod power32;
mod power64;
mod races;
mod riscv;
mod sampling;
mod scheduled;
mod sleeping;
#[path = "../support/mod.rs"]
mod support;
mod threads;
mod ultrasparc;
mod waiting;

use std::cell::RefCell;
use std::rc::Rc;

use pmu::virt::{Delivery, Device};
use pmu::{Driver, Event, Handled, Pmu, Registers, Request, Sample, Threads, Unit};
use support::machine;
use support::machine::{HERE, Machine};

/// A driver and its device, as the suite needs them.
pub(crate) trait Subject: 'static {
    type Device: Device
        + Registers<Address = <Self::Device as Device>::Address, Index = <Self::Device as Device>::Index>;
    type Driver: Driver + 'static;

    /// The number of requests for instructions that can be counted at once.
    const ROOM: usize;
    /// The number of those that can have a period.
    const PERIODS: usize = Self::ROOM;
    /// The fewest events that a counter can be preset to wait for.
    const LEAST: u64 = 1;
    /// Whether all counters count in the same modes.
    const SHARES_MODES: bool = false;
    /// Whether a start or a stop halts all counters while it is in progress.
    const HALTS: bool = false;
    /// An event that comes with each instruction, for a request beside one for instructions.
    const OTHER: Event = Event::CYCLES;
    /// Whether an interrupt that waits still comes when its overflow was accounted for.
    const LATCHES: bool = true;
    /// Whether a unit that is restored begins to count with the last access.
    const RESTORES_AT_ONCE: bool = true;

    fn machine() -> &'static Machine<Self::Device>;
    fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver;
}

pub(crate) const SAMPLES: usize = 1024;
pub(crate) const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

/// A machine whose unit is claimed and whose interrupt is wired.
pub(crate) struct Bench<S: Subject> {
    pub(crate) machine: &'static Machine<S::Device>,
    pub(crate) unit: &'static Unit<S::Driver, SAMPLES>,
    pub(crate) pmu: &'static Pmu<'static, S::Driver>,
    handled: Rc<RefCell<Vec<Handled>>>,
}

impl<S: Subject> Bench<S> {
    pub(crate) fn new() -> Self {
        Self::for_threads(Threads::Share)
    }

    pub(crate) fn for_threads(threads: Threads) -> Self {
        HERE.set(0);
        let machine = S::machine();
        let unit: &'static Unit<S::Driver, SAMPLES> = Box::leak(Box::new(Unit::new()));
        let pmu = Box::leak(Box::new(unit.claim_for(S::driver(machine), threads).expect("nobody has claimed it")));
        let handled = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&handled);
        machine.on_interrupt(move |at| log.borrow_mut().push(unit.on_overflow(at)));
        Self { machine, unit, pmu, handled }
    }

    /// The events that an event counter counts before it wraps; of one that wraps with the 64 bits of
    /// a count itself, as many as others do.
    pub(crate) fn span(&self) -> u64 {
        self.pmu.description().general_width.mask().min(1 << 48)
    }

    /// Returns the handler's results since the last call.
    pub(crate) fn handled(&self) -> Vec<Handled> {
        self.handled.take()
    }

    /// Returns the samples that are there now.
    pub(crate) fn samples(&self) -> Vec<Sample> {
        self.unit.samples().expect("nobody else reads").collect()
    }

    /// Returns the numbers of the instructions that were sampled, from `start`.
    pub(crate) fn positions(&self, start: u64) -> Vec<u64> {
        self.samples().iter().map(|sample| sample.address - start).collect()
    }
}

/// Runs a test twice: with an overflow interrupt that may come at any access, and with one that can be masked.
fn both_ways(behaviour: fn()) {
    for delivery in [Delivery::Nmi, Delivery::Maskable] {
        println!("the overflow interrupt is {delivery:?}");
        machine::DELIVERY.set(delivery);
        behaviour();
    }
}

every_driver! {
    cortex_a57: crate::aarch64::CortexA57;
    neoverse_n1: crate::aarch64::NeoverseN1;
    neoverse_n1_guest: crate::aarch64::NeoverseN1Guest;
    neoverse_n2: crate::aarch64::NeoverseN2;
    neoverse_n2_hypervisor: crate::aarch64::NeoverseN2Hypervisor;
    armv8_8: crate::aarch64::Armv8_8;
    armv9_4: crate::aarch64::Armv9_4;
    k7: crate::amd::K7;
    k8: crate::amd::K8;
    family_10h: crate::amd::Family10h;
    family_15h: crate::amd::Family15h;
    zen_2: crate::amd::Zen2;
    zen_2_single: crate::amd::Zen2Single;
    zen_4: crate::amd::Zen4;
    zen_4_global: crate::amd::Zen4Global;
    core_duo: crate::intel::CoreDuo, two;
    core_duo_single: crate::intel::CoreDuoSingle, two;
    core_2: crate::intel::Core2;
    nehalem: crate::intel::Nehalem;
    skylake: crate::intel::Skylake;
    skylake_global: crate::intel::SkylakeGlobal;
    sapphire_rapids: crate::intel::SapphireRapids;
    lion_cove: crate::intel::LionCove;
    pentium_pro: crate::p6::PentiumPro, two;
    pentium_ii: crate::p6::PentiumII, two;
    pentium_iii: crate::p6::PentiumIII, two;
    pentium_m: crate::p6::PentiumM, two;
    pentium_4: crate::netburst::Pentium4, two;
    pentium_4_all: crate::netburst::Pentium4All;
    prescott: crate::netburst::Prescott, two;
    prescott_thread: crate::netburst::PrescottThread;
    detected_skylake: crate::detected::Skylake;
    detected_family_10h: crate::detected::Family10h;
    detected32_core_duo: crate::detected::CoreDuo32, two;
    detected32_pentium_iii: crate::detected::PentiumIII32, two;
    detected_750: crate::power32::Detected750;
    detected_e500: crate::power32::DetectedE500;
    power4: crate::power64::Power4;
    ppc970: crate::power64::Ppc970;
    power5: crate::power64::Power5, two;
    power5_plus: crate::power64::Power5Plus, two;
    power6: crate::power64::Power6;
    power7: crate::power64::Power7;
    power8: crate::power64::Power8;
    power9: crate::power64::Power9;
    power10: crate::power64::Power10, two;
    p604: crate::power32::P604, two;
    p604e: crate::power32::P604e;
    p750: crate::power32::P750;
    p7400: crate::power32::P7400;
    p7450: crate::power32::P7450;
    e300: crate::power32::E300;
    e500v1: crate::power32::E500V1;
    e500v2: crate::power32::E500V2;
    e500mc: crate::power32::E500mc;
    ultrasparc_iii: crate::ultrasparc::UltraSparc3, two;
    ultrasparc_iiii: crate::ultrasparc::UltraSparc3i, two;
    ultrasparc_iv_plus: crate::ultrasparc::UltraSparc4Plus, two;
    ultrasparc_t2: crate::niagara::T2, two;
    ultrasparc_t2_hypervisor: crate::niagara::T2Hypervisor, two;
    sparc_t3: crate::niagara::T3, two;
    r10000_v2: crate::mips::R10000V2, two;
    r10000: crate::mips::R10000, two;
    r12000: crate::mips::R12000, two;
    mips_5k: crate::mips::M5k, two;
    mips_24k: crate::mips::M24k, two;
    mips_34k: crate::mips::M34k, two;
    mips_74k: crate::mips::M74k;
    mips_octeon_ii: crate::mips::OcteonII, two;
    rv64: crate::riscv::Rv64;
    rv32: crate::riscv::Rv32;
    rv64_delegated: crate::riscv::Rv64Delegated;
    rv32_delegated: crate::riscv::Rv32Delegated;
    rv64_firmware: crate::riscv::Rv64Firmware;
    rv32_firmware: crate::riscv::Rv32Firmware;
}

every_driver_of_one_counter! {
    ultrasparc_t1: crate::niagara::T1;
    mips_20k: crate::mips::M20k;
    c906: crate::riscv::C906;
    ax45: crate::riscv::Ax45;
    c906_firmware: crate::riscv::C906Firmware;
    ax45_firmware: crate::riscv::Ax45Firmware;
}

every_driver_without_interrupts! {
    pentium: crate::p5::Pentium;
    pentium_mmx: crate::p5::PentiumMmx, cycles;
    detected32_pentium_mmx: crate::detected::PentiumMmx32, cycles;
    ultrasparc_i: crate::ultrasparc::UltraSparc1, cycles;
    ultrasparc_ii: crate::ultrasparc::UltraSparc2, cycles;
    ultrasparc_ii_i: crate::ultrasparc::UltraSparc2i, cycles;
    rv64_plain: crate::riscv::Rv64Plain;
    rv32_plain: crate::riscv::Rv32Plain;
    rv64_1_10: crate::riscv::Rv64V1_10;
}
