//! From QEMU's entry to Rust: a PVH note, segments, a stack; before them, with registers of 64 bits, page tables and long
//! mode.
//!
//! An image goes on in its `kernel_entry`, an `extern "C"` function without arguments that never returns. Each CPU has a
//! stack of its own. All memory below 4 GiB is mapped to itself, in pages of 2 MiB, and open to ring 3. With registers of
//! 32 bits there are no pages, and it is the same.
//!
//! With registers of 64 bits another CPU begins in real mode, where the interrupt that starts it says
//! ([`put_start_of_others`]), and then goes the same way.

use core::arch::global_asm;
use core::ffi::CStr;
#[cfg(target_pointer_width = "64")]
use core::ptr;
use core::slice;

/// How many CPUs have a stack.
pub const CPUS: usize = 2;

// The note is Xen's XEN_ELFNOTE_PHYS32_ENTRY, number 18 (Xen, public/elfnote.h): the entry is 32-bit protected mode without
// paging, EBX points to the start info.
global_asm!(
    r#"
    .section .note.pvh, "a", @note
    .align 4
    .long 4, 4, 18
    .asciz "Xen"
    .long pvh_entry

    .section .bss
    .align 4096
stacks: .skip {CPUS} << 17          # 128 KiB for each CPU
    .global start_info_address
start_info_address:
    .skip 8
    "#,
    CPUS = const CPUS,
);

// Long mode, with its page tables.
#[cfg(target_pointer_width = "64")]
global_asm!(
    r#"
    .section .text.boot, "ax"
    .code32
    .global pvh_entry
pvh_entry:
    mov [start_info_address], ebx
    mov dword ptr [level_4], offset level_3 + 7     # present, writable, user
    mov eax, offset level_3
    mov ecx, offset level_2 + 7
2:  mov [eax], ecx
    add eax, 8
    add ecx, 4096
    cmp eax, offset level_3 + 4 * 8
    jne 2b
    mov eax, offset level_2
    mov ecx, 0x87                   # present, writable, user, a page of 2 MiB
3:  mov [eax], ecx
    add eax, 8
    add ecx, 0x200000
    cmp eax, offset level_2 + 2048 * 8
    jne 3b

enter_long_mode:
    cld
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
    lgdt [boot_segments_pointer]
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
    mov ecx, 0xFEE00020             # the local APIC's identifier
    mov eax, [rcx]
    shr eax, 24
    inc eax
    shl eax, 17
    lea rsp, [rax + stacks]
    call kernel_entry

    .code32
another_in_protected_mode:
    mov ax, 16
    mov ds, ax
    mov es, ax
    mov ss, ax
    jmp enter_long_mode

    .section .rodata
    .code16
    .global another_begin, another_end
another_begin:                      # in real mode, and copied
    cli
    .byte 0x2E, 0x66, 0x0F, 0x01, 0x16                          # lgdt cs:[...], with a base of 32 bits
    .word another_segments_pointer - another_begin
    mov eax, cr0
    or al, 1                        # PE
    mov cr0, eax
    .byte 0x66, 0xEA                # ljmp 24, another_in_protected_mode
    .long another_in_protected_mode
    .word 24
another_segments_pointer:
    .word 31
    .long boot_segments
another_end:

    .code64
    .align 8
boot_segments:
    .quad 0
    .quad 0x00AF9B000000FFFF        # code, 64 bits
    .quad 0x00CF93000000FFFF        # data
    .quad 0x00CF9B000000FFFF        # code, 32 bits
boot_segments_pointer:
    .word 31
    .quad boot_segments

    .section .bss
    .align 4096
level_4:    .skip 4096
level_3:    .skip 4096
level_2:    .skip 4 * 4096
    "#
);

