//! The firmware that the guest sees: the calls of the SBI ("RISC-V Supervisor Binary Interface Specification", version 2.0).

use pmu::arch::riscv::hpm::sbi::{Host, SbiError};
use pmu::virt::Unconnected;

use crate::interrupts;
use crate::memory::OfGuest;

/// Extensions.
const BASE: u64 = 0x10;
const IPI: u64 = 0x73_5049;
const FENCES: u64 = 0x5246_4e43;
const RESET: u64 = 0x5352_5354;
pub const PMU: u64 = 0x50_4d55;

/// The version, and a number that no implementation has.
const VERSION: u64 = 2 << 24;
const IMPLEMENTATION: u64 = 0xffff;

/// The unit's calls that give a counter an event, start counters, and stop them. The host makes them as well: see `clock`.
pub const CONFIGURE: u64 = 2;
pub const START: u64 = 3;
pub const STOP: u64 = 4;

/// The base that Linux passes for 0 where it starts counters again after an overflow: 64 times the number of the bit behind the
/// last, in place of 64 times the number of the word (drivers/perf/riscv_pmu_sbi.c, `pmu_sbi_start_ovf_ctrs_snapshot`, in 6.12).
/// No counter has this number, so the call would be refused, and nothing would be sampled twice.
const BASE_BY_MISTAKE: u64 = 64 * 64;

/// What becomes of a call.
pub enum Answer {
    /// The guest goes on with this.
    Returns(Result<u64, SbiError>),
    /// The machine ends.
    Ends { went_well: bool },
}

/// Answers a call by its extension, its function and its arguments.
pub fn answer(unit: &Host<Unconnected>, extension: u64, function: u64, mut arguments: [u64; 6]) -> Answer {
    let [first, second, ..] = arguments;
    Answer::Returns(match (extension, function) {
        (BASE, 0) => Ok(VERSION),
        (BASE, 1) => Ok(IMPLEMENTATION),
        (BASE, 2) => Ok(0),
        (BASE, 3) if matches!(first, BASE | IPI | FENCES | RESET) => Ok(1),
        (IPI, 0) => send(first, second),
        (FENCES, 0..=2) => fence(),
        (RESET, 0) => return Answer::Ends { went_well: first == 0 },
        (PMU, START) if first == BASE_BY_MISTAKE => {
            arguments[0] = 0;
            unit.call(extension, function, arguments, &OfGuest)
        }
        _ => unit.call(extension, function, arguments, &OfGuest),
    })
}

/// Stops the counters that count from a processor's boot on. Linux believes that none does.
pub fn stop_all(unit: &Host<Unconnected>) {
    const CYCLE_AND_INSTRET: u64 = 0b101;
    unit.call(PMU, STOP, [0, CYCLE_AND_INSTRET, 0, 0, 0, 0], &OfGuest).expect("they are there, and count");
}

/// To these harts, of which there is one.
fn send(mask: u64, base: u64) -> Result<u64, SbiError> {
    const ALL: u64 = u64::MAX;
    match (mask, base) {
        (1, 0) | (_, ALL) => {
            interrupts::send();
            Ok(0)
        }
        (0, _) => Ok(0),
        _ => Err(SbiError::InvalidParameter),
    }
}

/// On whichever hart: there is one.
fn fence() -> Result<u64, SbiError> {
    // `hfence.vvma`, by its number: the compiler's target does not have it.
    // SAFETY: it only orders accesses.
    unsafe { core::arch::asm!("fence.i", ".insn r 0x73, 0, 0x11, x0, x0, x0", options(nostack)) };
    Ok(0)
}
