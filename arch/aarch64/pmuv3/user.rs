//! What user programs may see of the unit.
//!
//! Before PMUv3p9 it is all counters or none, whosever they are: who opens them to EL0 makes sure
//! that none of the others holds anything. From PMUv3p9 on each counter is opened by itself, and the
//! others read as zero (D13.11.3, "EL0 access controls", with its table of accesses at EL0).
//!
//! A thread's are opened by [`Pmu::lend`](crate::Pmu::lend), a session's by [`Pmuv3::open_user_reads`].

use super::driver::Pmuv3;
use super::registers::{INSTRUCTION_COUNTER, UserEnable};
use super::widths::WIDE;
use crate::arch::aarch64::{Index, SystemRegister};
use crate::contract::Registers;
use crate::event::{CounterId, CounterSet, Error, Remaining, Result};

impl<R> Pmuv3<R>
where
    R: Registers<Address = SystemRegister, Index = Index>,
{
    /// Lets user programs read these counters; they can write none.
    ///
    /// Call [`Pmu::show_only`](crate::Pmu::show_only) first: it leaves nothing in the others.
    ///
    /// # Errors
    /// [`Error::InUse`] with the counters that a program would see and should not: they count, or
    /// hold something. It is never one of those that it may not read anyway: from PMUv3p9 on all the
    /// others, before it the instruction counter. Nothing was opened.
    pub fn open_user_reads(&self, counters: CounterSet) -> Result<()> {
        let seen = self.seen_beside(counters);
        if !seen.is_empty() {
            return Err(Error::InUse(seen));
        }
        self.open_to_users(counters);
        Ok(())
    }

    /// Opens them, whatever is in the others.
    pub(super) fn open_to_users(&self, counters: CounterSet) {
        let mut enable = UserEnable::READ_CYCLES | UserEnable::READ_EVENTS;
        if self.capabilities.has_user_access() {
            enable |= UserEnable::NAMED | UserEnable::TRAP_EVENTS;
            enable.set(UserEnable::READ_INSTRUCTIONS, self.capabilities.has_instruction_counter);
            self.registers.write(SystemRegister::USER_ACCESS, counters.and(self.own).bits());
        }
        self.registers.write(SystemRegister::USER_ENABLE, enable.bits());
    }

    /// Makes every access of a user program's an exception.
    pub fn close_user_reads(&self) {
        self.registers.write(SystemRegister::USER_ENABLE, 0);
        if self.capabilities.has_user_access() {
            self.registers.write(SystemRegister::USER_ACCESS, 0);
        }
    }

    /// The counters beside these that a program would see with something in them.
    fn seen_beside(&self, counters: CounterSet) -> CounterSet {
        if self.capabilities.has_user_access() {
            return CounterSet::EMPTY;
        }
        let instructions = CounterSet::from_bits(1 << INSTRUCTION_COUNTER);
        let others = self.capabilities.counters().without(counters).without(instructions);
        let counting = CounterSet::from_bits(self.registers.read(SystemRegister::ENABLE_SET));
        others.into_iter().filter(|&other| counting.contains(other) || self.holds_something(other)).collect()
    }

    /// Is there more in it than zero, or the longest wait, which is as good?
    fn holds_something(&self, counter: CounterId) -> bool {
        let width = self.widths.width(counter);
        let nothing =
            [0, width.start(Remaining::events(width.longest())), WIDE.start(Remaining::events(WIDE.longest()))];
        !nothing.contains(&self.registers.read(SystemRegister::any_counter(counter)))
    }
}
