//! Is a generic event what the driver says of it?

use pmu::native::Native;
use pmu::{Backend, Generic, Pmu, Reader, Request};

const LENGTH: u64 = 10_000;

/// Work of so many instructions, of which each kernel has its own; it can be no shorter than `fewest`.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Executes as many.
    pub exactly: fn(u64),
    /// The fewest that it can be.
    pub fewest: u64,
}

/// Asserts that a generic event and the code of the processor's own event count the same.
pub fn assert_native_is_generic<B: Backend>(pmu: &Pmu<'_, B>, work: Work) {
    for generic in [Generic::Instructions, Generic::Cycles] {
        let native = Native::of_generic(pmu.backend(), generic).expect("every processor counts it");
        let term = native.terms().next().expect("it is made of something");
        let both = [term.request, Request::new(term.event)];
        assert_ne!(both[0].event, both[1].event, "{native}");
        assert_eq!(growth(pmu, work, both), [LENGTH; 2], "{native}");
    }
    let absent = Native::of(pmu.backend(), "PAPI_fma_ins").err();
    assert_eq!(absent.map(|absent| absent.name), Some("PAPI_fma_ins"), "no processor here counts it");
}

/// What so many instructions more count.
fn growth<B: Backend>(pmu: &Pmu<'_, B>, work: Work, requests: [Request; 2]) -> [u64; 2] {
    let mut session = pmu.open(requests).expect("there are two counters");
    session.start().expect("it is stopped");
    let reader = session.reader().expect("this is its CPU");
    let few = turn(&reader, work.exactly, work.fewest);
    let many = turn(&reader, work.exactly, work.fewest + LENGTH);
    [many[0] - few[0], many[1] - few[1]]
}

#[inline(never)]
fn turn<B: Backend>(reader: &Reader<'_, '_, B, 2>, exactly: fn(u64), length: u64) -> [u64; 2] {
    let before = reader.read();
    exactly(length);
    let after = reader.read();
    [after[0] - before[0], after[1] - before[1]]
}
