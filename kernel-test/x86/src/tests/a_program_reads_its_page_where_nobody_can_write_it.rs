//! A program reads its page where nobody can write it. (Loads of 64 bits at once, which write with registers of 32 bits, fault
//! there.)

use core::array;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use pmu::{Context, CounterId, Modes, Pmu, UserPage};

use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, paging, user};

static UNIT: Unit<0> = Unit::new();
static PAGE: UserPage<2> = UserPage::new();

/// What the program has read: the first count alone, then both.
static READ: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
static LOADED_AT_ONCE: AtomicBool = AtomicBool::new(true);

pub fn test() {
    let pmu = unit::claim(&UNIT);
    unit::hardware().open_user_reads();
    paging::with_read_only_copy(|| count(&pmu));
    unit::hardware().close_user_reads();
}

fn count(pmu: &Pmu<'static, Driver>) {
    let mut counters = clocked::counters(&pmu.description()).into_iter();
    let counters: [CounterId; 2] = array::from_fn(|_| counters.next().expect("every unit has two counters"));
    let mut context = Context::new(1);
    context.bind(pmu, counters.map(|counter| clocked::request(counter).modes(Modes::USER))).expect("they are two");
    pmu.switch_in(&mut context);
    pmu.lend().expect("no session is open");
    let [alone, first, second] = read(pmu, &context);
    let counts = pmu.thread_counts(&context).expect("it is in here").raw;
    assert!(100 <= alone && alone < first && first < counts[0] && second < counts[1], "{first} {second} {counts:?}");
    assert!(counts[0] < alone + 5_000, "{counts:?}, of which {alone} at first");
    pmu.take_back().expect("this is its CPU");
    pmu.switch_out(&mut context);
    let counts = pmu.thread_counts(&context).expect("it is out").raw;
    assert_eq!(read(pmu, &context), [counts[0], counts[0], counts[1]]);
}

/// Publishes the context's counts. Returns what the program reads of them.
fn read(pmu: &Pmu<'static, Driver>, context: &Context<Driver, 2>) -> [u64; 3] {
    pmu.publish(context, &PAGE).expect("it is bound");
    user::run(program);
    assert!(!LOADED_AT_ONCE.load(Relaxed), "the page can be written");
    READ.each_ref().map(|word| word.load(Relaxed) as u64)
}

extern "C" fn program() {
    instructions::exactly(100);
    let page = paging::read_only(&PAGE);
    let alone = page.read(0, user::read_counter).unwrap_or(0);
    let [first, second] = page.read_all(user::read_counter);
    READ.iter().zip([alone, first, second]).for_each(|(word, count)| word.store(count as usize, Relaxed));
    LOADED_AT_ONCE.store(paging::can_load_at_once(page), Relaxed);
}
