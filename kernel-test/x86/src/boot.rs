//! From QEMU's entry to Rust: a PVH note, segments, a stack; before them, with registers of 64 bits, page tables and
//! long mode.
//!
//! All memory is mapped to itself, 4 GiB in pages of 2 MiB, and open to ring 3: host and guest
//! share one address space, and the kernel trusts its own tests. With registers of 32 bits there are no pages, and
//! it is the same.

use core::arch::global_asm;
use core::ffi::CStr;
use core::ops::Range;

use pmu::output::perf_data::Mapping;

use crate::console;

// The note is Xen's XEN_ELFNOTE_PHYS32_ENTRY, number 18 (Xen, public/elfnote.h): the entry is
// 32-bit protected mode without paging, EBX points to the start info.
global_asm!(
    r#"
    .section .note.pvh, "a", @note
    .align 4
    .long 4, 4, 18
    .asciz "Xen"
    .long pvh_entry

    .section .bss
    .align 4096
            .skip 128 * 1024
    .global host_stack_top
host_stack_top:
    .global guest_stack_bottom
guest_stack_bottom:
            .skip 256 * 1024
    .global guest_stack_top
guest_stack_top:
            .skip 32 * 1024
    .global guest_privileged_stack_top
guest_privileged_stack_top:
    "#
);

// Long mode, with its page tables.
#[cfg(target_pointer_width = "64")]
global_asm!(
    r#"
    .section .text.boot, "ax"
    .code32
    .global pvh_entry
pvh_entry:
    cld
    mov edi, ebx                    # the start info, for kernel_entry

    mov dword ptr [level_4], offset level_3 + 7     # present, writable, user

    mov eax, offset level_3
    mov ecx, offset level_2 + 7
    mov edx, 4
2:  mov [eax], ecx
    add eax, 8
    add ecx, 4096
    dec edx
    jnz 2b

    mov eax, offset level_2
    mov ecx, 0x87                   # present, writable, user, a page of 2 MiB
    mov edx, 2048
3:  mov [eax], ecx
    add eax, 8
    add ecx, 0x200000
    dec edx
    jnz 3b

    mov eax, cr4
    or eax, 1 << 5                  # PAE
    mov cr4, eax
    mov eax, offset level_4
    mov cr3, eax
    mov ecx, 0xC0000080             # EFER: LME, SVME
    rdmsr
    or eax, 1 << 8 | 1 << 12
    wrmsr
    mov eax, 0x80000033             # PG, NE, ET, MP, PE
    mov cr0, eax
    lgdt [boot_gdt_pointer]
    ljmp 8, offset long_mode

    .code64
long_mode:
    mov ax, 16
    mov ds, ax
    mov es, ax
    mov ss, ax
    xor eax, eax
    mov fs, ax
    mov gs, ax
    mov rsp, offset host_stack_top
    call {kernel_entry}

    .section .rodata
    .align 8
boot_gdt:
    .quad 0
    .quad 0x00AF9B000000FFFF        # code, 64 bits
    .quad 0x00CF93000000FFFF        # data
boot_gdt_pointer:
    .word 23
    .quad boot_gdt

    .section .bss
    .align 4096
level_4:    .skip 4096
level_3:    .skip 4096
level_2:    .skip 4 * 4096
    "#,
    kernel_entry = sym kernel_entry,
);

// Protected mode, as it is at the entry.
#[cfg(target_pointer_width = "32")]
global_asm!(
    r#"
    .section .text.boot, "ax"
    .global pvh_entry
pvh_entry:
    cld
    mov ecx, 0xC0000080             # EFER: SVME
    rdmsr
    or eax, 1 << 12
    wrmsr
    mov eax, 0x33                   # NE, ET, MP, PE
    mov cr0, eax
    lgdt [boot_gdt_pointer]
    ljmp 8, offset protected_mode
protected_mode:
    mov ax, 16
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov fs, ax
    mov gs, ax
    mov esp, offset host_stack_top
    sub esp, 12
    push ebx                        # the start info
    call {kernel_entry}

    .section .rodata
    .align 8
boot_gdt:
    .quad 0
    .quad 0x00CF9B000000FFFF        # code, 32 bits
    .quad 0x00CF93000000FFFF        # data
boot_gdt_pointer:
    .word 23
    .long boot_gdt
    "#,
    kernel_entry = sym kernel_entry,
);

unsafe extern "C" {
    static image_start: u8;
    static image_end: u8;
    static guest_stack_bottom: u8;
    static guest_stack_top: u8;
    static guest_privileged_stack_top: u8;
}

/// The addresses of this kernel.
pub fn code() -> Range<u64> {
    &raw const image_start as u64..&raw const image_end as u64
}

/// This kernel in a process's memory, as perf knows programs; the file is found at this path.
pub fn mapping(path: &str) -> Mapping<'_> {
    let code = code();
    Mapping { path, start: code.start, size: code.end - code.start, offset: IMAGE_OFFSET }
}

/// Where the image lies in its file: behind the headers, on a page of its own, as GNU ld has it.
const IMAGE_OFFSET: u64 = 0x1000;

/// The guest's stack, from its lowest address to behind its highest.
pub fn guest_stack_bounds() -> Range<u64> {
    &raw const guest_stack_bottom as u64..guest_stack()
}

/// Where the guest's stack begins, growing down.
pub fn guest_stack() -> u64 {
    &raw const guest_stack_top as u64
}

/// The stack that an interrupt of the guest's ring 3 switches to.
pub fn guest_privileged_stack() -> u64 {
    &raw const guest_privileged_stack_top as u64
}

/// What the loader hands over (Xen, public/arch-x86/hvm/start_info.h, `struct hvm_start_info`).
#[repr(C)]
struct StartInfo {
    magic: u32,
    version: u32,
    flags: u32,
    modules: u32,
    module_list: u64,
    command_line: u64,
}

extern "C" fn kernel_entry(start: &'static StartInfo) -> ! {
    console::exit(crate::main(start.command_line()))
}

impl StartInfo {
    fn command_line(&self) -> &'static str {
        if self.command_line == 0 {
            return "";
        }
        // SAFETY: the loader promises a string that ends in 0, in memory that is mapped to itself
        // and that nobody writes.
        let text = unsafe { CStr::from_ptr(self.command_line as *const _) };
        text.to_str().unwrap_or("")
    }
}
