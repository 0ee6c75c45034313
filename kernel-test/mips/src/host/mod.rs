//! What runs below a guest in user mode: one virtual processor, one unit in software, one test after the other.
//!
//! From the bottom up: [`clock`] counts instructions by time; [`processor`] has the guest's registers, and lets it execute
//! so many instructions; [`machine`] is the loop of entry and exit, and its answers, with [`interrupts`] and [`timer`] beside
//! it.

mod clock;
mod instruction;
mod interrupts;
mod machine;
mod outcome;
mod processor;
mod timer;

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use harness::{Report, Verdict};
use pmu::arch::mips::mipsxx::Device;
use pmu::virt::{Kinds, Unconnected};

use crate::board::{Console, exit, println};
use crate::guest::MODELLED;
use crate::identity;
use crate::low::{Frame, low};
use crate::{fresh, tests};
use machine::Machine;
use outcome::Outcome;

/// Runs every test whose name contains this.
pub fn run_tests(filter: &str, report: &mut Report<Console>) {
    let mut machine = machine(Kinds::CLOCK);
    for test in tests::ALL.iter().filter(|test| test.name.contains(filter)) {
        fresh::restore();
        let outcome = ended(machine.run(test.body));
        report.ended(test.name, test.meets(test.group, outcome));
    }
    tests::tell_left_out(filter, |name, reason| report.left_out(name, reason));
}

/// Runs one guest that speaks for itself, and models what the clock does not show.
pub fn run_guest(body: fn()) -> Verdict {
    match machine(MODELLED.into_iter().fold(Kinds::CLOCK, Kinds::with)).run(body) {
        Outcome::Passed => Verdict::Passed,
        outcome => {
            println!("kernel: FAILED: {outcome}");
            Verdict::Failed
        }
    }
}

/// The host sees instructions by the clock, and so what happens once with each.
fn machine(observed: Kinds) -> Machine {
    Machine::new(Device::new(identity::presented(), observed, Unconnected))
}

fn ended(outcome: Outcome) -> Result<(), Outcome> {
    match outcome {
        Outcome::Passed => Ok(()),
        grief => Err(grief),
    }
}

static RUNS_GUEST: AtomicBool = AtomicBool::new(false);

/// Does a guest run? A panic is the guest's then.
pub fn runs_guest() -> bool {
    RUNS_GUEST.load(Relaxed)
}

/// Runs `passage` as a guest.
fn as_guest(passage: impl FnOnce()) {
    RUNS_GUEST.store(true, Relaxed);
    passage();
    RUNS_GUEST.store(false, Relaxed);
}

/// An exception that the host itself has met.
pub extern "C" fn fault() -> ! {
    // SAFETY: the entry has filled the frame, and nothing else runs any more.
    let frame: Frame = unsafe { (*low()).frame };
    RUNS_GUEST.store(false, Relaxed);
    println!("kernel: exception {} at {:#x}, status {:#x}", frame.exception(), frame.address, frame.status);
    exit(Verdict::Failed)
}
