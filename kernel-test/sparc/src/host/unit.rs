//! What the machine asks of a family's unit: to be a [`Device`] whose registers are %pcr and %pic, and to say which counters
//! are on.

use pmu::arch::sparc::{Asr, Half, niagara, ultrasparc};
use pmu::virt::{Device, Fault, Trigger};
use pmu::{CounterSet, Mode};

/// A unit in software, behind RD and WR.
pub trait Unit: Device<Address = Asr> {
    /// A register is read in this mode.
    fn read(&self, mode: Mode, at: Asr) -> Result<u64, Fault>;

    /// The counters that are on in this mode, by what stands in the registers.
    fn counting(&self, mode: Mode) -> CounterSet;
}

/// Makes a family's device a [`Unit`], one of whose halves is parked while it selects this.
macro_rules! unit {
    ($family:ident, $parked:expr) => {
        impl<T: Trigger> Unit for $family::Device<T> {
            fn read(&self, mode: Mode, at: Asr) -> Result<u64, Fault> {
                self.read_from(mode, at)
            }

            fn counting(&self, mode: Mode) -> CounterSet {
                let control = $family::Pcr::from_bits_retain(self.state().control);
                let on = if mode == Mode::User { $family::Pcr::USER } else { $family::Pcr::KERNEL };
                let counts = |half: &Half| control.contains(on) && control.select(*half) != $parked(*half);
                Half::ALL.into_iter().filter(counts).map(Half::counter).collect()
            }
        }
    };
}

// From III on an idle counter is parked on SW_count, and from T2 on it counts the instructions of no kind.
unit!(ultrasparc, |half| if half == Half::Pic0 { 0x14 } else { 0x1c });
unit!(niagara, |_| 0x200);
