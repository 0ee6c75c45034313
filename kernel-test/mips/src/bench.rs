//! The bench: what the crate's hot paths cost, in instructions and in accesses to registers.
//!
//! What is measured stands in [`harness::bench`]. The stopwatch is the host's count of the guest's instructions.
//! `cargo xtask bench --identity r10000` sets the figures beside what they are compared with.

use harness::bench::{self, Accesses, Bench, Counting, Instructions, ThisCpu};
use harness::measured;
use harness::overflow::on_overflow;
use pmu::arch::mips::access::Hardware;
use pmu::arch::mips::mipsxx::Mipsxx;

use crate::guest::{Here, instructions, time};

impl Bench for Here {
    fn name() -> &'static str {
        "mips"
    }

    #[inline(always)]
    fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
        time(work)
    }

    #[inline(always)]
    fn exactly(instructions: u64) {
        instructions::exactly(instructions);
    }

    /// Coprocessor 0 is the kernel's alone.
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

measured!(Timed of Here: Instructions by Mipsxx<Hardware<ThisCpu>> = Mipsxx::detect(registers()), |UNIT| {
    on_overflow(|at| _ = UNIT.on_overflow(at));
});
measured!(Counted of Here: Accesses by Mipsxx<Counting<Hardware<ThisCpu>>> = {
    Mipsxx::detect(Counting::new(registers()))
}, |UNIT| {
    on_overflow(|at| _ = UNIT.on_overflow(at));
});

/// What the guest runs.
pub fn run() {
    bench::run::<Timed, Counted>();
}
