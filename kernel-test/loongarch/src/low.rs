//! The boot, the exception vector, and the way into a guest and out of it.
//!
//! [`enter_guest`] returns at the next exception: an instruction of the guest's that traps, or the timer. As nearly the last
//! thing on the way in and nearly the first on the way out it reads the stable counter. An exception of the kernel itself is a
//! mistake.

use core::arch::asm;
use core::cell::UnsafeCell;
use core::mem::offset_of;

use crate::assembly;

/// Where PLV3 was left, and the clock then. It is not among the statics that a test finds as they were at boot.
#[repr(C)]
pub struct Low {
    /// The guest's registers.
    pub frame: Frame,
    /// The stable counter on the way in.
    pub entered: u64,
    /// The same on the way out.
    pub left: u64,
    /// The timer's configuration: when it is to interrupt, in ticks, and that it is on.
    pub timer: u64,
    /// Where the host's registers are while the guest runs.
    host_stack: u64,
}

/// The registers that an exception interrupts.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Frame {
    /// The general registers.
    pub general: [u64; 32],
    /// ERA: where it goes on.
    pub address: u64,
    /// PRMD: the level and whether interrupts are on, there.
    pub mode: u64,
    /// ESTAT
    pub status: u64,
}

impl Frame {
    /// All registers are 0.
    pub const NOTHING: Self = Self { general: [0; 32], address: 0, mode: 0, status: 0 };

    /// Which exception it was ("LoongArch Reference Manual, volume 1", "Exception Status", Ecode).
    pub const fn exception(&self) -> u64 {
        self.status >> 16 & 0x3f
    }
}

/// The exceptions that a guest is left by.
pub mod exception {
    /// An interrupt.
    pub const INTERRUPT: u64 = 0;
    /// SYSCALL
    pub const SYSTEM_CALL: u64 = 0xb;
    /// BREAK
    pub const BREAKPOINT: u64 = 0xc;
    /// An instruction that PLV3 does not have (IPE).
    pub const PRIVILEGED: u64 = 0xe;
}

/// [`Low`], which assembly reads and writes.
#[repr(transparent)]
struct Place(UnsafeCell<Low>);

// SAFETY: one processor runs.
unsafe impl Sync for Place {}

#[unsafe(link_section = ".low")]
static LOW: Place = Place(UnsafeCell::new(Low { frame: Frame::NOTHING, entered: 0, left: 0, timer: 0, host_stack: 0 }));

unsafe extern "C" {
    /// Runs the guest until an exception takes it out again; all but its registers is as before.
    ///
    /// # Safety
    /// [`low`]'s frame describes a guest at PLV3 that may do whatever it does to memory.
    pub fn enter_guest();

    static guest_stack_top: u8;
    static user_stack_top: u8;
    static mut text_begin: u32;
    static text_end: u32;
    static ways_begin: u32;
    static ways_end: u32;
}

/// The guest's registers, and the clock.
pub fn low() -> *mut Low {
    LOW.0.get()
}

/// Where the guest's stack begins, growing down.
pub fn guest_stack() -> u64 {
    &raw const guest_stack_top as u64
}

/// The same for user programs within the guest.
pub fn user_stack() -> u64 {
    &raw const user_stack_top as u64
}

/// BREAK's word without its code.
pub const BREAK: u32 = 0x002a_0000;
/// The bits of BREAK's code that say for what it stands: CPUCFG, whose registers are in the ten bits below.
pub const FOR_CPUCFG: u32 = 0x1f << 10;
/// RDTIME.D, whose register is in the five bits below.
pub const FOR_RDTIME: u32 = 0x1e << 10;

