//! Counters that are programmed by the driver's own functions, with nothing else on the unit.

use pmu::driver::{Driver, Image, Masked, Registers, Remaining, Slot, Steps};
use pmu::{CounterId, CounterSet, Event, Request};

/// The most counters that are programmed at the same time: [`CounterId`] has no more.
const MOST: usize = 64;

/// Counters that all count the same event. Interrupts are off until firmware writes a line. At the end the unit is as before.
pub(crate) struct Alone<'d, D: Driver> {
    driver: &'d D,
    image: D::Image,
    slots: [Slot; MOST],
    count: usize,
    saved: D::Saved,
    masked: Masked,
}

impl<'d, D: Driver> Alone<'d, D> {
    /// Programs these counters, or returns `None` if one of them cannot count the event.
    pub(crate) fn on(driver: &'d D, event: Event, counters: CounterSet) -> Option<Self> {
        let (mut demands, mut slots, mut count) = ([D::Demand::default(); MOST], [Slot::EMPTY; MOST], 0);
        for (demand, counter) in demands.iter_mut().zip(counters) {
            *demand = driver.encode(&Request::new(event).pinned_to(counter)).ok()?;
            count += 1;
        }
        let (demands, image) = (demands.get(..count)?, D::Image::BLANK);
        let program = driver.place(&image.occupancy(), demands, Steps::OPEN, slots.get_mut(..count)?).ok()?;
        let masked = driver.registers().enter();
        let saved = D::NOTHING_SAVED;
        driver.save(&saved);
        driver.reload(&image);
        driver.load(&image, &program, slots.get(..count)?);
        Some(Self { driver, image, slots, count, saved, masked })
    }

    fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().take(self.count)
    }

    /// Presets all counters to overflow after so many events; returns after how many the first of them does.
    pub(crate) fn preset(&self, remaining: Remaining) -> u64 {
        let preset = |slot: &Slot| self.driver.preset(&self.image, slot.counter, remaining).count();
        self.slots().map(preset).min().unwrap_or_default()
    }

    /// Presets them as far from an overflow as they can be.
    pub(crate) fn preset_far(&self) {
        let longest = self.slots().map(|slot| self.driver.counter(slot).longest).min();
        self.preset(longest.unwrap_or(Remaining::events(1)));
    }

    /// Lets all of them count what `work` does.
    pub(crate) fn run(&self, work: impl FnOnce()) {
        self.driver.run(&self.image, self.slots().map(|slot| slot.counter).collect());
        work();
        self.driver.run(&self.image, CounterSet::EMPTY);
    }

    /// Their values, without a jump at the overflow.
    pub(crate) fn positions(&self) -> impl Iterator<Item = u64> {
        self.slots().map(|slot| {
            let counter = self.driver.counter(slot);
            counter.width.position(self.driver.read(counter.handle))
        })
    }

    /// The first one's.
    pub(crate) fn position(&self) -> u64 {
        self.positions().next().unwrap_or_default()
    }

    /// The width of the first of them.
    pub(crate) fn bits(&self) -> u32 {
        self.slots().next().map_or(0, |slot| self.driver.counter(slot).width.bits())
    }

    /// The events that the first of them is past its overflow, by its value, or `None` if it has not overflowed.
    pub(crate) fn past(&self) -> Option<u64> {
        let counter = self.driver.counter(self.slots().next()?);
        counter.width.past(self.driver.read(counter.handle))
    }

    /// The counters that the unit says have overflowed, after which it says so no more.
    pub(crate) fn take_overflows(&self) -> CounterSet {
        let (among, mut found) = (self.slots().map(|slot| slot.counter).collect(), CounterSet::EMPTY);
        self.driver.overflowed(&self.image, among, |counter: CounterId, _| found = found.or(counter.only()));
        self.driver.acknowledge(&self.image, found);
        found
    }
}

impl<D: Driver> Drop for Alone<'_, D> {
    fn drop(&mut self) {
        self.take_overflows();
        self.driver.restore(&self.saved);
        self.driver.registers().leave(self.masked);
    }
}
