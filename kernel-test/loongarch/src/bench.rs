//! The bench: what the crate's hot paths cost, in instructions and in accesses to registers.
//!
//! What is measured stands in [`harness::bench`]. The stopwatch is the host's count of the guest's instructions.
//! `cargo xtask bench --identity loongson-3a5000` sets the figures beside what they are compared with.

use harness::bench::{self, Accesses, Bench, Counting, Instructions, ThisCpu};
use harness::measured;
use harness::overflow::on_overflow;
use pmu::arch::loongarch::access::Hardware;
use pmu::arch::loongarch::la64::La64;

use crate::guest::{Here, instructions, time};

impl Bench for Here {
    fn name() -> &'static str {
        "loongarch"
    }

    #[inline(always)]
    fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
        time(work)
    }

    #[inline(always)]
    fn exactly(instructions: u64) {
        instructions::exactly(instructions);
    }

    /// The kernel does not set MISC\[RPCNTL3\].
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

measured!(Timed of Here: Instructions by La64<Hardware<ThisCpu>> = La64::detect(registers()), |UNIT| {
    on_overflow(|at| _ = UNIT.on_overflow(at));
});
measured!(Counted of Here: Accesses by La64<Counting<Hardware<ThisCpu>>> = {
    La64::detect(Counting::new(registers()))
}, |UNIT| {
    on_overflow(|at| _ = UNIT.on_overflow(at));
});

/// What the guest runs.
pub fn run() {
    bench::run::<Timed, Counted>();
}