/// Puts BREAK in the place of each CPUCFG and RDTIME.D that is not the host's own. Every word of the text is an instruction.
pub fn replace() {
    const REGISTERS: u32 = 0x3ff;
    let mut at = &raw mut text_begin;
    // SAFETY: the boot lets the kernel write its text, and none of what is replaced is being executed.
    unsafe {
        while at.cast_const() < &raw const text_end {
            let is_ours = (&raw const ways_begin..&raw const ways_end).contains(&at.cast_const());
            let instruction = at.read_volatile();
            match instruction & !REGISTERS {
                0x6c00 if !is_ours => at.write_volatile(BREAK | FOR_CPUCFG | instruction & REGISTERS),
                0x6800 if !is_ours => at.write_volatile(BREAK | FOR_RDTIME | instruction & REGISTERS),
                _ => {}
            }
            at = at.add(1);
        }
        asm!("dbar 0", "ibar 0", options(nostack, preserves_flags));
    }
}

assembly!(
    r#"
    # Entered by addresses that are physical.
    .section .text.boot, "ax"
    .global boot
boot:
    li.w $t0, 0x19                  # the first window: addresses as they are, cached, PLV0 and PLV3
    csrwr $t0, 0x180
    lu52i.d $t0, $zero, -2048       # the second: devices, from 8000_0000_0000_0000H, not cached
    ori $t0, $t0, 0x09
    csrwr $t0, 0x181
    li.w $t0, 0xb0                  # CRMD: by windows, PLV0, no interrupts
    csrwr $t0, 0x0
    la.pcrel $sp, host_stack_top
    la.pcrel $t0, bss_begin
    la.pcrel $t1, bss_end
1:  st.d $zero, $t0, 0
    addi.d $t0, $t0, 8
    bne $t0, $t1, 1b
    la.pcrel $t0, leave_guest
    csrwr $t0, 0xc                  # EENTRY
    li.w $t0, 0x800
    csrwr $t0, 0x4                  # ECFG: the timer interrupts
    bl {kernel_entry}

    .text
    .balign 4096
    .global ways_begin
ways_begin:
leave_guest:
    csrwr $t0, 0x30
    rdtime.d $t0, $zero
    csrwr $t1, 0x31
    la.pcrel $t1, {low}
    st.d $t0, $t1, {left}
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    st.d $r\number, $t1, 8 * \number
    .endr
    csrrd $t0, 0x30
    st.d $t0, $t1, 8 * 12
    csrrd $t0, 0x31
    st.d $t0, $t1, 8 * 13
    csrrd $t0, 0x6                  # ERA
    st.d $t0, $t1, {address}
    csrrd $t0, 0x5                  # ESTAT
    st.d $t0, $t1, {status}
    csrrd $t0, 0x1                  # PRMD
    st.d $t0, $t1, {mode}
    andi $t0, $t0, 3
    beqz $t0, 1f
    ld.d $sp, $t1, {host_stack}
    give_callers_back
    ret
1:  la.pcrel $sp, host_stack_top
    bl host_fault

    .global enter_guest
enter_guest:
    keep_callers
    la.pcrel $t1, {low}
    st.d $sp, $t1, {host_stack}
    ld.d $t0, $t1, {address}
    csrwr $t0, 0x6
    li.w $t0, 7                     # PLV3, and the timer interrupts
    csrwr $t0, 0x1
    ld.d $t0, $t1, 8 * 12
    csrwr $t0, 0x30
    ld.d $t0, $t1, 8 * 13
    csrwr $t0, 0x31
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    ld.d $r\number, $t1, 8 * \number
    .endr
    li.w $t0, 1
    csrwr $t0, 0x44                 # TICLR
    ld.d $t0, $t1, {timer}
    csrwr $t0, 0x41                 # TCFG
    rdtime.d $t0, $zero
    st.d $t0, $t1, {entered}
    csrrd $t0, 0x30
    csrrd $t1, 0x31
    ertn
    .global ways_end
ways_end:
    "#,
    kernel_entry = sym crate::kernel_entry,
    low = sym LOW,
    left = const offset_of!(Low, left),
    entered = const offset_of!(Low, entered),
    timer = const offset_of!(Low, timer),
    host_stack = const offset_of!(Low, host_stack),
    address = const offset_of!(Low, frame.address),
    mode = const offset_of!(Low, frame.mode),
    status = const offset_of!(Low, frame.status),
);
