//! An event of the firmware is counted as often as the firmware does it.

use harness::claim::claim;
use pmu::Event;

use crate::guest::calls::call;
use crate::tests::UnderFirmware as Here;

/// The first event of the firmware.
const FIRMWARE: u64 = 0xF_0000;

/// The extension of the timer; its function 0 sets it.
const TIMER: usize = 0x5449_4D45;
const SET_TIMER: Event = Event::raw(FIRMWARE + 5);

pub fn test() {
    let pmu = claim::<Here>();
    for times in [0, 1, 1000] {
        let set = || (0..times).for_each(|_| _ = call(TIMER, 0, [usize::MAX, 0, 0, 0, 0]));
        assert_eq!(pmu.count([SET_TIMER], set).map(|(count, ())| count), Ok([times]));
    }
}
