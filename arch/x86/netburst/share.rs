//! Which counters the driver uses: the independent bank or all, of the whole processor or of one thread.
//!
//! With hyper-threading, the two threads of a processor share its unit. Each is a CPU with a claim of its own, and gets
//! one half of the counters with their ESCRs: as OProfile has it, thread 0 the first half of each part and thread 1 the
//! second (OProfile, module/x86/op_model_p4.c; torvalds/linux, arch/x86/events/intel/p4.c, does the same with all
//! counters). Its ESCRs count that thread alone, and its counters interrupt it.
//!
//! The threads share IA32_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT (SDM vol. 4, table "MSRs in the Pentium 4 and Intel Xeon
//! Processors"). A claim cannot ask the sibling's, so replay events of both threads at once count what either tags.

use super::registers::{BANK, COUNTERS, Cccr, Escr};
use crate::event::{CounterId, CounterSet, Flag, Flags, Mode, Modes};

/// The counters among which the driver places requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum View {
    /// The independent bank: BPU0, MS0, FLAME0, IQ4, BPU2, MS2, FLAME2 and IQ5. No two of them use the same ESCR, so that
    /// each request depends on its counter alone.
    #[default]
    Bank,
    /// All 18 counters, of which those of one half compete for its ESCRs. A search that chooses between halves takes up to
    /// 90,000 instructions, where the other processors take 50,000 ([`Steps::OPEN`](crate::driver::Steps::OPEN)).
    ///
    /// Counter 1 may not stop: torvalds/linux, arch/x86/include/asm/perf_event_p4.h, says that the enable bit of its CCCR
    /// does not work properly, and avoids it. It is used last.
    All,
}

impl View {
    /// Returns the view's counters.
    #[must_use]
    pub const fn counters(self) -> CounterSet {
        match self {
            Self::All => CounterSet::first(COUNTERS),
            Self::Bank => {
                let (mut bits, mut at) = (0, 0);
                while at < BANK.len() {
                    bits |= 1 << BANK[at];
                    at += 1;
                }
                CounterSet::from_bits(bits)
            }
        }
    }
}

/// The threads whose unit the driver uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Share {
    /// The whole unit: of a processor without hyper-threading, or with only one thread in use.
    #[default]
    Whole,
    /// The first half of each part, for thread 0 of a processor with hyper-threading.
    Thread0,
    /// The second half of each part, for thread 1.
    Thread1,
}

/// The counters of the first halves: 0, 1, 4, 5, 8, 9, 12, 13 and 16.
const FIRST: CounterSet = CounterSet::from_bits(0x1_3333);

impl Share {
    /// Returns the share's counters, of either view.
    #[must_use]
    pub const fn counters(self) -> CounterSet {
        match self {
            Self::Whole => CounterSet::first(COUNTERS),
            Self::Thread0 => FIRST,
            Self::Thread1 => CounterSet::first(COUNTERS).without(FIRST),
        }
    }

    /// Returns the share of the thread whose local APIC had this identifier at first: the lowest bit tells the threads of
    /// a processor apart (SDM vol. 3, "Identifying Topological Relationships in an MP System").
    #[must_use]
    pub const fn of_apic(identifier: u8) -> Self {
        if identifier & 1 == 0 { Self::Thread0 } else { Self::Thread1 }
    }

    /// Returns true for the second thread.
    const fn is_second(self) -> bool {
        matches!(self, Self::Thread1)
    }

    /// Returns the bit that interrupts this thread.
    #[inline(always)]
    pub(super) const fn interrupt(self) -> Cccr {
        if self.is_second() { Cccr::INTERRUPT_T1 } else { Cccr::INTERRUPT_T0 }
    }

    /// Returns the bits that count these modes of this thread, and of the other one too if the request is for any.
    #[inline(always)]
    pub(super) fn modes(self, modes: Modes, flags: Flags) -> Escr {
        let of = |user, kernel| {
            let user = if modes.contains(Mode::User) { user } else { Escr::empty() };
            user | if modes.contains(Mode::Kernel) { kernel } else { Escr::empty() }
        };
        let (first, second) = (of(Escr::T0_USER, Escr::T0_KERNEL), of(Escr::T1_USER, Escr::T1_KERNEL));
        match self {
            Self::Whole => first,
            _ if flags.contains(Flag::AnyThread) => first | second,
            Self::Thread0 => first,
            Self::Thread1 => second,
        }
    }
}

impl View {
    /// Returns OProfile's number of a counter of the bank, from 0 to 7, or `None` for the other counters.
    #[must_use]
    pub fn bank_number(counter: CounterId) -> Option<u8> {
        BANK.into_iter().zip(0..).find(|&(number, _)| number == counter.number()).map(|(_, place)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::x86::netburst::Half;

    #[test]
    fn the_threads_have_half_of_each_view_and_share_no_escr() {
        for view in [View::Bank, View::All] {
            let [first, second] = [Share::Thread0, Share::Thread1].map(|share| view.counters().and(share.counters()));
            assert_eq!((first.len(), first.or(second)), (view.counters().len() / 2, view.counters()));
        }
        for half in &Half::ALL {
            assert!(FIRST.covers(half.counters) || FIRST.and(half.counters).is_empty());
        }
    }

    #[test]
    fn oprofile_numbers_the_first_threads_counters_from_0_to_3() {
        let numbers = |share: Share| {
            let counters = View::Bank.counters().and(share.counters());
            let mut numbers: Vec<_> = counters.into_iter().filter_map(View::bank_number).collect();
            numbers.sort_unstable();
            numbers
        };
        assert_eq!((numbers(Share::Thread0), numbers(Share::Thread1)), (vec![0, 1, 2, 3], vec![4, 5, 6, 7]));
        assert_eq!(CounterId::new(1).and_then(View::bank_number), None);
    }
}
