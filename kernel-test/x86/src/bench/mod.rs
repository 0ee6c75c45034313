//! The bench: what the crate's hot paths cost, in instructions and in accesses to registers.
//!
//! What is measured stands in [`harness::bench`]. Here are the drivers, each by its family's name, the stopwatch, and
//! what only this kernel can measure. `cargo xtask bench` sets the figures beside what they are compared with.

mod device;
mod passing;
mod stopwatch;

use core::arch::asm;

use harness::bench::{self, Accesses, Bench, Counting, Instructions, Measured, ROOM, ThisCpu};
use pmu::arch::x86::access::{Cpuid, Hardware};
use pmu::arch::x86::amd::{self, Amd};
use pmu::arch::x86::intel::{self, Intel};
use pmu::arch::x86::netburst::Netburst;
use pmu::arch::x86::p5::P5;
use pmu::arch::x86::p6::P6;
use pmu::arch::x86::{Apic, Global, Lvtpc, Single};
use pmu::virt::{Kinds, Unconnected};
use pmu::{Result, Unit, arch};

use crate::guest::unit::Family;
use crate::guest::{self, instructions, unit};
use crate::identity::{self, Processor};
use crate::width::IS_I486;

/// This kernel.
struct X86;

impl Bench for X86 {
    fn name() -> &'static str {
        "x86"
    }

    #[inline(always)]
    fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
        stopwatch::time(work)
    }

    #[inline(always)]
    fn exactly(instructions: u64) {
        instructions::exactly(instructions);
    }

    #[inline(always)]
    fn read_as_program(index: u32) -> u64 {
        let (low, high): (usize, usize);
        // SAFETY: the kernel names counters of its unit only; the instruction changes nothing else.
        unsafe { asm!("rdpmc", in("ecx") index, out("eax") low, out("edx") high, options(nostack, preserves_flags)) };
        (high as u64) << 32 | low as u64
    }
}

type Registers = Hardware<ThisCpu>;
type Line = Apic<Registers>;

fn registers() -> Registers {
    // SAFETY: the guest runs in ring 0 and has one driver at a time; every guest has an NMI handler.
    unsafe { Hardware::claim(ThisCpu) }
}

fn line() -> Line {
    Apic::xapic(unit::line(), Lvtpc::NMI)
}

fn found() -> Result<arch::Driver<ThisCpu>> {
    // SAFETY: as for `registers`.
    let driver = unsafe { arch::detect(ThisCpu) }?;
    Ok(driver.with_line(line()))
}

/// A driver, with a unit and an NMI entry of its own.
macro_rules! measured {
    ($name:ident, $cost:ty, $driver:ty, $detected:expr) => {
        struct $name;

        const _: () = {
            static UNIT: Unit<$driver, ROOM> = Unit::new();

            pmu::nmi_entry!(Nmi, |at| _ = UNIT.on_overflow(at));

            impl Measured for $name {
                type Kernel = X86;
                type Driver = $driver;
                type Cost = $cost;

                fn unit() -> &'static Unit<$driver, ROOM> {
                    &UNIT
                }

                fn detect() -> $driver {
                    $detected.expect("the processor that is presented has this unit")
                }

                fn enter() {
                    guest::enter_nmi_at(Nmi::address());
                }
            }
        };
    };
}

measured!(IntelGlobal, Instructions, Intel<Registers, Line, Global>, Intel::detect(&Cpuid, registers(), line()));
measured!(IntelSingle, Instructions, Intel<Registers, Line, Single>, Intel::detect(&Cpuid, registers(), line()));
measured!(AmdGlobal, Instructions, Amd<Registers, Line, Global>, Amd::detect(&Cpuid, registers(), line()));
measured!(AmdSingle, Instructions, Amd<Registers, Line, Single>, Amd::detect(&Cpuid, registers(), line()));
measured!(OfNetburst, Instructions, Netburst<Registers, Line>, Netburst::detect(&Cpuid, registers(), line()));
measured!(OfP6, Instructions, P6<Registers, Line>, P6::detect(&Cpuid, registers(), line()));
measured!(OfP5, Instructions, P5<Registers>, P5::detect(&Cpuid, registers()));
measured!(Whichever, Instructions, arch::Driver<ThisCpu>, found());
measured!(OrNetburst, Instructions, Family<Registers, Line>, Family::detect(&Cpuid, registers(), line()));
#[cfg(target_has_atomic = "64")]
measured!(Counted, Accesses, Family<Counting<Registers>, Line>, {
    Family::detect(&Cpuid, Counting::new(registers()), line())
});
#[cfg(not(target_has_atomic = "64"))]
measured!(Counted, Accesses, P5<Counting<Registers>>, P5::detect(&Cpuid, Counting::new(registers())));

/// What the guest runs: the driver that a kernel names which knows family and generation. What registers it reaches does
/// not depend on that. The i486's image has a Pentium's alone: each takes seconds to compile.
pub fn run() {
    match &identity::presented().processor {
        Processor::P5(_) => run_without_control::<OfP5, OrNetburst>(),
        _ if IS_I486 => unreachable!("this image boots Pentiums alone"),
        Processor::Intel(intel) if intel.capabilities().has_global() => {
            run_on::<IntelGlobal, Whichever>();
            let guest = || intel::Device::new(&intel.with_sampling(0), Kinds::NONE, Unconnected);
            passing::measure(IntelGlobal::unit(), guest, |number| 0x186 + number);
        }
        Processor::Intel(_) => run_without_control::<IntelSingle, Whichever>(),
        Processor::Amd(amd) if amd.capabilities().has_global() => {
            run_on::<AmdGlobal, Whichever>();
            let guest = || amd::Device::new(amd, Kinds::NONE, Unconnected);
            passing::measure(AmdGlobal::unit(), guest, |number| 0xc001_0200 + 2 * number);
        }
        Processor::Amd(_) => run_without_control::<AmdSingle, Whichever>(),
        Processor::Netburst(_) => run_without_control::<OfNetburst, OrNetburst>(),
        Processor::P6(_) => run_without_control::<OfP6, OrNetburst>(),
    }
    device::measure();
}

/// A unit that cannot be passed through.
fn run_without_control<Timed, Found>()
where
    Timed: Measured<Kernel = X86, Cost = Instructions>,
    Found: Measured<Kernel = X86, Cost = Instructions>,
{
    run_on::<Timed, Found>();
    passing::leave_all_out("the unit has no control of all counters at once");
}

/// `Found` is the driver that a kernel names which knows neither.
fn run_on<Timed, Found>()
where
    Timed: Measured<Kernel = X86, Cost = Instructions>,
    Found: Measured<Kernel = X86, Cost = Instructions>,
{
    bench::run::<Timed, Counted>();
    bench::measure_detected::<Timed, Found>();
}
