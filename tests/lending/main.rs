//! What user programs are lent, whom it can be lent to, and where it ends, on each family.

mod ending;
mod pages;
mod refused;
mod residue;

use std::cell::Cell;

use pmu::virt::{Kinds, Unconnected, Work};
use pmu::{Context, CpuId, Driver, Event, Kernel, Mode, Pmu, Request, WithKernel};

/// A hundred instructions of a user program.
const USER: Work = Work::instructions(Mode::User, 100);
const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

thread_local! {
    /// Has the kernel closed the counters to user programs?
    static IS_CLOSED: Cell<bool> = const { Cell::new(false) };
}

/// A kernel that keeps programs from reading counters, as one on x86 does by CR4.PCE.
#[derive(Clone, Copy, Debug)]
struct Closing;

impl Kernel for Closing {
    fn cpu(&self) -> CpuId {
        CpuId(0)
    }

    fn close_user_reads(&self) {
        IS_CLOSED.set(true);
    }
}

/// The registers of a device, in that kernel.
type Of<G> = WithKernel<&'static G, Closing>;

fn leaked<G>(device: G) -> (&'static G, Of<G>)
where
    &'static G: pmu::Registers,
{
    let device: &'static G = Box::leak(Box::new(device));
    (device, WithKernel::new(device, Closing))
}

/// A thread that counts this, and is switched in.
fn thread_in<D: Driver>(pmu: &Pmu<'_, D>, request: Request) -> Context<D, 1> {
    let mut thread = Context::new(1);
    thread.bind(pmu, [request]).unwrap();
    pmu.switch_in(&mut thread);
    thread
}
