//! The bits that the selectors of all x86 counters have in common, and a macro for each family's type.
//!
//! The lower 32 bits are the same in Intel's IA32_PERFEVTSELx and AMD's PERF_CTLn, except for one that
//! only one of them has (SDM vol. 3, figure "Layout of IA32_PERFEVTSELx MSRs"; APM vol. 2,
//! "Performance Monitoring Counters", PERF_CTLn). The upper bits are different.

/// The event's unit mask.
pub(super) const UNIT_MASK: u64 = 0xFF << 8;
/// Count outside ring 0 (USR).
pub(super) const USER: u64 = 1 << 16;
/// Count in ring 0 (OS).
pub(super) const KERNEL: u64 = 1 << 17;
/// Count the cycles in which the condition becomes true (E, EDGE).
pub(super) const EDGE: u64 = 1 << 18;
/// Count (EN).
pub(super) const ENABLE: u64 = 1 << 22;

/// Count the cycles with fewer events than the threshold (INV).
pub(super) const INVERT: u64 = 1 << 23;

/// Returns the bits of a selector for this threshold of events in a cycle.
#[inline(always)]
pub(super) const fn threshold(events: u8) -> u64 {
    (events as u64) << 24
}

/// Defines a family's `Select`: the common bits, by the names of its manual, and its own bits among them.
macro_rules! selector {
    (
        $(#[$attribute:meta])* pub struct $name:ident {
            EVENT as $event:tt, UNIT_MASK as $unit_mask:tt, USER as $user:tt, KERNEL as $kernel:tt, EDGE as $edge:tt,
            PIN_CONTROL as $pin_control:tt, INTERRUPT as $interrupt:tt,
            $({ $($low:tt)* })?
            ENABLE as $enable:tt, INVERT as $invert:tt, THRESHOLD as $threshold:tt,
            $($high:tt)*
        }
    ) => {
        $crate::contract::bit_set! {
            $(#[$attribute])*
            #[derive(Clone, Copy, PartialEq, Eq, Default)]
            pub struct $name: u64 {
                /// The event, or its low eight bits if it has more.
                const EVENT as $event = 0xFF;
                /// The event's unit mask (UMASK).
                const UNIT_MASK as $unit_mask = $crate::arch::x86::selector::UNIT_MASK;
                /// Count outside ring 0 (USR).
                const USER as $user = $crate::arch::x86::selector::USER;
                /// Count in ring 0 (OS).
                const KERNEL as $kernel = $crate::arch::x86::selector::KERNEL;
                /// Count the cycles in which the condition becomes true (E, EDGE).
                const EDGE as $edge = $crate::arch::x86::selector::EDGE;
                /// Toggle the PMi pin (PC); reserved on later processors.
                const PIN_CONTROL as $pin_control = 1 << 19;
                /// Interrupt on overflow (INT).
                const INTERRUPT as $interrupt = 1 << 20;
                $($($low)*)?
                /// Count (EN).
                const ENABLE as $enable = $crate::arch::x86::selector::ENABLE;
                /// Count the cycles with fewer events than the threshold (INV).
                const INVERT as $invert = $crate::arch::x86::selector::INVERT;
                /// Count the cycles with at least so many events (CMASK, CNT_MASK).
                const THRESHOLD as $threshold = $crate::arch::x86::selector::threshold(0xFF);
                $($high)*
            }
        }

        impl $name {
            /// Returns the bits that select the event.
            #[inline(always)]
            #[must_use]
            pub const fn code(self) -> u64 {
                self.bits() & Self::CODE.bits()
            }

            /// Returns the least number of events in a cycle that counts; 0 counts the events themselves.
            #[inline(always)]
            #[must_use]
            pub const fn threshold(self) -> u8 {
                (self.bits() >> 24) as u8
            }
        }
    };
}

pub(super) use selector;
