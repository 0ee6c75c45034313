//! The events that perfex's statistics are computed from, on each processor.

use pmu::Plan;
use pmu::perfex::Input;

const COUNTED: [Input; 9] = [
    Input::Cycles,
    Input::Instructions,
    Input::FloatingPoint,
    Input::Loads,
    Input::Stores,
    Input::Branches,
    Input::Mispredicted,
    Input::L1Misses,
    Input::L2Misses,
];

/// A letter for each input that the unit counts: `CIFLSBM12`, with `-` for one that it does not.
pub(crate) fn letters(driver: &impl Plan) -> String {
    let letters = COUNTED.iter().zip("CIFLSBM12".chars());
    letters.map(|(input, letter)| if input.native(driver).is_some() { letter } else { '-' }).collect()
}
