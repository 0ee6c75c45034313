//! A request that notifies ends the counting of its thread, all of it, on its very event: the thread
//! runs on uncounted until it is restarted, and the others are counted on.

use core::array;

use harness::running;
use pmu::{CounterId, Interrupted};

use super::clocked;
use super::threaded::{self, Schedule, Thread};
use crate::guest::enter_nmi_at;
use crate::guest::unit::{self, Unit};

const SWITCHES: u64 = 3_000;
/// Longer than any turn.
const PERIOD: u64 = 2_003;
/// Of four threads, the first two notify.
const NOTIFYING: u32 = 2;
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
    let requests = |number: u32| {
        let request = clocked::request(first);
        [if number < NOTIFYING { request.once_after(PERIOD) } else { request }, clocked::request(second)]
    };
    let mut frozen = [Frozen::default(); 4];
    let mut inspect = |thread: &mut Thread| match thread.context.thread() {
        number @ 0..NOTIFYING => frozen[number as usize].check(thread),
        _ => assert_eq!(thread.counts(), thread.booked, "{:?}", thread.context),
    };
    let threads = array::from_fn(|number| Thread::new(&pmu, number, requests(number as u32).into()));
    Schedule::<4>::new(&pmu, threads, &mut inspect).run(SWITCHES);
    assert!(frozen[..NOTIFYING as usize].iter().all(|frozen| frozen.restarts > 10), "{frozen:?}");
}

/// What a frozen thread had counted, and since when.
#[derive(Clone, Copy, Default, Debug)]
struct Frozen {
    restarts: u64,
    since: Option<(u64, [u64; threaded::REQUESTS])>,
}

impl Frozen {
    fn check(&mut self, thread: &mut Thread) {
        let counts = thread.counts();
        assert_eq!(thread.context.is_frozen(), counts[0] == PERIOD, "{counts:?}");
        if !thread.context.is_frozen() {
            assert!(counts[0] < PERIOD, "{counts:?}");
            return;
        }
        let (turn, then) = *self.since.get_or_insert((thread.turns, counts));
        assert_eq!(counts, then, "it is not counted");
        if thread.turns - turn == PAUSE {
            thread.context.restart().expect("it is bound and out");
            (self.since, self.restarts) = (None, self.restarts + 1);
        }
    }
}
