//! Which CPU has claimed the unit, and whether operations may begin.

use crate::event::{CpuId, Error};
use crate::sync::atomic::AtomicUsize;
use crate::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

/// The CPU that has claimed the unit, and which claim it is, in one word. 0 while the unit is not claimed.
pub(crate) struct Home(AtomicUsize);

/// One claim of a unit by a CPU: the word's value while the unit is claimed and awake. No later claim has it, until the
/// numbers repeat after 2^31 claims, or 2^15 where pointers have 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Claim(usize);

/// The unit is suspended, or is about to be claimed or released: the interrupt leaves it alone.
const SUSPENDED: usize = 1 << (usize::BITS - 1);
/// The bits for the number of the CPU plus 1; the bits above it are the number of the claim.
const CPU_BITS: u32 = usize::BITS / 2;
const CPU: usize = (1 << CPU_BITS) - 1;

/// The word's field for a CPU; 0, which no claimed unit has, if it does not fit.
const fn field(cpu: CpuId) -> usize {
    let field = (cpu.0 as usize).wrapping_add(1);
    if field > CPU { 0 } else { field }
}

/// Returns true if a unit with this word is claimed, and not suspended: its top bit.
#[inline(always)]
const fn is_awake(word: usize) -> bool {
    word.cast_signed() > 0
}

impl Claim {
    /// Returns true if the claim is this CPU's.
    #[inline(always)]
    pub(crate) const fn is_of(self, cpu: CpuId) -> bool {
        self.cpu().0 == cpu.0
    }

    #[inline(always)]
    pub(crate) const fn cpu(self) -> CpuId {
        CpuId((self.0 & CPU).wrapping_sub(1) as u32)
    }
}

impl Home {
    pub(crate) const fn unclaimed() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// The largest number that a CPU can have.
    pub(crate) const LARGEST: CpuId = CpuId((CPU - 1) as u32);

    /// Reserves the unit for a claim by this CPU. The interrupt leaves it alone until [`Home::resume`]. Fails if it is
    /// claimed.
    pub(crate) fn begin(&self, cpu: CpuId, number: u64) -> Result<Claim, Error> {
        let claim = Claim((number as usize) << CPU_BITS & !SUSPENDED | field(cpu));
        match self.0.compare_exchange(0, claim.0 | SUSPENDED, AcqRel, Relaxed) {
            Ok(_) => Ok(claim),
            Err(now) => Err(Error::AlreadyClaimed { owner: Claim(now & !SUSPENDED).cpu() }),
        }
    }

    /// From now on operations can begin, and the interrupt finds the unit.
    pub(crate) fn resume(&self, claim: Claim) {
        self.0.store(claim.0, Release);
    }

    /// From now on no operation begins, and the interrupt leaves the unit alone.
    pub(crate) fn suspend(&self, claim: Claim) {
        self.0.store(claim.0 | SUSPENDED, Release);
    }

    pub(crate) fn unclaim(&self) {
        self.0.store(0, Release);
    }

    /// Returns the claim of this CPU, if the unit is awake.
    #[inline(always)]
    pub(crate) fn awake_on(&self, cpu: CpuId) -> Option<Claim> {
        let now = self.0.load(Acquire);
        (is_awake(now) && Claim(now).is_of(cpu)).then_some(Claim(now))
    }

    /// Returns true if this claim still holds, and the unit is awake.
    #[inline(always)]
    pub(crate) fn is_awake_under(&self, claim: Claim) -> bool {
        self.0.load(Acquire) == claim.0
    }

    /// Returns the claim, if the unit is suspended.
    pub(crate) fn suspended(&self) -> Option<Claim> {
        let now = self.0.load(Acquire);
        (now & SUSPENDED != 0).then_some(Claim(now & !SUSPENDED))
    }

    /// Returns the claim of this CPU, suspended or not.
    pub(crate) fn held_by(&self, cpu: CpuId) -> Option<Claim> {
        let claim = Claim(self.0.load(Acquire) & !SUSPENDED);
        (claim.0 != 0 && claim.is_of(cpu)).then_some(claim)
    }

    /// Returns true if the unit is claimed and awake, on whichever CPU.
    #[inline(always)]
    pub(crate) fn is_awake(&self) -> bool {
        is_awake(self.0.load(Acquire))
    }

    /// Returns true if this claim still holds, suspended or not.
    pub(crate) fn is(&self, claim: Claim) -> bool {
        self.0.load(Acquire) & !SUSPENDED == claim.0
    }

    /// Says why no operation can begin on this CPU.
    pub(crate) fn refusal(&self, here: CpuId) -> Error {
        match self.0.load(Acquire) {
            0 => Error::NotClaimed,
            now if !Claim(now & !SUSPENDED).is_of(here) => {
                Error::WrongCpu { owner: Claim(now & !SUSPENDED).cpu(), here }
            }
            _ => Error::Suspended,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: CpuId = CpuId(3);

    fn claimed() -> (Home, Claim) {
        let home = Home::unclaimed();
        let claim = home.begin(HOME, 1).unwrap();
        home.resume(claim);
        (home, claim)
    }

    #[test]
    fn an_operation_begins_on_the_units_own_cpu_only() {
        let (home, claim) = claimed();
        assert_eq!((home.awake_on(HOME), home.awake_on(CpuId(4))), (Some(claim), None));
        assert_eq!(home.refusal(CpuId(4)), Error::WrongCpu { owner: HOME, here: CpuId(4) });
    }

    #[test]
    fn no_operation_begins_where_nothing_is_claimed() {
        let home = Home::unclaimed();
        assert!([0, 3, u32::MAX - 1, u32::MAX].map(CpuId).iter().all(|cpu| home.awake_on(*cpu).is_none()));
        assert_eq!(home.refusal(HOME), Error::NotClaimed);
    }

    #[test]
    fn no_operation_begins_while_the_unit_is_suspended() {
        let (home, claim) = claimed();
        home.suspend(claim);
        assert_eq!((home.awake_on(HOME), home.suspended(), home.is(claim)), (None, Some(claim), true));
        assert_eq!(home.refusal(HOME), Error::Suspended);
    }

    #[test]
    fn a_claim_that_has_begun_keeps_others_out_and_is_not_awake() {
        let home = Home::unclaimed();
        let claim = home.begin(HOME, 1).unwrap();
        assert_eq!(home.begin(CpuId(5), 2).err(), Some(Error::AlreadyClaimed { owner: HOME }));
        assert_eq!((home.is_awake(), home.awake_on(HOME), home.suspended()), (false, None, Some(claim)));
    }

    #[test]
    fn a_unit_is_claimed_once_and_a_later_claim_is_another() {
        let (home, first) = claimed();
        assert_eq!(home.begin(CpuId(5), 2).err(), Some(Error::AlreadyClaimed { owner: HOME }));
        home.suspend(first);
        assert_eq!(home.begin(CpuId(5), 2).err(), Some(Error::AlreadyClaimed { owner: HOME }));
        home.unclaim();
        assert!(home.begin(HOME, 2).is_ok_and(|second| second != first && !home.is(first)));
    }

    #[test]
    fn the_word_has_room_for_the_largest_number_and_not_for_the_next() {
        let CpuId(largest) = Home::LARGEST;
        assert_eq!(largest, if usize::BITS > u32::BITS { u32::MAX - 1 } else { 0xFFFE });
        assert_eq!([largest, largest + 1].map(|number| field(CpuId(number)) == 0), [false, true]);
    }
}
