//! Four CPUs claim, count and sample at once, each with its unit and its ring: no count and no sample is another's. And
//! what that costs each of them is the same with one, two and four.

use harness::println;
use metal::get;
use pmu::{CounterId, Event, Request};

use crate::boot::CPUS;
use crate::guest::enter_interrupts_at;
use crate::guest::unit::{self, Driver};
use crate::system::cpu;
use crate::{cpus, gic};

/// Instructions that software has marked by writing PMSWINC_EL0 (SW_INCR).
const SOFTWARE_INCREMENTS: Event = Event::raw(0x0000);

/// One for each CPU.
static UNITS: [pmu::Unit<Driver, 64>; CPUS] = [const { pmu::Unit::new() }; CPUS];

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNITS[cpu() % CPUS].on_overflow(at)));

/// Of software increments, which no other CPU makes here: QEMU's clock runs for all of them.
const PERIOD: u64 = 2000;
const REQUEST: Request = Request::new(SOFTWARE_INCREMENTS).pinned_to(CounterId::ZERO);
const ROUNDS: u64 = 200;

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = UNITS[0].claim(unit::detect().expect("it has a unit")).expect("nobody has it yet");
    pmu.release().expect("nothing is open");
    cpus::run(CPUS, sample);
    let costs = [1, 2, 4].map(cost);
    println!("a start, a stop and a reading take each of 1, 2 and 4 CPUs {costs:?} instructions");
    let (least, most) = (costs[0].min(costs[1]).min(costs[2]), costs[0].max(costs[1]).max(costs[2]));
    assert!(most * 100 <= least * 103, "{costs:?}: it depends on how many there are");
}

fn claim() -> pmu::Pmu<'static, Driver> {
    let unit = &UNITS[cpu() % CPUS];
    match unit.claim(unit::detect().expect("it has a unit")) {
        Ok(pmu) => pmu,
        Err(_) => unit.reclaim().expect("it was released"),
    }
}

/// Each CPU makes another number of increments.
fn sample() {
    let (here, pmu) = (cpu() as u64, claim());
    let mut session = pmu.open([REQUEST.every(PERIOD)]).expect("the counter is free");
    session.start().expect("it is stopped");
    let increments = PERIOD * (here + 3) + here;
    (0..increments).for_each(|_| pmu.driver().increment(CounterId::ZERO.only()));
    session.stop().expect("it runs");
    assert_eq!(session.read(), Ok([increments]));
    let samples = UNITS[cpu() % CPUS].samples().expect("nobody else reads");
    assert_eq!(samples.count() as u64, here + 3);
    drop(session);
    pmu.release().expect("nothing is open");
}

/// What each of so many CPUs executes; QEMU's clock counts what they execute together.
fn cost(number: u64) -> u64 {
    let begin = get!("cntvct_el0");
    cpus::run(number as usize, start_and_stop);
    (get!("cntvct_el0") - begin) / (number * ROUNDS)
}

fn start_and_stop() {
    let pmu = claim();
    let mut session = pmu.open([REQUEST]).expect("the counter is free");
    for _ in 0..ROUNDS {
        session.start().expect("it is stopped");
        session.stop().expect("it runs");
        assert_eq!(session.read(), Ok([0]));
    }
    drop(session);
    pmu.release().expect("nothing is open");
}
