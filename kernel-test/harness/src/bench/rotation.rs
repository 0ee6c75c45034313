//! What does it cost to rotate from one group of requests to the next?

use core::hint::black_box;

use pmu::{Multiplex, Pmu};

use super::figures::Figures;
use super::requests::choose;
use super::{Cost, Measured, Reached};

/// Two groups of four requests.
type Groups<D> = Multiplex<D, 2, 4>;
type Rotate<'u, D> = fn(&Pmu<'u, D>, &mut Groups<D>);

/// Prints the figure.
pub(super) fn measure<S: Measured>(figures: &Figures<S>) {
    figures.print("rotate", rotation(figures), Reached::Called);
}

/// One group's turn ends, the other one's begins; each has had a turn before, at which its counters were found.
fn rotation<S: Measured>(figures: &Figures<S>) -> Option<S::Cost> {
    let pmu = &figures.pmu;
    let first = choose::<_, 4>(pmu, &[], None)?;
    let second = choose(pmu, &first, None)?;
    let mut groups = Groups::<S::Driver>::new(1);
    groups.bind(pmu, [first, second]).ok()?;
    let rotate: Rotate<'_, S::Driver> = black_box(Pmu::rotate);
    pmu.switch_in(groups.context());
    (0..2).for_each(|_| rotate(pmu, &mut groups));
    let (cost, ()) = S::Cost::measure::<S::Kernel, _>(|| rotate(pmu, &mut groups));
    pmu.switch_out(groups.context());
    Some(cost)
}
