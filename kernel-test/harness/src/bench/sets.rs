//! What does it cost to place sets of the processor's own events, the dearest that are found?
//!
//! A placement has about 50,000 instructions at an open and 2,000 at a switch, whatever is requested ([`Steps`]). A test of the
//! crate's counts the steps of every family's placements; here their instructions are counted.

use core::mem::replace;

use pmu::Pmu;
use pmu::driver::{Driver, Plan, Slot, Steps};

use super::figures::Figures;
use super::{Bench as _, Cost as _, Instructions, Measured, Reached};
use crate::chance::Chance;

/// So many changes of a set are tried.
const CHANGES: usize = 60;
/// As many requests as the largest set has, or more.
const ROOM: usize = 40;

/// Prints the figures.
pub(super) fn measure<S: Measured<Cost = Instructions>>(figures: &Figures<S>) {
    for (name, steps) in [("place.open", Steps::OPEN), ("place.switch", Steps::SWITCH)] {
        match S::Kernel::STEPS {
            true => figures.absent(name, "every instruction is a step here"),
            false => figures.print(name, Some(dearest(figures, steps)), Reached::Called),
        }
    }
}

/// The cost of the dearest set, of two requests to two more than there are counters. Each begins with one event for all
/// requests, and has another one in some place as long as it does not get cheaper.
fn dearest<S: Measured<Cost = Instructions>>(figures: &Figures<S>, steps: Steps) -> Instructions {
    let most = ROOM.min(figures.pmu.description().counters().count() + 2);
    let (mut chance, mut dearest) = (Chance::new(1), Instructions(0));
    for size in 2..=most {
        let mut set = [draw(&figures.pmu, &mut chance); ROOM];
        let mut reached = cost::<S>(figures, &set[..size], steps);
        for _ in 0..CHANGES {
            let place = chance.below(size as u64) as usize;
            let before = replace(&mut set[place], draw(&figures.pmu, &mut chance));
            match cost::<S>(figures, &set[..size], steps) {
                cost if cost >= reached => reached = cost,
                _ => set[place] = before,
            }
        }
        dearest = dearest.or_more(reached);
    }
    dearest
}

/// What a request for one of the events takes that the unit counts.
fn draw<D: Driver>(pmu: &Pmu<'_, D>, chance: &mut Chance) -> D::Demand {
    let catalogue = pmu.catalogue();
    loop {
        let named = catalogue.events.get(chance.below(catalogue.events.len() as u64) as usize);
        if let Some(Ok(demand)) = named.map(|named| pmu.driver().encode(&catalogue.request(named))) {
            return demand;
        }
    }
}

fn cost<S: Measured<Cost = Instructions>>(figures: &Figures<S>, demands: &[Demand<S>], steps: Steps) -> Instructions {
    let (driver, mut slots) = (figures.pmu.driver(), [Slot::EMPTY; ROOM]);
    let place = || driver.place(&Default::default(), demands, steps, &mut slots[..demands.len()]).is_ok();
    Instructions::measure::<S::Kernel, _>(place).0
}

type Demand<S> = <<S as Measured>::Driver as Plan>::Demand;
