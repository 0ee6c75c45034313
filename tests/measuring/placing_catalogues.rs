//! Whatever a processor's own events are, they are placed together if they can be: random pairs, triples and larger sets of
//! each family's real catalogue, compared with a search that gives one request after the other a counter of its own.
//!
//! The Pentium 4's are placed on its independent bank here, and on all its counters in `x86_drivers/netburst`.

use crate::families;
use crate::support::chance::Chance;
use crate::support::effort;
use pmu::arch;
use pmu::driver::{Driver, Image, Slot, Steps, counters_for};
use pmu::request::Contention;
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterSet, Mode, Request};

/// So many sets of each size are drawn for each identity; in the short run for all of a family.
const SETS: u64 = 400;
/// The search for a set is given up after so many steps, and says nothing.
const LONGEST: u32 = 2_000;

/// A program, and where it counts.
type Placed<D> = (<D as pmu::driver::Plan>::Program, Slot);

/// Gives a request this counter, beside what is placed already.
fn place_on<D: Driver>(driver: &D, placed: &[Placed<D>], request: &Request) -> Option<Placed<D>> {
    let image = D::Image::BLANK;
    for (program, slot) in placed {
        driver.load(&image, program, &[*slot]);
    }
    let mut slots = [Slot::EMPTY];
    let demand = driver.encode(request).ok()?;
    let program = driver.place(&image.occupancy(), &[demand], Steps::OPEN, &mut slots).ok()?;
    Some((program, slots[0]))
}

/// Whether the requests can be placed one after the other; unknown if that takes too long to find out.
fn fit<D: Driver>(
    driver: &D,
    placed: &mut Vec<Placed<D>>,
    rest: &[(Request, CounterSet)],
    left: &mut u32,
) -> Option<bool> {
    let Some(((request, able), rest)) = rest.split_first() else { return Some(true) };
    for counter in *able {
        *left = left.checked_sub(1)?;
        let Some(one) = place_on(driver, placed, &request.pinned_to(counter)) else { continue };
        placed.push(one);
        let fits = fit(driver, placed, rest, left);
        placed.pop();
        if fits != Some(false) {
            return fits;
        }
    }
    Some(false)
}

/// Places the requests at once. Whatever is found counts on counters of the requests' own.
fn is_placed<D: Driver>(driver: &D, wanted: &[(Request, CounterSet)]) -> bool {
    let demands: Vec<_> = wanted.iter().map(|(request, _)| driver.encode(request).expect("it was encoded")).collect();
    let mut slots = vec![Slot::EMPTY; wanted.len()];
    let found = driver.place(&D::Image::BLANK.occupancy(), &demands, Steps::OPEN, &mut slots);
    if let Err(conflict) = found {
        assert_ne!(conflict.over, Contention::Effort, "{wanted:?} took too long");
        return false;
    }
    let mut taken = CounterSet::EMPTY;
    for (slot, (request, able)) in slots.iter().zip(wanted) {
        assert!(able.contains(slot.counter), "{request:?} is on {}", slot.counter);
        assert!(taken.and(slot.occupies()).is_empty(), "{wanted:?}: {slots:?}");
        taken = taken.or(slot.occupies());
    }
    true
}

fn check<D: Driver>(driver: &D, sets: u64) {
    let (description, catalogue) = (driver.description(), driver.catalogue());
    let requests = catalogue.events.iter().map(|named| catalogue.request(named));
    let able = requests.map(|request| (request, counters_for(driver, &request)));
    let events: Vec<_> = able.filter(|(_, able)| !able.is_empty()).collect();
    assert!(!events.is_empty(), "{}: no events", catalogue.unit);
    let most = description.counters().count().min(8);
    let mut random = Chance(0x2545_F491_4F6C_DD1D);
    let (mut together, mut apart, mut unknown) = (0, 0, 0);
    for size in 2..=most {
        for _ in 0..sets {
            let wanted: Vec<_> = (0..size).map(|_| events[random.below(events.len() as u64) as usize]).collect();
            let is_placed = is_placed(driver, &wanted);
            match fit(driver, &mut Vec::new(), &wanted, &mut { LONGEST }) {
                Some(true) => assert!(is_placed, "{}: {wanted:?} were not placed", catalogue.unit),
                Some(false) if !is_placed => apart += 1,
                Some(false) => unknown += 1,
                None => unknown += 1,
            }
            together += u32::from(is_placed);
        }
    }
    println!("{}: {together} together, {apart} apart, {unknown} unknown", catalogue.unit);
    assert!(together > 0 || most == 1, "{}: nothing fits", catalogue.unit);
}

/// A test for each family: all its identities.
macro_rules! tests {
    ($($isa:ident::$family:ident: $it:ident => $unit:expr, $on:ident => $driver:expr, $fields:expr;)*) => { $(
        #[test]
        fn $family() {
            use arch::$isa::$family;
            let sets = effort::whole_or(SETS, SETS.div_ceil($family::Identity::ALL.len() as u64));
            for $it in $family::Identity::ALL {
                let $on = $unit;
                check(&$driver, sets);
            }
        }
    )* };
}

mod each_familys_events_are_placed_together_if_they_can_be {
    use super::*;

    families::each!(tests);
}