// Protected mode, as it is at the entry, for one CPU.
#[cfg(target_pointer_width = "32")]
global_asm!(
    r#"
    .section .text.boot, "ax"
    .global pvh_entry
pvh_entry:
    mov [start_info_address], ebx
    cld
    mov ecx, 0xC0000080             # EFER: SVME
    rdmsr
    or eax, 1 << 12
    wrmsr
    mov eax, 0x33                   # NE, ET, MP, PE
    mov cr0, eax
    lgdt [boot_segments_pointer]
    ljmp 8, offset protected_mode
protected_mode:
    mov ax, 16
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov fs, ax
    mov gs, ax
    mov esp, offset stacks + 0x20000
    call kernel_entry

    .section .rodata
    .align 8
boot_segments:
    .quad 0
    .quad 0x00CF9B000000FFFF        # code, 32 bits
    .quad 0x00CF93000000FFFF        # data
boot_segments_pointer:
    .word 23
    .long boot_segments
    "#
);

/// Copies to this page, below 1 MiB, what another CPU begins with that is started there.
///
/// # Safety
/// Nobody else uses the page until all CPUs have begun.
#[cfg(target_pointer_width = "64")]
pub unsafe fn put_start_of_others(page: u8) {
    unsafe extern "C" {
        static another_begin: u8;
        static another_end: u8;
    }
    let (begin, end) = (&raw const another_begin, &raw const another_end);
    // SAFETY: all memory is mapped to itself, and the page is the caller's.
    unsafe { ptr::copy(begin, (usize::from(page) << 12) as *mut u8, end as usize - begin as usize) };
}

/// Returns what the loader has handed over.
pub fn start_info() -> &'static StartInfo {
    unsafe extern "C" {
        static start_info_address: usize;
    }
    // SAFETY: the entry has written it, and nobody writes it again.
    let address = unsafe { start_info_address };
    // SAFETY: the loader promises that it is there, in memory that is mapped to itself and that nobody writes.
    unsafe { &*(address as *const StartInfo) }
}

/// What the loader hands over (Xen, public/arch-x86/hvm/start_info.h, `struct hvm_start_info`).
#[repr(C)]
pub struct StartInfo {
    magic: u32,
    version: u32,
    flags: u32,
    modules: u32,
    module_list: u64,
    command_line: u64,
    /// The address of ACPI's root pointer.
    pub acpi: u64,
    memory_list: u64,
    memory_entries: u32,
}

/// A file that was loaded (the same, `struct hvm_modlist_entry`).
#[repr(C)]
pub struct Module {
    /// The address of its first byte.
    pub address: u64,
    /// Its size in bytes.
    pub size: u64,
    command_line: u64,
    reserved: u64,
}

/// A range of memory (the same, `struct hvm_memmap_table_entry`). The types are those of BIOS' function E820.
#[repr(C)]
pub struct Memory {
    /// The first address.
    pub address: u64,
    /// The size in bytes.
    pub size: u64,
    /// What it is for.
    pub kind: u32,
    reserved: u32,
}

impl StartInfo {
    /// Returns the command line.
    pub fn command_line(&self) -> &'static str {
        if self.command_line == 0 {
            return "";
        }
        // SAFETY: the loader promises a string that ends in 0, which nobody writes.
        unsafe { CStr::from_ptr(self.command_line as *const _) }.to_str().unwrap_or("")
    }

    /// Returns the files that were loaded.
    pub fn modules(&self) -> &'static [Module] {
        // SAFETY: the loader promises so many entries, which nobody writes.
        unsafe { table(self.module_list, self.modules) }
    }

    /// Returns the memory map.
    pub fn memory(&self) -> &'static [Memory] {
        // SAFETY: as above.
        unsafe { table(self.memory_list, self.memory_entries) }
    }
}

/// # Safety
/// At `address` are so many entries, which nobody writes.
unsafe fn table<T>(address: u64, entries: u32) -> &'static [T] {
    if entries == 0 {
        return &[];
    }
    // SAFETY: what the caller promises.
    unsafe { slice::from_raw_parts(address as *const T, entries as usize) }
}
