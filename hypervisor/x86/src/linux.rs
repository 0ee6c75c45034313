//! Puts Linux into the guest's memory, as its 64-bit boot protocol has it (the kernel's documentation, "The Linux/x86 Boot
//! Protocol", sections "The Real-Mode Kernel Header" and "64-bit Boot Protocol", and "Zero Page").

use core::{ptr, slice};

use metal::boot::StartInfo;
use metal::vmcb::{SVM_ENABLE, Save, Segment};

use crate::memory::{HIDDEN, LARGE_PAGE};
use crate::world::Registers;

/// Where QEMU was told to load the file of the kernel.
const FILE: u64 = 128 << 20;

/// What the guest finds in its low memory: `boot_params`, its command line, its first page tables (5 pages).
const ZERO_PAGE: u64 = 0x10000;
const COMMAND_LINE: u64 = 0x11000;
const PAGE_TABLES: u64 = 0x12000;

/// Offsets in the file's header, which are those in the zero page as well.
const SETUP_SECTORS: u64 = 0x1f1;
const MAGIC: u64 = 0x202;
const HEADER_END: u64 = 0x201;
const LOADER: u64 = 0x210;
const INITRAMFS: u64 = 0x218;
const COMMAND_LINE_POINTER: u64 = 0x228;
const PREFERRED_ADDRESS: u64 = 0x258;
const PROTECTED_SIZE: u64 = 0x1f4;
/// Offsets in the zero page alone.
const ACPI: u64 = 0x70;
const MEMORY_ENTRIES: u64 = 0x1e8;
const MEMORY: u64 = 0x2d0;
/// The size of an entry of the memory map, and how many there may be.
const MEMORY_ENTRY: u64 = 20;
const MOST_MEMORY: usize = 128;
/// The type of memory that is not the guest's.
const RESERVED: u32 = 2;

/// The page attributes after a reset (APM volume 2, section 7.8.2).
const PAT: u64 = 0x0007_0406_0007_0406;

/// The 64-bit entry, from where the kernel was loaded.
const ENTRY: u64 = 0x200;

/// Loads the kernel, and makes the processor ready to begin there.
///
/// # Panics
/// If there is no kernel, or its file is older than the 64-bit protocol.
pub fn load(start: &StartInfo, command_line: &str, save: &mut Save, registers: &mut Registers) {
    assert_eq!(read::<[u8; 4]>(FILE + MAGIC), *b"HdrS", "QEMU must load a kernel at {FILE:#x}");
    let kernel: u64 = read(FILE + PREFERRED_ADDRESS);
    let setup = (u64::from(read::<u8>(FILE + SETUP_SECTORS)) + 1) * 512;
    let size = u64::from(read::<u32>(FILE + PROTECTED_SIZE)) * 16;
    copy(FILE + setup, kernel, size);
    write_zero_page(start, command_line);
    write_page_tables();
    begin(save, kernel + ENTRY);
    registers.si = ZERO_PAGE;
}

fn write_zero_page(start: &StartInfo, command_line: &str) {
    fill(ZERO_PAGE, 0x1000);
    let end = MAGIC + u64::from(read::<u8>(FILE + HEADER_END));
    copy(FILE + SETUP_SECTORS, ZERO_PAGE + SETUP_SECTORS, end - SETUP_SECTORS);
    write(ZERO_PAGE + LOADER, 0xff_u8); // a loader without a number
    write(ZERO_PAGE + ACPI, start.acpi);
    if let [initramfs, ..] = start.modules() {
        write(ZERO_PAGE + INITRAMFS, [initramfs.address as u32, initramfs.size as u32]);
    }
    write(ZERO_PAGE + COMMAND_LINE_POINTER, COMMAND_LINE as u32);
    copy(command_line.as_ptr() as u64, COMMAND_LINE, command_line.len() as u64);
    write(COMMAND_LINE + command_line.len() as u64, 0_u8);
    write_memory_map(start);
}

