//! The unit as a kernel keeps it: in a static, claimed on its hart.

use harness::place::OneCpu;
use harness::{Fresh, LITTLE_ROOM, ROOM};
use pmu::arch::riscv::access::Hardware;
use pmu::arch::riscv::hpm::Hpm;
use pmu::{Kernel, Result};

use crate::{csr, identity};

/// The driver of the unit's own registers.
pub type Driver<K = OneCpu> = Hpm<Hardware<K>>;

/// The unit of the harness's sentences, and one with less room.
pub static SHARED: Fresh<pmu::Unit<Driver, ROOM>> = Fresh::new(pmu::Unit::new(), pmu::Unit::new());
pub static SMALL: Fresh<pmu::Unit<Driver, LITTLE_ROOM>> = Fresh::new(pmu::Unit::new(), pmu::Unit::new());

/// Finds the unit, by real instructions.
///
/// # Errors
/// Those of [`Hpm::detect`].
pub fn detect() -> Result<Driver> {
    Hpm::detect(hardware(OneCpu), csr::privilege(), &identity::present().announced())
}

/// The unit's registers.
pub fn hardware<K: Kernel>(kernel: K) -> Hardware<K> {
    // SAFETY: the kernel runs in this mode, and where that is the supervisor's the counters are delegated to it. It has one
    // driver at a time, and an interrupt handler.
    unsafe { Hardware::claim(csr::privilege(), kernel) }
}
