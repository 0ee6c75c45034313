//! The sampler of fetches names what was fetched after the n-th fetch: the host counts each instruction as one.

use pmu::arch::x86::amd::ibs::Register;
use pmu::precise::{Operation, Records, Sampler};
use pmu::{Event, Handled, Request};

use crate::guest::position::{self, Write};
use crate::guest::sampling::{self, Fetches, interrupted};
use crate::trap::Frame;

static RECORDS: Records<{ <Fetches as Sampler>::WORDS + 3 }, 4> = Records::new();

pub fn test() {
    sampling::open(note);
    let sampler = sampling::fetches();
    let stop = Write { register: Register::FetchControl.address(), value: 0 };
    for period in (160..1200).step_by(16) {
        let program = sampler.encode(&Request::new(Event::raw(0)).every(period)).expect("it can be sampled");
        RECORDS.start(&sampler, program);
        position::run(Write { value: program.bits(), ..stop }, period / 3 + 10, stop);
        assert_eq!(RECORDS.stop(&sampler, 0), None, "its NMI has stopped it");
        let record = RECORDS.read(&sampler).expect("nobody else reads").next().expect("a fetch was sampled");
        assert_eq!((record.address, record.operation), (Some(position::watched(period)), Some(Operation::Fetch)));
    }
}

/// Stops it, so that a short period has no second fetch.
fn note(frame: &mut Frame) {
    let sampler = sampling::fetches();
    assert_eq!(RECORDS.on_interrupt(&sampler, interrupted(frame)), Handled::Overflow);
    assert!(RECORDS.stop(&sampler, 0).is_some());
}
