//! The bench: what the crate's hot paths cost, in instructions and in accesses to registers.
//!
//! What is measured stands in [`harness::bench`]. Here are the driver and the stopwatch, which is mcycle: it advances by one an
//! instruction, and the driver is not told of it.

mod stopwatch;

use core::fmt::Write;

use harness::bench::{self, Accesses, Bench, Counting, Instructions, Measured, ROOM, ThisCpu};
use pmu::Unit;
use pmu::arch::riscv::access::Hardware;
use pmu::arch::riscv::hpm::Hpm;

use crate::board::Console;
use crate::csr;
use crate::identity::{self, COUNTERS};
use crate::kernel::registers::{self, hardware};
use crate::kernel::{code, on_overflow};

/// This kernel in machine mode, and in supervisor mode.
struct Machine;
struct Supervisor;

macro_rules! kernel {
    ($kernel:ident, $name:literal) => {
        impl Bench for $kernel {
            const NAME: &'static str = $name;

            fn console() -> impl Write {
                Console
            }

            #[inline(always)]
            fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
                stopwatch::time(work)
            }

            #[inline(always)]
            fn exactly(instructions: u64) {
                code::exactly(instructions);
            }

            #[cfg(target_pointer_width = "64")]
            #[inline(always)]
            fn read_as_program(index: u32) -> u64 {
                // SAFETY: the kernel names counters of its unit only.
                unsafe { pmu::arch::riscv::access::User::claim() }.read(index)
            }

            #[cfg(target_pointer_width = "32")]
            fn read_as_program(_: u32) -> u64 {
                unreachable!("a counter of 64 bits takes several reads, which a page does not do")
            }
        }
    };
}

kernel!(Machine, "riscv.m");
kernel!(Supervisor, "riscv.s");

type Registers = Hardware<ThisCpu>;

/// A driver, with a unit of its own.
macro_rules! measured {
    ($name:ident, $cost:ty, $registers:ty, $claimed:expr, $kernel:ty) => {
        struct $name;

        const _: () = {
            static UNIT: Unit<Hpm<$registers>, ROOM> = Unit::new();

            impl Measured for $name {
                type Kernel = $kernel;
                type Driver = Hpm<$registers>;
                type Cost = $cost;

                fn unit() -> &'static Unit<Hpm<$registers>, ROOM> {
                    &UNIT
                }

                fn detect() -> Hpm<$registers> {
                    let announced = identity::present().announced().with_counters(COUNTERS & !1);
                    Hpm::detect($claimed, csr::privilege(), &announced).expect("the processor has a unit")
                }

                fn enter() {
                    on_overflow(|at| _ = UNIT.on_overflow(at));
                }
            }
        };
    };
}

measured!(TimedInMachine, Instructions, Registers, hardware(ThisCpu), Machine);
measured!(CountedInMachine, Accesses, Counting<Registers>, Counting::new(hardware(ThisCpu)), Machine);
measured!(TimedInSupervisor, Instructions, Registers, hardware(ThisCpu), Supervisor);
measured!(CountedInSupervisor, Accesses, Counting<Registers>, Counting::new(hardware(ThisCpu)), Supervisor);

/// What the kernel runs.
pub fn run() {
    registers::run(1);
    if csr::is_machine() {
        bench::run::<TimedInMachine, CountedInMachine>();
    } else {
        bench::run::<TimedInSupervisor, CountedInSupervisor>();
    }
}
