//! The RISC-V identities, as the suite's subjects.

use pmu::arch::riscv::hpm::sbi::{Host, Line, NoMemory, Sbi};
use pmu::arch::riscv::hpm::{Device, Hpm, Identity, Privilege};
use pmu::virt::{Delivery, Strict, Trigger};

use crate::Processor;
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

        impl Processor for $name {
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

// minstret, which has no period, and the counters from 3 to 31; of Ibex minstret alone counts instructions.
subjects! {
    Rv64: Identity::RV64, 30, 29;
    Rv32: Identity::RV32, 30, 29;
    Rv64Delegated: Identity::RV64_DELEGATED, 30, 29;
    Rv32Delegated: Identity::RV32_DELEGATED, 30, 29;
    Rv64Plain: Identity::RV64_PLAIN, 30;
    Rv32Plain: Identity::RV32_PLAIN, 30;
    Rv64V1_10: Identity::RV64_V1_10, 29;
    Cv32e40p: Identity::CV32E40P, 5;
    Ibex: Identity::IBEX, 1;
}

macro_rules! subjects_of_level {
    ($($name:ident: $identity:expr, $room:literal;)*) => { $(
        /// A manufacturer's own interrupt is a level that lasts as long as a counter's bit. It is always maskable, so that
        /// none comes between the accounting for an overflow and the clearing of its bit. minstret interrupts too.
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Strict<Device<&'static Wire>>;
            type Driver = Hpm<&'static Machine<Self::Device>>;

            const ROOM: usize = $room;
            const HALTS: bool = true;
            const LATCHES: bool = false;

            fn machine() -> &'static Machine<Self::Device> {
                DELIVERY.set(Delivery::Maskable);
                Machine::new(Wire::that_is_sampled(), |wire| Strict(Device::new(&$identity, observed(), wire)))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                Hpm::detect(machine, Privilege::Machine, &$identity.announced()).expect("the identity has a unit")
            }
        }
    )* };
}

// Of a C906 minstret alone counts instructions, and of an AX45 the counters from 3 to 6 do besides.
subjects_of_level! {
    C906: Identity::C906, 1;
    Ax45: Identity::AX45, 5;
}

/// Stops cycle and instret, which count from the boot on until a request takes them. They keep what they were configured with,
/// so that a release leaves them what they had now.
fn with_stopped_clocks<T: Trigger>(host: Host<T>) -> Host<T> {
    for (counter, event) in [(0b001, 1), (0b100, 2)] {
        host.call(0x50_4D55, 2, [0, counter, 0, event, 0, 0], &NoMemory).expect("they are there");
    }
    host
}

macro_rules! subjects_by_firmware {
    ($($name:ident: $identity:expr, $wire:expr, $latches:literal, $room:literal $(, $periods:literal)?;)*) => { $(
        /// A supervisor whose unit is the firmware's.
        pub(crate) struct $name;

        impl Processor for $name {
            type Device = Strict<Host<&'static Wire>>;
            type Driver = Sbi<&'static Machine<Self::Device>>;

            const ROOM: usize = $room;
            $(const PERIODS: usize = $periods;)?
            const LATCHES: bool = $latches;
            /// cycle and instret are started by a call each.
            const RESTORES_AT_ONCE: bool = false;

            fn machine() -> &'static Machine<Self::Device> {
                Machine::new($wire, |wire| Strict(with_stopped_clocks(Host::new(&$identity, observed(), wire))))
            }

            fn driver(machine: &'static Machine<Self::Device>) -> Self::Driver {
                Sbi::detect(machine, &$identity.announced(), Line::Local, &[]).expect("the firmware has a unit")
            }
        }
    )* };
}

/// Counters 0 and 2 to 11: few, so that the firmware is asked little.
const FEW: u32 = 0xFFD;

// instret, which has no period, and the counters from 3 to 11.
subjects_by_firmware! {
    Rv64Firmware: Identity::RV64.with_counters(FEW), wire(), true, 10, 9;
    Rv32Firmware: Identity::RV32.with_counters(FEW), wire(), true, 10, 9;
}

// Of a C906 instret alone, and of an AX45 the counters from 3 to 6 besides. Andes' bit in slip may stay until it is cleared.
subjects_by_firmware! {
    C906Firmware: Identity::C906, Wire::that_is_sampled(), false, 1;
    Ax45Firmware: Identity::AX45, Wire::that_keeps_one(), true, 5;
}
