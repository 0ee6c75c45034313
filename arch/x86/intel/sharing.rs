//! Counters that are somebody else's: the microcode's counter 3, and those that firmware or a watchdog uses.
//!
//! # Counter 3 and transactions
//!
//! A microcode update of the Skylake family, for an erratum of its transactions (TSX), takes general counter 3 for
//! itself. CPUID.07H:EDX\[13\] announces the update and IA32_TSX_FORCE_ABORT. While that register's bit 0
//! (RTM_FORCE_ABORT) is set, every transaction aborts at once, and counter 3 counts for software. Later updates abort all
//! transactions for good (CPUID.07H:EDX\[11\], RTM_ALWAYS_ABORT), and leave the counter alone. CPUID announces the counter
//! in all cases.
//!
//! The driver does not decide against transactions. It leaves counter 3 out, unless the register says at detection that
//! they are aborted. A kernel that wants the counter writes 1 to [`Msr::FORCE_ABORT`] on each CPU before it detects the
//! unit. From then on the driver keeps the bit set, also over a sleep.
//!
//! Sources: Intel, "Performance Monitoring Impact of Intel Transactional Synchronization Extension Memory Ordering Issue"
//! (604224); torvalds/linux arch/x86/events/intel/core.c and arch/x86/kernel/cpu/tsx.c.
//!
//! # Counters in use
//!
//! From version 4 on IA32_PERF_GLOBAL_INUSE says which counters have an event, so that several users of a unit can tell
//! which are free (SDM vol. 3, "IA32_PERF_GLOBAL_INUSE MSR"). Firmware and earlier kernels leave events in selectors that
//! nobody reads any more. So a counter is somebody's if it has an event *and counts*: its selector and the global control
//! enable it. Detection leaves such counters out and reports them, and the driver lets them run on: it keeps their bits in
//! the global control, their bits in the control of the fixed counters, and their overflows in the status. They rest while
//! the overflow handler works, and after a halt for a panic.
//!
//! The line (LVTPC) cannot be shared. While the unit is claimed, their interrupts come to its handler, which says that they
//! are not the unit's.

use raw_cpuid::CpuIdReader;

use super::capabilities::Capabilities;
use super::program::is_fixed;
use super::registers::{FixedControl, Select};
use crate::arch::x86::processor::Processor;
use crate::arch::x86::{Msr, Msrs, probe};
use crate::event::{CounterId, CounterSet, Error, Result};

/// The counter that the microcode takes while transactions are not aborted.
pub(super) const TAKEN: CounterSet = CounterSet::from_bits(1 << 3);

/// RTM_FORCE_ABORT, bit 0 of IA32_TSX_FORCE_ABORT.
pub(super) const RTM_FORCE_ABORT: u64 = 1 << 0;

/// Returns true if the processor has IA32_TSX_FORCE_ABORT and its transactions do not abort in any case.
fn has_force_abort<C: CpuIdReader>(processor: &Processor<'_, C>) -> bool {
    const HAS_FORCE_ABORT: u32 = 1 << 13;
    const ALWAYS_ABORTS: u32 = 1 << 11;
    processor.leaf(7, 0).edx & (HAS_FORCE_ABORT | ALWAYS_ABORTS) == HAS_FORCE_ABORT
}

impl Capabilities {
    /// Leaves the microcode's counter to it, if the processor has IA32_TSX_FORCE_ABORT. Transactions are not aborted yet.
    pub(super) fn leave_taken<C: CpuIdReader>(&mut self, processor: &Processor<'_, C>) {
        if has_force_abort(processor) && !self.general.and(TAKEN).is_empty() {
            self.general = self.general.without(TAKEN);
            self.aborts = Some(false);
        }
    }

    /// Returns all counters that have registers, whoever has them.
    pub(super) fn counters_with_registers(&self) -> CounterSet {
        let taken = if self.aborts.is_some() { TAKEN } else { CounterSet::EMPTY };
        self.counters_of_all_kinds().or(self.used_by_others).or(taken)
    }

    /// Returns what the unit would have if nobody else used any of its counters, or `None` if nobody does.
    pub(super) fn alone(&self) -> Option<Self> {
        let held = self.counters_with_registers().without(self.counters_of_all_kinds());
        let fixed = CounterSet::from_bits(held.bits() >> 32 << 32);
        (!held.is_empty()).then(|| Self {
            general: self.general.or(held.without(fixed)),
            fixed: self.fixed.or(fixed),
            ..*self
        })
    }

    /// Finds out from the registers who uses which counters.
    ///
    /// # Errors
    /// [`Error::UsedByOthers`] if no counter is left.
    #[inline(never)]
    pub(super) fn look_at<R: Msrs>(&mut self, registers: &R) -> Result<()> {
        if self.aborts.is_some() && registers.read(Msr::FORCE_ABORT) & RTM_FORCE_ABORT != 0 {
            self.general = self.general.or(TAKEN);
            self.aborts = Some(true);
        }
        if self.version < 4 {
            return Ok(());
        }
        let used = self.used(registers);
        self.used_by_others = used;
        self.general = self.general.without(used);
        self.fixed = self.fixed.without(used);
        if self.counters_of_all_kinds().is_empty() { Err(Error::UsedByOthers(used)) } else { Ok(()) }
    }

    /// Checks that a selector, a counter that does not count and the control of a fixed one that does not count keep what is
    /// written to them.
    ///
    /// # Errors
    /// [`Error::Swallowed`]; the registers have their old values.
    #[inline(never)]
    pub(super) fn check_kept<R: Msrs>(&self, registers: &R) -> Result<()> {
        let is_free = |counter: &CounterId| !is_enabled(registers, *counter);
        if let Some(first) = self.general.lowest() {
            probe::check_kept(registers, Msr::selector(first))?;
        }
        if let Some(counter) = self.general.into_iter().find(is_free) {
            let at = Msr::at(self.window() as u32 + u32::from(counter.number()));
            probe::check_counter(registers, at, self.general_width(), self.window())?;
        }
        self.fixed.into_iter().find(is_free).map_or(Ok(()), |counter| {
            let interrupt = FixedControl::INTERRUPT.within(counter, 0);
            let write = |value| registers.write(Msr::FIXED_CONTROL, value);
            probe::check(registers, Msr::FIXED_CONTROL, |before| before ^ interrupt, write)
        })
    }

    /// Returns the counters that count now.
    fn used<R: Msrs>(&self, registers: &R) -> CounterSet {
        let selected = CounterSet::from_bits(registers.read(Msr::GLOBAL_IN_USE)).and(self.counters_of_all_kinds());
        if selected.is_empty() {
            return CounterSet::EMPTY;
        }
        let enabled = selected.and(CounterSet::from_bits(registers.read(Msr::GLOBAL_CONTROL)));
        enabled.into_iter().filter(|&counter| is_enabled(registers, counter)).collect()
    }
}

/// Returns true if its own control enables a counter.
fn is_enabled<R: Msrs>(registers: &R, counter: CounterId) -> bool {
    if is_fixed(counter) {
        let control = FixedControl::of(counter, registers.read(Msr::FIXED_CONTROL));
        control.intersects(FixedControl::KERNEL | FixedControl::USER)
    } else {
        registers.read(Msr::selector(counter)) & Select::ENABLE.bits() != 0
    }
}

/// Returns the bits of these fixed counters in IA32_FIXED_CTR_CTRL.
pub(super) fn fixed_bits(counters: CounterSet, register: u64) -> u64 {
    let fixed = counters.into_iter().filter(|&counter| is_fixed(counter));
    fixed.fold(0, |bits, counter| FixedControl::of(counter, register).within(counter, bits))
}
