//! The ID registers that the guest sees: the processor's own, with the unit that the guest has (HCR_EL2.TID3).

use core::arch::naked_asm;
use core::mem;

use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::access::Hardware;
use pmu::arch::aarch64::pmuv3::Identity;
use pmu::driver::Registers;
use pmu::virt::Kinds;
use pmu::{Mode, OneCpu};

/// The unit that the guest is shown: the machine's, with the events that the host observes.
pub fn of_guest() -> Identity {
    // SAFETY: this is EL2, and only registers that identify the unit are read.
    let machine = unsafe { Hardware::claim(OneCpu) };
    Identity::of_host(|at| machine.read(at)).expect("the machine has a unit").for_guest().fed_by(Kinds::CLOCK)
}

/// Fields of what the host does not let the guest use, by register and bit: SVE, memory tags (MTE), SME.
const HIDDEN: [(u16, u32); 3] = [(FIRST + 24, 32), (FIRST + 25, 8), (FIRST + 25, 24)];
/// The first register that is trapped, and how many there are: op0 3, op1 0, CRn 0, and CRm 1 to 7 (DDI 0487, HCR_EL2.TID3).
const FIRST: u16 = 0b11 << 14 | 1 << 3;
const COUNT: u16 = 7 * 8;

/// Returns what the guest finds in one of the registers that are trapped, by its number among the system registers.
pub fn read(identity: &Identity, number: u16, mode: Mode) -> Option<u64> {
    let native = native(number)?;
    let merged = SystemRegister::from_number(number).and_then(|at| identity.merged(at, native, mode));
    let hidden = HIDDEN.iter().filter(|&&(at, _)| at == number).fold(0, |hidden, &(_, at)| hidden | 0xf << at);
    Some(merged.unwrap_or(native) & !hidden)
}

/// Returns what the processor has there.
fn native(number: u16) -> Option<u64> {
    /// The bytes of a function.
    const SIZE: usize = 8;
    let place = usize::from(number.checked_sub(FIRST).filter(|&place| place < COUNT)?);
    let at = functions as *const () as usize + place * SIZE;
    // SAFETY: at each of these places a function begins that reads a register and changes nothing.
    let read = unsafe { mem::transmute::<usize, extern "C" fn() -> u64>(at) };
    Some(read())
}

/// A function for each register.
#[unsafe(naked)]
extern "C" fn functions() {
    naked_asm!(
        ".irp row, 1, 2, 3, 4, 5, 6, 7",
        ".irp column, 0, 1, 2, 3, 4, 5, 6, 7",
        "mrs x0, s3_0_c0_c\\row\\()_\\column",
        "ret",
        ".endr",
        ".endr",
    )
}
