//! An entry for the performance monitor's exception, for kernels that have none: from the vector to
//! a plain function and back.
//!
//! The stub switches to a stack of its own, saves the registers that a call may change, passes on where
//! the processor was, and returns by RFID, or by RFI where registers have 32 bits. The vector branches to it.
//! (F00H has room for eight instructions, because F20H is the next vector: Power ISA Book
//! III, "Interrupt Vector Locations". The classic processors have their next vector at 1000H. A branch is one.)
//! On a book E processor IVOR35 is the address of the branch, which is a multiple of 16.
//!
//! The kernel makes sure of this:
//! - One of SPRG0 to SPRG3 holds the top of a stack, aligned to 16 bytes, with room for 32 registers
//!   and the function's frames. It is used only by this exception on this CPU. Another SPRG is free for
//!   the stub's first instructions. A machine check or a system reset, which may come in between,
//!   uses a third.
//! - The stub, what it calls, the stack and the unit's static are where the exception finds them. It
//!   switches translation off, unless LPCR\[AIL\] keeps it on. With 64 bits the table of contents
//!   (R2) is found relative to the stub, so that a kernel that is mapped elsewhere finds its statics
//!   at their real addresses.
//! - The exception comes in the byte order that the kernel is compiled for (LPCR\[ILE\]).
//! - The function acknowledges: [`Unit::on_overflow`](crate::Unit::on_overflow) clears MMCR0\[PMAO\]
//!   and sets MMCR0\[PMAE\] again, or the bits that the unit has instead (MMCR0\[PMXE\], ENINT;
//!   PMGC0\[PMIE\]). If the unit keeps the exception pending until then, an exception that is not acknowledged
//!   comes again after every return.
//! - The function does not set MSR\[EE\], because there is only one stack. SRR0 and SRR1 are saved, so that
//!   loads and stores may cause exceptions.
//! - The kernel is compiled for soft float, or the function uses no floating-point or vector registers:
//!   none is saved. The exception clears MSR\[FP\], MSR\[VEC\] and MSR\[VSX\], so that using one
//!   causes an exception. The upper halves of the e500's registers are not saved either.
//!
//! The stub cancels a reservation before it returns. The exception does not (Power ISA Book III,
//! "Interrupt Processing"), and a conditional store of the interrupted code could otherwise overwrite what
//! the function has stored.
//!
//! Processors of book E with registers of 64 bits return by RFI. They have no entry here.

use core::arch::naked_asm;

use crate::event::Mode;
use crate::sample::Interrupted;

/// A register that the kernel can use freely (Power ISA Book III, "Software-use SPRs"). Its value is the number
/// of its special-purpose register. Every processor has these four.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum Sprg {
    /// SPRG0
    Sprg0 = 272,
    /// SPRG1
    Sprg1 = 273,
    /// SPRG2
    Sprg2 = 274,
    /// SPRG3, which user programs can read on most processors.
    Sprg3 = 275,
}

/// The first where registers have 64 bits, and the second where they have 32.
#[cfg(target_pointer_width = "64")]
macro_rules! by_width {
    ($wide:expr, $narrow:expr) => {
        $wide
    };
}
#[cfg(target_pointer_width = "32")]
macro_rules! by_width {
    ($wide:expr, $narrow:expr) => {
        $narrow
    };
}

/// The size of a register in bytes, for the assembler.
macro_rules! word {
    () => {
        by_width!("8", "4")
    };
}

/// Saves a register in the frame's slot with this number.
macro_rules! store {
    ($register:literal, $place:literal) => {
        concat!(by_width!("std ", "stw "), $register, ", ", word!(), " * ", $place, "(1)")
    };
}

/// Restores a register from the frame's slot with this number.
macro_rules! load {
    ($register:literal, $place:literal) => {
        concat!(by_width!("ld ", "lwz "), $register, ", ", word!(), " * ", $place, "(1)")
    };
}

