//! One counter, or two that count as one: read, preset, given the next period.

use super::driver::Pmuv3;
use super::reach::{WIDE, past};
use crate::arch::aarch64::{Index, SystemRegister};
use crate::backend::Period;
use crate::contract::Registers;
use crate::event::{CounterId, Remaining, Width};

impl<R> Pmuv3<R>
where
    R: Registers<Address = SystemRegister, Index = Index>,
{
    /// Both halves of a pair, of one moment.
    ///
    /// The upper one may follow the lower one's overflow late, but not beyond a synchronisation
    /// (D14.3, CHAIN), which each of these reads begins with. If it changed meanwhile, the lower one
    /// is read again.
    #[cold]
    #[inline(never)]
    pub(super) fn read_pair(&self, upper: CounterId) -> u64 {
        let read = |half| self.registers.read(SystemRegister::any_counter(half));
        let lower = lower_of(upper);
        let (before, low, after) = (read(upper), read(lower), read(upper));
        let low = if before == after { low } else { read(lower) };
        after << 32 | low & u64::from(u32::MAX)
    }

    #[inline(always)]
    pub(super) fn renew_single(&self, width: Width, counter: CounterId, period: &impl Period) -> bool {
        let mut next = Next::NotYet;
        self.registers.change_counter(SystemRegister::any_counter(counter), Index::of(counter), |raw| {
            next = begin_anew(width, raw, period);
            next.rest().map(|rest| width.start(rest))
        });
        next.is_due()
    }

    #[inline(always)]
    pub(super) fn renew_pair(&self, upper: CounterId, period: &impl Period) -> bool {
        let next = begin_anew(WIDE, self.read_pair(upper), period);
        if let Some(rest) = next.rest() {
            self.preset_pair(upper, rest);
        }
        next.is_due()
    }

    #[cold]
    #[inline(never)]
    pub(super) fn preset_pair(&self, upper: CounterId, remaining: Remaining) {
        let start = WIDE.start(remaining);
        self.registers.write(SystemRegister::any_counter(lower_of(upper)), start & u64::from(u32::MAX));
        self.registers.write(SystemRegister::any_counter(upper), start >> 32);
    }
}

/// What comes after a counter's period: [`Backend::renew`](crate::Backend::renew).
#[derive(Clone, Copy)]
enum Next {
    /// It has not ended.
    NotYet,
    /// The next one, of which so much is left.
    Begins(Remaining),
    /// Of the next one nothing is left either.
    Outrun,
}

impl Next {
    #[inline(always)]
    fn is_due(self) -> bool {
        !matches!(self, Self::NotYet)
    }

    #[inline(always)]
    fn rest(self) -> Option<Remaining> {
        if let Self::Begins(rest) = self { Some(rest) } else { None }
    }
}

/// Begins the next period of a counter that reads `raw`.
#[inline(always)]
fn begin_anew(width: Width, raw: u64, period: &impl Period) -> Next {
    let Some(past) = past(width, raw) else { return Next::NotYet };
    let length = period.length();
    if past >= length {
        period.outrun(past);
        return Next::Outrun;
    }
    period.begin(length);
    Next::Begins(Remaining::events(length.wrapping_sub(past)))
}

/// The lower half of a pair.
fn lower_of(upper: CounterId) -> CounterId {
    CounterId::new(upper.number() & !1).unwrap_or(upper)
}
