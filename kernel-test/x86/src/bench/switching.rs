//! What does it cost to switch from one thread to the next, from one group of requests to the next,
//! and to read the own thread's counts without the kernel?

use core::arch::asm;
use core::hint::black_box;

use pmu::{Error, Multiplex, Result, UserPage};

use super::stopwatch::time;
use super::{Driver, INSTRUCTIONS, Pmu, Reached, print};
use crate::console::println;

type Context<const N: usize> = pmu::Context<Driver, N>;
/// Two groups of four requests.
type Groups = Multiplex<Driver, 2, 4>;

/// Prints the figures.
pub fn measure(pmu: &Pmu) {
    print("x86.switch.0", switch(pmu, &mut Context::<1>::new(1)), Reached::Inline);
    measure_several::<1>(pmu);
    measure_several::<4>(pmu);
    measure_several::<8>(pmu);
    if let Some(cost) = rotation(pmu) {
        print("x86.rotate.8", cost, Reached::Called);
    }
    measure_reading::<1>(pmu);
    measure_reading::<2>(pmu);
    measure_reading::<4>(pmu);
}

fn measure_several<const N: usize>(pmu: &Pmu) {
    if let Some(mut context) = bound::<N>(pmu) {
        print(format_args!("x86.switch.{N}"), out_and_in(pmu, &mut context), Reached::Inline);
    }
}

/// A thread that asks for the same on so many counters; `None` if the unit has not so many.
fn bound<const N: usize>(pmu: &Pmu) -> Option<Context<N>> {
    let mut context = Context::new(1);
    has_room(context.bind(pmu, [INSTRUCTIONS; N])).then_some(context)
}

fn has_room(bound: Result<()>) -> bool {
    match bound {
        Ok(()) => true,
        Err(Error::Conflict(conflict)) => {
            println!("nothing is switched: {conflict}");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

/// The thread leaves, and comes again.
fn out_and_in<const N: usize>(pmu: &Pmu, context: &mut Context<N>) -> u64 {
    pmu.switch_in(context);
    let cost = switch(pmu, context);
    pmu.switch_out(context);
    cost
}

/// Both halves of a switch as a scheduler has them in its own code; nothing of the context is known here
/// but its address.
#[inline(never)]
fn switch<const N: usize>(pmu: &Pmu, context: &mut Context<N>) -> u64 {
    let both = || {
        pmu.switch_out(context);
        pmu.switch_in(context);
    };
    time(both).0
}

/// One group's turn ends, the other one's begins.
fn rotation(pmu: &Pmu) -> Option<u64> {
    let rotate = black_box(Groups::rotate as fn(&mut Groups, &Pmu));
    let mut groups = Groups::new(1);
    if !has_room(groups.bind(pmu, [[INSTRUCTIONS; 4]; 2]).map_err(Error::from)) {
        return None;
    }
    groups.switch_in(pmu);
    // Each group has had its first turn, at which its counters were found.
    (0..2).for_each(|_| rotate(&mut groups, pmu));
    let (cost, ()) = time(|| rotate(&mut groups, pmu));
    groups.switch_out(pmu);
    Some(cost)
}

fn measure_reading<const N: usize>(pmu: &Pmu) {
    if let Some(mut context) = bound::<N>(pmu) {
        let page = UserPage::<N>::new();
        pmu.switch_in(&mut context);
        assert_eq!(pmu.publish(&context, &page), Ok(()));
        print(format_args!("x86.user_read.{N}"), reading(&page), Reached::Inline);
        pmu.switch_out(&mut context);
    }
}

/// Nothing of the page is known here but its address.
#[inline(never)]
fn reading<const N: usize>(page: &UserPage<N>) -> u64 {
    let (cost, counts) = time(|| page.read_all(rdpmc));
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    cost
}

/// What a program brings along.
#[inline(always)]
fn rdpmc(index: u32) -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: the kernel names counters of its unit only; the instruction changes nothing else.
    unsafe { asm!("rdpmc", in("ecx") index, out("rax") low, out("rdx") high, options(nostack, preserves_flags)) };
    high << 32 | low
}
