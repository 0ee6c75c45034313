//! What user programs are lent, whom it can be lent to, and where it ends, on each family.

mod ending;
mod families;
mod pages;
mod refused;
mod residue;
#[path = "../support/mod.rs"]
mod support;

use std::cell::Cell;

use pmu::driver::{Driver, WithKernel};
use pmu::virt::{Kinds, Unconnected, Work};
use pmu::{Context, CpuId, Event, Kernel, Mode, Pmu, Request};

use support::families::on_each;

// A program on the other PowerPC reads its counters always.
on_each! { [K8 Zen4 Skylake PentiumIII PentiumMmx Pentium4 NeoverseN1 Armv9_4 Power9 UltraSparc3 T2 Rv64 Rv64Firmware]
    ending: lending_ends_where_a_session_is_opened_that_the_program_would_see
        lending_ends_where_the_threads_counters_are_taken_from_it lending_ends_with_a_sleep_and_a_release
        a_session_is_shown_until_another_one_is_opened a_session_is_shown_until_a_thread_gets_counters_beside_it
        lending_ends_where_another_thread_gets_the_counters;
}

on_each! { [K8 Zen4 Skylake PentiumIII PentiumMmx Pentium4 NeoverseN1 Armv9_4 Power9 Ppc750 E500 UltraSparc3 T2 Rv64
        Rv64Firmware]
    residue: what_sessions_and_threads_have_left_in_any_counter_is_not_seen
        a_thread_whose_counter_was_cleared_for_a_program_has_its_own_count;
}

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
    &'static G: pmu::driver::Registers,
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
