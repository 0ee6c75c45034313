//! What lies behind the exception vectors (`vectors.rs`): the boot, and the way into a guest and out of it.
//!
//! A step of the guest's counts down in a dozen instructions and goes back at once. Everything else that problem state
//! does leaves it: [`enter_guest`] returns. An exception of the kernel itself is a mistake.

use core::mem::offset_of;

use harness::by_width;

use crate::assembly;

/// Where problem state was left, and what to count down to; at an address of 16 bits, which an
/// instruction reaches without a register.
#[repr(C)]
pub struct Low {
    /// The guest's registers.
    pub frame: Frame,
    /// After so many more instructions the guest is left.
    pub countdown: usize,
    /// Where the host's registers are while the guest runs.
    host_stack: usize,
}

/// The registers that an exception interrupts.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Frame {
    /// The general registers.
    pub general: [usize; 32],
    /// The link register.
    pub link: usize,
    /// The count register.
    pub count: usize,
    /// The condition register.
    pub condition: usize,
    /// Carry and overflow.
    pub fixed_point_exception: usize,
    /// SRR0: where it goes on.
    pub address: usize,
    /// SRR1: the machine state, and why it was left.
    pub state: usize,
    /// Which exception it was.
    pub vector: usize,
}

/// The exceptions that a guest is left by.
pub mod vector {
    /// The instruction is privileged, or there is none such.
    pub const PROGRAM: usize = 0x700;
    /// The decrementer has counted down.
    pub const DECREMENTER: usize = 0x900;
    /// `sc`
    pub const SYSTEM_CALL: usize = 0xc00;
    /// One instruction was stepped.
    pub const TRACE: usize = 0xd00;
    /// The facility is there and not lent, such as the unit's registers (from POWER8 on).
    pub const FACILITY_UNAVAILABLE: usize = 0xf60;
}

/// Where the vector of the performance monitor's exception is.
pub const PERFORMANCE_MONITOR: usize = 0xf00;

unsafe extern "C" {
    /// Runs the guest until an exception takes it out again; all but its registers is as before.
    ///
    /// # Safety
    /// [`low`]'s frame describes a guest in problem state that may do whatever it does to memory.
    pub fn enter_guest();

    /// Calls `body` on another stack; returns 0 when it returns, or what [`leave_native`] brings.
    ///
    /// # Safety
    /// The stack is nobody else's.
    pub fn enter_native(body: extern "C" fn(usize), argument: usize, stack: usize) -> usize;

    /// Returns this from the [`enter_native`] that runs.
    ///
    /// # Safety
    /// One runs, and what it has called needs nothing any more.
    pub fn leave_native(result: usize) -> !;

    static mut low_memory: Low;
    static guest_stack_top: u8;
    static user_stack_top: u8;
    static exception_stack_top: u8;
    #[cfg(target_pointer_width = "64")]
    static image_end: u8;
}

/// The guest's registers, and when it is left.
pub fn low() -> *mut Low {
    &raw mut low_memory
}

/// Where the guest's stack begins, growing down.
pub fn guest_stack() -> usize {
    &raw const guest_stack_top as usize
}

/// The same for problem state within the guest.
pub fn user_stack() -> usize {
    &raw const user_stack_top as usize
}

/// And for performance monitor exceptions.
pub fn exception_stack() -> usize {
    &raw const exception_stack_top as usize
}

/// Where the kernel and its stacks end.
#[cfg(target_pointer_width = "64")]
pub fn end_of_image() -> usize {
    &raw const image_end as usize
}

