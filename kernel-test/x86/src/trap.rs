//! What a trap is: its vector, what it interrupted, the table that says where it goes, the segments that it
//! finds there.
//!
//! Host and guest have a table each, which lead to the same stubs (`guest/entry.rs`).

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use spin::Once;

use crate::boot;
use crate::width::by_width;

/// The kernel's code segment.
pub const KERNEL_CODE: u16 = 0x08;
/// The kernel's data segment.
pub const KERNEL_DATA: u16 = 0x10;
/// Ring 3's data segment, with the ring in it.
pub const USER_DATA: u16 = 0x18 | 3;
/// Ring 3's code segment.
pub const USER_CODE: u16 = 0x20 | 3;
/// The task state segment.
pub const TASK: u16 = 0x28;

/// The vector of a non-maskable interrupt.
pub const NMI: usize = 2;
/// The vector of a general protection fault.
pub const GENERAL_PROTECTION: usize = 13;
/// The vector of a page fault.
pub const PAGE_FAULT: usize = 14;
/// A vector for tests whose unit interrupts by a vector of its own.
pub const FIXED_VECTOR: u8 = 0x40;
/// The vector of the threads' tick.
pub const TICK_VECTOR: u8 = 0x41;

/// What a trap interrupted: every general register, as the stub pushed them, and the processor's
/// own frame. (With 32 bits the processor leaves SP and SS out where the ring stays the same; the stub adds them.)
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Frame {
    pub r15_to_r8: [usize; by_width!(8, 0)],
    pub di: usize,
    pub si: usize,
    pub bp: usize,
    pub bx: usize,
    pub dx: usize,
    pub cx: usize,
    pub ax: usize,
    pub vector: usize,
    pub error: usize,
    pub ip: usize,
    pub cs: usize,
    pub flags: usize,
    pub sp: usize,
    pub ss: usize,
}

impl Frame {
    /// The same in ring 0.
    pub const fn in_kernel(self) -> Self {
        Self { cs: KERNEL_CODE as usize, ss: KERNEL_DATA as usize, ..self }
    }

    /// The same in ring 3.
    pub const fn in_ring_3(self) -> Self {
        Self { cs: USER_CODE as usize, ss: USER_DATA as usize, ..self }
    }
}

/// An interrupt descriptor table (AMD APM volume 2, section 4.7, "Legacy Segment Descriptors", and section 4.8,
/// "Long-Mode Segment Descriptors", whose gates have two more words, for the address's upper half).
#[repr(C, align(16))]
pub struct Table([[AtomicU32; by_width!(4, 2)]; 256]);

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
        Self([const { [const { AtomicU32::new(0) }; by_width!(4, 2)] }; 256])
    }

    /// The offset of its last byte.
    pub const LIMIT: u16 = (size_of::<Self>() - 1) as u16;

    /// The address of its first byte.
    pub fn base(&'static self) -> usize {
        &raw const self.0 as usize
    }

    /// Makes an NMI go to this address.
    pub fn set_nmi(&self, handler: u64) {
        self.set(NMI, handler, Gate::Kernel);
    }

    /// Makes this vector go to this address.
    pub fn set(&self, vector: usize, handler: u64, gate: Gate) {
        let handler = u32::try_from(handler).expect("the kernel lies below 4 GiB");
        self.0[vector][0].store(handler & 0xffff | u32::from(KERNEL_CODE) << 16, Relaxed);
        self.0[vector][1].store(handler & 0xffff_0000 | gate as u32, Relaxed);
    }
}

/// A table of segments, with a null descriptor first and room for a task state segment of either width.
pub struct Segments([u64; 7]);

impl Segments {
    /// The offset of its last byte.
    pub const LIMIT: u16 = (size_of::<Self>() - 1) as u16;

    /// The address of its first byte.
    pub fn base(&'static self) -> usize {
        &raw const self.0 as usize
    }
}

/// A task state segment (AMD APM volume 2, section 12.2.4, "Legacy Task-State Segment", and 12.2.5, "64-Bit Task State
/// Segment"): the stack pointer of ring 0 begins in its second word, and SS of ring 0 is in the third with 32 bits.
struct Task([u32; Self::WORDS]);

impl Task {
    const WORDS: usize = 26;
    const LAST: u64 = 4 * Self::WORDS as u64 - 1;

    fn new(stack: u32) -> Self {
        let mut words = [0; Self::WORDS];
        words[1] = stack;
        words[2] = by_width!(0, KERNEL_DATA.into());
        // There is no permission map: it would begin behind the segment.
        words[Self::WORDS - 1] = (4 * Self::WORDS as u32) << 16;
        Self(words)
    }
}

/// The table of segments that host and guest share, with a stack for interrupts out of ring 3.
pub fn segments() -> &'static Segments {
    const KERNEL_CODE: u64 = by_width!(0x00af_9b00_0000_ffff, 0x00cf_9b00_0000_ffff);
    const KERNEL_DATA: u64 = 0x00cf_9300_0000_ffff;
    const USER_DATA: u64 = 0x00cf_f300_0000_ffff;
    const USER_CODE: u64 = by_width!(0x00af_fb00_0000_ffff, 0x00cf_fb00_0000_ffff);
    /// An available one, present.
    const TASK: u64 = 0x89 << 40;
    static STATE: Once<Task> = Once::new();
    static SEGMENTS: Once<Segments> = Once::new();
    SEGMENTS.call_once(|| {
        let task = STATE.call_once(|| Task::new(boot::guest_privileged_stack() as u32));
        let base = &raw const task.0 as u64;
        let task = TASK | Task::LAST | (base & 0xff_ffff) << 16 | (base >> 24) << 56;
        Segments([0, KERNEL_CODE, KERNEL_DATA, USER_DATA, USER_CODE, task, 0])
    })
}
