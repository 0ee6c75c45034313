//! Which of the unit's counters count: letting go, halting, and what an alert was of.
//!
//! MMCR0's FC stops all counters at once.
//!
//! A counter has overflowed when its top bit is set, and no status says so. While that is so, and
//! MMCR0's PMAE and the counter's condition are enabled, the unit alerts: it clears PMAE, sets PMAO,
//! and interrupts through vector F00H for as long as PMAO is set and MSR\[EE\] lets it. Whatever is
//! written to MMCR0 here clears PMAO; if another counter is still negative when counting goes on, it
//! alerts again. So PMAO is never written as 1 but when the unit is given back, and POWER8E's loss
//! of an interrupt that was written so is not met before.
//!
//! On POWER7 an alert may be that of a count that was speculated and taken back: the counter that was
//! within 256 of its overflow is then taken to have reached it, if no other has.

use super::driver::Book3s;
use super::facts::Facts;
use super::program::Image;
use super::registers::Control;
use super::spr;
use crate::arch::powerpc::Spr;
use crate::backend::{Image as _, Period, Periods, Renewed};
use crate::contract::Registers;
use crate::event::{CounterId, CounterSet};

/// The bit that says of a counter that it has overflowed.
const TOP: u64 = Facts::WIDTH.longest();
const FIRST_FOUR: CounterSet = CounterSet::first(4);
/// PMC5 and PMC6, which have no selectors.
const LAST_TWO: CounterSet = CounterSet::from_bits(0b11_0000);
/// PMC7 and PMC8, which only POWER4 and the 970 have.
const BEYOND_SIX: CounterSet = CounterSet::from_bits(0b1100_0000);

impl<R: Registers<Address = Spr, Index = Spr>> Book3s<R> {
    #[inline(always)]
    pub(super) fn write_counter(&self, counter: CounterId, value: u64) {
        self.registers.write(spr::pmc(counter), value);
    }

    /// Lets those count that are to. An interrupt amid it may let others run: those it is, then.
    pub(super) fn start_again(&self, image: &Image) {
        let mut started = image.running.get();
        self.start(image);
        while image.running.get() != started {
            started = image.running.get();
            self.start(image);
        }
    }

    /// Stops all counters, and forgets that one has alerted.
    #[inline(always)]
    pub(super) fn halt(&self, image: &Image) {
        if self.facts.rolls_back() {
            image.alerted.set(self.registers.read(spr::MMCR0) & Control::ALERTED.bits());
        }
        self.freeze(image);
    }

    #[inline(always)]
    pub(super) fn freeze(&self, image: &Image) {
        self.registers.write(spr::MMCR0, self.halted.bits() ^ image.lent.get());
    }

    /// What of MMCR0 says what problem state may do while counters are lent to a program, or are not.
    #[inline(always)]
    pub(super) fn access(&self, image: &Image) -> u64 {
        self.access.bits() ^ image.lent.get()
    }

    /// Lets count what `running` says. Where MMCR1 and MMCR2 are written first, an interrupt amid that
    /// may have stopped a counter: then it is done once more, and nothing goes on that was stopped.
    #[inline(always)]
    pub(super) fn start(&self, image: &Image) {
        self.start_these(image, image.running.counters());
    }

    #[inline(always)]
    pub(super) fn start_these(&self, image: &Image, exactly: CounterSet) {
        if image.is_loaded(exactly) { self.go(image) } else { self.start_others(image) }
    }

    /// Lets count what is loaded.
    #[inline(always)]
    pub(super) fn go(&self, image: &Image) {
        image.alerted.set(0);
        self.registers.write(spr::MMCR0, image.go());
    }

    /// Lets those of these count on that no interrupt has stopped meanwhile.
    #[inline(never)]
    pub(super) fn go_on(&self, image: &Image, counters: CounterSet) {
        let exactly = counters.and(image.running.counters());
        image.running.set(exactly.bits());
        self.start(image);
    }

    /// Halts all, so that these can be let count.
    #[cold]
    #[inline(never)]
    pub(super) fn load_others(&self, image: &Image, exactly: CounterSet) {
        self.reload(image, exactly);
    }

    /// Lets others count than MMCR1 and MMCR2 do now, or none.
    #[inline(never)]
    fn start_others(&self, image: &Image) {
        let mut exactly = image.running.counters();
        while !exactly.is_empty() && !image.is_loaded(exactly) {
            self.reload(image, exactly);
            exactly = image.running.counters();
        }
        if exactly.is_empty() {
            return self.halt(image);
        }
        self.go(image);
    }

    /// Those of these counters that have reached their top bit: each is asked by an instruction of its
    /// own.
    #[inline(always)]
    pub(super) fn negative(&self, counters: CounterSet) -> CounterSet {
        let mut negative = 0;
        if !counters.and(FIRST_FOUR).is_empty() {
            self.ask::<0>(counters, &mut negative);
            self.ask::<1>(counters, &mut negative);
            self.ask::<2>(counters, &mut negative);
            self.ask::<3>(counters, &mut negative);
        }
        self.ask::<4>(counters, &mut negative);
        self.ask::<5>(counters, &mut negative);
        if !counters.and(BEYOND_SIX).is_empty() {
            self.ask::<6>(counters, &mut negative);
            self.ask::<7>(counters, &mut negative);
        }
        CounterSet::from_bits(negative)
    }