assembly!(
    by_width!(
        r#"
    .macro set_state register
        li 6, 1                     # SF: registers have 64 bits
        sldi 6, 6, 63
        or \register, \register, 6
        mtmsrd \register
        isync
        lis 2, .TOC.@h
        ori 2, 2, .TOC.@l
    .endm
    .macro prepare_processor
    .endm
    "#,
        r#"
    .macro prepare_processor
        bl book_e_prepare
    .endm
    .macro set_state register
        rlwinm \register, \register, 0, 26, 24      # IP: exceptions at the bottom of memory
        mtmsr \register
        isync
    .endm
    "#
    ),
    r#"
    .set LOW, 0x2000
    .set DECREMENTER, 22
    .set SRR0, 26
    .set SRR1, 27
    .set SPRG1, 273
    .set SPRG2, 274
    .set HOST_FRAME, 24 * WORD + 64

    .section .text.low, "ax"
    .balign 4
    .global boot
boot:
    prepare_processor
    lis 3, 0x7fff
    mtspr DECREMENTER, 3
    mfmsr 5
    ori 5, 5, 0x1002                # ME, RI
    set_state 5
    lis 1, host_stack_top@h
    ori 1, 1, host_stack_top@l
    lis 6, bss_begin@h
    ori 6, 6, bss_begin@l
    lis 7, bss_end@h
    ori 7, 7, bss_end@l
    li 8, 0
2:  stw 8, 0(6)
    addi 6, 6, 4
    cmplw 6, 7
    blt 2b
    store_and_update 8, -128(1)
    bl {kernel_entry}
    nop
    trap

    # The guest has executed one instruction more, by MSR[SE].
    .global step
step:
    mtspr SPRG1, 3
    .global count_step
count_step:
    mtspr SPRG2, 4
    mfcr 4
    load 3, LOW + {countdown}(0)
    addi 3, 3, -1
    store 3, LOW + {countdown}(0)
    compare 3, 0
    beq 2f
    # A reservation does not outlive a step, and a branch to itself takes long: the host carries them
    # out.
    mfspr 3, SRR0
    lwz 3, 0(3)
    rlwinm 3, 3, 6, 15, 31          # extended opcode, Rc, opcode
    cmpwi 3, 40 << 6 | 31           # lwarx
    beq 2f
    cmpwi 3, 168 << 6 | 31          # ldarx
    beq 2f
    cmpwi 3, 301 << 6 | 31          # stwcx.
    beq 2f
    cmpwi 3, 429 << 6 | 31          # stdcx.
    beq 2f
    cmpwi 3, 16                     # bdnz .
    beq 2f
    mtcr 4
    mfspr 4, SPRG2
    mfspr 3, SPRG1
    return_from_interrupt
2:  mtcr 4
    mfspr 4, SPRG2
    li 3, 0xd00

    .global leave_guest
leave_guest:
    store 0, LOW(0)
    .irp number, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    store \number, LOW + WORD * \number(0)
    .endr
    store 3, LOW + {vector}(0)
    mfspr 4, SPRG1
    store 4, LOW + WORD * 3(0)
    mflr 4
    store 4, LOW + {link}(0)
    mfctr 4
    store 4, LOW + {count}(0)
    mfcr 4
    store 4, LOW + {condition}(0)
    mfxer 4
    store 4, LOW + {fixed_point_exception}(0)
    mfspr 4, SRR0
    store 4, LOW + {address}(0)
    mfspr 4, SRR1
    store 4, LOW + {state}(0)
    andi. 4, 4, 0x4000              # PR
    beq fault
    li 3, 0
return_to_host:
    load 1, LOW + {host_stack}(0)
    load 2, 2 * WORD + 32(1)
    .irp number, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    load \number, WORD * (\number - 10) + 32(1)
    .endr
    load 4, 32(1)
    mtlr 4
    load 4, WORD + 32(1)
    mtcr 4
    addi 1, 1, HOST_FRAME
    blr

fault:
    lis 1, host_stack_top@h
    ori 1, 1, host_stack_top@l
    li 8, 0
    store_and_update 8, -128(1)
    bl host_fault
    nop

    .macro save_host
    store_and_update 1, -HOST_FRAME(1)
    .irp number, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    store \number, WORD * (\number - 10) + 32(1)
    .endr
    store 2, 2 * WORD + 32(1)
    mflr 4
    store 4, 32(1)
    mfcr 4
    store 4, WORD + 32(1)
    store 1, LOW + {host_stack}(0)
    .endm

    .global enter_guest
enter_guest:
    save_host
    load 4, LOW + {address}(0)
    mtspr SRR0, 4
    load 4, LOW + {state}(0)
    mtspr SRR1, 4
    load 4, LOW + {link}(0)
    mtlr 4
    load 4, LOW + {count}(0)
    mtctr 4
    load 4, LOW + {fixed_point_exception}(0)
    mtxer 4
    load 4, LOW + {condition}(0)
    mtcr 4
    load 0, LOW(0)
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    load \number, LOW + WORD * \number(0)
    .endr
    return_from_interrupt

    .global enter_native
enter_native:
    mr 12, 3
    mr 0, 5
    mr 6, 4
    save_host
    mr 1, 0
    li 0, 0
    store_and_update 0, -128(1)
    mr 3, 6
    mtctr 12
    bctrl
    li 3, 0
    b return_to_host

    .global leave_native
leave_native:
    hold_interrupts
    b return_to_host
    "#,
    kernel_entry = sym crate::kernel_entry,
    countdown = const offset_of!(Low, countdown),
    host_stack = const offset_of!(Low, host_stack),
    vector = const offset_of!(Low, frame.vector),
    link = const offset_of!(Low, frame.link),
    count = const offset_of!(Low, frame.count),
    condition = const offset_of!(Low, frame.condition),
    fixed_point_exception = const offset_of!(Low, frame.fixed_point_exception),
    address = const offset_of!(Low, frame.address),
    state = const offset_of!(Low, frame.state),
);
