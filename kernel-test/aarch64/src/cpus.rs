//! The other CPUs: woken for one body each, and asleep again.
//!
//! PSCI (DEN 0022): CPU_ON and CPU_OFF, by `smc`, which QEMU answers itself on its "virt" where
//! there is an EL2.

use core::arch::asm;
use core::sync::atomic::{
    AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use crate::boot::{self, CPUS};
use crate::gic;
use crate::system::let_others_run;

const CPU_ON: u64 = 0xc400_0003;
const CPU_OFF: u64 = 0x8400_0002;
const AFFINITY_INFO: u64 = 0xc400_0004;
/// AFFINITY_INFO's answer for a CPU that is off.
const IS_OFF: u64 = 1;

/// What the CPUs are to run.
static BODY: AtomicUsize = AtomicUsize::new(0);
/// How many of them have done so.
static PASSED: AtomicUsize = AtomicUsize::new(0);
/// How many have not.
static FAILED: AtomicUsize = AtomicUsize::new(0);

/// Runs `body` on the first `number` CPUs at once, this one among them, each at EL1.
pub fn run(number: usize, body: fn()) {
    assert!(number <= CPUS, "there are stacks for {CPUS} CPUs");
    BODY.store(body as usize, Relaxed);
    PASSED.store(0, Relaxed);
    for cpu in 1..number {
        assert_eq!(smc(CPU_ON, cpu as u64, boot::entry_of_others(), cpu as u64), 0, "CPU {cpu} does not wake up");
    }
    body();
    while PASSED.load(Acquire) + FAILED.load(Acquire) < number - 1 {
        let_others_run();
    }
    // A CPU that has passed still has some instructions to go, which QEMU's own unit would count here.
    for cpu in 1..number {
        while smc(AFFINITY_INFO, cpu as u64, 0, 0) != IS_OFF {
            let_others_run();
        }
    }
    assert_eq!(FAILED.swap(0, Relaxed), 0, "another CPU failed");
}

/// What the CPU that was woken is to run.
pub fn body() -> fn() {
    // SAFETY: who wakes a CPU has stored a `fn()` there.
    unsafe { core::mem::transmute(BODY.load(Acquire)) }
}

/// The CPU that was woken has run it, to its end or not, and sleeps again.
pub fn end(succeeded: bool) -> ! {
    if succeeded {
        PASSED.fetch_add(1, Release);
    } else {
        FAILED.fetch_add(1, Release);
        (0..CPUS).for_each(gic::wake);
    }
    smc(CPU_OFF, 0, 0, 0);
    unreachable!("a CPU that is off runs nothing")
}

/// Has a CPU failed? Who waits for another one asks.
pub fn have_failed() -> bool {
    FAILED.load(Acquire) > 0
}

fn smc(function: u64, first: u64, second: u64, third: u64) -> u64 {
    let answer;
    // SAFETY: the firmware keeps to its calling convention (DEN 0028), and wakes a CPU at the boot
    // code's entry.
    unsafe {
        asm!(
            "smc #0",
            inout("x0") function => answer,
            inout("x1") first => _, inout("x2") second => _, inout("x3") third => _,
            clobber_abi("C"),
            options(nostack)
        );
    }
    answer
}
