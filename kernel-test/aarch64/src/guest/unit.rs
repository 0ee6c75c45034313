//! The unit as a kernel keeps it: in a static, claimed on its CPU, with overflows that come by the
//! interrupt controller.

use harness::{Fresh, LITTLE_ROOM, ROOM};
use metal::{get, put};
use pmu::arch::aarch64::access::Hardware;
use pmu::arch::aarch64::pmuv3::{Capabilities, Pmuv3};
use pmu::{CpuId, Interrupted, Kernel, Mode, Pmu, Result};

use super::place::{self, Each, Place};
use crate::system;
use crate::trap::Frame;

/// The driver of the processor's unit.
pub type Driver = Pmuv3<Hardware<TestKernel>>;

/// What the kernel lends: the CPU's number.
#[derive(Clone, Copy, Debug)]
pub struct TestKernel;

impl Kernel for TestKernel {
    #[inline(always)]
    fn cpu(&self) -> CpuId {
        harness::place::of(this_cpu())
    }
}

/// A unit with room for so many samples, one for each place that the kernel runs in.
pub type Unit<const SAMPLES: usize> = Each<pmu::Unit<Driver, SAMPLES>>;

/// Nobody has claimed it.
pub const fn new<const SAMPLES: usize>() -> Unit<SAMPLES> {
    Each([const { pmu::Unit::new() }; Place::ALL.len()])
}

/// The unit of the harness's sentences, and one with less room.
pub static SHARED: Fresh<pmu::Unit<Driver, ROOM>> = Fresh::new(pmu::Unit::new(), pmu::Unit::new());
pub static SMALL: Fresh<pmu::Unit<Driver, LITTLE_ROOM>> = Fresh::new(pmu::Unit::new(), pmu::Unit::new());

/// Finds the unit, by real instructions.
///
/// # Errors
/// Those of [`Pmuv3::detect`].
pub fn detect() -> Result<Driver> {
    Pmuv3::detect(hardware())
}

/// What the processor says about its unit.
pub fn capabilities() -> Capabilities {
    *detect().expect("the processor has a unit").capabilities()
}

/// Claims a test's unit, of which there is no doubt.
pub fn claim<const SAMPLES: usize>(unit: &'static Unit<SAMPLES>) -> Pmu<'static, Driver> {
    let driver = detect().expect("the processor has a unit");
    unit.claim(driver).expect("nobody has it yet")
}

/// The unit's registers.
pub fn hardware() -> Hardware<TestKernel> {
    // SAFETY: the kernel runs at EL1 or EL2 and has one driver at a time; it has an interrupt handler.
    unsafe { Hardware::claim(TestKernel) }
}

/// The CPU that runs this.
pub fn this_cpu() -> CpuId {
    CpuId(system::cpu() as u32)
}

/// What a trap's frame says about what it interrupted.
pub fn interrupted(frame: &Frame) -> Interrupted {
    let mode = match frame.state >> 2 & 0b11 {
        0 => Mode::User,
        2 if place::is(Place::El2) => Mode::Hypervisor,
        _ => Mode::Kernel,
    };
    Interrupted::new(frame.address, mode)
}

/// The cycle counter, which advances by one an instruction; it runs from now on.
#[inline(always)]
pub fn cycles() -> u64 {
    /// PMCCFILTR_EL0.NSH: at EL2 too.
    const EVERYWHERE: u64 = 1 << 27;
    /// PMCR_EL0.E and LC.
    const RUNS: u64 = 1 | 1 << 6;
    put!("pmccfiltr_el0", EVERYWHERE);
    put!("pmcntenset_el0", 1 << 31);
    put!("pmcr_el0", RUNS);
    get!("pmccntr_el0")
}
