//! Of more branches than there is room for the newest are kept, in their order, whatever place of the ring was next.

use core::arch::asm;

use pmu::Modes;
use pmu::branches::{BranchFilter, Branches};

use super::code::{branches_of_row, row};
use super::known_codes_branches_are_found_exactly::addresses;
use super::recorder;

pub fn test() {
    let recorder = recorder();
    assert_eq!(recorder.depth(), 256, "QEMU's greatest");
    for rounds in [100, 127, 128, 129, 1000] {
        let run = || {
            // SAFETY: it keeps to the calling convention.
            unsafe { asm!("call {row}", row = sym row, in("a0") rounds, clobber_abi("C")) }
        };
        let (found, ()) = recorder.around::<256, _>(&BranchFilter::new(Modes::KERNEL), run).expect("the hart has them");
        // The call, two branches a round but the last one's, which is not taken, and the return.
        assert_eq!(found.len(), (2 * rounds + 1).min(256));
        let [jump, back] = branches_of_row().map(addresses);
        for (at, branch) in found[1..].iter().take(2 * rounds - 1).enumerate() {
            assert_eq!(addresses(*branch), if at % 2 == 0 { jump } else { back }, "{at} of {rounds}");
        }
    }
}
