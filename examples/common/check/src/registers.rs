//! What registers answer to the reserved and the doubtful. Only what no manual lets fault is asked.

use core::fmt::Write;

use pmu::arch::aarch64::{SystemRegister, SystemRegisters};
use pmu::arch::x86::{Msr, Msrs, Window};
use pmu::driver::{Driver, Registers};
use pmu::{Event, Unit};

use crate::{Stopped, yes};

/// Asks PMUv3. The cycle counter's bit is 31 (DDI 0487, "PMCNTENSET_EL0").
///
/// # Errors
/// Those of the unit, and of `out`.
pub fn of_arm<D, const N: usize>(unit: &Unit<D, N>, out: &mut impl Write) -> Result<(), Stopped>
where
    D: Driver<Registers: SystemRegisters>,
{
    let pmu = unit.here()?;
    let (registers, description) = (pmu.driver().registers(), pmu.description());
    let announced = description.general.or(description.fixed).or(description.used_by_others).bits();
    let before = registers.enter();
    registers.write(SystemRegister::ENABLE_SET, u64::MAX);
    let enabled = registers.read(SystemRegister::ENABLE_SET);
    registers.write(SystemRegister::ENABLE_CLEAR, u64::MAX);
    registers.leave(before);
    writeln!(out, "counters enabled that are not announced: {:#x}", enabled & !announced)?;
    writeln!(out, "counters announced that are not enabled: {:#x}", announced & !enabled)?;
    for (name, at) in [
        ("MIDR_EL1", SystemRegister::PROCESSOR),
        ("ID_AA64DFR0_EL1", SystemRegister::DEBUG_FEATURES_0),
        ("CurrentEL", SystemRegister::LEVEL),
        ("PMCR_EL0", SystemRegister::CONTROL),
        ("PMCEID0_EL0", SystemRegister::EVENTS_0),
        ("PMCEID1_EL0", SystemRegister::EVENTS_1),
    ] {
        writeln!(out, "{name}: {:#x}", registers.read(at))?;
    }
    let ([increments], ()) = pmu.count([Event::raw(0)], || {
        (0..1000).for_each(|_| registers.write(SystemRegister::SOFTWARE_INCREMENT, u64::MAX));
    })?;
    writeln!(out, "software increments of 1000: {increments}")?;
    Ok(())
}

/// Asks Intel's architectural unit. Nothing else is asked of other x86 units: what they do not announce may fault.
///
/// # Errors
/// Those of the unit, and of `out`.
pub fn of_x86<D, const N: usize>(unit: &Unit<D, N>, out: &mut impl Write) -> Result<(), Stopped>
where
    D: Driver<Registers: Msrs>,
{
    let pmu = unit.here()?;
    let (registers, description) = (pmu.driver().registers(), pmu.description());
    if !description.name.starts_with("Intel") {
        return Ok(());
    }
    // Not if somebody else uses the counter: a narrow write cannot restore its upper half.
    let is_ours = description.general.bits() & 1 != 0;
    if let Some(counter) = Msr::counter(Window::Narrow, 0).filter(|_| is_ours) {
        let masked = registers.enter();
        let before = registers.read(counter);
        registers.write(counter, 1 << 31);
        let kept = registers.read(counter);
        registers.write(counter, before);
        registers.leave(masked);
        let extended = u64::MAX << 31 & description.general_width.mask();
        writeln!(out, "a write of 80000000H to IA32_PMC0 is extended by its sign: {}", yes(kept == extended))?;
    }
    if description.version >= 4 {
        writeln!(out, "IA32_PERF_GLOBAL_INUSE: {:#x}", registers.read(Msr::GLOBAL_IN_USE))?;
    }
    Ok(())
}
