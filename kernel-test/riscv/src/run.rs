//! Runs the tests, one after the other, in the mode of the kernel that they test: a function call with an emergency exit.

use core::arch::naked_asm;
use core::cell::UnsafeCell;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use harness::host::{Outcome, conclude, run_each};
use harness::{Verdict, Words, println};

use crate::board;
use crate::guest::{self, entry};
use crate::guest::{calls::Calls, unit::Own};
use crate::preserved::preserved;
use crate::tests::{firmware, records};
use crate::{csr, identity, tests};
use harness::by_width;
use pmu::branches::BranchList;

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
    if identity::is_under_firmware() {
        run_each(firmware::all().chain(records::of::<Calls>()), filter, |test| body(test.body))
    } else {
        run_each(tests::all().chain(records::of::<Own>()), filter, |test| body(test.body))
    }
}

/// Runs one body that speaks for itself.
pub fn alone(run: fn()) -> Verdict {
    conclude(body(run))
}

/// The branches before the last panic, if they are recorded.
struct Path(UnsafeCell<BranchList<32>>);

// SAFETY: one hart runs, and it reads the path when the body has ended.
unsafe impl Sync for Path {}

static PATH: Path = Path(UnsafeCell::new(BranchList::new()));

/// Runs a body that panics within a test. Returns the branches that led to the panic.
pub fn branches_before_panic(body: fn()) -> BranchList<32> {
    let outer = STACK.load(Relaxed);
    // SAFETY: what is called keeps to the calling convention, or ends in `leave`.
    let failed = unsafe { guarded(begin, body as usize, STACK.as_ptr()) };
    STACK.store(outer, Relaxed);
    csr::let_in();
    assert!(failed, "it did not panic");
    // SAFETY: the body has ended, so nobody else refers to it.
    unsafe { *PATH.0.get() }
}

/// Runs one body to its end.
///
/// # Errors
/// It panicked, and this is why.
fn body(body: fn()) -> Outcome {
    identity::present();
    guest::prepare();
    IS_RUNNING.store(true, Relaxed);
    // SAFETY: what is called keeps to the calling convention, or ends in `leave`.
    let failed = unsafe { guarded(begin, body as usize, STACK.as_ptr()) };
    IS_RUNNING.store(false, Relaxed);
    csr::keep_out();
    // SAFETY: the test has ended, so nobody else refers to it.
    let reason = unsafe { &mut *REASON.0.get() }.take();
    if failed { Err(reason.unwrap_or_default()) } else { Ok(()) }
}

extern "C" fn begin(body: usize) {
    // SAFETY: `body` passes on the address of a `fn()`.
    let body: fn() = unsafe { core::mem::transmute(body) };
    csr::let_in();
    body();
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    // SAFETY: the body does not go on, so nobody else refers to it.
    unsafe { *PATH.0.get() = records::before_panic() };
    if harness::world::is_guest() {
        harness::panicked::<tests::Here>(panic, board::exit)
    }
    if IS_RUNNING.load(Relaxed) {
        csr::keep_out();
        // SAFETY: the body does not go on, so nobody else refers to it.
        unsafe { *REASON.0.get() = Some(Words::from(format_args!("{panic}"))) };
        entry::abandon_event();
        // SAFETY: `guarded` runs, below on this stack or on another one.
        unsafe { leave(STACK.load(Relaxed)) }
    }
    println!("kernel: FAILED: {panic}");
    board::exit(Verdict::Failed)
}

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
