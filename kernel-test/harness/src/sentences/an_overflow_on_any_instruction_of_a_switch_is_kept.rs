//! Whichever instruction of a switch of threads a counter overflows on, of one thread's leaving or the other's coming,
//! both threads and the CPU's session count right, and the overflow leaves its sample or is said to be lost.

use pmu::{CounterId, Request};

use crate::amid::by_effort;
use crate::booked::Booked;
use crate::claim::{least_once, sampling};
use crate::follow::Followed;
use crate::{Claimed, Effort, Kernel};

/// Shows it: of a session beside the threads, and of a thread that is switched itself. Periods repeat, or end once. Where
/// the host steps, one counter is tried, and the switch that leaves least in place.
pub fn test<K: Kernel>() {
    let pmu = sampling::<K>();
    let unit = pmu.description();
    for counter in K::few(&unit).into_iter().take(if K::STEPS { 1 } else { 64 }) {
        let others = K::counters(&unit).without(counter.only());
        let [low, high] = [others.lowest(), others.highest()].map(|other| other.expect("there are two counters"));
        let effort = Effort::on::<K>(&pmu, counter);
        let switches = [(effort, [low, low], counter), (effort.elsewhere(), [low, high], low)];
        for (effort, threads, other) in switches.into_iter().take(if K::STEPS { 1 } else { 2 }) {
            for asks in [Request::every, Request::once_after] {
                a_session_overflows::<K>(effort, &pmu, counter, asks, threads);
                a_thread_overflows::<K>(effort, &pmu, counter, asks, other);
            }
        }
    }
}

/// What a period makes of a request.
type Asks = fn(Request, u64) -> Request;

/// One thread leaves and another one comes, on these counters, beside the session that overflows.
fn a_session_overflows<K: Kernel>(effort: Effort, pmu: &Claimed<K>, counter: CounterId, asks: Asks, threads: [CounterId; 2]) {
    let [mut first, mut second] =
        [(2, threads[0]), (3, threads[1])].map(|(number, counter)| Followed::<K>::new(pmu, number, K::request(counter)));
    let switch = |_: &mut Booked<K>| {
        first.come(pmu);
        first.leave(pmu);
        second.come(pmu);
        second.leave(pmu);
        first.count();
        second.count();
        0
    };
    by_effort(effort, pmu, |period| asks(K::request(counter), period), switch, |_, _, _| ());
}

/// The thread that overflows leaves for another one, which counts on this counter, and comes back.
fn a_thread_overflows<K: Kernel>(effort: Effort, pmu: &Claimed<K>, counter: CounterId, asks: Asks, other: CounterId) {
    let least = least_once::<K>(pmu, K::request(counter));
    let mut other = Followed::<K>::new(pmu, 2, K::request(other));
    let switch = |own: &mut Followed<K>| {
        own.leave(pmu);
        own.is_preset_anew(least);
        other.come(pmu);
        other.leave(pmu);
        own.come(pmu);
        other.count();
        0
    };
    by_effort(effort, pmu, |period| asks(K::request(counter), period), switch, |_, _, _| ());
}
