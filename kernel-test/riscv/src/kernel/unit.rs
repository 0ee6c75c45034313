//! The unit by its registers, as a kernel keeps it: in a static, claimed on its hart.

use harness::place::OneCpu;
use harness::{Fresh, LITTLE_ROOM, ROOM};
use pmu::arch::riscv::access::Hardware;
use pmu::arch::riscv::hpm::{CYCLES, Hpm, INSTRUCTIONS, LEAST_IN_KERNEL, LEAST_OF_OTHERS_IN_KERNEL};
use pmu::{Event, Flag, Refusal, Request, Result, Unit};

use super::registers::{self, hardware};
use super::way::Way;
use crate::identity::has_host;
use crate::{csr, identity};

/// The driver of the unit's own registers.
pub type Driver<K = OneCpu> = Hpm<Hardware<K>>;

/// This way.
#[derive(Debug)]
pub struct Own;

static SHARED: Fresh<Unit<Driver, ROOM>> = Fresh::new(Unit::new(), Unit::new());
static SMALL: Fresh<Unit<Driver, LITTLE_ROOM>> = Fresh::new(Unit::new(), Unit::new());

impl Way for Own {
    type Driver = Driver;
    const VARIES: u64 = 0;

    fn units() -> (&'static Fresh<Unit<Driver, ROOM>>, &'static Fresh<Unit<Driver, LITTLE_ROOM>>) {
        (&SHARED, &SMALL)
    }

    fn detect() -> Result<Driver> {
        Hpm::detect(hardware(OneCpu), csr::privilege(), &identity::present().announced())
    }

    fn reset() {
        registers::reset();
    }

    fn fingerprint() -> u64 {
        registers::fingerprint()
    }

    fn leave(readable: u32) {
        registers::leave(readable);
    }

    #[inline(always)]
    fn clock() -> u64 {
        registers::cycles()
    }

    fn without_interrupts(body: impl FnOnce()) {
        csr::keep_out();
        body();
        csr::let_in();
    }

    fn raise_interrupt() {
        registers::raise();
    }

    fn each_impossible(mut tell: impl FnMut(Request, Refusal)) {
        const REQUEST: Request = Request::new(Event::INSTRUCTIONS);
        /// Where mhpmevent has OF.
        const NO_CODE: u64 = 1 << 63;
        /// The SBI's index of cache references.
        const NOT_OF_QEMU: u64 = 3;
        let short = |least| Refusal::PeriodTooShort { least };
        tell(REQUEST.every(LEAST_IN_KERNEL - 1), short(LEAST_IN_KERNEL));
        tell(Request::new(Event::CYCLES).every(LEAST_IN_KERNEL), short(LEAST_OF_OTHERS_IN_KERNEL));
        tell(REQUEST.pinned_to(CYCLES), Refusal::CounterCannot(CYCLES));
        tell(REQUEST.every(100_000).pinned_to(INSTRUCTIONS), Refusal::CounterCannot(INSTRUCTIONS));
        tell(REQUEST.flag(Flag::AnyThread), Refusal::Flag(Flag::AnyThread));
        if !has_host() {
            tell(Request::new(Event::raw(NOT_OF_QEMU)), Refusal::UnknownEvent);
        }
        tell(Request::new(Event::raw(NO_CODE | 2)), Refusal::ReservedBits(NO_CODE));
        tell(Request::new(Event::raw_with(2, 1 << 57)), Refusal::Auxiliary(1 << 57));
    }
}
