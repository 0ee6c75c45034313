//! What every family's device does in the same way, as macros: a device is one of [`Device`](super::Device)'s and also the
//! registers of a driver under test.

/// The functions of [`Device`](super::Device) that call a family's own: `count`, `count_on`, `events_until_overflow`,
/// `contents`, and those of [`Decode`](super::Decode).
macro_rules! counted {
    () => {
        #[inline]
        fn advance(&self, work: &$crate::virt::Work) {
            self.count(work);
        }

        fn wanted(&self) -> $crate::virt::Kinds {
            self.wanted_kinds()
        }

        fn unfed(&self) -> $crate::CounterSet {
            self.unfed_counters()
        }

        fn withheld(&self) -> $crate::CounterSet {
            self.withheld_counters()
        }

        fn set_filter(&self, filter: $crate::virt::Filter) {
            self.table().set_filter(filter);
        }

        fn selection(&self, counter: $crate::CounterId) -> Option<$crate::virt::Selection> {
            self.selection_of(counter)
        }

        fn feed(&self, counter: $crate::CounterId, mode: $crate::Mode, events: u64) {
            self.count_on(counter, mode, events);
        }

        fn until_overflow_of(&self, counter: $crate::CounterId, mode: $crate::Mode) -> Option<u64> {
            self.events_until_overflow(counter, mode)
        }

        fn state(&self) -> Self::State {
            self.contents()
        }
    };
}

/// Implements [`Registers`](crate::driver::Registers) for a device, whose time is `ticks` and whose line is `line`, and
/// [`Debug`](core::fmt::Debug).
macro_rules! driven {
    ([$($parameter:tt)*] $device:ty) => {
        /// For drivers under test. Their accesses must not fault: if one does, the driver is wrong.
        impl<$($parameter)*> $crate::driver::Registers for $device {
            type Address = <Self as $crate::virt::Device>::Address;
            type Index = <Self as $crate::virt::Device>::Index;
            type Kernel = $crate::OneCpu;

            fn kernel(&self) -> $crate::OneCpu {
                $crate::OneCpu
            }

            fn read(&self, at: Self::Address) -> u64 {
                $crate::virt::Device::try_read(self, at).unwrap_or_else(|fault| panic!("reading {at:?}: {fault}"))
            }

            fn write(&self, at: Self::Address, value: u64) {
                $crate::virt::Device::try_write(self, at, value)
                    .unwrap_or_else(|fault| panic!("writing {value:#x} to {at:?}: {fault}"));
            }

            fn read_counter(&self, index: Self::Index) -> u64 {
                $crate::virt::Device::try_read_counter(self, index)
                    .unwrap_or_else(|fault| panic!("reading {index:?}: {fault}"))
            }

            fn ticks(&self) -> u64 {
                self.ticks.get()
            }

            fn mask(&self) -> $crate::driver::Masked {
                self.line.mask()
            }

            fn unmask(&self, before: $crate::driver::Masked) {
                self.line.unmask(before);
            }
        }

        impl<$($parameter)*> core::fmt::Debug for $device {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_tuple("Device").field(&self.contents()).finish()
            }
        }
    };
}

/// Implements [`Registers`](crate::driver::Registers) for a device of records, which has no counters, no clock and no line of its
/// own. Its `try_read` and `try_write` take this address.
macro_rules! recorded {
    ([$($parameter:tt)*] $device:ty, $address:ty, $index:ty) => {
        /// For drivers under test. Their accesses must not fault: if one does, the driver is wrong.
        impl<$($parameter)*> $crate::driver::Registers for $device {
            type Address = $address;
            type Index = $index;
            type Kernel = $crate::OneCpu;

            fn kernel(&self) -> $crate::OneCpu {
                $crate::OneCpu
            }

            fn read(&self, at: $address) -> u64 {
                self.try_read(at).unwrap_or_else(|fault| panic!("reading {at:?}: {fault}"))
            }

            fn write(&self, at: $address, value: u64) {
                self.try_write(at, value).unwrap_or_else(|fault| panic!("writing {value:#x} to {at:?}: {fault}"));
            }

            fn read_counter(&self, index: $index) -> u64 {
                panic!("reading {index:?}: the records have no counters")
            }

            fn ticks(&self) -> u64 {
                0
            }

            fn mask(&self) -> $crate::driver::Masked {
                $crate::driver::Masked::from_bits(0)
            }

            fn unmask(&self, _: $crate::driver::Masked) {}
        }
    };
}

pub(crate) use {counted, driven, recorded};
