//! A generic event is what the driver says of it: the code of the processor's own event counts the same.

use pmu::native::Native;
use pmu::{Generic, Pmu, Reader, Request};

use crate::guest::instructions::{FEWEST, exactly};
use crate::guest::unit::{self, Driver, Unit};

const LENGTH: u64 = 10_000;

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    for generic in [Generic::Instructions, Generic::Cycles] {
        let native = Native::of_generic(pmu.backend(), generic).expect("every processor counts it");
        let term = native.terms().next().expect("it is made of something");
        let both = [term.request, Request::new(term.event)];
        assert_ne!(both[0].event, both[1].event, "{native}");
        assert_eq!(growth(&pmu, both), [LENGTH; 2], "{native}");
    }
    let absent = Native::of(pmu.backend(), "PAPI_fma_ins").err();
    assert_eq!(absent.map(|absent| absent.name), Some("PAPI_fma_ins"), "no processor here counts it");
}

/// What so many instructions more count.
fn growth(pmu: &Pmu<Driver>, requests: [Request; 2]) -> [u64; 2] {
    let mut session = pmu.open(requests).expect("there are two counters");
    session.start().expect("it is stopped");
    let reader = session.reader().expect("this is its CPU");
    let few = turn(&reader, FEWEST);
    let many = turn(&reader, FEWEST + LENGTH);
    [many[0] - few[0], many[1] - few[1]]
}

#[inline(never)]
fn turn(reader: &Reader<Driver, 2>, length: u64) -> [u64; 2] {
    let before = reader.read();
    exactly(length);
    let after = reader.read();
    [after[0] - before[0], after[1] - before[1]]
}
