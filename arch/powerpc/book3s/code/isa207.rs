//! Event codes of POWER8, POWER9 and POWER10.
//!
//! | bits | POWER8 | POWER9 | POWER10 |
//! |---|---|---|---|
//! | 0-7 | selector | selector | selector |
//! | 8 | of marked instructions | the same | the same |
//! | 9 | - | - | radix scope |
//! | 10-11 | combine (11) | combine | combine |
//! | 12-15 | unit | unit | unit |
//! | 16-19 | counter, 0 for any of PMC1 to PMC4 | the same | the same |
//! | 20-23 | cache selector | cache selector | cache selector (20-21), SDAR mode (22-23) |
//! | 24-28 | sampling mode (24-25), eligibility (26-28) | the same | the same |
//! | 29-31 | threshold event | the same | the same |
//! | 32-39 | threshold stop (32-35), start (36-39); or what a fabric response matches | threshold | threshold |
//! | 40-49 | threshold | threshold | L2 and L3 selector (40-44), source (45-59) |
//! | 50-51 | - | SDAR mode | - |
//!
//! On POWER10 the threshold is the auxiliary value, with the mantissa in bits 0 to 7 and the exponent in 8 to 10. The
//! others have no auxiliary value. A threshold is mantissa * 4^exponent. From POWER8 on bits 0 to 6 are its mantissa
//! and 7 to 9 its exponent.
//!
//! Sources: "POWER8 Performance Monitor Unit User's Guide", "POWER9 Performance Monitor Unit User's
//! Guide" and "POWER10 Performance Monitor Unit User's Guide", sections "MMCR1", "MMCRA" and
//! "MMCR3". Their text was not available: the numbers are those of torvalds/linux arch/powerpc/perf/isa207-common.h and
//! of IBM's tests, tools/testing/selftests/powerpc/pmu, which read POWER9's and POWER10's registers; the layout
//! of the codes is that of arch/powerpc/perf/{power8,power9,power10}-pmu.c.

use super::{FIFTH, FIRST_FOUR, FOURTH, Needs, SIXTH, check_layout, named};
use crate::arch::powerpc::book3s::demand::Demand;
use crate::arch::powerpc::book3s::model::Model;
use crate::arch::powerpc::book3s::own::{Field, Own};
use crate::event::{CounterSet, Refusal, Result};

/// Instructions while CTRL\[RUN\] is set, on PMC5, which has no other event.
pub(super) const INSTRUCTIONS: u64 = 0x5_00FA;
/// Cycles while CTRL\[RUN\] is set, on PMC6, which has no other event.
pub(super) const CYCLES: u64 = 0x6_00F4;

const POWER8_LAYOUT: u64 = 0x3_FFFF_FFFF_F9FF | 0xF << 20;
const POWER9_LAYOUT: u64 = 0xF_FFFF_FFFF_FDFF;
const POWER10_LAYOUT: u64 = 0x0FFF_FFFF_FFFF_FFFF;

const MARKED: u64 = 1 << 8;

const fn layout(model: Model) -> u64 {
    match model {
        Model::Power9 => POWER9_LAYOUT,
        Model::Power10 => POWER10_LAYOUT,
        _ => POWER8_LAYOUT,
    }
}

/// An event code and its model.
#[derive(Clone, Copy)]
struct Code {
    model: Model,
    code: u64,
    auxiliary: u64,
}

pub(super) fn decode(model: Model, code: u64, auxiliary: u64) -> Result<Demand, Refusal> {
    check_layout(code, layout(model))?;
    check_auxiliary(model, auxiliary)?;
    let it = Code { model, code, auxiliary };
    match it.number() {
        5 | 6 => last_two(code, auxiliary),
        0..=4 => it.demand(),
        _ => Err(Refusal::UnknownEvent),
    }
}

/// Checks that the auxiliary value is nothing but a threshold of POWER10.
fn check_auxiliary(model: Model, auxiliary: u64) -> Result<(), Refusal> {
    let layout = if matches!(model, Model::Power10) { 0x7FF } else { 0 };
    match auxiliary & !layout {
        0 => Ok(()),
        beyond => Err(Refusal::Auxiliary(beyond)),
    }
}

/// PMC5 and PMC6 have one event each, and one bit for both that makes them count regardless of CTRL\[RUN\].
pub(super) fn last_two(code: u64, auxiliary: u64) -> Result<Demand, Refusal> {
    if auxiliary != 0 {
        return Err(Refusal::Auxiliary(auxiliary));
    }
    match code {
        INSTRUCTIONS => Ok(while_running(FIFTH)),
        CYCLES => Ok(while_running(SIXTH)),
        _ => Err(Refusal::UnknownEvent),
    }
}

