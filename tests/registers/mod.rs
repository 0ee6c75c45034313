//! What the registers of a test have in common with others, as functions of an `impl Registers`.

/// No clock, and no interrupts to mask.
#[allow(unused_macros, reason = "each suite uses a part of it")]
macro_rules! without_clock {
    () => {
        type Kernel = pmu::OneCpu;

        fn kernel(&self) -> pmu::OneCpu {
            pmu::OneCpu
        }

        fn ticks(&self) -> u64 {
            0
        }

        fn mask(&self) -> pmu::Masked {
            pmu::Masked::from_bits(0)
        }

        fn unmask(&self, _: pmu::Masked) {}
    };
}

/// All but its reads and writes is that of the device in `self.$device`.
#[allow(unused_macros, reason = "each suite uses a part of it")]
macro_rules! rest_of {
    ($($device:tt)+) => {
        type Kernel = pmu::OneCpu;

        fn kernel(&self) -> pmu::OneCpu {
            pmu::OneCpu
        }

        fn read_counter(&self, index: Self::Index) -> u64 {
            self.$($device)+.read_counter(index)
        }

        fn ticks(&self) -> u64 {
            self.$($device)+.ticks()
        }

        fn mask(&self) -> pmu::Masked {
            self.$($device)+.mask()
        }

        fn unmask(&self, before: pmu::Masked) {
            self.$($device)+.unmask(before);
        }
    };
}

#[allow(unused_imports, reason = "each suite uses a part of it")]
pub(crate) use {rest_of, without_clock};
