//! What does it cost a program to read its thread's counts by itself?

use core::hint::black_box;

use pmu::{Error, UserPage};

use super::figures::Figures;
use super::requests::choose;
use super::{Bench, Cost, Instructions, Measured, Reached};

/// Prints the figures.
pub(super) fn measure<S: Measured<Cost = Instructions>>(figures: &Figures<S>) {
    several::<S, 1>(figures);
    several::<S, 2>(figures);
    several::<S, 4>(figures);
}

fn several<S: Measured<Cost = Instructions>, const N: usize>(figures: &Figures<S>) {
    let name = format_args!("user_read.{N}");
    match published::<S, N>(figures) {
        Some(Read::ByProgram(cost)) => figures.print(name, Some(cost), Reached::Inline),
        Some(Read::ByKernel) => figures.absent(name, "no instruction lets programs read the unit's counters"),
        None => figures.print(name, None, Reached::Inline),
    }
}

/// Who reads the counters behind a page.
enum Read {
    ByProgram(Instructions),
    ByKernel,
}

fn published<S: Measured<Cost = Instructions>, const N: usize>(figures: &Figures<S>) -> Option<Read> {
    let (pmu, page) = (&figures.pmu, UserPage::<N>::new());
    let mut thread = figures.thread(1, choose::<_, N>(pmu, &[], None)?)?;
    pmu.switch_in(&mut thread);
    let lent = pmu.lend();
    pmu.publish(&thread, &page).expect("it is in");
    let read = match lent {
        Ok(()) => Read::ByProgram(reading::<S, N>(&page)),
        Err(Error::Unreadable(_)) => Read::ByKernel,
        Err(error) => panic!("{error}"),
    };
    pmu.take_back().expect("this is the unit's CPU");
    pmu.switch_out(&mut thread);
    Some(read)
}

/// Nothing of the page is known here but its address.
#[inline(never)]
#[expect(clippy::redundant_closure, reason = "a closure of its own is compiled into its caller, as a program's is")]
fn reading<S: Measured<Cost = Instructions>, const N: usize>(page: &UserPage<N>) -> Instructions {
    let (cost, counts) =
        Instructions::measure::<S::Kernel, _>(|| page.read_all(|index| S::Kernel::read_as_program(index)));
    // As a whole they would be put into memory, which no program needs.
    black_box(counts.iter().fold(0, |all, count| all | count));
    cost
}
