//! The unit as a guest's kernel keeps it: in a static, claimed on its one CPU.

use harness::place::OneCpu;
use pmu::Pmu;
use pmu::arch::loongarch::Register;
use pmu::arch::loongarch::access::Hardware;
use pmu::arch::loongarch::la64::Pmcfg;
use pmu::driver::Registers;

use crate::identity;

/// The driver.
pub type Driver = pmu::arch::Driver<OneCpu>;

/// A unit with room for so many samples.
pub type Unit<const SAMPLES: usize> = pmu::Unit<Driver, SAMPLES>;

/// The unit of the harness's sentences, and one with less room. As all statics they are new in each test.
pub static SHARED: Unit<{ harness::ROOM }> = Unit::new();
pub static SMALL: Unit<{ harness::LITTLE_ROOM }> = Unit::new();

/// The unit's registers.
pub fn hardware() -> Hardware<OneCpu> {
    // SAFETY: the guest's kernel has one driver at a time, and a handler for its interrupt; what it may not do by itself is
    // carried out for it.
    unsafe { Hardware::claim(OneCpu) }
}

/// The driver of the processor's unit.
pub fn detect() -> Driver {
    // SAFETY: as for `hardware`.
    unsafe { pmu::arch::detect(OneCpu) }.expect("the processor has a unit")
}

/// Claims a test's unit, of which there is no doubt.
pub fn claim<const SAMPLES: usize>(unit: &Unit<SAMPLES>) -> Pmu<'_, Driver> {
    unit.claim(detect()).expect("nobody has it yet")
}

/// Each counter's configuration, and the counter.
fn registers() -> impl Iterator<Item = (Register, Register)> {
    let counters = identity::presented().capabilities().counters;
    counters.into_iter().filter_map(|id| Register::control(id.number()).zip(Register::counter(id.number())))
}

/// What every register of the unit holds.
pub fn snapshot() -> [u64; 8] {
    let mut values = [0; 8];
    let all = registers().flat_map(|(control, counter)| [control, counter]);
    values.iter_mut().zip(all).for_each(|(value, at)| *value = hardware().read(at));
    values
}

/// Fills every register with something of somebody's. Nothing counts.
pub fn leave(value: u64) {
    let writable = Pmcfg::EVENT.union(Pmcfg::INTERRUPT).bits();
    for (number, (control, counter)) in (0..).zip(registers()) {
        hardware().write(control, (value + number) & writable);
        hardware().write(counter, (value + number) & !(1 << 63));
    }
}
