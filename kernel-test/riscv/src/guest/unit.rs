//! The unit by its registers, as a kernel keeps it: in a static, claimed on its hart.

use harness::place::OneCpu;
use harness::{Fresh, LITTLE_ROOM, ROOM};
use pmu::arch::riscv::access::Hardware;
use pmu::arch::riscv::hpm::{Capabilities, Hpm};
use pmu::{CounterId, Result, Unit};

use super::registers::{self, hardware};
use super::way::{Units, Way};
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
    const FIXED: [CounterId; 2] = [Capabilities::MCYCLE, Capabilities::MINSTRET];
    /// Where mhpmevent has OF.
    const NO_CODE: u64 = 1 << 63;

    fn units() -> Units<Driver> {
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
}
