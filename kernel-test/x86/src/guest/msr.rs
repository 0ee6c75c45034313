//! Model-specific registers and counters that may not be there: a fault is an answer.

use core::arch::naked_asm;

use pmu::arch::x86::{Guarded, Msr};

use crate::trap::Frame;
use crate::width::by_width;

/// The access raised a general protection fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Faulted;

/// `rdmsr`
pub fn read(register: u32) -> Result<u64, Faulted> {
    let mut value = 0;
    answer(probe_rdmsr(register, &mut value)).map(|()| value)
}

/// `wrmsr`
pub fn write(register: u32, value: u64) -> Result<(), Faulted> {
    answer(probe_wrmsr(register, value))
}

/// `rdpmc`
pub fn read_counter(index: u32) -> Result<u64, Faulted> {
    let mut value = 0;
    answer(probe_rdpmc(index, &mut value)).map(|()| value)
}

/// These accesses, as detection borrows them.
pub struct Probes;

impl Guarded for Probes {
    fn try_read(&self, at: Msr) -> Option<u64> {
        read(at.address()).ok()
    }

    fn try_write(&self, at: Msr, value: u64) -> Option<()> {
        write(at.address(), value).ok()
    }
}

fn answer(worked: usize) -> Result<(), Faulted> {
    if worked == 1 { Ok(()) } else { Err(Faulted) }
}

/// Did one of these accesses fault?
pub fn is_probe(frame: &Frame) -> bool {
    let probes = [&raw const probe_rdmsr_at, &raw const probe_wrmsr_at, &raw const probe_rdpmc_at];
    probes.iter().any(|&probe| probe as usize == frame.ip)
}

/// Makes the access that faulted return 0.
pub fn recover(frame: &mut Frame) {
    frame.ip = &raw const probe_faulted as usize;
}

unsafe extern "C" {
    static probe_rdmsr_at: u8;
    static probe_wrmsr_at: u8;
    static probe_rdpmc_at: u8;
    static probe_faulted: u8;
}

#[unsafe(naked)]
extern "C" fn probe_rdmsr(register: u32, value: &mut u64) -> usize {
    naked_asm!(
        by_width!("mov ecx, edi", "mov ecx, [esp + 4]"),
        ".global probe_rdmsr_at",
        "probe_rdmsr_at:",
        "rdmsr",
        by_width!("mov ecx, esi", "mov ecx, [esp + 8]"),
        "mov [ecx], eax",
        "mov [ecx + 4], edx",
        "mov eax, 1",
        "ret",
        ".global probe_faulted",
        "probe_faulted:",
        "xor eax, eax",
        "ret",
    )
}

#[unsafe(naked)]
extern "C" fn probe_wrmsr(register: u32, value: u64) -> usize {
    naked_asm!(
        by_width!("mov ecx, edi", "mov ecx, [esp + 4]"),
        by_width!("mov eax, esi", "mov eax, [esp + 8]"),
        by_width!("mov rdx, rsi; shr rdx, 32", "mov edx, [esp + 12]"),
        ".global probe_wrmsr_at",
        "probe_wrmsr_at:",
        "wrmsr",
        "mov eax, 1",
        "ret",
    )
}

#[unsafe(naked)]
extern "C" fn probe_rdpmc(index: u32, value: &mut u64) -> usize {
    naked_asm!(
        by_width!("mov ecx, edi", "mov ecx, [esp + 4]"),
        ".global probe_rdpmc_at",
        "probe_rdpmc_at:",
        "rdpmc",
        by_width!("mov ecx, esi", "mov ecx, [esp + 8]"),
        "mov [ecx], eax",
        "mov [ecx + 4], edx",
        "mov eax, 1",
        "ret",
    )
}