/// The stub. It calls `$enter` with SRR0 and SRR1, and with what `$more` puts into R5.
///
/// A call may change R0, R3 to R12, LR, CTR, XER and parts of CR, and the called function sets R2
/// ("64-Bit ELF V2 ABI Specification", section 2.2.2.1, "Register Roles"; "System V Application Binary
/// Interface, PowerPC Processor Supplement", "Registers"). The frame is 32 registers long. Before
/// them are the 14 words that a caller reserves for the function by the larger of the ABIs, ELF V1. The
/// first of them points to the interrupted frame.
macro_rules! stub {
    ($enter:path, $handler:ident) => {
        naked_asm!(
            "mtspr {scratch}, 1",
            "mfspr 1, {stack}",
            concat!("addi 1, 1, -32 * ", word!()),
            store!(0, 14),
            "mfspr 0, {scratch}",
            store!(0, 0),
            store!(2, 15),
            store!(3, 16),
            store!(4, 17),
            store!(5, 18),
            store!(6, 19),
            store!(7, 20),
            store!(8, 21),
            store!(9, 22),
            store!(10, 23),
            store!(11, 24),
            store!(12, 25),
            "mflr 5",
            "mfctr 6",
            "mfcr 7",
            "mfxer 8",
            "mfspr 3, 26", // SRR0: where it was
            "mfspr 4, 27", // SRR1: in which state
            store!(5, 26),
            store!(6, 27),
            store!(7, 28),
            store!(8, 29),
            store!(3, 30),
            store!(4, 31),
            by_width!("bcl 20, 31, 2f", ""),
            by_width!("2: mflr 2", ""),
            by_width!("addis 2, 2, .TOC.-2b@ha", ""),
            by_width!("addi 2, 2, .TOC.-2b@l", ""),
            load!(5, 0),
            "bl {enter}",
            "nop",
            // To a word of the frame that is not read.
            concat!("li 3, ", word!()),
            "stwcx. 3, 3, 1",
            load!(3, 30),
            load!(4, 31),
            load!(5, 26),
            load!(6, 27),
            load!(7, 28),
            load!(8, 29),
            "mtspr 26, 3",
            "mtspr 27, 4",
            "mtlr 5",
            "mtctr 6",
            "mtcr 7",
            "mtxer 8",
            load!(12, 25),
            load!(11, 24),
            load!(10, 23),
            load!(9, 22),
            load!(8, 21),
            load!(7, 20),
            load!(6, 19),
            load!(5, 18),
            load!(4, 17),
            load!(3, 16),
            load!(2, 15),
            load!(0, 14),
            load!(1, 0),
            by_width!("rfid", "rfi"),
            scratch = const $handler::SCRATCH as u16,
            stack = const $handler::STACK as u16,
            enter = sym $enter,
        )
    };
}

/// The handler of the exception. [`crate::pmi_entry`] implements it.
pub trait Handler {
    /// The register that holds the top of the stack.
    const STACK: Sprg;
    /// A register that is free.
    const SCRATCH: Sprg;

    /// Called for each exception, with the stack pointer (R1) of the interrupted code, where
    /// [`BackChain`](crate::samples::chain::BackChain) begins. MUST NOT allocate, lock, panic or use a vector
    /// register.
    fn handle(at: Interrupted, stack_pointer: u64);

    /// The target of the vector, for a table of vectors that is written in assembly: `b {entry}`, with
    /// `entry = sym <Name as Handler>::stub`.
    ///
    /// # Safety
    /// It MUST NOT be called: it returns from an exception.
    #[unsafe(naked)]
    unsafe extern "C" fn stub()
    where
        Self: Sized,
    {
        stub!(enter::<Self>, Self)
    }
}

extern "C" fn enter<H: Handler>(address: usize, state: usize, stack_pointer: usize) {
    H::handle(interrupted(address, state), stack_pointer as u64);
}

