//! Which user programs read the counters by themselves.

use std::cell::Cell;

use pmu::arch::x86::Unattached;
use pmu::arch::x86::p6::{Identity, P6};
use pmu::driver::Plan;
use pmu::{Context, Event, Pmu, Request, UserPage};

use crate::p6::{Bench, Unit, counter, device};

type Driver = P6<&'static Unit, Unattached>;

#[test]
fn a_counter_has_an_index_for_rdpmc_but_on_an_early_pentium_pro() {
    let index = |identity: &Identity| {
        let bench = Bench::new(identity);
        let [slot] = bench.open([Request::new(Event::CYCLES).pinned_to(counter(1))]).unwrap();
        bench.driver.counter(&slot).user_index
    };
    assert_eq!(Identity::ALL.each_ref().map(index), [Some(1); 4]);
    assert_eq!(index(&Identity::EARLY_PENTIUM_PRO), None);
}

/// The thread's program on an early Pentium Pro cannot read its counter, and is told that there is no count while it runs.
#[test]
fn the_page_of_a_thread_on_an_early_pentium_pro_offers_no_counter() {
    let reads = |identity: &Identity| {
        let unit: &'static pmu::Unit<Driver, 16> = Box::leak(Box::new(pmu::Unit::new()));
        let driver = P6::detect(identity, device(identity), Unattached).unwrap();
        let pmu: Pmu<'_, Driver> = unit.claim(driver).unwrap();
        let mut thread = Context::<Driver, 1>::new(7);
        thread.bind(&pmu, [Event::CYCLES]).unwrap();
        pmu.switch_in(&mut thread);
        let page = UserPage::<1>::new();
        pmu.publish(&thread, &page).unwrap();
        let asked = Cell::new(false);
        let count = page.read(0, |_| {
            asked.set(true);
            0
        });
        pmu.switch_out(&mut thread);
        (asked.get(), count.is_some())
    };
    assert_eq!(reads(&Identity::PENTIUM_PRO), (true, true));
    assert_eq!(reads(&Identity::EARLY_PENTIUM_PRO), (false, false));
}
