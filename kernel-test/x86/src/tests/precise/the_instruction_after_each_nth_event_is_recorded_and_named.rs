//! Precise sampling names the instruction after the one whose event was the n-th, and the NMI comes right behind it: taken branches,
//! and where they are precise instructions.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::arch::x86::{Msr, Window};
use pmu::precise::Sampler as _;
use pmu::{CounterId, Event, Handled, Modes, Request};

use crate::guest::msr;
use crate::guest::position::{self, Write};
use crate::guest::precise::{self, Counters, TAKEN};
use crate::guest::sampling::{Presented as _, Room, interrupted};
use crate::trap::Frame;

static RECORDS: Room = Room::new();
/// How many of the loop's instructions had retired when the NMI came.
static RETIRED: AtomicUsize = AtomicUsize::new(0);

pub fn test() {
    let sampler = Counters::find();
    sampler.open(note);
    // Golden Cove does not record instructions on counter 0.
    let counter = CounterId::new(1).expect("it is a number of a counter");
    // Every third instruction of the loop is a branch. The handler that stops it takes less than the shortest period.
    for (event, instructions, least) in [(TAKEN, 3, 2_000), (Event::INSTRUCTIONS, 1, 1_000)] {
        for period in [least, least + 1, least + 2, 2 * least + 1] {
            let request = Request::new(event).modes(Modes::KERNEL).every(period).pinned_to(counter);
            let Ok(program) = sampler.encode(&request) else {
                let refused = (event, precise::words_of_record());
                assert_eq!(refused, (Event::INSTRUCTIONS, 25), "of format 3 alone, not of taken branches");
                continue;
            };
            RECORDS.start(&sampler, program);
            // The loop starts it anew, with a whole period.
            let stop = Write { register: Msr::GLOBAL_CONTROL.address(), value: 0 };
            msr::write(stop.register, stop.value).expect("the counters can be stopped");
            let value = Msr::counter(Window::Full, counter.number()).expect("there is a counter");
            msr::write(value.address(), period.wrapping_neg() & 0xffff_ffff_ffff).expect("it can be written");
            RETIRED.store(0, Relaxed);
            position::run(Write { value: counter.only().bits(), ..stop }, period + 10, stop);
            let retired = instructions * (period + 1);
            assert_eq!(RETIRED.load(Relaxed) as u64, retired, "{event:?} {period}");
            let mut records = RECORDS.read(&sampler).expect("nobody else reads");
            let record = records.next().expect("an instruction was recorded");
            let [address, behind] = [retired - 1, retired].map(position::watched);
            assert_eq!((record.address, record.interrupted), (Some(address), Some(behind)), "{event:?} {period}");
            assert!(records.next().is_none());
        }
    }
}

/// Stops it, so that a period has no second record.
fn note(frame: &mut Frame) {
    let sampler = Counters::opened();
    assert_eq!(RECORDS.on_interrupt(&sampler, interrupted(frame)), Handled::Overflow);
    assert!(RECORDS.stop(&sampler, 0).is_some());
    RETIRED.store(position::of(frame).map_or(usize::MAX, |position| position as usize), Relaxed);
}
