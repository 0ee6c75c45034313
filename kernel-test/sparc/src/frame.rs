//! All registers of somebody who is to go on later: of the guest while the host runs, and of a thread of the guest's kernel.

/// All registers of a guest that does not run, or of a thread of its kernel's: [`assembly!`](crate::assembly) has the order.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Frame {
    /// %g0 to %g7, of which the first is not used.
    pub globals: [u64; 8],
    /// %o0 to %o7.
    pub outs: [u64; 8],
    /// %l0 to %l7.
    pub locals: [u64; 8],
    /// %i0 to %i7.
    pub ins: [u64; 8],
    /// Where it goes on.
    pub address: u64,
    /// And after that.
    pub next: u64,
    /// TSTATE: condition codes, ASI, PSTATE.
    pub state: u64,
    /// %y
    pub y: u64,
}

impl Frame {
    /// All registers are 0.
    pub const NOTHING: Self =
        Self { globals: [0; 8], outs: [0; 8], locals: [0; 8], ins: [0; 8], address: 0, next: 0, state: 0, y: 0 };
}

const _: () = assert!(core::mem::offset_of!(Frame, y) == 280, "assembly's words have other places");

/// Assembly with words for a [`Frame`], and for parts of one: once, whichever of the kernel's blocks of assembly the compiler
/// puts together.
#[macro_export]
macro_rules! assembly {
    ($($parts:tt)*) => {
        core::arch::global_asm!(
            r#"
    .register %g2, #scratch
    .register %g3, #scratch
    .register %g6, #scratch
    .register %g7, #scratch
    .ifndef FRAME_OUTS
    .set FRAME_OUTS, 64
    .set FRAME_WINDOW, 128
    .set FRAME_ADDRESS, 256
    .set FRAME_NEXT, 264
    .set FRAME_STATE, 272
    .set FRAME_Y, 280
    .macro store_window at:vararg
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    stx %l\number, [\at + 8 * \number]
    stx %i\number, [\at + 64 + 8 * \number]
    .endr
    .endm
    .macro load_window at:vararg
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    ldx [\at + 8 * \number], %l\number
    ldx [\at + 64 + 8 * \number], %i\number
    .endr
    .endm
    ! In the alternate globals, of which %g1 leads to the frame. Afterwards %o0 does, at TL 0 in everybody's globals, and all
    ! windows are on their stacks.
    .macro keep_frame
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    stx %o\number, [%g1 + FRAME_OUTS + 8 * \number]
    .endr
    mov %g1, %o0
    store_window %o0 + FRAME_WINDOW
    rdpr %tstate, %o1
    stx %o1, [%o0 + FRAME_STATE]
    rdpr %tpc, %o1
    stx %o1, [%o0 + FRAME_ADDRESS]
    rdpr %tnpc, %o1
    stx %o1, [%o0 + FRAME_NEXT]
    rd %y, %o1
    stx %o1, [%o0 + FRAME_Y]
    wrpr %g0, 0, %tl
    wrpr %g0, 0x14, %pstate             ! PEF, PRIV
    .irp number, 1, 2, 3, 4, 5, 6, 7
    stx %g\number, [%o0 + 8 * \number]
    .endr
    flushw
    .endm
    ! From %o0; afterwards %g1 of the alternate globals leads there, at TL 1, and a RETRY goes on.
    .macro load_frame
    .irp number, 1, 2, 3, 4, 5, 6, 7
    ldx [%o0 + 8 * \number], %g\number
    .endr
    wrpr %g0, 0x15, %pstate             ! PEF, PRIV, AG
    wrpr %g0, 1, %tl
    ldx [%o0 + FRAME_STATE], %g1
    wrpr %g1, 0, %tstate
    ldx [%o0 + FRAME_ADDRESS], %g1
    wrpr %g1, 0, %tpc
    ldx [%o0 + FRAME_NEXT], %g1
    wrpr %g1, 0, %tnpc
    ldx [%o0 + FRAME_Y], %g1
    wr %g1, 0, %y
    load_window %o0 + FRAME_WINDOW
    mov %o0, %g1
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    ldx [%g1 + FRAME_OUTS + 8 * \number], %o\number
    .endr
    .endm
    .endif
            "#,
            $($parts)*
        );
    };
}
