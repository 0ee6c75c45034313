//! The bench: what the crate's hot paths cost, in instructions and in accesses to registers.
//!
//! What is measured stands in [`harness::bench`]. Here are the drivers, each by its family's name, and the stopwatches:
//! above the host that is the host's count of the guest's instructions, and on QEMU's own unit the time base ([`native`]).
//! `cargo xtask bench --identity power9` sets the figures beside what they are compared with.

#[cfg(target_pointer_width = "64")]
mod book3s;
#[cfg(target_pointer_width = "32")]
mod narrow;
#[cfg(target_pointer_width = "64")]
mod native;

use harness::bench::{Bench, ThisCpu};
use pmu::Request;
use pmu::arch::powerpc::access::Hardware;

use crate::family;
use crate::guest::{instructions, time};

#[cfg(target_pointer_width = "64")]
pub use book3s::run;
#[cfg(target_pointer_width = "32")]
pub use narrow::run;

/// This kernel above the host.
struct Hosted;

impl Bench for Hosted {
    const STEPS: bool = true;

    fn name() -> &'static str {
        harness::by_width!("ppc64", "ppc32")
    }

    #[inline(always)]
    fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
        time(work)
    }

    #[inline(always)]
    fn exactly(instructions: u64) {
        instructions::exactly(instructions);
    }

    fn overflowing<const N: usize>(period: u64) -> [Request; N] {
        family::one_an_instruction().map(|request| request.every(period))
    }

    #[inline(always)]
    fn read_as_program(index: u32) -> u64 {
        family::read_as_user(index)
    }
}

/// The unit's registers.
fn registers() -> Hardware<ThisCpu> {
    // SAFETY: the guest's kernel has one driver at a time, and a handler for its exception; above the host, what it may
    // not do by itself is carried out for it.
    unsafe { Hardware::claim(ThisCpu) }
}

/// A driver, with a unit and an entry of its own, whichever kernel `K` measures it. Each driver's handler is compiled once,
/// as in a kernel.
macro_rules! measured {
    ($name:ident, $cost:ty, $driver:ty, $detected:expr) => {
        struct $name<K>(core::marker::PhantomData<K>);

        const _: () = {
            use harness::bench::{Bench, Measured, ROOM};
            use pmu::Unit;

            static UNIT: Unit<$driver, ROOM> = Unit::new();

    pmu::pmi_entry!(Pmi, |at| _ = UNIT.on_overflow(at), stack: Sprg0, scratch: Sprg3);

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
                    crate::guest::enter_by(Pmi::address());
                    crate::vectors::lead_to(Pmi::address());
                }
            }
        };
    };
}

use measured;
