//! A visit to ring 3 and back, for counters that tell the modes apart.

use core::arch::{asm, naked_asm};
use core::cell::UnsafeCell;
use core::sync::atomic::AtomicUsize;

use pmu::arch::x86::Index;
use pmu::arch::x86::access::User;

use crate::trap::{USER_CODE, USER_DATA};
use crate::width::{pop_preserved, push_preserved, return_from_interrupt, whole};

/// The interrupt by which a visitor returns.
pub const RETURN_VECTOR: u8 = 0x81;

/// The size of ring 3's stack.
const STACK_BYTES: usize = 16 * 1024;

/// Ring 3's stack.
#[repr(C, align(16))]
struct Stack(UnsafeCell<[u8; STACK_BYTES]>);

// SAFETY: one processor runs, and one visit at a time is on it.
unsafe impl Sync for Stack {}

static STACK: Stack = Stack(UnsafeCell::new([0; STACK_BYTES]));
static KERNEL_STACK_POINTER: AtomicUsize = AtomicUsize::new(0);

/// Runs `body` in ring 3.
pub fn run(body: extern "C" fn()) {
    let top = STACK.0.get() as usize + size_of::<Stack>();
    // SAFETY: `visit` keeps to the calling convention and to the visitor's own stack.
    unsafe { asm!("call {visit}", visit = sym visit, in("edi") body, in("ecx") top, clobber_abi("C")) };
}

/// Reads the counter with this number, as a program does.
pub fn read_counter(index: u32) -> u64 {
    // SAFETY: CR4.PCE is set or this is ring 0, and whoever calls this names counters of the unit.
    let user = unsafe { User::claim() };
    Index::from_raw(index).map_or(u64::MAX, |index| user.read(index))
}

/// The address for the gate of [`RETURN_VECTOR`].
pub fn return_gate() -> u64 {
    come_back as *const () as u64
}

#[unsafe(naked)]
extern "C" fn visit() {
    naked_asm!(
        push_preserved!(),
        whole!("mov [{kernel_stack}], ", sp),
        "push {data}",
        whole!("push ", cx),
        "push 2",           // flags: interrupts stay off
        "push {code}",
        "lea eax, [2f]",
        whole!("push ", ax),
        return_from_interrupt!(),
        "2:",
        whole!("call ", di),
        "int {vector}",
        kernel_stack = sym KERNEL_STACK_POINTER,
        data = const USER_DATA,
        code = const USER_CODE,
        vector = const RETURN_VECTOR,
    )
}

#[unsafe(naked)]
extern "C" fn come_back() {
    naked_asm!(
        whole!("mov ", sp, ", [{kernel_stack}]"),
        pop_preserved!(),
        "ret",
        kernel_stack = sym KERNEL_STACK_POINTER,
    )
}
