//! An entry for the firmware's software event of an overflow (SSE), for kernels under a firmware that has it: from the firmware
//! to a plain function and back.
//!
//! The stub switches to a stack of its own, saves the registers that a call may change, passes on where the hart was, and
//! completes the event, after which the firmware goes on there. A kernel's trap vector has no part in it. (The local interrupt
//! LCOFI arrives at that vector, which is the kernel's own: there is no entry for it.)
//!
//! The kernel makes sure of this:
//! - The event is registered on each hart, by [`Firmware::register_event`](super::access::Firmware::register_event), with the
//!   end of a stack as its argument. The stack is aligned to 16 bytes, has room for 16 registers and the function's frames, and
//!   is used by nothing else. Its address is greater than any hart's number.
//! - The stub, what it calls, the stack and the unit's static are mapped wherever the event may come, with interrupts off too,
//!   and the function causes no exceptions: sepc and sstatus, from which the firmware goes on, are not saved.
//! - gp and tp are still those of the interrupted code. A kernel that runs user programs and finds its hart's number by one
//!   of them has an entry of its own, which loads it first.
//! - The function uses no floating-point or vector registers: none is saved.
//!
//! The stub cancels a reservation before it returns, because the firmware does not, and a conditional store of the interrupted
//! code could otherwise overwrite what the function has stored (RISC-V Unprivileged Architecture, "Zalrsc Extension for
//! Load-Reserved/Store-Conditional Instructions").

use core::arch::naked_asm;

use crate::event::Mode;
use crate::sample::Interrupted;

/// The first where registers have 64 bits, and the second where they have 32.
#[cfg(target_pointer_width = "64")]
macro_rules! by_width {
    ($wide:literal, $narrow:literal) => {
        $wide
    };
}
#[cfg(target_pointer_width = "32")]
macro_rules! by_width {
    ($wide:literal, $narrow:literal) => {
        $narrow
    };
}

/// Stores a register in the frame's slot with this number.
macro_rules! store {
    ($register:literal, $place:literal) => {
        concat!(by_width!("sd ", "sw "), $register, ", ", by_width!("8", "4"), " * ", $place, "(sp)")
    };
}

/// Loads a register from the frame's slot with this number.
macro_rules! load {
    ($register:literal, $place:literal) => {
        concat!(by_width!("ld ", "lw "), $register, ", ", by_width!("8", "4"), " * ", $place, "(sp)")
    };
}

/// The handler of the event. [`crate::event_entry`] implements it.
pub trait Handler {
    /// Called for each event. MUST NOT allocate, lock, panic or use a floating-point or vector register.
    fn handle(at: Interrupted);

    /// Where the firmware goes to.
    ///
    /// The end of the stack is in A7, and the hart's number in A6 (RISC-V Supervisor Binary Interface Specification, "Software
    /// Event Handling"). OpenSBI 1.5.1 has them the other way round. The firmware keeps both for who was interrupted. A call may
    /// change RA, T0 to T6 and A0 to A7 ("RISC-V Calling Conventions", "Integer Register Convention"). The event is completed by
    /// the extension 0x535345, function 6.
    ///
    /// # Safety
    /// It MUST NOT be called: it returns to whom the firmware has interrupted.
    #[unsafe(naked)]
    unsafe extern "C" fn stub()
    where
        Self: Sized,
    {
        naked_asm!(
            "bgeu a7, a6, 2f",
            "mv a7, a6",
            "2:",
            by_width!("addi a7, a7, -128", "addi a7, a7, -64"),
            by_width!("sd sp, 0(a7)", "sw sp, 0(a7)"),
            "mv sp, a7",
            store!("ra", 1),
            store!("t0", 2),
            store!("t1", 3),
            store!("t2", 4),
            store!("t3", 5),
            store!("t4", 6),
            store!("t5", 7),
            store!("t6", 8),
            store!("a0", 9),
            store!("a1", 10),
            store!("a2", 11),
            store!("a3", 12),
            store!("a4", 13),
            store!("a5", 14),
            "csrr a0, sepc",
            "csrr a1, sstatus",
            "call {enter}",
            // To a word of the frame that is not read. The assembler of a naked function is not told the target's extensions.
            by_width!("addi t0, sp, 120", "addi t0, sp, 60"),
            ".option push",
            ".option arch, +a",
            "sc.w zero, zero, (t0)",
            ".option pop",
            load!("ra", 1),
            load!("t0", 2),
            load!("t1", 3),
            load!("t2", 4),
            load!("t3", 5),
            load!("t4", 6),
            load!("t5", 7),
            load!("t6", 8),
            load!("a0", 9),
            load!("a1", 10),
            load!("a2", 11),
            load!("a3", 12),
            load!("a4", 13),
            load!("a5", 14),
            load!("sp", 0),
            "li a7, 0x535345",
            "li a6, 6",
            "ecall",
            enter = sym enter::<Self>,
        )
    }
}

/// Bit 8 of sstatus is SPP, the mode that was interrupted: 0 is user mode (RISC-V Privileged Architecture, "Supervisor Status
/// (sstatus) Register").
extern "C" fn enter<H: Handler>(address: usize, status: usize) {
    let mode = if status & 1 << 8 == 0 { Mode::User } else { Mode::Kernel };
    H::handle(Interrupted::new(address as u64, mode));
}

/// Defines `$name::address()`, an entry for the firmware's software event that calls `$handler` with an
/// [`Interrupted`](crate::Interrupted).
///
/// ```
/// # use pmu::Interrupted;
/// use pmu::arch::riscv::access::Firmware;
/// use pmu::arch::riscv::hpm::sbi::SbiError;
///
/// fn on_overflow(at: Interrupted) {
///     let _ = at.address; // UNIT.on_overflow(at)
/// }
///
/// pmu::event_entry!(Event, on_overflow);
///
/// /// Each hart calls this when it comes online, with the end of a stack that nothing else uses.
/// fn register_event(stack_end: usize) -> Result<(), SbiError> {
///     // SAFETY: this is a supervisor under a firmware; the entry keeps the registers, and has a stack of its own.
///     unsafe { Firmware::register_event(Event::address(), stack_end) }
/// }
/// ```
///
/// The unit is claimed after that, by a driver with [`Line::Software`](crate::arch::riscv::hpm::sbi::Line).
#[macro_export]
macro_rules! event_entry {
    ($(#[$attribute:meta])* $vis:vis $name:ident, $handler:expr) => {
        $(#[$attribute])*
        /// The event's entry.
        #[derive(Debug)]
        $vis struct $name;

        impl $crate::arch::riscv::entry::Handler for $name {
            #[inline(always)]
            fn handle(at: $crate::Interrupted) {
                $handler(at);
            }
        }

        impl $name {
            /// Returns the address that the firmware goes to.
            $vis fn address() -> usize {
                <Self as $crate::arch::riscv::entry::Handler>::stub as *const () as usize
            }
        }
    };
}
