//! Whatever the frame pointer holds, a walk ends, the sample is kept, and the chain says why it has
//! no callers.

use pmu::samples::{chain::Broken, chain::Chains, chain::End};
use pmu::{Event, Request};

use crate::boot;
use crate::guest::unit::{self, Unit};
use crate::guest::{callers, on_nmi};
use crate::trap::Frame;

static UNIT: Unit<16> = Unit::new();
static CHAINS: Chains<4, 16> = Chains::new();

/// The size of a register.
const WORD: u64 = size_of::<usize>() as u64;

pub fn test() {
    on_nmi(note);
    let pmu = unit::claim(&UNIT);
    let stack = boot::guest_stack_bounds();
    let astray = [
        (0, End::Outermost),
        (stack.start - 16, End::Aborted(Broken::Outside)),
        (stack.end - WORD, End::Aborted(Broken::Outside)),
        (stack.start + WORD / 2, End::Aborted(Broken::Misaligned)),
        (usize::MAX as u64 & !(WORD - 1), End::Aborted(Broken::Outside)),
        (1 << (8 * WORD - 1), End::Aborted(Broken::Outside)),
    ];
    for (frame_pointer, end) in astray {
        let mut session =
            pmu.open([Request::new(Event::INSTRUCTIONS).once_after(1000)]).expect("every unit counts them");
        session.start().expect("it is stopped");
        callers::spin_astray(frame_pointer);
        session.stop().expect("it runs");
        let mut samples = CHAINS.pair(UNIT.samples().expect("nobody else reads")).expect("nobody else pairs");
        let chain = samples.next().and_then(|(_, chain)| chain).expect("the overflow left a sample and a chain");
        assert_eq!((chain.callers(), chain.end()), (&[][..], end), "with the frame pointer {frame_pointer:#x}");
    }
    assert_eq!((CHAINS.statistics().kept, CHAINS.statistics().aborted), (6, 5));
}

fn note(frame: &mut Frame) {
    let _ = UNIT.on_overflow_chained(unit::interrupted(frame), &CHAINS, |chain| callers::walk(frame.bp as u64, chain));
}
