//! What a hypervisor does above the kernel counts where it was asked for, to the last instruction, and
//! nowhere else; a unit that does not tell it apart says so.

use pmu::request::Refusal;
use pmu::{CounterId, Error, Interrupted, Modes, Pmu};

use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{self, on_overflow};

static UNIT: Unit<0> = Unit::new();

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        if pmu.description().modes.covers(Modes::HYPERVISOR) {
            assert_it_counts_where_asked(&pmu, counter);
        } else {
            let refused = pmu.open([clocked::request(counter).modes(Modes::HYPERVISOR)]).err();
            assert!(matches!(refused, Some(Error::Refused { reason: Refusal::Modes { .. }, .. })), "{refused:?}");
        }
    }
}

fn assert_it_counts_where_asked(pmu: &Pmu<'static, Driver>, counter: CounterId) {
    for length in [0, 1, 4_321, 1 << 32] {
        assert_eq!(count(pmu, counter, Modes::HYPERVISOR, length), length, "{counter}");
    }
    let kernel = count(pmu, counter, Modes::KERNEL, 0);
    assert!(kernel > 0);
    assert_eq!(count(pmu, counter, Modes::KERNEL, 4_321), kernel, "{counter}: what is above is not the kernel's");
    let both = Modes::KERNEL.and(Modes::HYPERVISOR);
    assert_eq!(count(pmu, counter, both, 4_321), kernel + 4_321, "{counter}");
}

/// What is counted in these modes while so many instructions retire above.
fn count(pmu: &Pmu<'static, Driver>, counter: CounterId, modes: Modes, length: u64) -> u64 {
    let mut session = pmu.open([clocked::request(counter).modes(modes)]).expect("the counter is free");
    session.start().expect("it is stopped");
    hypervise(length);
    session.stop().expect("it runs");
    session.read().expect("this is its CPU")[0]
}

/// In pieces, since a counter has no more than 31 bits until its exception.
fn hypervise(length: u64) {
    let piece = length / 4;
    (0..3).for_each(|_| guest::hypervise(piece));
    guest::hypervise(length - 3 * piece);
}
