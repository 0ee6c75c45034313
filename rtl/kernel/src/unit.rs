//! The core, and the crate's driver of its unit.

use pmu::arch::riscv::access::Hardware;
use pmu::arch::riscv::hpm::{Announced, Hpm, Identity, Model, Privilege};
use pmu::driver::Registers;
use pmu::{CpuId, Kernel, Pmu, Unit};

/// What the kernel lends to the crate. The cores have no clock (`time`).
#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl Kernel for Mine {
    fn cpu(&self) -> CpuId {
        CpuId(0)
    }

    fn clock<R: Registers + ?Sized>(&self, _: &R) -> u64 {
        0
    }
}

/// The driver of the core's unit.
pub type Driver = Hpm<Hardware<Mine>>;

static UNIT: Unit<Driver, 1> = Unit::new();

/// A core that the bench can be built with.
pub struct Core {
    /// What the crate knows of it.
    pub identity: Identity,
}

impl Core {
    /// The cores whose registers have been built as the identities say.
    const ALL: [Identity; 2] = [Identity::CV32E40P, Identity::IBEX];

    /// Returns the core that runs this, by what it says of itself.
    pub fn present() -> Self {
        let identity = Self::ALL.into_iter().find(|known| {
            let announced = Announced::new(known.capabilities().extensions);
            Hpm::detect(registers(), Privilege::Machine, &announced)
                .is_ok_and(|hpm| model(&hpm) == known.capabilities().model)
        });
        Self { identity: identity.expect("the core is none that is known") }
    }

    /// Returns the driver as it is detected by the core's registers, of which nothing is announced but its extensions.
    pub fn driver(&self) -> Driver {
        let announced = Announced::new(self.identity.capabilities().extensions);
        Hpm::detect(registers(), Privilege::Machine, &announced).expect("it has counters")
    }

    /// Claims the unit, and releases it after this.
    pub fn with_unit(&self, what: impl FnOnce(Pmu<'static, Driver>)) {
        let pmu = UNIT.claim(self.driver()).expect("nobody has claimed it");
        what(pmu);
        pmu.release().expect("nothing is open");
    }
}

/// Returns the core's registers.
pub fn registers() -> Hardware<Mine> {
    // SAFETY: the kernel runs in machine mode, on a core that has the registers of the privileged architecture's unit; one user of
    // the unit follows the other, and nothing interrupts.
    unsafe { Hardware::claim(Privilege::Machine, Mine) }
}

fn model(driver: &Driver) -> Model {
    driver.capabilities().model
}
