//! A generic event is what the driver says of it: the code of the processor's own event counts the same.

use pmu::Request;
use pmu::request::Generic;
use pmu::text::native::Native;

use crate::booked::reads;
use crate::claim::claim;
use crate::{Claimed, Kernel};

const LENGTH: u64 = 10_000;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = claim::<K>();
    let cycles = K::counts_cycles_twice().then_some(Generic::Cycles);
    for generic in [Some(Generic::Instructions), cycles].into_iter().flatten() {
        let native = Native::of_generic(pmu.driver(), generic).expect("every processor counts it");
        let term = native.terms().next().expect("it is made of something");
        let both = [term.request, Request::new(term.event)];
        assert_ne!(both[0].event, both[1].event, "{native}");
        assert_eq!(growth::<K>(&pmu, both), [LENGTH; 2], "{native}");
    }
    let absent = Native::of(pmu.driver(), "PAPI_tlb_sd").err();
    assert_eq!(absent.map(|absent| absent.name), Some("PAPI_tlb_sd"), "no processor here counts it");
}

/// What so many instructions more count.
fn growth<K: Kernel>(pmu: &Claimed<K>, requests: [Request; 2]) -> [u64; 2] {
    let mut session = pmu.open(requests).expect("there are two counters");
    session.start().expect("it is stopped");
    let reader = session.reader().expect("this is its CPU");
    let few = reads::wide::<K, 2>(&reader, K::FEWEST);
    let many = reads::wide::<K, 2>(&reader, K::FEWEST + LENGTH);
    [many[0] - few[0], many[1] - few[1]]
}
