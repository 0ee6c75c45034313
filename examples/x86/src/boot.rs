//! Everything that has nothing to do with measuring: entry, page tables, stacks, console, exit.
//!
//! QEMU enters the image by its PVH note in protected mode, without paging. All memory below 4 GiB is mapped to itself.

use core::arch::{global_asm, naked_asm};
use core::fmt::{self, Write};

use qemu_exit::QEMUExit;
use x86_64::instructions::port::Port;

// The note is Xen's XEN_ELFNOTE_PHYS32_ENTRY, number 18 (Xen, public/elfnote.h).
global_asm!(
    r#"
    .section .note.pvh, "a", @note
    .align 4
    .long 4, 4, 18
    .asciz "Xen"
    .long pvh_entry

    .section .text.boot, "ax"
    .code32
    .global pvh_entry
pvh_entry:
    mov dword ptr [level_4], offset level_3 + 3     # present, writable
    mov eax, offset level_3
    mov ecx, offset level_2 + 3
2:  mov [eax], ecx
    add eax, 8
    add ecx, 4096
    cmp eax, offset level_3 + 4 * 8
    jne 2b
    mov eax, offset level_2
    mov ecx, 0x83                   # present, writable, a page of 2 MiB
3:  mov [eax], ecx
    add eax, 8
    add ecx, 0x200000
    cmp eax, offset level_2 + 2048 * 8
    jne 3b
    or dword ptr [level_2 + (0xFEE00000 >> 21) * 8], 0x18   # the local APIC is not cached: PCD, PWT

    mov eax, cr4
    or eax, 1 << 5                  # PAE
    mov cr4, eax
    mov eax, offset level_4
    mov cr3, eax
    mov ecx, 0xC0000080             # EFER: LME
    rdmsr
    or eax, 1 << 8
    wrmsr
    mov eax, 0x80000033             # PG, NE, ET, MP, PE
    mov cr0, eax
    lgdt [boot_segments_pointer]
    ljmp 8, offset long_mode

    .code64
long_mode:
    mov ax, 16
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov rsp, offset stack_top
    call {main}

    .section .rodata
    .align 8
boot_segments:
    .quad 0
    .quad 0x00AF9B000000FFFF        # code, 64 bits
    .quad 0x00CF93000000FFFF        # data
boot_segments_pointer:
    .word 23
    .quad boot_segments

    .section .bss
    .align 4096
level_4:    .skip 4096
level_3:    .skip 4096
level_2:    .skip 4 * 4096
            .skip 64 * 1024
stack_top:
    "#,
    main = sym crate::main,
);

/// The registers that a function preserves, as [`switch_stacks`] keeps them, of a thread that begins with a call of
/// `entry` with `argument`.
pub fn first_frame(entry: usize, argument: usize) -> [usize; 8] {
    [0, 0, 0, argument, 0, entry, begin as *const () as usize, 0] // the last word aligns the stack
}

#[unsafe(naked)]
extern "C" fn begin() {
    naked_asm!("mov rdi, r12", "call rbx", "ud2")
}

/// Saves the stack pointer to `from`, with the registers below it, and goes on where `to` was saved.
///
/// # Safety
/// `to` points to such registers.
#[unsafe(naked)]
pub unsafe extern "C" fn switch_stacks(from: *mut usize, to: usize) {
    naked_asm!(
        "push rbx",
        "push rbp",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbp",
        "pop rbx",
        "ret",
    )
}

/// The CPU that runs this: its number in its APIC. (A kernel with a structure for each CPU reads it there.)
pub fn cpu() -> u32 {
    core::arch::x86_64::__cpuid(1).ebx >> 24
}

/// The first serial port, for `write!`.
pub struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let (mut data, mut status) = (Port::<u8>::new(0x3f8), Port::<u8>::new(0x3fd));
        for byte in text.bytes() {
            // SAFETY: these ports are the serial port's on every PC (PC16550D data sheet; LSR, bit 5, THRE).
            while unsafe { status.read() } & 1 << 5 == 0 {}
            // SAFETY: as above.
            unsafe { data.write(byte) };
        }
        Ok(())
    }
}

/// Prints a line to the serial port.
macro_rules! println {
    ($($arguments:tt)*) => {{
        use core::fmt::Write as _;
        let _ = writeln!($crate::boot::Console, $($arguments)*);
    }};
}
pub(crate) use println;

/// Ends QEMU with this status, by its `isa-debug-exit` at port F4H.
pub fn exit(status: u32) -> ! {
    // SAFETY: QEMU is started with this device. It exits with twice what is written, plus one.
    unsafe { qemu_exit::X86::new(0xf4, 33) }.exit(status >> 1)
}
