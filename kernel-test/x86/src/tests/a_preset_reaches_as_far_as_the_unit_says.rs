//! A counter waits for as many events as a write can preset: 32 bits, sign-extended, on general counters, and
//! all bits where the processor has full-width writes, the counter is fixed, or it is AMD's. The counter then
//! stands that far before its end. A longer period takes several such parts.

use pmu::arch::x86::intel::PerfCapabilities;
use pmu::arch::x86::{Index, Window};
use pmu::driver::Registers;
use pmu::{CounterId, Pmu, Request};

use super::clocked;
use crate::guest::unit::{self, Driver, Modern, Unit};

static UNIT: Unit<0> = Unit::new();

/// Bit 31 is the sign of a narrow write.
const NARROW: u64 = 1 << 31;

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let unit = pmu.description();
    let general = match has_full_writes(&pmu) {
        true => unit.general_width.longest(),
        false => NARROW,
    };
    for counter in clocked::counters(&unit) {
        let is_fixed = unit.fixed.contains(counter);
        let longest = if is_fixed { unit.fixed_width.longest() } else { general };
        let mask = if is_fixed { unit.fixed_width.mask() } else { unit.general_width.mask() };
        for period in [clocked::least(), clocked::least() + 1, 0x7fff_ffff, NARROW, longest - 1, longest] {
            assert_eq!(preset(&pmu, counter, period), period.wrapping_neg() & mask, "{counter}: {period}");
        }
        assert_eq!(
            preset(&pmu, counter, longest + 2),
            (longest / 2 + 1).wrapping_neg() & mask,
            "{counter}: in two parts"
        );
    }
}

fn has_full_writes(pmu: &Pmu<'static, Driver>) -> bool {
    let driver = match unit::modern(pmu.driver()) {
        Some(Modern::Intel(driver)) => driver,
        Some(_) => return true,
        None => return clocked::is_netburst(),
    };
    let capabilities = driver.capabilities();
    let announced = capabilities.perf_capabilities.is_some_and(|has| has.contains(PerfCapabilities::FULL_WRITE));
    assert_eq!(capabilities.window() == Window::Full, announced);
    announced
}

fn once_after(counter: CounterId, period: u64) -> Request {
    clocked::request(counter).once_after(period)
}

/// What the counter holds once the period is set up.
fn preset(pmu: &Pmu<'static, Driver>, counter: CounterId, period: u64) -> u64 {
    let session = pmu.open([once_after(counter, period)]).expect("the period is possible");
    let raw = unit::hardware().read_counter(Index::of(counter));
    drop(session);
    raw
}
