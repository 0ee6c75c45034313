//! Whichever instruction of another session's life a one-shot period ends on, it has counted that
//! period and no event more, and nothing makes it go on.

use pmu::{CounterId, Pmu};

use super::amid::{self, Booked};
use super::clocked;
use crate::gic;
use crate::kernel::enter_interrupts_at;
use crate::kernel::unit::{self, Driver, Unit};

static UNIT: Unit<64> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

/// A handler executes fewer instructions before it halts the unit, and another session's start
/// before it notices that a period has ended meanwhile.
const ENTRY: u64 = 200;

/// Where there is no global control, the other session counts how the sampling counter is started
/// and stopped after it, which is not done for one whose period has ended.
const LESS: u64 = 20;

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    for sampler in clocked::pair(&pmu.description()) {
        let other = clocked::counters(&pmu.description()).without(sampler.only()).lowest().expect("there are two");
        let once_after = |period| clocked::request(sampler).once_after(period);
        let life = |_: &mut Booked| live(&pmu, other);
        amid::on_every_instruction(&UNIT, &pmu, once_after, life, |instruction, calm, stormy| {
            let more = stormy.counted() - instruction;
            assert!(more < ENTRY, "instruction {instruction}: it was on for {more} more");
            assert!(stormy.others + LESS >= calm.others, "instruction {instruction}: the other was not let go on");
        });
    }
}

/// Start, stop, start again, stop, close.
fn live(pmu: &Pmu<'static, Driver>, counter: CounterId) -> u64 {
    let mut other = Booked::open(pmu, clocked::request(counter));
    other.session.start().expect("it can start");
    other.session.stop().expect("it runs");
    other.session.resume().expect("it is stopped");
    other.session.stop().expect("it runs");
    other.count()
}
