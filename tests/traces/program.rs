//! A driver whose accesses are recorded, and its placement.

use std::fmt::Debug;

use pmu::driver::{Driver, Image, Recorder, Registers, Remaining, Slot, Steps};
use pmu::{CounterId, CounterSet, Event, Request};

/// No access.
pub(crate) const NOTHING: [&str; 0] = [];

/// As many accesses as one step makes, and more.
pub(crate) type Recorded<R> = Recorder<R, 64>;

pub(crate) struct Program<D: Driver, R: Registers + 'static> {
    pub(crate) driver: D,
    pub(crate) registers: &'static Recorded<R>,
    pub(crate) image: D::Image,
    pub(crate) slots: Vec<Slot>,
}

impl<D, R> Program<D, R>
where
    D: Driver,
    R: Registers<Address: Debug, Index: Debug> + 'static,
{
    /// `driver` makes the driver of these registers.
    pub(crate) fn of(registers: R, driver: impl FnOnce(&'static Recorded<R>) -> D) -> Self {
        let registers = Box::leak(Box::new(Recorder::new(registers)));
        Self { driver: driver(registers), registers, image: D::Image::BLANK, slots: Vec::new() }
    }

    /// Takes the unit over, whatever it holds. Returns what is written.
    pub(crate) fn take_over(&self) -> Vec<String> {
        let saved = D::NOTHING_SAVED;
        self.driver.save(&saved);
        self.driver.reload(&self.image);
        trace(self.registers).into_iter().filter(|access| access.starts_with("write")).collect()
    }

    /// Places requests and writes their control registers.
    pub(crate) fn load<const N: usize>(&mut self, requests: [Request; N]) -> Vec<String> {
        let demands = requests.map(|request| self.driver.encode(&request).expect("it is possible"));
        let mut slots = [Slot::EMPTY; N];
        let program = self.driver.place(&self.image.occupancy(), &demands, Steps::OPEN, &mut slots).expect("they fit");
        self.driver.load(&self.image, &program, &slots);
        self.slots = slots.to_vec();
        trace(self.registers)
    }

    pub(crate) fn preset(&self, remaining: u64) -> Vec<String> {
        for slot in &self.slots {
            self.driver.preset(&self.image, slot.counter, Remaining::events(remaining));
        }
        trace(self.registers)
    }

    pub(crate) fn run(&self, exactly: CounterSet) -> Vec<String> {
        self.driver.run(&self.image, exactly);
        trace(self.registers)
    }

    /// Takes the last requests out again.
    pub(crate) fn release(&mut self) -> Vec<String> {
        for slot in self.slots.drain(..) {
            self.driver.release(&self.image, slot.occupies());
        }
        trace(self.registers)
    }

    /// The counters that the last requests were placed on.
    pub(crate) fn all(&self) -> CounterSet {
        self.slots.iter().map(|slot| slot.counter).collect()
    }
}

/// Every access since the last call, as the manual names it.
pub(crate) fn trace<R, const N: usize>(recorder: &Recorder<R, N>) -> Vec<String>
where
    R: Registers<Address: Debug, Index: Debug>,
{
    assert!(recorder.len() <= N, "the recorder has room for {N} accesses, and there were {}", recorder.len());
    let lines = (0..recorder.len()).filter_map(|number| recorder.access(number));
    let lines = lines.map(|access| format!("{access:?}")).collect();
    recorder.clear();
    lines
}

/// A request for one counter.
pub(crate) fn on(event: Event, counter: u8) -> Request {
    Request::new(event).pinned_to(CounterId::new(counter).expect("numbers go to 63"))
}
