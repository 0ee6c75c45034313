//! The bench: what the crate's hot paths cost, in instructions and in accesses to registers.
//!
//! What is measured stands in [`harness::bench`]. Here are the drivers and the stopwatch, which is cycle: it advances
//! by one an instruction, and the driver is not told of it. Under a firmware it leaves the firmware out, and what is
//! asked of the firmware is measured beside it, in [`calls`].

mod calls;
mod stopwatch;

use harness::bench::{self, Accesses, Bench, Counting, Instructions, ThisCpu};
use harness::{by_width, measured};
use pmu::Result;
use pmu::arch::riscv::Csr;
use pmu::arch::riscv::access::{Firmware, Hardware};
use pmu::arch::riscv::hpm::Hpm;
use pmu::arch::riscv::hpm::sbi::{Address, Sbi};
use pmu::driver::Registers;

use crate::csr;
use crate::guest::calls::{Calls, firmware, line};
use crate::guest::registers::{self, hardware};
use crate::guest::way::Way;
use crate::guest::{code, on_overflow};
use crate::identity::{self, COUNTERS};
use calls::Called;

/// This kernel in whichever mode.
struct Here;

impl Bench for Here {
    fn name() -> &'static str {
        match csr::is_machine() {
            _ if identity::is_under_firmware() => "riscv.sbi",
            true => "riscv.m",
            false => "riscv.s",
        }
    }

    #[inline(always)]
    fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
        stopwatch::time(work)
    }

    #[inline(always)]
    fn exactly(instructions: u64) {
        code::exactly(instructions);
    }

    #[inline(always)]
    fn read_as_program(index: u32) -> u64 {
        by_width!(
            crate::guest::user::read(index),
            unreachable!("counter {index} has 64 bits: it takes several reads, which a page does not do")
        )
    }
}

/// The unit's own registers, and the firmware.
type Own = Hardware<ThisCpu>;
type Its = Firmware<ThisCpu>;

/// Detects the unit, without the counter that is the stopwatch.
fn own<R: Registers<Address = Csr, Index = Csr>>(registers: R) -> Result<Hpm<R>> {
    Hpm::detect(registers, csr::privilege(), &identity::present().announced().with_counters(COUNTERS & !1))
}

/// The same under a firmware, where instret is a stopwatch too.
fn by_firmware<R: Registers<Address = Address, Index = Csr>>(registers: R) -> Result<Sbi<R>> {
    Sbi::detect(registers, &identity::present().announced().with_counters(COUNTERS & !0b101), line(), &[])
}

/// A driver that is measured. The handler is the kernel's one.
macro_rules! of_unit {
    ($name:ident: $cost:ident by $driver:ty = $detected:expr) => {
        measured!($name of Here: $cost by $driver = $detected, |UNIT| {
            on_overflow(|at| _ = UNIT.on_overflow(at));
        });
    };
}

of_unit!(Timed: Instructions by Hpm<Own> = own(hardware(ThisCpu)));
of_unit!(Counted: Accesses by Hpm<Counting<Own>> = own(Counting::new(hardware(ThisCpu))));
of_unit!(TimedByFirmware: Instructions by Sbi<Its> = by_firmware(firmware(ThisCpu)));
of_unit!(CountedByFirmware: Accesses by Sbi<Counting<Its>> = by_firmware(Counting::new(firmware(ThisCpu))));
of_unit!(CalledByFirmware: Called by Sbi<Counting<Its, Called>> = by_firmware(Counting::of(firmware(ThisCpu))));

/// What the kernel runs.
pub fn run() {
    if identity::is_under_firmware() {
        Calls::clock();
        bench::run::<TimedByFirmware, CountedByFirmware>();
        bench::run_again::<CalledByFirmware>();
    } else {
        registers::run(1);
        bench::run::<Timed, Counted>();
    }
}
