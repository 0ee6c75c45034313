//! The RISC-V identities, as the suite's subjects.

use pmu::arch::riscv::hpm::{Device, Hpm, Identity};
use pmu::virt::{Delivery, Strict};

use crate::Subject;
use crate::machine::{DELIVERY, Machine, Wire, observed};

/// The interrupt LCOFI is a level that nothing latches. Firmware that makes an event of it, which no mask holds back,
/// delivers each once.
fn wire() -> Wire {
    match DELIVERY.get() {
        Delivery::Maskable => Wire::that_is_sampled(),
        Delivery::Nmi => Wire::that_keeps_one(),
    }
}

macro_rules! subjects {
    ($($name:ident: $identity:expr, $room:literal $(, $periods:literal)?;)*) => { $(
        pub(crate) struct $name;

        impl Subject for $name {
            type Device = Strict<Device<&'static Wire>>;
            type Driver = Hpm<&'static Machine<Self::Device>>;

            const ROOM: usize = $room;
            $(const PERIODS: usize = $periods;)?

            fn machine() -> &'static Machine<Self::Device> {
                Machine::new(wire(), |wire| Strict(Device::new(&$identity, observed(), wire)))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                let identity = $identity;
                Hpm::detect(machine, identity.privilege(), &identity.announced()).expect("the identity has a unit")
            }
        }
    )* };
}

// minstret, which has no period, and the counters from 3 to 31.
subjects! {
    Rv64: Identity::RV64, 30, 29;
    Rv32: Identity::RV32, 30, 29;
    Rv64Delegated: Identity::RV64_DELEGATED, 30, 29;
    Rv32Delegated: Identity::RV32_DELEGATED, 30, 29;
    Rv64Plain: Identity::RV64_PLAIN, 30;
    Rv64V1_10: Identity::RV64_V1_10, 29;
}
