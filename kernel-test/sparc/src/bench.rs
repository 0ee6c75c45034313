//! The bench: what the crate's hot paths cost, in instructions and in accesses to registers.
//!
//! What is measured stands in [`harness::bench`]. Here are the drivers, each on a unit and behind an entry of its own, and
//! the stopwatch, which is the host's count of the guest's instructions.

use core::fmt::Write;
use core::marker::PhantomData;

use harness::Console;
use harness::bench::{self, Accesses, Bench, Counting, Instructions, Measured, ROOM, ThisCpu};
use pmu::arch::sparc::access::Hardware;
use pmu::arch::sparc::niagara::{Niagara, Privilege};
use pmu::arch::sparc::ultrasparc::UltraSparc;
use pmu::arch::sparc::{Detected, Half, detect};
use pmu::{Interrupted, Mode, Registers as _, Unit};

use crate::guest::{Here, entry, instructions, time};
use crate::identity::{self, Processor};
use crate::overflow_entry;

impl Bench for Here {
    const NAME: &'static str = "sparc";

    fn console() -> impl Write {
        Console
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

/// The unit's registers.
fn registers() -> Hardware<ThisCpu> {
    // SAFETY: the guest's kernel has one driver at a time, and a handler for its interrupt; what it may not do by itself is
    // carried out for it.
    unsafe { Hardware::claim(ThisCpu) }
}

/// A driver, with a unit and an entry of its own, whichever kernel `K` measures it. Each driver's handler is compiled once,
/// as in a kernel.
macro_rules! measured {
    ($module:ident, $entry:literal, $name:ident, $cost:ty, $driver:ty, $detected:expr) => {
        pub(super) struct $name<K>(PhantomData<K>);

        mod $module {
            use super::*;

            static UNIT: Unit<$driver, ROOM> = Unit::new();

            extern "C" fn overflowed(address: u64, _: u64, _: u64) {
                let _ = UNIT.on_overflow(Interrupted::new(address, Mode::Kernel));
            }

            overflow_entry!($entry, overflowed);

            unsafe extern "C" {
                #[link_name = $entry]
                fn entry_of_unit();
            }

            impl<K: Bench> Measured for $name<K> {
                type Kernel = K;
                type Driver = $driver;
                type Cost = $cost;

                fn unit() -> &'static Unit<$driver, ROOM> {
                    &UNIT
                }

                fn detect() -> $driver {
                    $detected.expect("the processor has this unit")
                }

                fn enter() {
                    entry::lead_to(entry_of_unit);
                }
            }
        }
    };
}

type Registers = Hardware<ThisCpu>;

measured!(ultrasparc_unit, "overflow_of_ultrasparc", UltraSparcs, Instructions, UltraSparc<Registers>, {
    UltraSparc::detect(registers().version(), registers())
});
measured!(
    ultrasparc_accesses_unit,
    "overflow_of_counted_ultrasparc",
    UltraSparcsAccesses,
    Accesses,
    UltraSparc<Counting<Registers>>,
    { UltraSparc::detect(registers().version(), Counting::new(registers())) }
);
measured!(niagara_unit, "overflow_of_niagara", Niagaras, Instructions, Niagara<Registers>, {
    Niagara::detect(compatible(), Privilege::Hypervisor, registers())
});
measured!(
    niagara_accesses_unit,
    "overflow_of_counted_niagara",
    NiagarasAccesses,
    Accesses,
    Niagara<Counting<Registers>>,
    { Niagara::detect(compatible(), Privilege::Hypervisor, Counting::new(registers())) }
);
measured!(whichever_unit, "overflow_of_either", Whichever, Instructions, Detected<Registers>, {
    detect(registers().version(), registers())
});

fn compatible() -> &'static str {
    match &identity::presented().processor {
        Processor::Niagara(processor) => processor.compatible(),
        Processor::UltraSparc(_) => unreachable!("it has no such unit"),
    }
}

/// What the guest runs.
pub fn run() {
    match identity::presented().processor {
        Processor::UltraSparc(_) => {
            bench::run::<UltraSparcs<Here>, UltraSparcsAccesses<Here>>();
            bench::measure_detected::<UltraSparcs<Here>, Whichever<Here>>();
        }
        Processor::Niagara(_) => {
            bench::run::<Niagaras<Here>, NiagarasAccesses<Here>>();
            bench::measure_detected::<Niagaras<Here>, Whichever<Here>>();
        }
    }
}
