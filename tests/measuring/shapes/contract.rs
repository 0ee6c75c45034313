//! Tests of placement and programming for every shape.

use pmu::driver::{Control, Counters, Image, Plan, Remaining, Slot, Steps};
use pmu::request::Conflict;
use pmu::{CounterId, CounterSet, Request};

use crate::placement::oracle::Board;
use crate::shapes::Shape;
use crate::shapes::image::Memory;
use crate::shapes::processor::Processor;

type Demand = crate::placement::demand::Demand<2, 1>;

/// A unit that was claimed by nobody: the driver alone.
struct Bare<S: Shape> {
    processor: &'static Processor<S>,
    driver: S::Driver,
    image: Memory,
    board: Board,
}

impl<S: Shape> Bare<S> {
    fn new() -> Self {
        let processor = Processor::new();
        let driver = S::driver(processor);
        let all = driver.description().general.or(driver.description().fixed);
        let board = Board { taken: CounterSet::from_bits(!all.bits()), fields: Vec::new() };
        Self { processor, driver, image: Memory::BLANK, board }
    }

    fn demands(&self, requests: &[Request]) -> Vec<Demand> {
        requests.iter().map(|request| self.driver.encode(request).unwrap()).collect()
    }

    fn has_room_for(&self, requests: &[Request]) -> bool {
        self.board.has_room_for(&self.demands(requests).iter().collect::<Vec<_>>())
    }

    /// Places and loads; the board follows.
    fn add(&mut self, requests: &[Request]) -> Result<Vec<Slot>, Conflict> {
        let demands = self.demands(requests);
        let mut slots = vec![Slot::EMPTY; demands.len()];
        let program = self.driver.place(&self.image.occupancy(), &demands, Steps::OPEN, &mut slots)?;
        self.driver.load(&self.image, &program, &slots);
        for (demand, slot) in demands.iter().zip(&slots) {
            let after = demand.ways.iter().filter(|way| way.bits == slot.bits);
            let after = after.filter_map(|way| self.board.with(way, slot.counter)).next();
            self.board = after.expect("the slot is one of the demand's, and free");
        }
        Ok(slots)
    }

    fn counts(&self, counter: CounterId, request: &Request) -> bool {
        S::selected(&self.processor.file, counter) == Some(S::wanted(request))
    }
}

/// All sequences of up to `length` requests.
fn sequences<S: Shape>(length: usize) -> Vec<Vec<Request>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..length {
        let longest = from..all.len();
        from = all.len();
        for old in longest {
            for request in S::REQUESTS {
                let mut longer: Vec<_> = all[old].clone();
                longer.push(*request);
                all.push(longer);
            }
        }
    }
    all
}

pub(crate) fn placement_agrees_with_brute_force<S: Shape>() {
    let bare = Bare::<S>::new();
    for requests in sequences::<S>(5) {
        let demands = bare.demands(&requests);
        let placed =
            bare.driver.place(&bare.image.occupancy(), &demands, Steps::OPEN, &mut vec![Slot::EMPTY; demands.len()]);
        assert_eq!(placed.is_ok(), bare.has_room_for(&requests), "{requests:?}: {:?}", placed.err());
    }
}

pub(crate) fn placement_beside_others_agrees_with_brute_force<S: Shape>() {
    for kept in sequences::<S>(2) {
        let mut bare = Bare::<S>::new();
        let Ok(_) = bare.add(&kept) else { continue };
        for new in sequences::<S>(3) {
            let demands = bare.demands(&new);
            let placed = bare.driver.place(
                &bare.image.occupancy(),
                &demands,
                Steps::OPEN,
                &mut vec![Slot::EMPTY; demands.len()],
            );
            assert_eq!(placed.is_ok(), bare.has_room_for(&new), "{new:?} beside {kept:?}: {:?}", placed.err());
        }
    }
}

pub(crate) fn a_load_makes_each_counter_count_its_event<S: Shape>() {
    for requests in sequences::<S>(4) {
        let mut bare = Bare::<S>::new();
        let Ok(slots) = bare.add(&requests) else { continue };
        let counters: CounterSet = slots.iter().map(|slot| slot.counter).collect();
        bare.driver.run(&bare.image, counters);
        for (slot, request) in slots.iter().zip(&requests) {
            assert!(bare.counts(slot.counter, request), "{request:?} on {:?} of {requests:?}", slot.counter);
        }
    }
}

pub(crate) fn an_added_request_disturbs_none_that_is_there<S: Shape>() {
    for kept in sequences::<S>(2) {
        for new in S::REQUESTS {
            let mut bare = Bare::<S>::new();
            let Ok(slots) = bare.add(&kept) else { continue };
            let running: CounterSet = slots.iter().map(|slot| slot.counter).collect();
            for slot in &slots {
                bare.driver.preset(&bare.image, slot.counter, Remaining::events(100));
            }
            bare.driver.run(&bare.image, running);
            let demands = bare.demands(&[*new]);
            let mut added = [Slot::EMPTY];
            let Ok(program) = bare.driver.place(&bare.image.occupancy(), &demands, Steps::OPEN, &mut added) else {
                continue;
            };
            bare.driver.load(&bare.image, &program, &added);
            bare.processor.work(12);
            for (slot, request) in slots.iter().zip(&kept) {
                assert!(bare.counts(slot.counter, request), "{request:?} of {kept:?} beside {new:?}");
                assert_eq!(bare.processor.file.tally(slot.counter), 12 / S::every(request));
            }
            assert_eq!(bare.processor.file.tally(added[0].counter), 0, "{new:?} counts before its time");
            bare.driver.run(&bare.image, running.or(added[0].counter.only()));
            assert!(bare.counts(added[0].counter, new), "{new:?} beside {kept:?}");
        }
    }
}

pub(crate) fn what_is_released_can_be_had_again<S: Shape>() {
    for requests in sequences::<S>(3) {
        let mut bare = Bare::<S>::new();
        let Ok(slots) = bare.add(&requests) else { continue };
        let all = slots.iter().fold(CounterSet::EMPTY, |set, slot| set.or(slot.occupies()));
        bare.driver.release(&bare.image, all);
        bare.board = Bare::<S>::new().board;
        assert_eq!(bare.add(&requests), Ok(slots), "{requests:?}");
    }
}
