//! Recorders of branches: Intel's last branch records (LBR), its architectural ones, and AMD's LbrExtV2. They keep the last 4
//! to 32 branches that a logical processor took.
//!
//! | recorder | processors | branches |
//! |---|---|---|
//! | Intel's stacks, formats 1 to 7 | Core 2; Bonnell from stepping 10 on; Nehalem to Ice Lake; Silvermont to Tremont; Knights Landing | 4, 8, 16 or 32 |
//! | architectural | Golden Cove, Gracemont and later | 8 to 32 |
//! | LbrExtV2 | Zen 4 and later | 16 |
//!
//! # Detection
//!
//! [`Lbr::detect`] reads CPUID, and of a stack also IA32_PERF_CAPABILITIES and the model. It returns `None` where there is no
//! recorder. A hypervisor that hides a stack shows the format 0. Real processors with that format are Core Solo and Duo, whose
//! registers hold both addresses of a branch: they are not supported, nor are NetBurst's and the P6 family's, nor the records of
//! Zen 3 (BRS). No bit says that a hypervisor shows a format and has no stack: there the first access is an exception.
//!
//! # What is recorded
//!
//! - Exceptions, interrupts, system calls and the returns from all of them are one kind to these recorders: a filter has all
//!   of them ([`BranchKind::Exception`], `Interrupt`, `TrapReturn`) or none.
//!   There are no coroutine swaps, and branches that are not taken are not recorded.
//! - A branch belongs to the mode that it leads to. Of user mode alone, what leads into it from the kernel is left out on
//!   stacks and LbrExtV2, whose records would show the kernel's address. The architectural recorder has it, from address 0. Of
//!   the kernel alone, stacks and LbrExtV2 show which address of a program the kernel was entered from.
//! - A stack of Core 2 or Bonnell has no filter: it records every branch in every mode. On Nehalem, Westmere and Silvermont a
//!   filter with calls must have both kinds of jumps too. On Nehalem and Westmere both threads of a core have one filter.
//! - What a transaction or a wrong path did is not told apart: entries that AMD marks as a wrong path's, and those of erratum
//!   1452, are left out.
//! - Kinds are known of the architectural recorder alone, and there not of what goes between modes. Mispredictions are known
//!   from Nehalem on, cycles from Skylake and Goldmont on; AMD counts none. Cycles end at 65,535.
//! - AMD's source of a branch that was fused with the comparison before it is the comparison.
//! - Sleep states deeper than C2 clear the records of processors that do not say otherwise.
//! - The mode that keeps a call stack is modelled by the [`Device`], and not used by the driver.
//!
//! The driver is verified against the [`Device`] alone, which has the same author: on the host, and by the instructions of a
//! kernel whose host tells the device each branch. The device is verified by Linux' own drivers too, beneath the repository's
//! `hypervisor/x86`: on Core 2, Nehalem, Skylake, Sapphire Rapids, Lion Cove and Zen 4 they find the branches that were taken.
//!
//! [`BranchKind::Exception`]: crate::branches::BranchKind::Exception

pub(super) mod capabilities;
mod device;
mod driver;
mod registers;

pub use capabilities::Capabilities;
pub use device::Device;
pub use driver::Lbr;
