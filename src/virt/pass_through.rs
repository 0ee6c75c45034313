//! A guest whose events the real unit counts.

use crate::contract::{Description, Registers};
use crate::event::{CounterSet, Request};

/// A guest's unit, any that [`Device`](super::Device) is implemented for on Intel, AMD and PMUv3, and x86's
/// [`guest::Unit`](crate::arch::x86::guest::Unit): its counters can be the real unit's while its guest runs.
/// [`Mediated`](crate::virt::Mediated) uses it.
///
/// The guest's registers are the device's at all times, and every access is answered by it. The real unit has only what
/// counts: the selections and the values of the counters that run.
pub trait PassThrough {
    /// The address of a register.
    type Address: Copy;
    /// The number of a counter for the fast read.
    type Index: Copy;

    /// Checks that the real unit has all that the guest is told of, by its description and by which requests its driver
    /// encodes.
    ///
    /// # Errors
    /// Returns the reason why the guest's counters cannot be this unit's.
    fn fits(&self, real: &Description, encodes: impl Fn(&Request) -> bool) -> Result<(), &'static str>;

    /// Returns the counters that run, and of a pair both. They are the ones that the host lets the guest count.
    fn in_use(&self) -> CounterSet;

    /// Programs the counters [in use](Self::in_use), with the guest's values, in the real unit, which is halted. Leaves
    /// out of their selections the bits that count other threads of the core, or hypervisors.
    fn load<R: Registers<Address = Self::Address, Index = Self::Index>>(&self, onto: &R);

    /// Counts what these counters have counted in the real unit since [`load`](Self::load), with all effects of an overflow.
    /// The real unit is halted, and the guest has accessed no register since.
    fn collect<R: Registers<Address = Self::Address, Index = Self::Index>>(&self, from: &R);
}
