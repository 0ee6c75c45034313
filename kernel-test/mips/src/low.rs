//! The boot, the exception vector, and the way into a guest and out of it.
//!
//! [`enter_guest`] returns at the next exception: an instruction of the guest's that traps, or Compare. On the way in and
//! as the first thing on the way out it reads Count. An exception of the kernel itself is a mistake.

use core::mem::offset_of;

use crate::assembly;

/// Where user mode was left, and the clock then. It lies in the first pages of memory, which an instruction reaches without
/// a register.
#[repr(C)]
pub struct Low {
    /// The guest's registers.
    pub frame: Frame,
    /// Count on the way in.
    pub entered: u32,
    /// Count on the way out.
    pub left: u32,
    /// Compare is so far from Count: whole counts, and the twenty-fifths beyond them.
    pub counts: [u32; 2],
    /// For each end of Count, the twenty-fifths of a count that have passed since it was reached.
    pub parts: [u8; 64],
    /// Where the host's registers are while the guest runs.
    host_stack: usize,
}

/// The registers that an exception interrupts.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Frame {
    /// The general registers.
    pub general: [usize; 32],
    /// The two halves of a product.
    pub product: [usize; 2],
    /// EPC: where it goes on.
    pub address: usize,
    /// Status
    pub status: usize,
    /// Cause
    pub cause: usize,
}

impl Frame {
    /// All registers are 0.
    pub const NOTHING: Self = Self { general: [0; 32], product: [0; 2], address: 0, status: 0, cause: 0 };

    /// Which exception it was ("MIPS32 Architecture For Programmers, volume III", "Cause Register", ExcCode).
    pub const fn exception(&self) -> usize {
        self.cause >> 2 & 31
    }

    /// Was it in the delay slot of a branch, which is where it goes on then?
    pub const fn is_in_delay_slot(&self) -> bool {
        self.cause >> 31 & 1 == 1
    }
}

/// The exceptions that a guest is left by.
pub mod exception {
    /// An interrupt.
    pub const INTERRUPT: usize = 0;
    /// `syscall`
    pub const SYSTEM_CALL: usize = 8;
    /// `break`
    pub const BREAKPOINT: usize = 9;
    /// An access to coprocessor 0.
    pub const COPROCESSOR_UNUSABLE: usize = 11;
}

unsafe extern "C" {
    /// Runs the guest until an exception takes it out again; all but its registers is as before.
    ///
    /// # Safety
    /// [`low`]'s frame describes a guest in user mode that may do whatever it does to memory.
    pub fn enter_guest();

    static guest_stack_top: u8;
    static user_stack_top: u8;
}

/// The address of [`Low`]: behind the vectors and QEMU's own loader.
const LOW: usize = 0x4000;

/// The guest's registers, and the clock.
pub fn low() -> *mut Low {
    LOW as *mut Low
}

/// Where the guest's stack begins, growing down.
pub fn guest_stack() -> usize {
    &raw const guest_stack_top as usize
}

/// The same for user programs within the guest.
pub fn user_stack() -> usize {
    &raw const user_stack_top as usize
}

assembly!(
    r#"
    .set LOW, {low}

    # Entered where memory is not mapped.
    .section .text.boot, "ax"
    .global boot
boot:
    mtc0 $0, $12                    # Status: kernel mode, no interrupts
    mtc0 $0, $13
    # Two pages of 16 MiB, mapped to themselves for ever: cached, written to, valid, anybody's.
    li $8, 0x01ffe000
    mtc0 $8, $5                     # PageMask
    to_cp0 $0, $10                  # EntryHi
    li $8, 0x1f
    to_cp0 $8, $2                   # EntryLo0
    li $8, 0x01000000 >> 6 | 0x1f
    to_cp0 $8, $3                   # EntryLo1
    mtc0 $0, $0                     # Index
    ehb
    tlbwi
    li $8, 1
    mtc0 $8, $6                     # Wired
    ehb
    # At each vector a jump to where this code lies unmapped.
    place $9, leave_guest
    srl $9, $9, 2
    lui $10, 0x0800                 # j
    or $9, $9, $10
    lui $8, 0x8000
    .irp vector, 0, 0x80, 0x180, 0x200
    sw $9, \vector($8)
    sw $0, \vector + 4($8)
    .endr
    place $8, 1f
    jr $8
    nop
1:  place $29, host_stack_top
    addiu $29, $29, -64
    place $8, bss_begin
    place $9, bss_end
2:  sw $0, 0($8)
    addiu $8, $8, 4
    bne $8, $9, 2b
    nop
    place $25, {kernel_entry}
    jalr $25
    nop

    .global leave_guest
leave_guest:
    store $26, LOW + WORD * 26($0)
    mfc0 $26, $9                    # Count
    sw $26, LOW + {left}($0)
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 28, 29, 30, 31
    store $\number, LOW + WORD * \number($0)
    .endr
    mflo $8
    mfhi $9
    from_cp0 $10, $14               # EPC
    mfc0 $11, $12                   # Status
    mfc0 $12, $13                   # Cause
    store $8, LOW + {product}($0)
    store $9, LOW + {product} + WORD($0)
    store $10, LOW + {address}($0)
    store $11, LOW + {status}($0)
    store $12, LOW + {cause}($0)
    mtc0 $0, $12
    ehb
    andi $11, $11, 0x18             # KSU
    beqz $11, 1f
    load $29, LOW + {host_stack}($0)
    give_callers_back
    jr $31
    nop
1:  place $29, host_stack_top
    addiu $29, $29, -64
    place $25, host_fault
    jr $25
    nop

    .text
    .global enter_guest
enter_guest:
    keep_callers
    store $29, LOW + {host_stack}($0)
    load $8, LOW + {product}($0)
    load $9, LOW + {product} + WORD($0)
    load $10, LOW + {address}($0)
    load $11, LOW + {status}($0)
    mtlo $8
    mthi $9
    to_cp0 $10, $14
    mtc0 $11, $12
    ehb
    mfc0 $8, $9                     # Count
    sw $8, LOW + {entered}($0)
    andi $9, $8, 63
    lbu $9, LOW + {parts}($9)
    lw $10, LOW + {counts} + 4($0)
    addu $9, $9, $10
    sltiu $9, $9, 25                # no whole count together
    subu $8, $8, $9
    lw $10, LOW + {counts}($0)
    addu $8, $8, $10
    mtc0 $8, $11                    # Compare
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    load $\number, LOW + WORD * \number($0)
    .endr
    eret
    "#,
    low = const LOW,
    kernel_entry = sym crate::kernel_entry,
    left = const offset_of!(Low, left),
    entered = const offset_of!(Low, entered),
    counts = const offset_of!(Low, counts),
    parts = const offset_of!(Low, parts),
    host_stack = const offset_of!(Low, host_stack),
    product = const offset_of!(Low, frame.product),
    address = const offset_of!(Low, frame.address),
    status = const offset_of!(Low, frame.status),
    cause = const offset_of!(Low, frame.cause),
);
