//! The events that perfex's statistics are computed from, on each processor.

use pmu::driver::Plan;
use pmu::output::perfex::Input;

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

/// The units without an event of cycles, as src/guide/perfex.md says.
const WITHOUT_CYCLES: [&str; 5] =
    ["i386/p5", "sparc64/niagara1", "sparc64/niagara2", "sparc64/niagara2+", "sparc64/niagara3"];

/// Those without an event of branches.
const WITHOUT_BRANCHES: [&str; 12] = [
    "arm/armv8-ca32",
    "arm/armv8-ca34",
    "arm/armv8-ca35",
    "arm/armv8-ca73",
    "i386/arch_perfmon",
    "ppc/7400",
    "ppc/750",
    "ppc64/microwatt",
    "riscv/qemu",
    "sparc64/niagara1",
    "sparc64/ultra12",
    "sparc64/ultra4+",
];

/// Instructions are counted by every unit, and cycles and branches by all but these.
pub(crate) fn are_as_the_guide_says(driver: &impl Plan) {
    let unit = driver.catalogue().unit;
    let counted = [Input::Instructions, Input::Cycles, Input::Branches].map(|input| input.native(driver).is_some());
    assert_eq!(counted, [true, !WITHOUT_CYCLES.contains(&unit), !WITHOUT_BRANCHES.contains(&unit)], "{unit}");
}

/// A letter for each input that the unit counts: `CIFLSBM12`, with `-` for one that it does not.
pub(crate) fn letters(driver: &impl Plan) -> String {
    let letters = COUNTED.iter().zip("CIFLSBM12".chars());
    letters.map(|(input, letter)| if input.native(driver).is_some() { letter } else { '-' }).collect()
}
