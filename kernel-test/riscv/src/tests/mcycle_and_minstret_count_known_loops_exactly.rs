//! mcycle and minstret, which do not interrupt, count a loop of n instructions as n more, beside each other.

use harness::booked::reads;
use harness::claim::claim;
use pmu::arch::riscv::hpm::Capabilities;
use pmu::{Event, Request};

use super::here::Here;

pub fn test() {
    let pmu = claim::<Here>();
    let requests = [(Event::CYCLES, Capabilities::MCYCLE), (Event::INSTRUCTIONS, Capabilities::MINSTRET)];
    let requests = requests.map(|(event, counter)| Request::new(event).pinned_to(counter));
    let mut session = pmu.open(requests).expect("nobody else has them");
    session.start().expect("it is stopped");
    let reader = session.reader().expect("this is its CPU");
    let empty = reads::wide::<Here, 2>(&reader, 4);
    for length in (5..300).chain([65_536, 1_000_000]) {
        assert_eq!(reads::wide::<Here, 2>(&reader, length), empty.map(|count| count + length - 4), "{length}");
    }
}
