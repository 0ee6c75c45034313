//! With FEAT_VHE a sample is the kernel's where EL2 was interrupted, and a program's where EL0 was: both arrive at one
//! level, by the entry for hosts.

use pmu::{Event, Mode, Modes, Pmu, Request};

use crate::gic;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{enter_interrupts_at, instructions, user};

/// The cycle counter interrupts in time, and a cycle is an instruction.
const PERIOD: u64 = 2003;
const LENGTH: u64 = 100_000;

static UNIT: Unit<256> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    let all = samples(&pmu, Modes::ALL);
    // The interrupts' own cycles count, too.
    assert!(all.iter().all(|&each| each.abs_diff(LENGTH / PERIOD) <= 4), "{all:?}");
    assert_eq!(samples(&pmu, Modes::USER)[1], 0);
    assert_eq!(samples(&pmu, Modes::KERNEL)[0], 0);
}

/// How many samples of a program and of the kernel, which do as much, in either mode.
fn samples(pmu: &Pmu<Driver>, modes: Modes) -> [u64; 2] {
    let mut session = pmu.open([Request::new(Event::CYCLES).modes(modes).every(PERIOD)]).expect("cycles are counted");
    session.start().expect("it is stopped");
    user::run(body);
    instructions::exactly(LENGTH);
    session.stop().expect("it runs");
    let mut counts = [0; 2];
    UNIT.samples().expect("nobody else reads").for_each(|sample| counts[usize::from(sample.mode == Mode::Kernel)] += 1);
    counts
}

extern "C" fn body() {
    instructions::exactly(LENGTH);
}
