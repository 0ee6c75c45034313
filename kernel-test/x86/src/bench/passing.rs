//! What do an entry into a guest and the exit take while the real unit's counters are its own?
//!
//! With N counters in use, in instructions of the host that [`Mediated`] takes. Untouched: the guest has not used a register
//! of the unit since the last exit. Touched: it has, so that its counts have come home and go out again.

use core::hint::black_box;

use harness::bench::{ROOM, Reached, figure};
use harness::println;
use pmu::arch::x86::{Index, Msr};
use pmu::driver::{Driver, Registers};
use pmu::virt::Mediated;
use pmu::virt::{Device, PassThrough};
use pmu::{Error, Unit};

use super::X86;
use super::stopwatch::time;

/// So many counters are in use.
const COUNTS: [u32; 3] = [0, 4, 8];
const FIGURES: [&str; 2] = ["untouched", "touched"];

/// Measures guests of this kind on a unit that was released, with selectors at these addresses.
pub fn measure<D, G>(unit: &'static Unit<D, ROOM>, guest: impl Fn() -> G, select: impl Fn(u32) -> u32)
where
    D: Driver,
    D::Registers: Registers<Address = Msr, Index = Index>,
    G: Device<Address = Msr, Index = Index> + PassThrough<Address = Msr, Index = Index>,
{
    let pmu = unit.reclaim().expect("it was released");
    for count in COUNTS {
        let guest = guest();
        let write = |register, value| Msr::from_address(register).is_some_and(|at| guest.try_write(at, value).is_ok());
        if !(0..count).all(|number| write(select(number), 0x0053_00c0)) {
            leave_out(count, "the processor does not have as many counters");
            continue;
        }
        let all = (1 << count) - 1;
        let is_enabled = write(0x38f, all) || write(0xc000_0301, all);
        match Mediated::new(pmu, guest) {
            Ok(mediated) if is_enabled => measure_with(count, mediated),
            Err(Error::NoPassThrough { reason }) => leave_out(count, reason),
            _ => leave_out(count, "the unit has no control of all counters at once"),
        }
    }
    pmu.release().expect("no session is open");
}

fn measure_with<D, G>(count: u32, mut mediated: Mediated<'_, D, G>)
where
    D: Driver,
    D::Registers: Registers<Address = Msr, Index = Index>,
    G: PassThrough<Address = Msr, Index = Index>,
{
    let passes = black_box([pass as fn(&mut Mediated<'_, D, G>), pass_touched]);
    for (name, pass) in FIGURES.into_iter().zip(passes) {
        // The first entry takes the unit from the host, or programs its counters.
        pass(&mut mediated);
        let (cost, ()) = time(|| pass(&mut mediated));
        figure::<X86>(format_args!("x86.virt.pass_through.{name}.{count}"), cost, Reached::Called);
    }
}

fn pass<D, G>(mediated: &mut Mediated<'_, D, G>)
where
    D: Driver,
    D::Registers: Registers<Address = Msr, Index = Index>,
    G: PassThrough<Address = Msr, Index = Index>,
{
    mediated.enter().expect("this is the unit's CPU");
    mediated.exit().expect("this is the unit's CPU");
}

fn pass_touched<D, G>(mediated: &mut Mediated<'_, D, G>)
where
    D: Driver,
    D::Registers: Registers<Address = Msr, Index = Index>,
    G: PassThrough<Address = Msr, Index = Index>,
{
    pass(mediated);
    _ = black_box(mediated.guest());
}

/// Says of a unit that none of it is measured, and why.
pub fn leave_all_out(why: &str) {
    COUNTS.into_iter().for_each(|count| leave_out(count, why));
}

fn leave_out(count: u32, why: &str) {
    for name in FIGURES {
        println!("absent x86.virt.pass_through.{name}.{count} {why}");
    }
}
