//! The rules of `Strict`, and what they say of a write.

use std::fmt::Debug;

use pmu::virt::{Discipline, Strict};

/// Checks that each of these writes breaks this rule now, or none, and makes those that break none.
#[track_caller]
pub(crate) fn judges<D>(unit: &Strict<D>, writes: &[(D::Address, u64, Option<&str>)])
where
    D: Discipline<Address: Debug>,
{
    for &(at, value, rule) in writes {
        assert_eq!(unit.0.check_write(at, value).err(), rule, "{at:?} <- {value:#x}");
        if rule.is_none() {
            unit.0.try_write(at, value).unwrap();
        }
    }
}
