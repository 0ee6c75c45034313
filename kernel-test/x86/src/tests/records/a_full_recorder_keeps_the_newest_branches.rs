//! Of more branches than there is room for the newest are kept, in their order, whatever entry was next.

use pmu::Modes;
use pmu::branches::{BranchFilter, Branches};

use super::code::{addresses, branches_of_row, call_row};
use super::recorder;

pub fn test() {
    let recorder = recorder();
    let depth = recorder.depth();
    let [jump, back] = branches_of_row().map(addresses);
    for rounds in [depth / 2, depth / 2 + 1, depth, depth + 1, 1000] {
        let run = || call_row(rounds);
        let (found, ()) = recorder.around::<32, _>(&BranchFilter::new(Modes::ALL), run).expect("it has everything");
        // The call, two branches a round but the last one's, which is not taken, and the return.
        assert_eq!(found.len(), (2 * rounds + 1).min(depth));
        for (at, branch) in found[1..].iter().take(2 * rounds - 1).enumerate() {
            assert_eq!(addresses(*branch), if at % 2 == 0 { jump } else { back }, "{at} of {rounds}");
        }
    }
}
