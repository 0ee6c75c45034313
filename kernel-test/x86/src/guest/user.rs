//! A visit to ring 3 and back, for counters that tell the modes apart.

use core::arch::{asm, naked_asm};
use core::cell::UnsafeCell;
use core::sync::atomic::AtomicU64;

use pmu::arch::x86::Index;
use pmu::arch::x86::access::User;

use crate::trap::{USER_CODE, USER_DATA};

/// The interrupt by which a visitor returns.
pub const RETURN_VECTOR: u8 = 0x81;

/// Ring 3's stack.
#[repr(C, align(16))]
struct Stack(UnsafeCell<[u8; 16 * 1024]>);

// SAFETY: one processor runs, and one visit at a time is on it.
unsafe impl Sync for Stack {}

static STACK: Stack = Stack(UnsafeCell::new([0; _]));
static KERNEL_STACK_POINTER: AtomicU64 = AtomicU64::new(0);

/// Runs `body` in ring 3.
pub fn run(body: extern "C" fn()) {
    let top = STACK.0.get() as u64 + size_of::<Stack>() as u64;
    // SAFETY: `visit` keeps to the calling convention and to the visitor's own stack.
    unsafe { asm!("call {visit}", visit = sym visit, in("rdi") body, in("rsi") top, clobber_abi("C")) };
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
        "push rbx",
        "push rbp",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [{kernel_stack}], rsp",
        "push {data}",
        "push rsi",
        "push 2",           // flags: interrupts stay off
        "push {code}",
        "lea rax, [rip + 2f]",
        "push rax",
        "iretq",
        "2:",
        "call rdi",
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
        "mov rsp, [{kernel_stack}]",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbp",
        "pop rbx",
        "ret",
        kernel_stack = sym KERNEL_STACK_POINTER,
    )
}
