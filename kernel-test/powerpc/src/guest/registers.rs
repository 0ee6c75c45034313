//! The unit's registers, all of them, as real instructions read them.

use crate::{family, identity};

/// More than any unit has.
const MOST: usize = 14;

/// What every register of the unit holds, in a fixed order; addresses that were sampled are not part of
/// it.
pub type Snapshot = [u64; MOST];

/// Reads them.
pub fn snapshot() -> Snapshot {
    let mut values = [0; MOST];
    for (value, register) in values.iter_mut().zip(family::registers(&identity::presented().processor)) {
        *value = family::read(register);
    }
    values
}
