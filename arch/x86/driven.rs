//! How a driver under test reaches a device: it never faults, and one that does hears of it.

/// Makes a family's `Device<T>` a set of [`crate::Registers`], in which a fault is a mistake of
/// the driver and a panic; it keeps its time in `ticks`.
macro_rules! driven {
    ($device:ident) => {
        /// For drivers under test, whose accesses never fault: one that does is a mistake of the driver.
        impl<T: Trigger> Registers for $device<T> {
            type Address = Msr;
            type Index = Index;

            fn read(&self, at: Msr) -> u64 {
                virt::Device::try_read(self, at).unwrap_or_else(|fault| panic!("reading {at:?}: {fault}"))
            }

            fn write(&self, at: Msr, value: u64) {
                virt::Device::try_write(self, at, value)
                    .unwrap_or_else(|fault| panic!("writing {value:#x} to {at:?}: {fault}"));
            }

            fn read_counter(&self, index: Index) -> u64 {
                virt::Device::try_read_counter(self, index)
                    .unwrap_or_else(|fault| panic!("reading counter {index:?}: {fault}"))
            }

            fn ticks(&self) -> u64 {
                self.ticks.get()
            }
        }

        impl<T: Trigger> fmt::Debug for $device<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple("Device").field(&virt::Device::state(self)).finish()
            }
        }
    };
}

pub(super) use driven;
