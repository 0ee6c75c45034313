//! What is in use beside a placement.

use crate::event::CounterSet;

/// What is in use of a unit: its counters, and the values of the registers that counters share.
///
/// A placement depends on nothing else: what was placed beside one occupancy can be loaded beside an equal
/// one. So two occupancies MUST be equal exactly if the same requests can be placed beside both in the same way. The
/// default is the occupancy of an unused unit.
pub trait Occupancy: Copy + Eq + Default {
    /// The counters in use.
    fn counters(&self) -> CounterSet;
}

/// The occupancy of a unit whose counters share no registers.
impl Occupancy for CounterSet {
    #[inline(always)]
    fn counters(&self) -> CounterSet {
        *self
    }
}