/// PR is set for problem state. Where registers have 64 bits, HV is set for hypervisor
/// state (Power ISA Book III, "Machine State Register": bits 49 and 3).
#[inline(always)]
fn interrupted(address: usize, state: usize) -> Interrupted {
    const PROBLEM: u64 = 1 << 14;
    const HYPERVISOR: u64 = 1 << 60;
    let mode = match state as u64 {
        state if state & PROBLEM != 0 => Mode::User,
        state if state & HYPERVISOR != 0 => Mode::Hypervisor,
        _ => Mode::Kernel,
    };
    Interrupted::new(address as u64, mode)
}

/// Defines `$name::address()`, an entry for the performance monitor's vector that calls `$handler` with
/// an [`Interrupted`](crate::Interrupted). The first of two
/// [`Sprg`](crate::arch::powerpc::entry::Sprg)s holds the top of its stack.
///
/// ```
/// # use pmu::Interrupted;
/// fn on_overflow(at: Interrupted) {
///     let _ = at.address; // UNIT.on_overflow(at)
/// }
///
/// pmu::pmi_entry!(Pmi, on_overflow, stack: Sprg0, scratch: Sprg1);
///
/// let target: u64 = Pmi::address(); // where the vector branches to
/// # assert_ne!(target, 0);
/// ```
///
/// In a table of vectors that is written in assembly:
///
/// ```
/// # pmu::pmi_entry!(Pmi, |_at| (), stack: Sprg0, scratch: Sprg1);
/// use pmu::arch::powerpc::entry::Handler;
///
/// core::arch::global_asm!(
///     ".org 0xf00",
///     "b {entry}",
///     entry = sym Pmi::stub,
/// );
/// ```
///
/// After `framed:` stands a handler that also gets the stack pointer of the interrupted code, where a walk to its callers
/// begins:
///
/// ```
/// use pmu::Interrupted;
/// use pmu::samples::chain::BackChain;
///
/// fn on_overflow(at: Interrupted, stack_pointer: u64) {
///     let frames = BackChain::of_64_bits(stack_pointer, 0..u64::MAX); // or the stack that the kernel knows
///     let _ = (at, frames); // UNIT.on_overflow_chained(at, &CHAINS, |callers| frames.walk(callers, read))
/// }
///
/// pmu::pmi_entry!(Pmi, framed: on_overflow, stack: Sprg0, scratch: Sprg1);
/// ```
#[macro_export]
macro_rules! pmi_entry {
    (
        $(#[$attribute:meta])* $vis:vis $name:ident, framed: $handler:expr,
        stack: $stack:ident, scratch: $scratch:ident
    ) => {
        $(#[$attribute])*
        /// The exception's entry.
        #[derive(Debug)]
        $vis struct $name;

        impl $crate::arch::powerpc::entry::Handler for $name {
            const STACK: $crate::arch::powerpc::entry::Sprg = $crate::arch::powerpc::entry::Sprg::$stack;
            const SCRATCH: $crate::arch::powerpc::entry::Sprg = $crate::arch::powerpc::entry::Sprg::$scratch;

            #[inline(always)]
            fn handle(at: $crate::Interrupted, stack_pointer: u64) {
                $handler(at, stack_pointer);
            }
        }

        #[allow(dead_code, reason = "a table of vectors may name the stub itself")]
        impl $name {
            /// Returns the address that the vector branches to.
            $vis fn address() -> u64 {
                <Self as $crate::arch::powerpc::entry::Handler>::stub as *const () as u64
            }
        }
    };
    ($(#[$attribute:meta])* $vis:vis $name:ident, $handler:expr, stack: $stack:ident, scratch: $scratch:ident) => {
        $crate::pmi_entry! {
            $(#[$attribute])* $vis $name, framed: |at: $crate::Interrupted, _: u64| $handler(at),
            stack: $stack, scratch: $scratch
        }
    };
}
