//! Counters that only count go on from what they hold, so that a thread that comes need not preset them.
//!
//! When a thread leaves, the unit records how far each of its counters is from its overflow: the counter's room. The next
//! thread's count is that of its own, whatever the counter holds. A counter is preset for a period; if it has too little room;
//! and if what it holds is not known, because it counted for a session or the unit was asleep. What an earlier thread has left
//! in a counter is cleared before a program may read it ([`Pmu::lend`]).

use super::Counting;
use crate::contract::{Driver, Slot};
use crate::event::{CounterId, CounterSet, Remaining, Width};
use crate::unit::Pmu;

/// A counter goes on from what it holds only if it can still count this many events before its overflow: half the range of a
/// counter of 32 bits. The model that tries all interleavings has counters of 4 bits, and half of their range.
const LEAST_ROOM: u64 = if cfg!(loom) { 1 << 2 } else { 1 << 30 };

impl<D: Driver> Pmu<'_, D> {
    /// Returns the count of a counter that is stopped and not settled, and how many events it is from its overflow: negative
    /// if it is past it, and then the count is not known.
    ///
    /// The counter is read before its account: an interrupt that changes the account comes before both, because it leaves a
    /// stopped counter alone that has not overflowed.
    #[inline(always)]
    pub(crate) fn collect_quiet(self, counter: CounterId, handle: D::Handle, width: Width) -> (u64, i64) {
        let position = width.position(self.driver.read(handle));
        self.fence();
        let account = self.shared.counting.account(counter);
        let room = width.longest().wrapping_sub(position);
        account.room.set(room);
        (account.base.get().wrapping_add(position), room.cast_signed())
    }

    /// Gives a counter that is not armed to a request that only counts, whose count is `count`. The counter goes on from what
    /// it holds if it can still count for long, and is preset otherwise.
    #[inline(always)]
    pub(crate) fn go_on(self, counter: CounterId, width: Width, count: u64) {
        let account = self.shared.counting.account(counter);
        let known = account.room.get();
        let room = if known < LEAST_ROOM { self.preset_anew(counter) } else { known };
        account.base.set(count.wrapping_add(room).wrapping_sub(width.longest()));
    }

    /// Presets a counter that does not run and only counts to wait for as long as it can. Returns for how many events.
    #[inline(never)]
    pub(super) fn preset_anew(self, counter: CounterId) -> u64 {
        self.shared.counting.account(counter).room.set(0);
        self.driver.preset(self.image(), counter, Remaining::events(u64::MAX)).count()
    }

    /// Clears what earlier threads have left in these counters, because a program is to read them. Their own thread's counts and
    /// periods go on.
    #[cold]
    #[inline(never)]
    pub(in crate::unit) fn clear_residue(self, counters: CounterSet) {
        let holds = |counter: &CounterId| self.shared.counting.account(*counter).room.get() != 0;
        let residue: CounterSet = counters.into_iter().filter(holds).collect();
        let armed = self.shared.counting.armed.counters().and(residue);
        self.disarm(armed);
        for counter in residue {
            let known = self.driver.counter(&Slot { counter, ..Slot::EMPTY });
            let (count, left) = self.collect(counter, &known);
            let only_counts = self.shared.counting.period(counter) == 0;
            self.put(counter, known.width, count, if only_counts { known.longest } else { left });
        }
        if !armed.is_empty() {
            self.arm(armed);
        }
    }
}

impl Counting {
    /// What these counters hold is not known any more.
    #[cold]
    pub(crate) fn forget_rooms(&self, counters: CounterSet) {
        counters.into_iter().for_each(|counter| self.account(counter).room.set(0));
    }
}
