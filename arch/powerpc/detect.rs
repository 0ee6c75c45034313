//! Detects which family's unit a 32-bit processor has.
//!
//! [`Detected::detect`] decodes the processor version register. The families have registers of different kinds, so it takes
//! both, and accesses only those that the processor has. A kernel that knows the family can use
//! its driver directly.

use core::convert::Infallible;

use super::classic::{self, Classic};
use super::embedded::Embedded;
use super::{Pmr, Pvr, Spr};
use crate::contract::{Counter, Masked, Plan as _, Registers, Slot, one_of};
use crate::event::{CounterId, Error, Result};

one_of! {
    /// The driver of one of the families.
    pub enum Detected<S, P> where [
        S: Registers<Address = Spr, Index = Spr>,
        P: Registers<Address = Pmr, Index = Pmr, Kernel = S::Kernel>
    ] {
        /// 604 to 7448.
        Classic(Classic<S>),
        /// e300, e500 and e500mc.
        Embedded(Embedded<P>),
    }

    impl Plan {
        type Registers = Self;
        type Handle = CounterId;

        #[inline(always)]
        fn registers(&self) -> &Self {
            self
        }

        /// The number for user programs is that of a special-purpose register or a performance monitor register, depending
        /// on the family.
        #[inline(always)]
        fn counter(&self, slot: &Slot) -> Counter<CounterId> {
            match self {
                Self::Classic(driver) => renamed(slot, driver.counter(slot)),
                Self::Embedded(driver) => renamed(slot, driver.counter(slot)),
            }
        }
    }

    impl Counters {
        #[inline(always)]
        fn read(&self, counter: CounterId) -> u64 {
            match self {
                Self::Classic(driver) => driver.read(classic::counter_register(counter)),
                Self::Embedded(driver) => driver.read(Pmr::counter_of(counter)),
            }
        }
    }
}

/// Returns a counter under its number in place of its register.
#[inline(always)]
fn renamed<H>(slot: &Slot, counter: Counter<H>) -> Counter<CounterId> {
    let Counter { width, longest, user_index, .. } = counter;
    Counter { handle: slot.counter, width, longest, user_index }
}

impl<S, P> Detected<S, P>
where
    S: Registers<Address = Spr, Index = Spr>,
    P: Registers<Address = Pmr, Index = Pmr>,
{
    /// Detects the unit by the processor version register, and creates its driver, over `sprs` or over `pmrs`.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`], [`Error::UnknownProcessor`] or [`Error::Swallowed`]. The unit is not changed.
    pub fn detect(pvr: Pvr, sprs: S, pmrs: P) -> Result<Self> {
        match Embedded::detect(pvr, pmrs) {
            Err(Error::UnknownProcessor { .. }) => Classic::detect(pvr, sprs).map(Self::Classic),
            found => found.map(Self::Embedded),
        }
    }
}

/// The clock and the interrupt mask, which both families have in common. There are no addresses.
impl<S, P> Registers for Detected<S, P>
where
    S: Registers<Address = Spr, Index = Spr>,
    P: Registers<Address = Pmr, Index = Pmr, Kernel = S::Kernel>,
{
    type Address = Infallible;
    type Index = Infallible;
    type Kernel = S::Kernel;

    #[inline(always)]
    fn kernel(&self) -> S::Kernel {
        match self {
            Self::Classic(driver) => driver.registers().kernel(),
            Self::Embedded(driver) => driver.registers().kernel(),
        }
    }

    fn read(&self, at: Infallible) -> u64 {
        match at {}
    }

    fn write(&self, at: Infallible, _: u64) {
        match at {}
    }

    fn read_counter(&self, index: Infallible) -> u64 {
        match index {}
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        match self {
            Self::Classic(driver) => driver.registers().ticks(),
            Self::Embedded(driver) => driver.registers().ticks(),
        }
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        match self {
            Self::Classic(driver) => driver.registers().mask(),
            Self::Embedded(driver) => driver.registers().mask(),
        }
    }

    #[inline(always)]
    fn unmask(&self, before: Masked) {
        match self {
            Self::Classic(driver) => driver.registers().unmask(before),
            Self::Embedded(driver) => driver.registers().unmask(before),
        }
    }

    #[inline(always)]
    fn fence(&self) {
        match self {
            Self::Classic(driver) => driver.registers().fence(),
            Self::Embedded(driver) => driver.registers().fence(),
        }
    }
}