    #[inline(always)]
    fn ask<const NUMBER: u8>(&self, counters: CounterSet, negative: &mut u64) {
        let bit = const { 1 << NUMBER };
        if counters.bits() & bit != 0 {
            let value = self.registers.read_counter(const { spr::pmc(numbered(NUMBER)) });
            *negative |= value >> const { Facts::WIDTH.bits() - 1 - NUMBER as u32 } & bit;
        }
    }

    /// Lets those of these counters that have overflowed begin their next period: each is asked and preset by
    /// instructions of its own.
    #[inline(always)]
    pub(super) fn renew_each<P: Periods>(&self, counters: CounterSet, renewed: &mut Renewed<P>) {
        if !counters.and(FIRST_FOUR).is_empty() {
            self.renew_one::<0, P>(counters, renewed);
            self.renew_one::<1, P>(counters, renewed);
            self.renew_one::<2, P>(counters, renewed);
            self.renew_one::<3, P>(counters, renewed);
        }
        self.renew_one::<4, P>(counters, renewed);
        self.renew_one::<5, P>(counters, renewed);
        if !counters.and(BEYOND_SIX).is_empty() {
            self.renew_one::<6, P>(counters, renewed);
            self.renew_one::<7, P>(counters, renewed);
        }
    }

    #[inline(always)]
    fn renew_one<const NUMBER: u8, P: Periods>(&self, counters: CounterSet, renewed: &mut Renewed<P>) {
        let counter = const { numbered(NUMBER) };
        if counters.contains(counter) {
            let held = self.registers.read_counter(const { spr::pmc(numbered(NUMBER)) });
            if held & TOP != 0 {
                renewed.overflowed = renewed.overflowed.or(counter.only());
                renewed.periods.end(counter);
                self.begin_next(counter, held, &renewed.periods.of(counter), &mut renewed.outrun);
            }
        }
    }

    /// `length` less than what a counter holds is where its next period begins, whatever has been counted
    /// since the overflow. If that is past the overflow as well, so has the whole of it.
    #[inline(always)]
    fn begin_next(&self, counter: CounterId, held: u64, period: &impl Period, outrun: &mut CounterSet) {
        let length = period.length();
        let begin = held.wrapping_sub(length);
        if begin & TOP != 0 {
            *outrun = outrun.or(counter.only());
        } else {
            period.begin(length);
            self.registers.write_counter(spr::pmc(counter), begin);
        }
    }

    /// No counter of somebody's has overflowed: what the alert was of, if there was one. An interrupt asks
    /// for all of them.
    ///
    /// Counters that are nobody's and negative would alert for ever. MMCR2 stops PMC5 and PMC6, but QEMU
    /// counts them on while the other one counts.
    #[inline(always)]
    pub(super) fn found_nothing(&self, image: &Image, counters: CounterSet) -> CounterSet {
        if self.facts.has_freezes() {
            let nobodys = self.negative(LAST_TWO.without(image.occupied()));
            if !nobodys.is_empty() {
                self.quiet(nobodys);
            }
        } else if self.facts.rolls_back() {
            return self.roll_back(image, counters);
        }
        CounterSet::EMPTY
    }

    #[cold]
    #[inline(never)]
    fn quiet(&self, nobodys: CounterSet) {
        nobodys.into_iter().for_each(|counter| self.write_counter(counter, 0));
    }

    /// Those that an alert of POWER7 may be of though they have not overflowed, if one occurred: they
    /// are made to have reached it. It has six counters.
    #[inline(always)]
    pub(super) fn roll_back(&self, image: &Image, counters: CounterSet) -> CounterSet {
        let mut near = CounterSet::EMPTY;
        if image.alerted.get() != 0 {
            image.alerted.set(0);
            self.reach::<0>(counters, &mut near);
            self.reach::<1>(counters, &mut near);
            self.reach::<2>(counters, &mut near);
            self.reach::<3>(counters, &mut near);
            self.reach::<4>(counters, &mut near);
            self.reach::<5>(counters, &mut near);
        }
        near
    }

    #[inline(always)]
    fn reach<const NUMBER: u8>(&self, counters: CounterSet, near: &mut CounterSet) {
        const REACH: u64 = 256;
        let counter = const { numbered(NUMBER) };
        if counters.contains(counter) && self.registers.read_counter(spr::pmc(counter)).wrapping_add(REACH) & TOP != 0 {
            self.registers.write_counter(spr::pmc(counter), TOP);
            *near = near.or(counter.only());
        }
    }
}

/// The counter with this number, which is known where the code is compiled.
const fn numbered(number: u8) -> CounterId {
    CounterId::new(number).expect("a unit has eight")
}
