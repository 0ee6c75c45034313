//! A user program reads its thread's counts from its page and the counters' copies, while its thread is switched in and
//! after; on processors that can close the counters it reads none of them when they were taken back.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::{Context, Modes, Pmu, UserPage};

use super::clocked;
use crate::family;
use crate::guest::probe::{self, Refused};
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, user};

static UNIT: Unit<0> = Unit::new();
static PAGE: UserPage<2> = UserPage::new();

/// What the program has read before some instructions, and after.
static READ: [[AtomicUsize; 2]; 2] = [const { [const { AtomicUsize::new(0) }; 2] }; 2];
static LENGTH: AtomicUsize = AtomicUsize::new(0);

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let mut counters = pmu.description().general.into_iter();
    let mut request = || clocked::request(counters.next().expect("every unit has two")).modes(Modes::USER);
    let [mut thread, mut other] = [1, 2].map(Context::new);
    other.bind(&pmu, [request(), request()]).expect("they can be together");
    thread.bind(&pmu, [request(), request()]).expect("they can be together");

    let around = passes(&pmu, &mut thread, 100).map(|passed| passed - 100);
    for length in [1000, 4321] {
        passes(&pmu, &mut other, 500);
        assert_eq!(passes(&pmu, &mut thread, length), around.map(|around| around + length));
    }
}

/// What the program sees passing around so many instructions, in a turn of its thread.
fn passes(pmu: &Pmu<'static, Driver>, thread: &mut Context<Driver, 2>, length: u64) -> [u64; 2] {
    LENGTH.store(length as usize, Relaxed);
    pmu.switch_in(thread);
    pmu.lend().expect("no session is open");
    pmu.publish(thread, &PAGE).expect("it is in");
    user::run(read_around);
    let passed = core::array::from_fn(|at| (READ[1][at].load(Relaxed) - READ[0][at].load(Relaxed)) as u64);
    pmu.take_back().expect("this is its CPU");
    pmu.switch_out(thread);
    pmu.publish(thread, &PAGE).expect("it is bound");
    user::run(read_twice_when_out);
    let counts = thread.counts().expect("it is out").raw;
    assert_eq!(READ.each_ref().map(|read| read.each_ref().map(|count| count.load(Relaxed) as u64)), [counts; 2]);
    assert_eq!(LENGTH.load(Relaxed) == REFUSED, family::closes_counters(pmu.driver()));
    passed
}

/// Of a counter that nobody lent.
const REFUSED: usize = usize::MAX;

fn read() -> [u64; 2] {
    PAGE.read_all(family::read_as_user)
}

fn note(at: usize, counts: [u64; 2]) {
    READ[at].iter().zip(counts).for_each(|(read, count)| read.store(count as usize, Relaxed));
}

extern "C" fn read_around() {
    let before = read();
    instructions::exactly(LENGTH.load(Relaxed) as u64);
    note(1, read());
    note(0, before);
}

extern "C" fn read_twice_when_out() {
    note(0, read());
    note(1, read());
    let refused = probe::read_users_counter() == Err(Refused);
    LENGTH.store(if refused { REFUSED } else { 0 }, Relaxed);
}
