//! A request that notifies ends the counting of its thread, all of it, on its very event, or on the first one that its
//! counter can wait for after a switch: the thread runs on uncounted until it is restarted, and the others are counted on.

use core::array;

use harness::Effort;
use harness::running;
use harness::threaded::Plan;
use pmu::{CounterId, Interrupted, Pmu};

use super::clocked;
use super::threaded::{self, Schedule, Thread};
use crate::guest::Here;
use crate::guest::enter_nmi_at;
use crate::guest::unit::{self, Driver, Unit};

const SWITCHES: u64 = 3_000;
/// Longer than any turn.
const PERIOD: u64 = 2_003;
/// Of four threads, the first two notify.
const NOTIFYING: usize = 2;
/// How many turns a thread stays frozen.
const PAUSE: u64 = 3;

static UNIT: Unit<16> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = running::service(&UNIT, at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let mut counters = clocked::counters(&pmu.description()).into_iter();
    let [first, second]: [CounterId; 2] = array::from_fn(|_| counters.next().expect("every unit has two counters"));
    let requests = |number: usize| {
        let request = clocked::request(first);
        [if number < NOTIFYING { request.once_after(PERIOD) } else { request }, clocked::request(second)]
    };
    let mut seen = Seen { last: None, frozen: [Frozen::new(); NOTIFYING] };
    let threads = array::from_fn(|number| Thread::new(&pmu, number, requests(number).into()));
    let switches = Effort::length(SWITCHES);
    Schedule::<4>::new(&pmu, threads, &mut seen).run(switches);
    assert!(seen.frozen.iter().all(|frozen| frozen.restarts > switches / 300), "{:?}", seen.frozen);
}

/// What was seen of all threads.
struct Seen {
    /// The one that was counted last: the counters may still hold its values.
    last: Option<usize>,
    frozen: [Frozen; NOTIFYING],
}

impl Plan<Here> for Seen {
    fn came(&mut self, _: &Pmu<Driver>, thread: &Thread) {
        let number = thread.number();
        if thread.context.is_frozen() || self.last.replace(number) == Some(number) {
            return;
        }
        if let Some(frozen) = self.frozen.get_mut(number) {
            frozen.end = PERIOD.max(frozen.count + clocked::least());
        }
    }

    fn left(&mut self, _: &Pmu<Driver>, thread: &mut Thread) {
        match self.frozen.get_mut(thread.number()) {
            Some(frozen) => frozen.check(thread),
            None => assert_eq!(thread.counts(), thread.booked, "{:?}", thread.context),
        }
    }
}

/// What a thread that notifies has counted, and what it had when it was frozen, and since when.
#[derive(Clone, Copy, Debug)]
struct Frozen {
    restarts: u64,
    since: Option<(u64, [u64; threaded::REQUESTS])>,
    count: u64,
    /// It notifies on this event.
    end: u64,
}

impl Frozen {
    const fn new() -> Self {
        Self { restarts: 0, since: None, count: 0, end: PERIOD }
    }

    fn check(&mut self, thread: &mut Thread) {
        let counts = thread.counts();
        self.count = counts[0];
        assert_eq!(thread.context.is_frozen(), counts[0] == self.end, "{counts:?} of {self:?}");
        if !thread.context.is_frozen() {
            assert!(counts[0] < self.end, "{counts:?} of {self:?}");
            return;
        }
        let (turn, then) = *self.since.get_or_insert((thread.turns, counts));
        assert_eq!(counts, then, "it is not counted");
        if thread.turns - turn == PAUSE {
            thread.context.restart().expect("it is bound and out");
            *self = Self { restarts: self.restarts + 1, ..Self::new() };
        }
    }
}
