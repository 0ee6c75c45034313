//! Which mode the guest's instructions are of.
//!
//! The clock tells how many instructions have retired, and not in which ring. So the guest is left wherever it goes from
//! one to the other. Out of ring 3 lead physical interrupts, exceptions, `int` and `syscall`, into it `iret` and `sysret`.
//! SVM has no intercept for `syscall` and `sysret`. They raise #UD while EFER.SCE is 0, which the guest does not see, and
//! the host carries them out.
//!
//! Until the guest has been in ring 3 nobody needs to know, unless a counter runs, and it executes `iret` by itself: Linux
//! does so tens of thousands of times while it starts.
//!
//! On hardware none of this is needed: one counter of the host's unit counts ring 3, and one ring 0.

use metal::vmcb::{Intercepts, SYSTEM_CALLS, Save, Segment, Vmcb};
use pmu::Mode;
use pmu::branches::BranchKind;
use x86::msr::{IA32_FMASK, IA32_LSTAR, IA32_STAR, rdmsr};

use crate::memory;
use crate::world::Registers;

/// Bits of RFLAGS: the one that is always set, and RF.
const ALWAYS: u64 = 1 << 1;
const RESUME: u64 = 1 << 16;
/// The bits that SYSRET takes from R11 (APM volume 3, "SYSRET").
const RETURNED: u64 = 0x003c_7fd7;

/// R11 among R8 to R15.
const R11: usize = 3;

/// The vector of an invalid opcode.
pub const INVALID_OPCODE: u8 = 6;

const ALWAYS_LEAVES: Intercepts = Intercepts::NMI
    .union(Intercepts::RDPMC)
    .union(Intercepts::CPUID)
    .union(Intercepts::PAUSE)
    .union(Intercepts::HLT)
    .union(Intercepts::MSR)
    .union(Intercepts::SHUTDOWN);

/// Where the guest leaves, beside where it always does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watch {
    /// Nowhere.
    Nothing,
    /// Wherever this mode ends.
    EndOf(Mode),
    /// Before anything is delivered to it.
    Deliveries,
}

/// Has the guest leave there.
pub fn watch(vmcb: &mut Vmcb, watch: Watch) {
    let control = &mut vmcb.control;
    let (intercepts, exceptions) = match watch {
        Watch::Nothing => (Intercepts::empty(), 1 << INVALID_OPCODE),
        Watch::EndOf(Mode::User) => (Intercepts::INTERRUPT | Intercepts::SOFTWARE_INTERRUPT, u32::MAX),
        Watch::EndOf(_) => (Intercepts::IRET, 1 << INVALID_OPCODE),
        Watch::Deliveries => (Intercepts::INTERRUPT | Intercepts::SOFTWARE_INTERRUPT | Intercepts::IRET, u32::MAX),
    };
    (control.intercepts, control.exceptions) = (ALWAYS_LEAVES | intercepts, exceptions);
}

/// Carries out the `syscall` or `sysret` that has raised #UD. Returns `None` if it was another instruction, or if the
/// guest has not enabled the two.
pub fn cross(save: &mut Save, registers: &mut Registers, efer: u64) -> Option<BranchKind> {
    let bytes = [0, 1, 2].map(|offset| memory::read_byte(save.cr3, save.rip + offset));
    match (bytes, save.ring) {
        _ if efer & SYSTEM_CALLS == 0 => None,
        ([Some(0x0f), Some(0x05), _], _) => {
            enter_kernel(save, registers);
            Some(BranchKind::Exception)
        }
        ([Some(0x48), Some(0x0f), Some(0x07)], 0) => {
            return_to_user(save, registers);
            Some(BranchKind::TrapReturn)
        }
        _ => None,
    }
}

/// `syscall` in 64-bit mode (APM volume 3, "SYSCALL").
fn enter_kernel(save: &mut Save, registers: &mut Registers) {
    // SAFETY: the guest has the real registers, and reading them changes nothing.
    let [star, entry, mask] = unsafe { [rdmsr(IA32_STAR), rdmsr(IA32_LSTAR), rdmsr(IA32_FMASK)] };
    let selector = (star >> 32) as u16 & !3;
    registers.cx = save.rip + 2;
    registers.r8_to_r15[R11] = save.rflags & !RESUME;
    save.rip = entry;
    save.rflags = save.rflags & !(mask | RESUME) | ALWAYS;
    set_ring(save, 0, selector, selector + 8);
}

/// `sysret` with an operand of 64 bits (APM volume 3, "SYSRET").
fn return_to_user(save: &mut Save, registers: &Registers) {
    // SAFETY: as above.
    let selector = (unsafe { rdmsr(IA32_STAR) } >> 48) as u16;
    save.rip = registers.cx;
    save.rflags = registers.r8_to_r15[R11] & RETURNED | ALWAYS;
    set_ring(save, 3, (selector + 16) | 3, (selector + 8) | 3);
}

fn set_ring(save: &mut Save, ring: u8, code: u16, stack: u16) {
    save.cs = Segment::code(code, ring.into());
    save.ss = Segment::data(stack, ring.into());
    save.ring = ring;
}
