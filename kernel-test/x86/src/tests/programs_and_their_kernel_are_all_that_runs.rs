//! What programs in ring 3 have counted of themselves and what a session has counted of their kernel is, together,
//! every instruction that retired, by the host's clock: none is counted twice, and none in the wrong ring.

use core::array;

use pmu::{CounterId, Modes, Pmu};

use super::amid::Booked;
use super::clocked;
use super::threaded::{self, FOR_EVER, Kernel, Plan, Thread};
use crate::guest::threads::{Beginning, MOST};
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{position, truth};

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let mut counters = clocked::counters(&pmu.description()).into_iter();
    let [session, programs] = array::from_fn(|_| counters.next().expect("every unit has two counters"));
    let nobody = run(&pmu, session, programs, 0);
    let switches = threaded::switches(4_000, 50_000);
    let all = run(&pmu, session, programs, switches);
    assert_eq!(nobody.programs, 0);
    assert_eq!(all.total - nobody.total, all.programs + all.kernel - nobody.kernel);
    assert!(all.kernel > switches && all.programs > switches, "both have run");
}

/// What passed while programs ran.
struct Run {
    /// The instructions of all, by the host's clock.
    total: u64,
    kernel: u64,
    /// Their counts, each of which is what its loop says.
    programs: u64,
}

fn run(pmu: &Pmu<'static, Driver>, session: CounterId, programs: CounterId, switches: u64) -> Run {
    let request = clocked::request(programs).modes(Modes::USER);
    let threads = array::from_fn::<_, MOST, _>(|number| Thread::new(pmu, number, [request].into()));
    let mut plan = Loops;
    let mut kernel = Kernel::new(pmu, threads, &mut plan);
    let mut whole = Booked::open(pmu, clocked::request(session).modes(Modes::KERNEL));
    let began = truth::retired();
    whole.session.start().expect("it is stopped");
    kernel.run(switches);
    whole.session.stop().expect("it runs");
    let total = truth::retired() - began;
    let programs = kernel.threads.iter().map(|thread| thread.counts()[0]).sum();
    Run { total, kernel: whole.count(), programs }
}

/// Each program goes round the loop that says how many of its instructions have retired.
struct Loops;

impl Plan for Loops {
    fn beginning(&self, _: usize) -> Beginning {
        Beginning::in_ring_3(position::entry(), FOR_EVER)
    }

    fn left(&mut self, _: &Pmu<Driver>, thread: &mut Thread) {
        assert_eq!(thread.counts()[0], thread.own, "{:?} after {} turns", thread.context, thread.turns);
    }
}
