//! The tables of segments and interrupts. An NMI has a stack of its own: it may come where the stack pointer is not the
//! kernel's, between SYSCALL and the switch of stacks.

use core::cell::UnsafeCell;

use spin::Once;
use x86_64::VirtAddr;
use x86_64::instructions::tables::load_tss;
use x86_64::registers::segmentation::SegmentSelector;
use x86_64::structures::gdt::{Descriptor, GlobalDescriptorTable};
use x86_64::structures::idt::InterruptDescriptorTable;
use x86_64::structures::tss::TaskStateSegment;

/// The number of the NMI's stack in the task state segment.
const NMI_STACK: u16 = 0;

/// The size of that stack.
const STACK_BYTES: usize = 16 * 1024;

/// What an NMI needs is in the guide for kernels; the rest is for kernels that were compiled without optimisation.
#[repr(C, align(16))]
struct Stack(UnsafeCell<[u8; STACK_BYTES]>);

// SAFETY: only the processor uses it, one NMI at a time.
unsafe impl Sync for Stack {}

static STACK: Stack = Stack(UnsafeCell::new([0; STACK_BYTES]));
static TASK: Once<TaskStateSegment> = Once::new();
static SEGMENTS: Once<GlobalDescriptorTable> = Once::new();
static INTERRUPTS: Once<InterruptDescriptorTable> = Once::new();

/// Loads them on this CPU; an NMI goes to `nmi`.
pub fn load(nmi: VirtAddr) {
    let task = TASK.call_once(|| {
        let mut task = TaskStateSegment::new();
        let stack = VirtAddr::from_ptr(STACK.0.get());
        task.interrupt_stack_table[usize::from(NMI_STACK)] = stack + size_of::<Stack>() as u64;
        task
    });
    let segments = SEGMENTS.call_once(|| {
        let mut segments = GlobalDescriptorTable::new();
        segments.append(Descriptor::kernel_code_segment());
        segments.append(Descriptor::kernel_data_segment());
        segments.append(Descriptor::tss_segment(task));
        segments
    });
    segments.load();
    let interrupts = INTERRUPTS.call_once(|| {
        let mut interrupts = InterruptDescriptorTable::new();
        // SAFETY: it is the entry of an NMI, and its stack is used by nothing else.
        unsafe { interrupts.non_maskable_interrupt.set_handler_addr(nmi).set_stack_index(NMI_STACK) };
        interrupts
    });
    interrupts.load();
    // SAFETY: the third descriptor, of two words, is that of a task state segment which lives for ever.
    unsafe { load_tss(SegmentSelector(3 << 3)) };
}

/// Returns how many bytes of the NMI's stack were ever used. No NMI comes meanwhile.
pub fn nmi_stack_used() -> usize {
    // SAFETY: nothing writes it while nothing is measured.
    let stack = unsafe { &*STACK.0.get() };
    stack.len() - stack.iter().take_while(|byte| **byte == 0).count()
}
