//! A firmware that answers what it likes: a detection ends, and a conflict names the counters that there are.

use std::cell::Cell;

use pmu::arch::riscv::hpm::Identity;
use pmu::arch::riscv::hpm::sbi::{Address, Call, Host, Line, Sbi, SbiError};
use pmu::driver::{Registers, counters_for};
use pmu::request::{Contention, Refusal, Requests};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterSet, Error, Event, Request, Unit};

use crate::support::registers::Altered;

type Plain = Host<Unconnected>;
/// What it answers to a call.
type Answer = fn(&Plain, Call) -> u64;

/// Cycle, instret, and counters 3 to 7.
const FEW: Identity = Identity::RV64.with_counters(0xFD);
/// No register counts it alone, so that the firmware says which counters do.
const CACHE_REFERENCES: Request = Request::new(Event::raw(3));
const NOT_SUPPORTED: u64 = SbiError::pack(Err(SbiError::NotSupported));
/// More calls than a detection makes and a claim after it: some for each event, and for each counter that counts it.
const CALLS: u32 = 5_000;

fn lying(answer: Answer, test: impl FnOnce(Sbi<Altered<'_, Plain>>)) {
    let calls = Cell::new(0);
    let firmware = Altered::new(Host::new(&FEW, Kinds::CLOCK, Unconnected)).reading(move |host, at| {
        let Address::Call(call) = at else { return host.read(at) };
        calls.set(calls.get() + 1);
        assert!(calls.get() < CALLS, "it is asked without end");
        answer(host, call)
    });
    test(Sbi::detect(firmware, &FEW.announced(), Line::Local, &[]).expect("cycle and instret are there"));
}

/// Answers calls that configure a counter for this event by what `found` makes of the counters that are asked about.
macro_rules! finds {
    ($counters:ident => $found:expr) => {
        |host, call| match call {
            Call::Configure { counters: $counters, event: 3, .. } => $found,
            _ => host.read(Address::Call(call)),
        }
    };
}

/// What a firmware says of the event, and the counters that are believed to count it.
const LIES: [(&str, Answer, u64); 7] = [
    ("none", finds!(_asked => NOT_SUPPORTED), 0),
    ("itself again", finds!(_asked => 5), 1 << 5),
    ("another one", finds!(_asked => 40), 0),
    ("one that counts something else", finds!(_asked => 2), 0),
    ("one with a number that no counter has", finds!(_asked => 0x105), 0),
    (
        "two, and then none",
        finds!(asked => if asked.len() > 3 { asked.lowest().unwrap().number().into() } else { NOT_SUPPORTED }),
        0b11 << 3,
    ),
    (
        "more counters than there are",
        |host, call| if call == Call::Count { 1000 } else { host.read(Address::Call(call)) },
        0xF8,
    ),
];

#[test]
fn a_detection_ends_whatever_counter_the_firmware_answers_and_a_conflict_names_the_right_ones() {
    for (lie, answer, expected) in LIES {
        let expected = CounterSet::from_bits(expected);
        lying(answer, |driver| {
            assert_eq!(counters_for(&driver, &CACHE_REFERENCES), expected, "{lie}");
            let unit = Unit::<_, 0>::new();
            let pmu = unit.claim(driver).unwrap();
            match pmu.open([CACHE_REFERENCES; 6]).map(drop) {
                Err(Error::Refused { reason, .. }) => {
                    assert_eq!((reason, expected), (Refusal::UnknownEvent, CounterSet::EMPTY), "{lie}");
                }
                Err(Error::Conflict(conflict)) => {
                    let (requests, over) =
                        (Requests::from_bits((2 << expected.len()) - 1), Contention::Counters(expected));
                    assert_eq!((conflict.requests, conflict.over), (requests, over), "{lie}");
                }
                other => panic!("{lie}: {other:?}"),
            }
        });
    }
}