/// Returns what the one event of a counter takes while CTRL\[RUN\] is set.
fn while_running(counter: CounterSet) -> Demand {
    Demand::new(counter, Own::NOTHING).with(Needs::run(false))
}

/// Returns true for cycles and instructions on any of PMC1 to PMC4, from POWER8 on, without qualifiers.
const fn is_plain(code: u64) -> bool {
    matches!(code, 0x02 | 0x1E)
}

/// Returns true for an event of the L2 or L3 cache.
const fn is_of_cache(code: u64) -> bool {
    matches!(code >> 12 & 0xF, 6..=9)
}

impl Code {
    const fn bits(&self, shift: u32, mask: u64) -> u64 {
        self.code >> shift & mask
    }

    const fn number(&self) -> u64 {
        self.bits(16, 0xF)
    }

    const fn unit(&self) -> u64 {
        self.bits(12, 0xF)
    }

    const fn is_marked(&self) -> bool {
        self.code & MARKED != 0
    }

    const fn is_of_cache(&self) -> bool {
        is_of_cache(self.code)
    }

    fn demand(&self) -> Result<Demand, Refusal> {
        let combine = if matches!(self.model, Model::Power8) { self.bits(11, 1) } else { self.bits(10, 3) };
        let source = if matches!(self.model, Model::Power10) { self.bits(45, 0x7FFF) } else { 0 };
        let own = Own::selecting(self.code).with(Field::UNIT, self.unit()).with(Field::COMBINE, combine);
        let own = own.with(Field::SOURCE, source);
        let needs = self.qualifiers()?.and(self.sampling()?).and(self.threshold()?).and(self.cache()?);
        let unbanked = if matches!(self.model, Model::Power9) { FOURTH } else { CounterSet::EMPTY };
        Ok(Demand::new(named(self.number(), FIRST_FOUR), own).with(needs).unbanked(unbanked))
    }

    /// Returns what it needs in the fields of MMCR1 that all counters share: the qualifier of reloads of the L1
    /// caches (bits 46 and 47), the radix scope (45), and what a fabric response must match (36 to 43).
    ///
    /// Events of L2 and L3 go with any qualifier, unless their code has one: then it is written for them too
    /// (torvalds/linux arch/powerpc/perf/isa207-common.c, `isa207_get_constraint` and `isa207_compute_mmcr`).
    fn qualifiers(&self) -> Result<Needs, Refusal> {
        if self.is_fabric_match() {
            return Ok(Needs::selects(0xFF << 36, self.bits(32, 0xFF) << 36));
        }
        let l1 = Needs::selects(3 << 46, self.bits(20, 3) << 46);
        match self.model {
            Model::Power8 if self.is_of_cache() && self.bits(20, 7) != 0 => {
                Err(Refusal::Impossible("its cache selector is for MMCRC, which is the hypervisor's"))
            }
            Model::Power8 => Ok(if self.bits(22, 1) != 0 && !self.is_of_cache() { l1 } else { Needs::NOTHING }),
            _ if is_plain(self.code) => Ok(Needs::NOTHING),
            _ => {
                let l1 = if self.is_of_cache() && self.bits(20, 3) == 0 { Needs::NOTHING } else { l1 };
                let has_radix = matches!(self.model, Model::Power10);
                Ok(if has_radix { l1.and(Needs::selects(1 << 45, self.bits(9, 1) << 45)) } else { l1 })
            }
        }
    }

    /// Returns true for PM_MRK_FAB_RSP_MATCH and its cycles, on POWER8. The threshold's bits are what must match.
    const fn is_fabric_match(&self) -> bool {
        matches!(self.model, Model::Power8) && matches!(self.code & 0xF_F0FE, 0x3_0056 | 0x4_F052)
    }

    /// Returns what an event of marked instructions needs in MMCRA: SAMPLE_ENABLE in bit 0, the mode in 1 and
    /// 2, the eligibility in 4 to 6. From POWER9 on SDAR_MODE, bits 42 and 43, is 0 for them, and the code's
    /// value for other events.
    fn sampling(&self) -> Result<Needs, Refusal> {
        let sample = self.bits(24, 0x1F);
        match self.sdar_mode() {
            _ if self.is_marked() => self.marking(sample),
            _ if sample != 0 => Err(Refusal::Impossible("a sampling mode is for events of marked instructions")),
            0 => Ok(Needs::NOTHING),
            mode => Ok(Needs::marks(3 << 42, mode << 42)),
        }
    }