/// What the host has, and last what it keeps. Linux takes overlapping entries for what restricts it more.
fn write_memory_map(start: &StartInfo) {
    let all = start.memory().iter().map(|range| (range.address, range.size, range.kind));
    let all = all.chain([(HIDDEN, LARGE_PAGE, RESERVED)]).take(MOST_MEMORY);
    for ((address, size, kind), at) in all.zip((ZERO_PAGE + MEMORY..).step_by(MEMORY_ENTRY as usize)) {
        write(at, address);
        write(at + 8, size);
        write(at + 16, kind);
        write(ZERO_PAGE + MEMORY_ENTRIES, read::<u8>(ZERO_PAGE + MEMORY_ENTRIES) + 1);
    }
}

/// Maps 4 GiB to itself.
fn write_page_tables() {
    const TABLE: u64 = 0b11;
    const LARGE: u64 = 1 << 7;
    let (level_3, level_2) = (PAGE_TABLES + 0x1000, PAGE_TABLES + 0x2000);
    fill(PAGE_TABLES, 0x6000);
    write(PAGE_TABLES, level_3 | TABLE);
    for entry in 0..4 {
        write(level_3 + 8 * entry, (level_2 + 0x1000 * entry) | TABLE);
    }
    for entry in 0..2048 {
        write(level_2 + 8 * entry, (entry * LARGE_PAGE) | TABLE | LARGE);
    }
}

/// Long mode with those page tables, and interrupts off. The selectors are the protocol's.
fn begin(save: &mut Save, entry: u64) {
    const LONG_MODE: u64 = 1 << 8 | 1 << 10 | 1 << 12; // EFER: LME, LMA, SVME
    (save.cs, save.ss) = (Segment::code(0x10, 0), Segment::data(0x18, 0));
    (save.ds, save.es) = (save.ss, save.ss);
    save.cr0 = 0x8000_0033; // PG, NE, ET, MP, PE
    save.cr4 = 1 << 5; // PAE
    save.cr3 = PAGE_TABLES;
    save.efer = LONG_MODE;
    save.pat = PAT;
    (save.dr6, save.dr7) = (0xffff_0ff0, 0x400);
    (save.rip, save.rflags) = (entry, 1 << 1);
}

/// Makes another processor ready to begin in this page in real mode, as the interrupt does that starts it (APM volume 2,
/// section 14.1.3, "Processor Initialization State"; SDM volume 3, "MP Initialization Protocol Algorithm").
pub fn begin_another(page: u64, save: &mut Save) {
    (save.cs, save.ss) = (Segment::real_code((page as u16) << 8), Segment::real_data());
    (save.ds, save.es) = (save.ss, save.ss);
    (save.gdtr.limit, save.idtr.limit) = (0xffff, 0xffff);
    save.cr0 = 0x6000_0010; // CD, NW, ET
    save.efer = SVM_ENABLE;
    save.pat = PAT;
    (save.dr6, save.dr7) = (0xffff_0ff0, 0x400);
    (save.rip, save.rflags) = (0, 1 << 1);
}

fn read<T: Copy>(at: u64) -> T {
    // SAFETY: all memory is mapped to itself, the guest has not begun, and callers name plain data in its memory.
    unsafe { ptr::read_unaligned(at as *const T) }
}

fn write<T: Copy>(at: u64, value: T) {
    // SAFETY: as for `read`.
    unsafe { ptr::write_unaligned(at as *mut T, value) };
}

fn copy(from: u64, to: u64, size: u64) {
    // SAFETY: as for `read`; the ranges may overlap.
    unsafe { ptr::copy(from as *const u8, to as *mut u8, size as usize) };
}

fn fill(at: u64, size: u64) {
    // SAFETY: as for `read`.
    unsafe { slice::from_raw_parts_mut(at as *mut u8, size as usize) }.fill(0);
}
