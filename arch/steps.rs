//! No family takes more steps to place requests than it was given, whatever is requested: random sets of its own events, sets
//! of one event, and sets that are larger than the unit.

use super::families;
use crate::arch;
use crate::arch::powerpc::book3s::{self, Book3s};
use crate::arch::x86::Unattached;
use crate::arch::x86::netburst::{self, Netburst};
use crate::contract::{Driver, Image, Plan as _, Slot, Steps};
use crate::event::{Event, Mode};
use crate::placement::SPENT;
use crate::virt::{Kinds, Unconnected};

/// So many sets of each size are drawn.
const SETS: usize = 60;
/// More than the requests of the largest set.
const ROOM: usize = 40;
/// What a switch and an open have, and limits that end a search and an explanation amid their work.
const LIMITS: [Steps; 5] = [Steps::SWITCH, Steps::OPEN, Steps::new(40, 40), Steps::new(7, 0), Steps::new(0, 0)];

/// Random numbers that are the same in every run (xorshift64; Marsaglia, "Xorshift RNGs", 2003).
fn below(random: &mut u64, limit: usize) -> usize {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    (*random % limit as u64) as usize
}

/// Places these demands within each limit.
fn keeps_to_its_steps<D: Driver>(driver: &D, demands: &[D::Demand]) {
    let beside = D::Image::BLANK.occupancy();
    for limit in LIMITS {
        SPENT.set(0);
        _ = driver.place(&beside, demands, limit, &mut [Slot::EMPTY; ROOM][..demands.len()]);
        let most = limit.search() + limit.explain();
        assert!(SPENT.get() <= most, "{} requests: {} steps of {most}", demands.len(), SPENT.get());
    }
}

/// Draws one of the events that the unit counts.
fn draw<D: Driver>(driver: &D, random: &mut u64) -> D::Demand {
    let catalogue = driver.catalogue();
    loop {
        let named = catalogue.events.iter().nth(below(random, catalogue.events.len()));
        if let Some(Ok(demand)) = named.map(|named| driver.encode(&catalogue.request(named))) {
            return demand;
        }
    }
}

/// Draws one of the events that the unit counts, or one of those that PMC5 and PMC6 count from POWER8 on.
fn draw_for_power<D: Driver>(driver: &D, random: &mut u64) -> D::Demand {
    const OF_LAST_TWO: [Event; 4] = [Event::INSTRUCTIONS, Event::CYCLES, Event::raw(0x5_00FA), Event::raw(0x6_00F4)];
    let event = OF_LAST_TWO.get(below(random, 24));
    event.and_then(|&event| driver.encode(&event.into()).ok()).unwrap_or_else(|| draw(driver, random))
}

/// Requests of POWER that fit are found to fit, and others not to, in the steps of two matchings of n counters: 2 * n *
/// (n + 3) each.
#[test]
fn requests_of_power_are_placed_without_a_search() {
    for identity in book3s::Identity::ALL {
        let device = book3s::Device::new(&identity, Kinds::CLOCK, Unconnected);
        let driver = Book3s::new(device, identity.capabilities());
        let counters = driver.description().counters().count();
        let few = Steps::new((4 * counters * (counters + 3)) as u32, 0);
        let (mut random, mut fitting) = (0x2545_F491_4F6C_DD1D, 0);
        for size in (2..=counters).cycle().take(3000) {
            let mut set = [Default::default(); 8];
            set.iter_mut().for_each(|demand| *demand = draw_for_power(&driver, &mut random));
            let place = |steps| driver.place(&Default::default(), &set[..size], steps, &mut [Slot::EMPTY; 8][..size]);
            let searched = place(Steps::new(100_000, 100_000)).is_ok();
            assert_eq!(place(few).is_ok(), searched, "{}: {:?}", identity.name(), &set[..size]);
            fitting += u32::from(searched);
        }
        assert!((300..2700).contains(&fitting), "{}: {fitting} of 3000 fit", identity.name());
    }
}

fn check<D: Driver>(driver: &D) {
    let mut random = 0x2545_F491_4F6C_DD1D;
    let most = driver.description().counters().count() + 2;
    for size in 2..=most {
        for _ in 0..SETS {
            let mut set = [D::Demand::default(); ROOM];
            set.iter_mut().for_each(|demand| *demand = draw(driver, &mut random));
            keeps_to_its_steps(driver, &set[..size]);
            keeps_to_its_steps(driver, &[set[0]; ROOM][..size]);
        }
    }
}

/// All 18 counters, of which those of one half compete for their ESCRs.
#[test]
fn the_pentium_4_keeps_to_its_steps_with_all_its_counters() {
    for identity in netburst::Identity::ALL {
        let mut capabilities = identity.capabilities();
        capabilities.view = netburst::View::All;
        check(&Netburst::new(netburst::Device::new(&identity, Kinds::CLOCK, Unconnected), Unattached, capabilities));
    }
}

/// A test for each family: all its identities.
macro_rules! tests {
    ($($isa:ident::$family:ident: $it:ident => $unit:expr, $on:ident => $driver:expr, $fields:expr;)*) => { $(
        #[test]
        fn $family() {
            use arch::$isa::$family;
            for $it in $family::Identity::ALL {
                let $on = $unit;
                check(&$driver);
            }
        }
    )* };
}

mod each_family_keeps_to_its_steps {
    use super::*;

    families::each!(tests);
}
