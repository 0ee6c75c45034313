//! Paging with registers of 32 bits, for a test that needs a page which nobody can write.

use core::arch::naked_asm;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use x86::controlregs::{Cr0, Cr4, cr0, cr0_write, cr3, cr3_write, cr4, cr4_write};

use crate::trap::Frame;
use crate::width::by_width;

/// Where the first GiB lies once more, read-only. Behind it is the local APIC.
const COPY: usize = 2 << 30;

/// A page directory of pages of 4 MiB (Intel SDM volume 3, "32-Bit Paging"). The processor writes it too: it marks what was used.
#[repr(align(4096))]
struct Directory([AtomicU32; 1024]);

static DIRECTORY: Directory = Directory([const { AtomicU32::new(0) }; 1024]);

/// What maps a page of 4 MiB: present, user, large; and writable, except in the copy.
const fn entry(page: u32) -> u32 {
    const LARGE: u32 = 0x85;
    const WRITABLE: u32 = 1 << 1;
    match page {
        512..768 => (page - 512) << 22 | LARGE,
        _ => page << 22 | LARGE | WRITABLE,
    }
}

/// Runs `body` with paging: all memory is mapped to itself, and its first GiB is also [read-only](read_only).
pub fn with_read_only_copy(body: impl FnOnce()) {
    (0..).zip(&DIRECTORY.0).for_each(|(page, word)| word.store(entry(page), Relaxed));
    // SAFETY: this is ring 0, and reading them changes nothing.
    let (zero, three, four) = unsafe { (cr0(), cr3(), cr4()) };
    // SAFETY: all that is in use stays at its address.
    unsafe {
        cr4_write(four | Cr4::CR4_ENABLE_PSE);
        cr3_write(&raw const DIRECTORY as u64);
        cr0_write(zero | Cr0::CR0_ENABLE_PAGING);
    }
    body();
    // SAFETY: as above.
    unsafe {
        cr0_write(zero);
        cr3_write(three);
        cr4_write(four);
    }
}

/// The same value at an address where a write faults in ring 3. (In ring 0 it would with CR0.WP alone, which is clear.)
pub fn read_only<T>(value: &'static T) -> &'static T {
    // SAFETY: inside `with_read_only_copy` that memory is mapped there, and only the value's own cells change.
    unsafe { &*((&raw const *value as usize + COPY) as *const T) }
}

/// Can this be loaded by CMPXCHG8B, as 64 bits at once? It writes even what it has read (Intel SDM volume 2, "CMPXCHG8B").
pub fn can_load_at_once<T>(value: &T) -> bool {
    load_at_once(&raw const *value as usize) == 1
}

/// Did that load fault?
pub fn is_load(frame: &Frame) -> bool {
    &raw const load_at_once_here as usize == frame.ip
}

/// Makes the load that faulted return 0.
pub fn recover(frame: &mut Frame) {
    frame.ip = &raw const load_at_once_faulted as usize;
}

unsafe extern "C" {
    static load_at_once_here: u8;
    static load_at_once_faulted: u8;
}

#[unsafe(naked)]
extern "C" fn load_at_once(address: usize) -> usize {
    naked_asm!(
        by_width!("mov ecx, edi", "mov ecx, [esp + 4]"),
        "mov eax, ecx",
        "mov edx, ecx", // twice the address is not there, so that nothing is changed
        ".global load_at_once_here",
        "load_at_once_here:",
        "lock cmpxchg8b [ecx]",
        "mov eax, 1",
        "ret",
        ".global load_at_once_faulted",
        "load_at_once_faulted:",
        "xor eax, eax",
        "ret",
    )
}
