//! Opens counters to user programs.
//!
//! Before PMUv3p9 all counters are opened or none. Before opening, the others must be cleared of other users' counts.
//! From PMUv3p9 on each counter is opened separately, and the
//! others read as zero (D13.11.3, "EL0 access controls", with its table of accesses at EL0).
//!
//! [`Pmu::lend`](crate::Pmu::lend) opens a thread's counters, [`Pmuv3::open_user_reads`] a session's.

use super::driver::Pmuv3;
use super::registers::{INSTRUCTION_COUNTER, UserEnable};
use super::widths::WIDE;
use crate::arch::aarch64::{SystemRegister, SystemRegisters};
use crate::event::{CounterId, CounterSet, Error, Remaining, Result};

impl<R: SystemRegisters> Pmuv3<R> {
    /// Lets user programs read these counters. They cannot write any.
    ///
    /// Call [`Pmu::show_only`](crate::Pmu::show_only) first, which clears the others.
    ///
    /// # Errors
    /// Returns [`Error::InUse`] with the other counters that programs could read while they count or hold a count.
    /// From PMUv3p9 on programs can read no others, and before it never the instruction counter. Nothing was opened.
    pub fn open_user_reads(&self, counters: CounterSet) -> Result<()> {
        let seen = self.others_with_counts(counters);
        if !seen.is_empty() {
            return Err(Error::InUse(seen));
        }
        self.open_to_users(counters);
        Ok(())
    }

    /// Opens these counters, without checking the others.
    pub(super) fn open_to_users(&self, counters: CounterSet) {
        let mut enable = UserEnable::READ_CYCLES | UserEnable::READ_EVENTS;
        if self.capabilities.has_user_access() {
            enable |= UserEnable::NAMED | UserEnable::TRAP_EVENTS;
            enable.set(UserEnable::READ_INSTRUCTIONS, self.capabilities.has_instruction_counter);
            self.registers.write(SystemRegister::USER_ACCESS, counters.and(self.own).bits());
        }
        self.registers.write(SystemRegister::USER_ENABLE, enable.bits());
    }

    /// Closes the unit to user programs: each access raises an exception.
    pub fn close_user_reads(&self) {
        self.registers.write(SystemRegister::USER_ENABLE, 0);
        if self.capabilities.has_user_access() {
            self.registers.write(SystemRegister::USER_ACCESS, 0);
        }
    }

    /// Returns the other counters that a program could read and that count or hold a count.
    fn others_with_counts(&self, counters: CounterSet) -> CounterSet {
        if self.capabilities.has_user_access() {
            return CounterSet::EMPTY;
        }
        let instructions = CounterSet::from_bits(1 << INSTRUCTION_COUNTER);
        let others = self.capabilities.counters().without(counters).without(instructions);
        let counting = CounterSet::from_bits(self.registers.read(SystemRegister::ENABLE_SET));
        others.into_iter().filter(|&other| counting.contains(other) || self.holds_count(other)).collect()
    }

    /// Returns true unless the counter holds 0 or the longest preset, which contain no count.
    fn holds_count(&self, counter: CounterId) -> bool {
        let width = self.widths.width(counter);
        let nothing =
            [0, width.start(Remaining::events(width.longest())), WIDE.start(Remaining::events(WIDE.longest()))];
        !nothing.contains(&self.registers.read(SystemRegister::any_counter(counter)))
    }
}
