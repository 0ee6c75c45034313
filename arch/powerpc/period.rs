//! The shortest periods, for counters of 32 bits that overflow when their top bit becomes 1.

use crate::family::Shortest;

/// The shortest period of instructions, or of events that happen at most once for each, that may repeat while the kernel
/// is counted.
///
/// An interrupt counts its own instructions, except while the counters are frozen. If the period is not longer, it ends
/// again before the handler has returned, and the interrupted code does not continue. If what remains is shorter than the
/// code from a load that reserves (LWARX) to its conditional store (STWCX.), an atomic operation never ends, because each
/// interrupt cancels the reservation.
///
/// In this crate's test kernel, which uses the library's own entry, an interrupt of one counter counts 164
/// instructions with registers of 64 bits (POWER9) and 132 with 32 (7450). This was measured in QEMU, by sampling a row of
/// instructions one by one, and not on silicon. `cargo xtask boot --identity power9 -- run=test test=the_least_period`,
/// or with another identity, measures it again, and fails if the period is too short. A kernel whose own entry is much
/// longer needs a longer period.
pub(super) const LEAST_IN_KERNEL: u64 = 256;

/// The shortest period of other events, such as cycles, that may repeat while the kernel is counted.
///
/// Cycles are counted during the delivery of the interrupt, the MTSPRs and ISYNCs that freeze the unit, and
/// the RFI after it is unfrozen. Each of these is assumed to take at most some tens of cycles. This is an
/// estimate, and was not measured on silicon.
pub(super) const LEAST_OF_OTHERS_IN_KERNEL: u64 = 2_000;

/// The shortest period of instructions or cycles that may repeat while the kernel is not counted.
///
/// The interrupt cancels a reservation. If every load that reserves (LWARX) is interrupted before its conditional
/// store (STWCX.), the program retries for ever. The architecture does not limit the instructions between the two.
/// Compilers put one to three there, and a retry takes a few more. The rest of the period is for code that is written
/// by hand. In QEMU's emulation of POWER9 and 7450 a loop with 32 instructions from load to store hung with periods up to
/// 36 (`cargo xtask boot --identity power9 -- run=test test=an_atomic_operation`). It was not measured on silicon.
///
/// Other events may have any period, because most are rarer. A short period of an event that each instruction causes may
/// stop programs in the same way.
pub(super) const LEAST_IN_USER: u64 = 128;

/// All of them.
pub(super) const SHORTEST: Shortest =
    Shortest { in_kernel: LEAST_IN_KERNEL, others_in_kernel: LEAST_OF_OTHERS_IN_KERNEL, in_user: LEAST_IN_USER };
