//! Which request on which counter, where counters share no register.

use crate::contract::{Slot, Steps};
use crate::event::{Conflict, CounterId, CounterSet};
use crate::placement;

/// Places `new` requests on `free` counters. `able` returns the counters that can count a request, and `bits` the control word
/// for its slot.
///
/// # Errors
/// Returns the requests that compete for too few counters.
#[inline(always)]
pub(crate) fn place_each<D>(
    free: CounterSet,
    new: &[D],
    steps: Steps,
    out: &mut [Slot],
    able: impl Fn(&D) -> CounterSet,
    mut bits: impl FnMut(&D, CounterId) -> u64,
) -> Result<(), Conflict> {
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = able(demand).bits();
    }
    placement::match_masks(free, steps, out)?;
    for (demand, slot) in new.iter().zip(out) {
        slot.bits = bits(demand, slot.counter);
    }
    Ok(())
}
