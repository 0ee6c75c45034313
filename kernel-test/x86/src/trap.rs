//! What a trap is: its vector, what it interrupted, the table that says where it goes, the segments that it
//! finds there.
//!
//! Host and guest have a table each, which lead to the same stubs (`guest/entry.rs`).

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use spin::Once;
use x86_64::VirtAddr;
use x86_64::structures::gdt::{Descriptor, GlobalDescriptorTable};
use x86_64::structures::tss::TaskStateSegment;

use crate::boot;

/// The kernel's code segment.
pub const KERNEL_CODE: u16 = 0x08;
/// The kernel's data segment.
pub const KERNEL_DATA: u16 = 0x10;
/// Ring 3's data segment, with the ring in it.
pub const USER_DATA: u16 = 0x18 | 3;
/// Ring 3's code segment.
pub const USER_CODE: u16 = 0x20 | 3;

/// The vector of a non-maskable interrupt.
pub const NMI: u64 = 2;
/// The vector of a general protection fault.
pub const GENERAL_PROTECTION: u64 = 13;
/// The vector of a page fault.
pub const PAGE_FAULT: u64 = 14;
/// A vector for tests whose unit interrupts by a vector of its own.
pub const FIXED_VECTOR: u8 = 0x40;
/// The vector of the threads' tick.
pub const TICK_VECTOR: u8 = 0x41;

/// What a trap interrupted: every general register, as the stub pushed them, and the processor's
/// own frame.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Frame {
    pub r15: u64,
    pub r14: u64,
    pub r13: u64,
    pub r12: u64,
    pub r11: u64,
    pub r10: u64,
    pub r9: u64,
    pub r8: u64,
    pub rdi: u64,
    pub rsi: u64,
    pub rbp: u64,
    pub rbx: u64,
    pub rdx: u64,
    pub rcx: u64,
    pub rax: u64,
    pub vector: u64,
    pub error: u64,
    pub rip: u64,
    pub cs: u64,
    pub rflags: u64,
    pub rsp: u64,
    pub ss: u64,
}

impl Frame {
    /// The same in ring 0.
    pub const fn in_kernel(self) -> Self {
        Self { cs: KERNEL_CODE as u64, ss: KERNEL_DATA as u64, ..self }
    }

    /// The same in ring 3.
    pub const fn in_ring_3(self) -> Self {
        Self { cs: USER_CODE as u64, ss: USER_DATA as u64, ..self }
    }
}

/// An interrupt descriptor table (AMD APM volume 2, section 8.9, "Long-Mode Interrupt Control
/// Transfers").
#[repr(C, align(16))]
pub struct Table([[AtomicU64; 2]; 256]);

/// Who may come through a gate by an instruction.
#[derive(Clone, Copy)]
pub enum Gate {
    /// An interrupt gate for the kernel and for what is no instruction.
    Kernel = 0x8e00,
    /// An interrupt gate for ring 3 too.
    User = 0xee00,
}

impl Table {
    /// One that leads nowhere.
    pub const fn empty() -> Self {
        Self([const { [const { AtomicU64::new(0) }; 2] }; 256])
    }

    /// The offset of its last byte.
    pub const LIMIT: u16 = (size_of::<Self>() - 1) as u16;

    /// The address of its first byte.
    pub fn base(&'static self) -> u64 {
        &raw const self.0 as u64
    }

    /// Makes an NMI go to this address.
    pub fn set_nmi(&self, handler: u64) {
        self.set(NMI as usize, handler, Gate::Kernel);
    }

    /// Makes this vector go to this address.
    pub fn set(&self, vector: usize, handler: u64, gate: Gate) {
        let access = u64::from(KERNEL_CODE) << 16 | (gate as u64) << 32;
        self.0[vector][0].store(handler & 0xffff | access | (handler >> 16 & 0xffff) << 48, Relaxed);
        self.0[vector][1].store(handler >> 32, Relaxed);
    }
}

/// The table of segments that host and guest share, with a stack for interrupts out of ring 3.
pub fn segments() -> &'static GlobalDescriptorTable {
    static TASK: Once<TaskStateSegment> = Once::new();
    static SEGMENTS: Once<GlobalDescriptorTable> = Once::new();
    let task = TASK.call_once(|| {
        let mut task = TaskStateSegment::new();
        task.privilege_stack_table[0] = VirtAddr::new(boot::guest_privileged_stack());
        task
    });
    SEGMENTS.call_once(|| {
        let mut segments = GlobalDescriptorTable::new();
        segments.append(Descriptor::kernel_code_segment());
        segments.append(Descriptor::kernel_data_segment());
        segments.append(Descriptor::user_data_segment());
        segments.append(Descriptor::user_code_segment());
        segments.append(Descriptor::tss_segment(task));
        segments
    })
}

/// Does the processor push an error code for this exception? (AMD APM volume 2, table 8-1.)
pub const fn has_error_code(vector: u64) -> bool {
    matches!(vector, 8 | 10..=14 | 17 | 21 | 29 | 30)
}
