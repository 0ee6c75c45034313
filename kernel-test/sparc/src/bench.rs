//! The bench: what the crate's hot paths cost, in instructions and in accesses to registers.
//!
//! What is measured stands in [`harness::bench`]. The stopwatch is the host's count of the guest's instructions.

use harness::bench::{self, Accesses, Bench, Counting, Instructions, ThisCpu};
use harness::measured;
use harness::overflow::on_overflow_framed;
use pmu::Result;
use pmu::arch::sparc::access::Hardware;
use pmu::arch::sparc::niagara::{Niagara, Privilege};
use pmu::arch::sparc::ultrasparc::UltraSparc;
use pmu::arch::sparc::{Asr, Detected, Half};
use pmu::driver::Registers;

use crate::guest::{Here, instructions, time};
use crate::identity::{self, Processor};

impl Bench for Here {
    fn name() -> &'static str {
        "sparc"
    }

    #[inline(always)]
    fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
        time(work)
    }

    #[inline(always)]
    fn exactly(instructions: u64) {
        instructions::exactly(instructions);
    }

    #[inline(always)]
    fn read_as_program(index: u32) -> u64 {
        registers().read_counter(if index == 0 { Half::Pic0 } else { Half::Pic1 })
    }
}

type Plain = Hardware<ThisCpu>;

/// The unit's registers.
fn registers() -> Plain {
    // SAFETY: the guest's kernel has one driver at a time, and a handler for its interrupt; what it may not do by itself is
    // carried out for it.
    unsafe { Hardware::claim(ThisCpu) }
}

fn ultrasparc<R: Registers<Address = Asr, Index = Half>>(over: R) -> Result<UltraSparc<R>> {
    UltraSparc::detect(registers().version(), over)
}

fn niagara<R: Registers<Address = Asr, Index = Half>>(over: R) -> Result<Niagara<R>> {
    let Processor::Niagara(processor) = &identity::presented().processor else { unreachable!("it has no such unit") };
    Niagara::detect(processor.compatible(), Privilege::Hypervisor, over)
}

measured!(UltraSparcs of Here: Instructions by UltraSparc<Plain> = ultrasparc(registers()), |UNIT| {
    on_overflow_framed(|at, _| _ = UNIT.on_overflow(at));
});
measured!(UltraSparcsAccesses of Here: Accesses by UltraSparc<Counting<Plain>> = {
    ultrasparc(Counting::new(registers()))
}, |UNIT| {
    on_overflow_framed(|at, _| _ = UNIT.on_overflow(at));
});
measured!(Niagaras of Here: Instructions by Niagara<Plain> = niagara(registers()), |UNIT| {
    on_overflow_framed(|at, _| _ = UNIT.on_overflow(at));
});
measured!(NiagarasAccesses of Here: Accesses by Niagara<Counting<Plain>> = niagara(Counting::new(registers())), |UNIT| {
    on_overflow_framed(|at, _| _ = UNIT.on_overflow(at));
});
measured!(Whichever of Here: Instructions by Detected<Plain> = Detected::detect(registers().version(), registers()), |UNIT| {
    on_overflow_framed(|at, _| _ = UNIT.on_overflow(at));
});

/// What the guest runs.
pub fn run() {
    match identity::presented().processor {
        Processor::UltraSparc(_) => {
            bench::run::<UltraSparcs, UltraSparcsAccesses>();
            bench::measure_detected::<UltraSparcs, Whichever>();
        }
        Processor::Niagara(_) => {
            bench::run::<Niagaras, NiagarasAccesses>();
            bench::measure_detected::<Niagaras, Whichever>();
        }
    }
}
