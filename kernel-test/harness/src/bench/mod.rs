//! The bench: what the crate's hot paths cost, in instructions and in accesses to the unit's registers.
//!
//! A kernel is a [`Bench`]: it has a stopwatch. A driver that it measures is [`Measured`], by its family's name and on a
//! unit of its own. [`run`] measures a family's driver twice: over the instructions themselves, where what an operation
//! costs is [`Instructions`], and over [`Counting`] registers, where it is [`Accesses`]. So both columns are of the same
//! operations, on every unit and whoever answers for it.
//!
//! Each figure is a line, which `xtask/src/bench` reads:
//!
//! ```text
//! figure <name> <value> <unit> <how>
//! accesses <name> <reads> <writes> <reads of counters>
//! absent <name> <why>
//! ```
//!
//! The conditions are in the name. `N` is the number of requests: instructions, an event of the processor's own, cycles,
//! and further events of its own ([`requests`]). Their names say the rest.

mod cost;
mod counting;
mod detecting;
mod figures;
mod interrupt;
mod one_driver;
mod page;
mod placing;
mod plain;
mod reading;
mod requests;
mod rotation;
mod session;
mod sets;
mod sizes;
mod switching;
#[cfg(test)]
mod tests;
mod text;

use core::fmt::Write;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

pub use cost::{Accesses, Cost, Instructions, Reached, figure};
pub use counting::{Counted, Counting};
pub use detecting::measure as measure_detected;
use figures::Figures;
use pmu::driver::Driver;
use pmu::{CpuId, Event, Request, Unit};

use crate::console::Console;

/// What an image says that was built without what the bench measures, which is half of its code.
pub const LEFT_OUT: &str = "this image was built without its bench: --features bench";

/// The room for samples of a unit that is measured.
pub const ROOM: usize = 64;

/// A kernel that runs the bench.
pub trait Bench: 'static {
    /// Is each instruction a step that takes long? Then what takes millions of them is left out.
    const STEPS: bool = false;

    /// Returns the first word of the figures' names.
    fn name() -> &'static str;
    /// Returns where figures are printed.
    fn console() -> impl Write {
        Console
    }
    /// Runs `work` where it is called. Returns how many instructions it retired, and what it returned.
    fn time<T>(work: impl FnOnce() -> T) -> (u64, T);
    /// Retires so many instructions.
    fn exactly(instructions: u64);
    /// Returns requests whose counters all overflow after about so many instructions, and are noticed at once.
    fn overflowing<const N: usize>(period: u64) -> [Request; N] {
        [Request::new(Event::INSTRUCTIONS).every(period); N]
    }
    /// Reads the counter with this number as a user program does.
    fn read_as_program(index: u32) -> u64;
}

/// A driver that is measured, on a unit of its own.
pub trait Measured: 'static {
    /// The kernel.
    type Kernel: Bench;
    /// The driver.
    type Driver: Driver + 'static;
    /// What is measured of it.
    type Cost: Cost;

    /// Returns the unit.
    fn unit() -> &'static Unit<Self::Driver, ROOM>;
    /// Finds the processor's unit, of which there is no doubt.
    fn detect() -> Self::Driver;
    /// Sends overflow interrupts to an entry of the crate's that calls the unit's `on_overflow`, from now on.
    fn enter();
}

/// Makes a [`Measured`]: the kernel's driver, as it is detected, on a unit of its own, which `enter` knows by this
/// name.
///
/// `measured!(Name of Here: Instructions by Driver = detected, |UNIT| enter);`
#[macro_export]
macro_rules! measured {
    ($name:ident of $kernel:ty: $cost:ident by $driver:ty = $detected:expr, |$unit:ident| $enter:expr) => {
        struct $name;

        const _: () = {
            static $unit: pmu::Unit<$driver, { $crate::bench::ROOM }> = pmu::Unit::new();

            impl $crate::bench::Measured for $name {
                type Kernel = $kernel;
                type Driver = $driver;
                type Cost = $cost;

                fn unit() -> &'static pmu::Unit<Self::Driver, { $crate::bench::ROOM }> {
                    &$unit
                }

                fn detect() -> Self::Driver {
                    $detected.expect("the processor has this unit")
                }

                fn enter() {
                    $enter
                }
            }
        };
    };
}

/// The kernel's value in the registers of a unit that is measured: the CPU's number is in memory, as it is in the
/// structure that a kernel keeps for each CPU.
#[derive(Clone, Copy, Debug)]
pub struct ThisCpu;

static NUMBER: AtomicU32 = AtomicU32::new(0);

impl pmu::Kernel for ThisCpu {
    #[inline(always)]
    fn cpu(&self) -> CpuId {
        CpuId(NUMBER.load(Relaxed))
    }
}

/// Measures one family's driver: over the instructions themselves, and over registers that count.
pub fn run<Timed, Counted>()
where
    Timed: Measured<Cost = Instructions>,
    Counted: Measured<Cost = Accesses, Kernel = Timed::Kernel>,
{
    assert_eq!(Timed::Kernel::time(|| ()).0, 0, "the stopwatch measures itself");
    measure::<Timed>(|figures| {
        page::measure(figures);
        text::measure(figures);
        sizes::measure(figures);
        sets::measure(figures);
    });
    measure::<Counted>(|_| ());
    placing::measure::<Timed::Kernel>();
    plain::measure::<Timed::Kernel>();
}

/// Measures what reaches registers once more, by a cost of the kernel's own.
pub fn run_again<S: Measured>() {
    measure::<S>(|_| ());
}

/// Measures what reaches registers, and what else there is to be measured.
fn measure<S: Measured>(more: impl FnOnce(&Figures<S>)) {
    S::enter();
    let figures = Figures::<S>::new(S::unit().claim(S::detect()).expect("nobody else claims it"));
    reading::measure(&figures);
    interrupt::measure(&figures);
    session::measure(&figures);
    switching::measure(&figures);
    rotation::measure(&figures);
    more(&figures);
    figures.pmu.release().expect("no session is open any more");
}
