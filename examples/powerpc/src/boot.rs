//! Everything that has nothing to do with measuring: vectors, entry, stacks, console, end.
//!
//! QEMU's board pseries enters the image at address 100H, in supervisor state and without translation. The console and
//! the end are its hypervisor's (PAPR, chapters "Hypervisor Call Functions" and "Run-Time Abstraction Services").

use core::arch::{asm, global_asm, naked_asm};
use core::fmt::{self, Write};

use pmu::arch::powerpc::entry::Handler as _;

// Power ISA Book III, "Interrupt Vectors". The linker script places the stacks.
global_asm!(
    r#"
    .section .text.vectors, "ax"
    .org 0x100
    b boot
    .irp vector, 0x200, 0x300, 0x380, 0x400, 0x480, 0x500, 0x600, 0x700, 0x800, 0x900, 0x980, 0xc00, 0xd00
    .org \vector
    li 3, \vector
    b {unexpected}
    .endr
    .org 0xf00                      # the performance monitor's
    b {overflow}
    .irp vector, 0xf20, 0xf40, 0xf60, 0xf80
    .org \vector
    li 3, \vector
    b {unexpected}
    .endr
    .org 0x1000
boot:
    mfmsr 3
    li 4, 1                         # SF: registers have 64 bits
    sldi 4, 4, 63
    or 3, 3, 4
    ori 3, 3, 2                     # RI
    mtmsrd 3
    isync
    lis 2, .TOC.@h
    ori 2, 2, .TOC.@l
    lis 3, 0x7fff                   # the decrementer stays silent
    mtspr 22, 3
    lis 3, bss_begin@h
    ori 3, 3, bss_begin@l
    lis 4, bss_end@h
    ori 4, 4, bss_end@l
    li 5, 0
2:  stw 5, 0(3)
    addi 3, 3, 4
    cmplw 3, 4
    blt 2b
    lis 3, exception_stack_top@h
    ori 3, 3, exception_stack_top@l
    mtspr 272, 3                    # SPRG0: the stack of the performance monitor's exception
    mtspr 275, 5                    # SPRG3: this CPU's number
    lis 1, host_stack_top@h
    ori 1, 1, host_stack_top@l
    stdu 5, -128(1)
    bl {main}
    nop
    "#,
    main = sym crate::main,
    overflow = sym crate::Pmi::stub,
    unexpected = sym unexpected,
);

extern "C" fn unexpected(vector: u64) -> ! {
    panic!("unexpected exception to {vector:#x}");
}

/// The CPU that runs this.
#[inline(always)]
pub fn cpu() -> u32 {
    let number: u64;
    // SAFETY: the boot code has put it into SPRG3; reading has no effect.
    unsafe { asm!("mfspr {}, 275", out(reg) number, options(nomem, nostack, preserves_flags)) };
    number as u32
}

/// Lets this CPU take interrupts from now on (MSR[EE]).
pub fn unmask_interrupts() {
    // SAFETY: the performance monitor's exception has its handler, and no other comes.
    unsafe { asm!("mfmsr {0}", "ori {0}, {0}, 0x8000", "mtmsrd {0}, 1", out(reg) _, options(nostack)) };
}

/// The frame of [`switch_stacks`], and behind it the words that a caller reserves, of a thread that begins with a call
/// of `entry` with `argument`.
pub fn first_frame(entry: usize, argument: usize) -> [usize; 28] {
    let mut frame = [0; 28];
    (frame[4], frame[5], frame[26]) = (entry, argument, begin as *const () as usize);
    frame
}

#[unsafe(naked)]
extern "C" fn begin() {
    naked_asm!("mr 3, 15", "mr 12, 14", "mtctr 14", "bctr")
}

/// Saves the stack pointer to `from`, with the registers above it that a function preserves, and goes on where `to` was
/// saved. (The kernel uses no floating point.)
///
/// # Safety
/// `to` points to such registers.
#[unsafe(naked)]
pub unsafe extern "C" fn switch_stacks(from: *mut usize, to: usize) {
    naked_asm!(
        "mflr 0",
        "std 0, 16(1)",
        "stdu 1, -192(1)",
        ".irp number, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
        "std \\number, 32 + 8 * (\\number - 14)(1)",
        ".endr",
        "mfcr 5",
        "std 5, 176(1)",
        "std 1, 0(3)",
        "mr 1, 4",
        "ld 5, 176(1)",
        "mtcr 5",
        ".irp number, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
        "ld \\number, 32 + 8 * (\\number - 14)(1)",
        ".endr",
        "addi 1, 1, 192",
        "ld 0, 16(1)",
        "mtlr 0",
        "blr",
    )
}

fn call_hypervisor(function: usize, [a, b, c]: [usize; 3]) {
    // SAFETY: the functions called here write no memory but a service's answer, into its own block.
    unsafe {
        asm!("sc 1", inlateout("r3") function => _, inlateout("r4") a => _, inlateout("r5") b => _,
            inlateout("r6") c => _, lateout("r0") _, lateout("r7") _, lateout("r8") _, lateout("r9") _,
            lateout("r10") _, lateout("r11") _, lateout("r12") _, lateout("ctr") _, lateout("lr") _, lateout("xer") _,
            lateout("cr0") _, lateout("cr1") _, lateout("cr5") _, lateout("cr6") _, lateout("cr7") _, options(nostack));
    }
}

/// The hypervisor's terminal, for `write!`.
pub struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // H_PUT_TERM_CHAR, to QEMU's first terminal.
        text.bytes().for_each(|byte| call_hypervisor(0x58, [0x7100_0000, 1, usize::from(byte) << 56]));
        Ok(())
    }
}

/// Prints a line to the terminal.
macro_rules! println {
    ($($arguments:tt)*) => {{
        use core::fmt::Write as _;
        let _ = writeln!($crate::boot::Console, $($arguments)*);
    }};
}
pub(crate) use println;

/// Turns the machine off, and QEMU ends with status 0; or says that the kernel has crashed, and its status is 1.
pub fn exit(is_content: bool) -> ! {
    static REASON: [u8; 16] = *b"see the console\0";
    // The services' numbers are QEMU's own (hw/ppc/spapr.h): power-off, ibm,os-term.
    let mut block = match is_content {
        true => [0x2003, 2, 1, u32::MAX, u32::MAX, 0],
        false => [0x201f, 1, 1, &raw const REASON as u32, 0, 0],
    };
    call_hypervisor(0xf000, [&raw mut block as usize, 0, 0]);
    loop {
        core::hint::spin_loop();
    }
}
