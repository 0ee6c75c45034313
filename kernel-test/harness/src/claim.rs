//! How a sentence begins: it claims the unit, and says what an overflow interrupt does.

use pmu::request::Refusal;
use pmu::samples::chain::Chains;
use pmu::{Error, Interrupted, Request, Threads};

use crate::kernel::{Claimed, Kernel, ROOM};
use crate::{Fresh, Tally, Verdicts, place, running, threads};

/// Longer than any test lasts; a counter can be so far from its end.
pub const NEVER: u64 = 1 << 30;

/// Callers of a sample that there is room for.
const DEPTH: usize = 4;

static VERDICTS: Fresh<Verdicts> = Fresh::new(Verdicts::new(), Verdicts::new());
static CHAINS: Fresh<Chains<DEPTH, ROOM>> = Fresh::new(Chains::new(), Chains::new());

/// Forgets what the last test has left in the harness.
///
/// # Safety
/// No test runs, and nothing that the last one has borrowed is used any more.
#[expect(unsafe_code, reason = "statics are written again")]
pub unsafe fn forget() {
    place::seem_to_be_on(None);
    threads::forget();
    // SAFETY: the caller's promise.
    unsafe {
        VERDICTS.renew();
        CHAINS.renew();
    }
}

/// Claims the unit. Whoever expects overflow interrupts uses one of the functions below.
pub fn claim<K: Kernel>() -> Claimed<K> {
    K::unit().claim(K::detect()).expect("nobody has it yet")
}

/// Claims the unit, on which a session may take counters from threads.
pub fn claim_yielding<K: Kernel>() -> Claimed<K> {
    K::unit().claim_with(K::detect(), Threads::Yield).expect("nobody has it yet")
}

/// Claims the unit again that was released.
pub fn claim_again<K: Kernel>() -> Claimed<K> {
    K::unit().reclaim().expect("it was released")
}

/// Claims the unit, whose overflows leave samples.
pub fn sampling<K: Kernel>() -> Claimed<K> {
    K::on_overflow(|at| _ = K::unit().on_overflow(at));
    claim::<K>()
}

/// The same of the small unit.
pub fn sampling_little<K: Kernel>() -> Claimed<K> {
    K::on_overflow(|at| _ = K::small_unit().on_overflow(at));
    K::small_unit().claim(K::detect()).expect("nobody has it yet")
}

/// Claims the unit, whose samples name the thread that runs.
pub fn sampling_threads<K: Kernel>() -> Claimed<K> {
    K::on_overflow(|at| _ = running::service(K::unit(), at));
    claim::<K>()
}

/// Claims the unit, and notes whose each interrupt was, for [`verdicts`].
pub fn judging<K: Kernel>() -> Claimed<K> {
    K::on_overflow(|at| VERDICTS.note(K::unit().on_overflow(at)));
    claim::<K>()
}

/// Whose the interrupts were since this was asked last.
pub fn verdicts() -> Tally {
    VERDICTS.take()
}

/// Claims the unit, whose samples come with their [callers](chains).
pub fn sampling_callers<K: Kernel>() -> Claimed<K> {
    K::note_callers();
    claim::<K>()
}

/// What an overflow interrupt does whose sample comes with its callers, which are kept at this place.
pub fn note_callers<K: Kernel>(at: Interrupted, place: u64) {
    let _ = K::unit().on_overflow_chained(at, &CHAINS, |chain| K::walk(place, chain));
}

/// The callers of those samples.
pub fn chains() -> &'static Chains<DEPTH, ROOM> {
    &CHAINS
}

/// The fewest events after which this may end once, as the unit says.
pub fn least_once<K: Kernel>(pmu: &Claimed<K>, request: Request) -> u64 {
    match pmu.open([request.once_after(1)]).err() {
        None => 1,
        Some(Error::Refused { reason: Refusal::PeriodTooShort { least }, .. }) => least,
        other => panic!("the first event of {request:?}: {other:?}"),
    }
}

/// The shortest period by which this may repeat while the kernel is counted, as the unit says.
pub fn least_period<K: Kernel>(pmu: &Claimed<K>, request: Request) -> u64 {
    match pmu.open([request.every(1)]).err() {
        Some(Error::Refused { reason: Refusal::PeriodTooShort { least }, .. }) => least,
        other => panic!("each event of {request:?}: {other:?}"),
    }
}
