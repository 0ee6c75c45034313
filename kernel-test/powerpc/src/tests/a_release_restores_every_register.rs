//! What the unit held before a claim it holds again after the release, bit for bit, whatever was done
//! in between.

use pmu::{Description, Interrupted};

use super::clocked;
use crate::family;
use crate::guest::unit::{self, Unit};
use crate::guest::{instructions, on_overflow, registers};
use crate::identity;

static UNIT: Unit<64> = Unit::new();

/// MMCR0, FC; PMGC0, FAC: nothing moves here.
const FREEZE: u64 = 1 << 31;

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    let unit = pmu.description();
    pmu.release().expect("nothing is open");
    for somebodys in [0x0102_0304, 0x1e1e_1e1e] {
        leave_something(somebodys);
        let before = registers::snapshot();
        assert!(before.iter().any(|value| *value != 0));
        use_everything(&unit);
        assert_eq!(registers::snapshot(), before);
    }
}

/// Fills every register with something of its own, and stops the unit.
fn leave_something(value: u64) {
    family::write(family::control(), FREEZE);
    for (number, at) in (0..).zip(family::registers(&identity::presented().processor)) {
        if at != family::control() {
            family::write(at, (value + number) & 0x7fff_ffff);
        }
    }
}

/// Samples on every counter.
fn use_everything(unit: &Description) {
    let pmu = UNIT.reclaim().expect("it was released");
    let open = |counter| pmu.open([clocked::request(counter).every(5000)]).expect("the counter is free");
    let mut sessions = [const { None }; 8];
    for (session, counter) in sessions.iter_mut().zip(clocked::counters(unit)) {
        session.insert(open(counter)).start().expect("it can start");
    }
    instructions::exactly(12_000);
    drop(sessions);
    pmu.release().expect("nothing is open");
}
