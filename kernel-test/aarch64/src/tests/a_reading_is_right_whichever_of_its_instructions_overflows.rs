//! A session that is read while it overflows, on whichever instruction of the reading, has never
//! counted less than before it nor more than after it.

use super::amid::{self, Booked};
use super::clocked;
use crate::gic;
use crate::kernel::enter_interrupts_at;
use crate::kernel::unit::{self, Unit};

static UNIT: Unit<64> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::pair(&pmu.description()) {
        let every = |period| clocked::request(counter).every(period);
        amid::on_every_instruction(&UNIT, &pmu, every, read, |_, _, _| ());
    }
}

fn read(own: &mut Booked) -> u64 {
    let before = own.booked();
    let [count] = own.session.read().expect("this is its CPU");
    let after = own.booked();
    assert!((before..=after).contains(&count), "{count} is not between {before} and {after}");
    0
}
