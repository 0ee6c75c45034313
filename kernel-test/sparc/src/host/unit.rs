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

impl<T: Trigger> Unit for ultrasparc::Device<T> {
    fn read(&self, mode: Mode, at: Asr) -> Result<u64, Fault> {
        if mode == Mode::User { self.problem().try_read(at) } else { self.try_read(at) }
    }

    /// From III on an idle counter is parked on SW_count.
    fn counting(&self, mode: Mode) -> CounterSet {
        let control = ultrasparc::Pcr::from_bits_retain(self.state().control);
        let on = if mode == Mode::User { ultrasparc::Pcr::USER } else { ultrasparc::Pcr::KERNEL };
        let is_parked = |half: &Half| control.select(*half) == [0x14, 0x1c][usize::from(half.number())];
        let counting = Half::ALL.into_iter().filter(|half| control.contains(on) && !is_parked(half));
        counting.map(Half::counter).collect()
    }
}

impl<T: Trigger> Unit for niagara::Device<T> {
    fn read(&self, mode: Mode, at: Asr) -> Result<u64, Fault> {
        if mode == Mode::User { self.problem().try_read(at) } else { self.try_read(at) }
    }

    /// From T2 on an idle counter counts the instructions of no kind.
    fn counting(&self, mode: Mode) -> CounterSet {
        const NO_INSTRUCTION: u16 = 0x200;
        let control = niagara::Pcr::from_bits_retain(self.state().control);
        let on = if mode == Mode::User { niagara::Pcr::USER } else { niagara::Pcr::KERNEL };
        let is_parked = |half: &Half| control.select(*half) == NO_INSTRUCTION;
        let counting = Half::ALL.into_iter().filter(|half| control.contains(on) && !is_parked(half));
        counting.map(Half::counter).collect()
    }
}
