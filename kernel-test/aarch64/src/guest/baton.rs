//! One CPU runs and the others sleep: QEMU's clock, by which instructions are counted, runs for all of them.

use core::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Acquire, Release},
};

use super::wait;
use crate::boot::CPUS;
use crate::system::{cpu, let_others_run};
use crate::{cpus, gic};

/// The holder when there is nothing left to do.
const NOBODY: usize = usize::MAX;

/// The one CPU that may run.
pub struct Baton {
    holder: AtomicUsize,
    asleep: [AtomicBool; CPUS],
}

impl Baton {
    /// The first CPU begins.
    pub const fn new() -> Self {
        Self { holder: AtomicUsize::new(0), asleep: [const { AtomicBool::new(false) }; CPUS] }
    }

    /// That CPU is to run from now on; this one has to [`Baton::wait`].
    pub fn give(&self, cpu: usize) {
        self.holder.store(cpu, Release);
        gic::wake(cpu);
    }

    /// No CPU is to run any more.
    pub fn end(&self) {
        self.holder.store(NOBODY, Release);
        (0..CPUS).for_each(gic::wake);
    }

    /// Sleeps until this CPU may run, and all others sleep; false if none is to run any more.
    pub fn wait(&self) -> bool {
        while self.holder.load(Acquire) != cpu() {
            if self.holder.load(Acquire) == NOBODY {
                return false;
            }
            self.sleep();
        }
        self.wait_for_the_others();
        true
    }

    fn sleep(&self) {
        assert!(!cpus::have_failed(), "another CPU failed");
        self.asleep[cpu()].store(true, Release);
        wait();
        self.asleep[cpu()].store(false, Release);
        match gic::acknowledge() {
            gic::NONE => {}
            interrupt => gic::end(interrupt),
        }
    }

    /// Who says that it sleeps has some instructions to go.
    fn wait_for_the_others(&self) {
        let are_awake = || (0..CPUS).any(|other| other != cpu() && !self.asleep[other].load(Acquire));
        while are_awake() {
            let_others_run();
        }
        (0..CPUS).for_each(|_| let_others_run());
    }
}
