//! What a placement has to live beside.

use crate::event::CounterSet;

/// What of a unit is in use: its counters, and the values of the registers that counters share.
///
/// A placement depends on nothing else: what was placed beside one occupancy can be loaded beside an equal
/// one. So two occupancies MUST be equal exactly if the same requests fit beside both in the same way. The
/// default is that of a unit of which nothing is in use.
pub trait Occupancy: Copy + Eq + Default {
    /// The counters in use.
    fn counters(&self) -> CounterSet;
}

/// Of a unit whose counters share nothing.
impl Occupancy for CounterSet {
    #[inline(always)]
    fn counters(&self) -> CounterSet {
        *self
    }
}
