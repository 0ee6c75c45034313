//! An interrupt that no counter asked for is not claimed, and nothing is lost or miscounted: on whichever
//! instruction it comes, of a session's or of the handler of an overflow just before.

use harness::{Tally, Verdicts};
use pmu::{CounterId, Pmu};

use super::amid::Booked;
use super::clocked;
use crate::gic;
use crate::kernel::unit::{self, Driver, Unit};
use crate::kernel::{enter_interrupts_at, instructions, mischief, truth};

const PERIOD: u64 = 2100;
/// Longer than the test lasts.
const NEVER: u64 = 1 << 40;

static UNIT: Unit<64> = unit::new();
static VERDICTS: Verdicts = Verdicts::new();

pmu::irq_entry!(Irq, |at| gic::service(|| VERDICTS.note(UNIT.on_overflow(at))));

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::pair(&pmu.description()) {
        let length = sample_once(&pmu, counter, NEVER);
        assert_eq!(VERDICTS.take(), Tally { overflow: 1, late: 0, foreign: 0 });
        for instruction in 0..length {
            let interrupts = truth::interrupts();
            sample_once(&pmu, counter, instruction);
            // An interrupt that comes while another waits is the same one.
            let foreign = truth::interrupts() - interrupts - 1;
            let expected = Tally { overflow: 1, late: 0, foreign };
            assert_eq!(VERDICTS.take(), expected, "{counter:?}, instruction {instruction}");
        }
    }
}

/// Counts beyond one period while the interrupt comes, and returns how many instructions that took.
fn sample_once(pmu: &Pmu<'static, Driver>, counter: CounterId, order: u64) -> u64 {
    let before = (unit::accounted(&UNIT), truth::overflows());
    let mut sampler = Booked::open(pmu, clocked::request(counter).every(PERIOD));
    let begin = truth::retired();
    mischief::interrupt_after(order);
    sampler.session.start().expect("it is stopped");
    instructions::exactly(PERIOD + 50);
    sampler.session.stop().expect("it runs");
    let length = truth::retired() - begin;
    assert_eq!(sampler.count() / PERIOD, 1);
    assert_eq!((unit::accounted(&UNIT) - before.0, truth::overflows() - before.1), (1, 1));
    length
}
