//! Runs the tests, one after the other, in the mode of the kernel that they test: a function call with an emergency exit.

use core::arch::naked_asm;
use core::cell::UnsafeCell;
use core::fmt;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use harness::{Report, Verdict, Words};

use crate::board::{self, Console, println};
use crate::width::by_width;
use crate::{csr, identity, kernel, tests};

/// The last failure's reason.
struct Reason(UnsafeCell<Option<Words>>);

// SAFETY: one hart runs, and it takes the reason when the test has ended.
unsafe impl Sync for Reason {}

static REASON: Reason = Reason(UnsafeCell::new(None));
/// A test runs.
static IS_RUNNING: AtomicBool = AtomicBool::new(false);
/// Where the stack stood at the call.
static STACK: AtomicUsize = AtomicUsize::new(0);

/// Runs every test whose name contains this.
pub fn tests(filter: &str) -> Verdict {
    let mut report = Report::new(Console);
    for test in tests::ALL.iter().filter(|test| test.name.contains(filter) && test.group.is_shown()) {
        report.ended(test.name, test.meets(test.group.end(), body(test.body)));
    }
    tests::each_left_out(filter, |name, reason| report.left_out(name, reason));
    report.conclude()
}

/// Runs one body that speaks for itself.
pub fn alone(run: fn()) -> Verdict {
    match body(run) {
        Ok(()) => Verdict::Passed,
        Err(reason) => {
            println!("kernel: FAILED: {}", reason.as_str());
            Verdict::Failed
        }
    }
}

/// Runs one body to its end.
///
/// # Errors
/// It panicked, and this is why.
fn body(body: fn()) -> Result<(), Why> {
    identity::present();
    kernel::prepare();
    IS_RUNNING.store(true, Relaxed);
    // SAFETY: what is called keeps to the calling convention, or ends in `leave`.
    let failed = unsafe { guarded(begin, body as usize, STACK.as_ptr()) };
    IS_RUNNING.store(false, Relaxed);
    csr::keep_out();
    // SAFETY: the test has ended, so nobody else refers to it.
    let reason = unsafe { &mut *REASON.0.get() }.take();
    if failed { Err(Why(reason.unwrap_or_default())) } else { Ok(()) }
}

/// Why a test failed.
struct Why(Words);

impl Why {
    fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

extern "C" fn begin(body: usize) {
    // SAFETY: `body` passes on the address of a `fn()`.
    let body: fn() = unsafe { core::mem::transmute(body) };
    csr::let_in();
    body();
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    if IS_RUNNING.load(Relaxed) {
        csr::keep_out();
        // SAFETY: the body does not go on, so nobody else refers to it.
        unsafe { *REASON.0.get() = Some(Words::from(format_args!("{panic}"))) };
        // SAFETY: `guarded` runs, below on this stack or on another one.
        unsafe { leave(STACK.load(Relaxed)) }
    }
    println!("kernel: FAILED: {panic}");
    board::exit(Verdict::Failed)
}

/// Moves the registers that a function preserves to the stack, or back.
macro_rules! preserved {
    (store) => {
        $crate::width::by_width!(
            "addi sp, sp, -112; sd ra, 0(sp); sd s0, 8(sp); sd s1, 16(sp); sd s2, 24(sp); sd s3, 32(sp); sd s4, 40(sp)
             sd s5, 48(sp); sd s6, 56(sp); sd s7, 64(sp); sd s8, 72(sp); sd s9, 80(sp); sd s10, 88(sp); sd s11, 96(sp)",
            "addi sp, sp, -64; sw ra, 0(sp); sw s0, 4(sp); sw s1, 8(sp); sw s2, 12(sp); sw s3, 16(sp); sw s4, 20(sp)
             sw s5, 24(sp); sw s6, 28(sp); sw s7, 32(sp); sw s8, 36(sp); sw s9, 40(sp); sw s10, 44(sp); sw s11, 48(sp)"
        )
    };
    (load) => {
        $crate::width::by_width!(
            "ld ra, 0(sp); ld s0, 8(sp); ld s1, 16(sp); ld s2, 24(sp); ld s3, 32(sp); ld s4, 40(sp); ld s5, 48(sp)
             ld s6, 56(sp); ld s7, 64(sp); ld s8, 72(sp); ld s9, 80(sp); ld s10, 88(sp); ld s11, 96(sp); addi sp, sp, 112",
            "lw ra, 0(sp); lw s0, 4(sp); lw s1, 8(sp); lw s2, 12(sp); lw s3, 16(sp); lw s4, 20(sp); lw s5, 24(sp)
             lw s6, 28(sp); lw s7, 32(sp); lw s8, 36(sp); lw s9, 40(sp); lw s10, 44(sp); lw s11, 48(sp); addi sp, sp, 64"
        )
    };
}

pub(crate) use preserved;

/// Calls; returns false after the function's own return, true after [`leave`].
#[unsafe(naked)]
unsafe extern "C" fn guarded(function: extern "C" fn(usize), argument: usize, stack: *mut usize) -> bool {
    naked_asm!(
        preserved!(store),
        by_width!("sd sp, 0(a2)", "sw sp, 0(a2)"),
        "mv t0, a0",
        "mv a0, a1",
        "jalr t0",
        "li a0, 0",
        preserved!(load),
        "ret",
    )
}

/// Goes back to where the stack stood at [`guarded`].
#[unsafe(naked)]
unsafe extern "C" fn leave(stack: usize) -> ! {
    naked_asm!("mv sp, a0", "li a0, 1", preserved!(load), "ret")
}