    #[cold]
    fn marking(&self, sample: u64) -> Result<Needs, Refusal> {
        let is_later = self.model > Model::Power8;
        if is_later && is_reserved(self.model, sample) {
            return Err(Refusal::Impossible("its sampling mode is reserved"));
        }
        let no_mode = if is_later { 3 << 42 } else { 0 };
        Ok(Needs::marks(0x77 | no_mode, 1 | (sample & 3) << 1 | (sample >> 2) << 4))
    }

    const fn sdar_mode(&self) -> u64 {
        match self.model {
            Model::Power9 => self.bits(50, 3),
            Model::Power10 => self.bits(22, 3),
            _ => 0,
        }
    }

    /// Returns what an event with a threshold needs in MMCRA: stop and start in bits 8 to 15, the
    /// event in 16 to 18, the threshold from 32 on, and on POWER9 and POWER10 from 45 on.
    fn threshold(&self) -> Result<Needs, Refusal> {
        let (control, event, value) = (self.bits(32, 0xFF), self.bits(29, 7), self.threshold_value());
        if self.is_fabric_match() || control | event | value == 0 {
            return Ok(Needs::NOTHING);
        }
        self.comparing(control, event, value)
    }

    const fn threshold_value(&self) -> u64 {
        if matches!(self.model, Model::Power10) { self.auxiliary } else { self.bits(40, 0x3FF) }
    }

    /// One of the mantissa's upper two bits must be set, unless the exponent is 0.
    #[cold]
    fn comparing(&self, control: u64, event: u64, value: u64) -> Result<Needs, Refusal> {
        let (mantissa, mask, shift) = match self.model {
            Model::Power10 => (8, 0x7FF, 45),
            Model::Power9 => (7, 0x3FF, 45),
            _ => (7, 0x3FF, 32),
        };
        if value >> mantissa != 0 && value >> (mantissa - 2) & 3 == 0 {
            Err(Refusal::Impossible("its threshold has a smaller exponent: the mantissa's upper two bits are 0"))
        } else if event == 0 {
            Err(Refusal::Impossible("a threshold's start, stop or value needs its event"))
        } else if self.model > Model::Power8 && (control >> 4 == 0xF || control & 0xF == 0xF) {
            Err(Refusal::Impossible("its threshold's start or stop is reserved"))
        } else {
            Ok(Needs::marks(0x7_FF00 | mask << shift, control << 8 | event << 16 | value << shift))
        }
    }

    /// Returns what an event of the L2 and L3 caches needs. They share a bus: on POWER10 L2L3SEL, bits 3 to 7 of
    /// MMCR2, selects what is on it. On POWER9 there is a bank of four events for each selector, and PMC4's selects
    /// the bank: it is programmed even if nothing is counted with PMC4 (torvalds/linux commit 59029136d750).
    fn cache(&self) -> Result<Needs, Refusal> {
        match self.model {
            Model::Power9 if self.is_of_cache() => Ok(Needs::bank(self.code & 0xFF, self.unit())),
            Model::Power10 if self.unit() == 6 => Ok(Needs::cache(self.bits(40, 0x1F))),
            Model::Power10 if self.bits(40, 0x1F) != 0 => {
                Err(Refusal::Impossible("a selector of L2 and L3 events is for events of unit 6"))
            }
            _ => Ok(Needs::NOTHING),
        }
    }
}

/// Returns true for mode 3, and for the combinations of eligibility and mode that are not defined (MMCRA,
/// RAND_SAMP_ELIG and RAND_SAMP_MODE): POWER9 and POWER10 have one more each.
const fn is_reserved(model: Model, sample: u64) -> bool {
    let its_own = if matches!(model, Model::Power9) { 0x0C } else { 0x10 };
    sample & 3 == 3 || sample == its_own || matches!(sample, 0x05 | 0x09 | 0x0D | 0x19 | 0x1A | 0x1D | 0x1E)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_code_is_what_its_bits_say() {
        for model in [Model::Power8, Model::Power9, Model::Power10] {
            for code in [0x02, 0x1E] {
                let plain = Demand::new(FIRST_FOUR, Own::selecting(code));
                let unbanked = if model == Model::Power9 { FOURTH } else { CounterSet::EMPTY };
                assert_eq!(decode(model, code, 0), Ok(plain.unbanked(unbanked)), "{model:?}");
            }
        }
    }
}
