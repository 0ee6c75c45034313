//! The bench: what the crate's hot paths cost, in instructions and in accesses to registers.
//!
//! What is measured stands in [`harness::bench`]. Here are the driver, the stopwatch, and what only this kernel can
//! measure. It runs at EL1, on QEMU's unit. `cargo xtask bench --identity cortex-a57` sets the figures beside what they are
//! compared with.

mod constant;
mod device;
mod stopwatch;

use core::array;

use harness::bench::{self, Accesses, Bench, Counting, Instructions, Measured, ROOM, ThisCpu};
use pmu::arch::aarch64::Index;
use pmu::arch::aarch64::access::{Hardware, User};
use pmu::arch::aarch64::pmuv3::Pmuv3;
use pmu::{Event, Request, Unit};

use crate::gic;
use crate::guest::{enter_interrupts_at, instructions};

/// This kernel.
struct Aarch64;

impl Bench for Aarch64 {
    fn name() -> &'static str {
        "aarch64"
    }

    #[inline(always)]
    fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
        stopwatch::time(work)
    }

    #[inline(always)]
    fn exactly(instructions: u64) {
        instructions::exactly(instructions);
    }

    /// The cycle counter's overflow interrupts in time. QEMU notices those of the others no later than that.
    fn overflowing<const N: usize>(period: u64) -> [Request; N] {
        /// More than it takes to start them one after the other.
        const EARLIER: u64 = 60;
        array::from_fn(|number| Request::new(Event::CYCLES).every(if number == 0 { period } else { period - EARLIER }))
    }

    #[inline(always)]
    fn read_as_program(index: u32) -> u64 {
        // SAFETY: this is EL1, and the kernel names counters of its unit only.
        let program = unsafe { User::claim() };
        Index::from_number(index).map_or(0, |index| program.read(index))
    }
}

type Registers = Hardware<ThisCpu>;

fn registers() -> Registers {
    // SAFETY: the kernel runs at EL1 and has one driver at a time; it has an interrupt handler.
    unsafe { Hardware::claim(ThisCpu) }
}

/// A driver, with a unit and an entry of its own.
macro_rules! measured {
    ($name:ident, $cost:ty, $registers:ty, $claimed:expr) => {
        struct $name;

        const _: () = {
            static UNIT: Unit<Pmuv3<$registers>, ROOM> = Unit::new();

            pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

            impl Measured for $name {
                type Kernel = Aarch64;
                type Driver = Pmuv3<$registers>;
                type Cost = $cost;

                fn unit() -> &'static Unit<Pmuv3<$registers>, ROOM> {
                    &UNIT
                }

                fn detect() -> Pmuv3<$registers> {
                    Pmuv3::detect($claimed).expect("the processor has a unit")
                }

                fn enter() {
                    enter_interrupts_at!(Irq);
                }
            }
        };
    };
}

measured!(Timed, Instructions, Registers, registers());
measured!(Counted, Accesses, Counting<Registers>, Counting::new(registers()));

/// What the kernel runs.
pub fn run() {
    bench::run::<Timed, Counted>();
    constant::measure();
    device::measure();
}
