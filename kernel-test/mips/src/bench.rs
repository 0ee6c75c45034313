//! The bench: what the crate's hot paths cost, in instructions and in accesses to registers.
//!
//! What is measured stands in [`harness::bench`]. The stopwatch is the host's count of the guest's instructions.
//! `cargo xtask bench --identity r10000` sets the figures beside what they are compared with.

use core::fmt::Write;

use harness::bench::{self, Accesses, Bench, Counting, Instructions, Measured, ROOM, ThisCpu};
use pmu::Unit;
use pmu::arch::mips::access::Hardware;
use pmu::arch::mips::mipsxx::Mipsxx;

use crate::board::Console;
use crate::guest::{self, host, instructions};

/// This kernel above the host.
struct Hosted;

impl Bench for Hosted {
    const NAME: &'static str = "mips";
    /// Coprocessor 0 is the kernel's alone.

    fn console() -> impl Write {
        Console
    }

    #[inline(always)]
    fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
        host::time(work)
    }

    #[inline(always)]
    fn exactly(instructions: u64) {
        instructions::exactly(instructions);
    }

    fn read_as_program(_: u32) -> u64 {
        unreachable!("programs read no counter")
    }
}

/// The unit's registers.
fn registers() -> Hardware<ThisCpu> {
    // SAFETY: the guest's kernel has one driver at a time, and a handler for its interrupt; what it may not do by itself is
    // carried out for it.
    unsafe { Hardware::claim(ThisCpu) }
}

/// The driver, over these registers and with a unit of its own.
macro_rules! measured {
    ($name:ident, $cost:ty, $registers:ty, $claimed:expr) => {
        struct $name;

        const _: () = {
            static UNIT: Unit<Mipsxx<$registers>, ROOM> = Unit::new();

            impl Measured for $name {
                type Kernel = Hosted;
                type Driver = Mipsxx<$registers>;
                type Cost = $cost;

                fn unit() -> &'static Unit<Self::Driver, ROOM> {
                    &UNIT
                }

                fn detect() -> Self::Driver {
                    Mipsxx::detect($claimed).expect("the processor has this unit")
                }

                fn enter() {
                    guest::on_overflow(|at| _ = UNIT.on_overflow(at));
                }
            }
        };
    };
}

measured!(Timed, Instructions, Hardware<ThisCpu>, registers());
measured!(Counted, Accesses, Counting<Hardware<ThisCpu>>, Counting::new(registers()));

/// What the guest runs.
pub fn run() {
    bench::run::<Timed, Counted>();
}
