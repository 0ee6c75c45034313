//! The core's unit, the crate's driver of it, and its interrupts.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::access::Hardware;
use pmu::arch::powerpc::book3s::{Book3s, Privilege};
use pmu::driver::Registers as _;
use pmu::{Interrupted, Pmu, Unit};

/// The driver of the core's unit.
pub type Driver = Book3s<Hardware>;

/// The unit, and room for what it samples.
pub static UNIT: Unit<Driver, 16> = Unit::new();

/// How many exceptions there were, and how many of them were not the unit's.
pub static EXCEPTIONS: AtomicU64 = AtomicU64::new(0);
/// See [`EXCEPTIONS`].
pub static STRANGERS: AtomicU64 = AtomicU64::new(0);
/// What SIAR held at the last one.
pub static SAMPLED: AtomicU64 = AtomicU64::new(0);

/// Returns the core's registers.
pub fn hardware() -> Hardware {
    // SAFETY: the kernel runs in supervisor state, alone, and its vectors are there.
    unsafe { Hardware::claim(pmu::OneCpu) }
}

/// Returns the driver as it is detected by the core's own version.
pub fn driver() -> Driver {
    let hardware = hardware();
    let privilege = Privilege::of_machine_state(hardware.machine_state());
    Book3s::detect(hardware.version(), privilege, hardware).expect("the core is known")
}

/// Claims the unit.
pub fn claim() -> Pmu<'static, Driver> {
    UNIT.claim(driver()).expect("nobody has claimed it")
}

/// The exception at F00H.
pub fn on_overflow(at: Interrupted) {
    EXCEPTIONS.fetch_add(1, Relaxed);
    SAMPLED.store(hardware().read(Spr::SIAR), Relaxed);
    if !UNIT.on_overflow(at).is_mine() {
        STRANGERS.fetch_add(1, Relaxed);
    }
}
