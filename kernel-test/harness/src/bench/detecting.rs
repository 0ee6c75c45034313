//! What does it add to a reading that the driver was found out at run time, and not named?

use super::figures::Figures;
use super::{Bench, Instructions, Measured, Reached, figure, reading};

/// Prints the figure, for the driver by its name and for one of all families.
pub fn measure<Named, Found>()
where
    Named: Measured<Cost = Instructions>,
    Found: Measured<Cost = Instructions>,
{
    let more = cost::<Found>().saturating_sub(cost::<Named>());
    figure::<Named::Kernel>(format_args!("{}.detect_enum.read", Named::Kernel::name()), more, Reached::Inline);
}

fn cost<S: Measured<Cost = Instructions>>() -> u64 {
    let pmu = S::unit().claim(S::detect()).expect("nobody else claims it");
    let session = Figures::<S>::new(pmu).open::<1>().expect("the unit has a counter");
    let Instructions(cost) = reading::wide::<S, 1>(&session);
    drop(session);
    pmu.release().expect("no session is open any more");
    cost
}
