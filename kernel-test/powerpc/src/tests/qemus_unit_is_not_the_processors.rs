//! What QEMU's own unit does otherwise than the processor: each is named here, is why the tests of that
//! unit are built as they are, and would be noticed if QEMU mended it.

use core::arch::asm;

use pmu::CounterId;
use pmu::arch::powerpc::Spr;
use pmu::driver::Registers;

use crate::guest::instructions::exactly;
use crate::guest::{hold_exceptions, unit};

/// MMCR0: all are frozen; they are frozen in supervisor, problem and hypervisor state.
const FREEZE: u64 = 1 << 31;
const FREEZE_EVERYWHERE: u64 = 1 << 30 | 1 << 29 | 1;
/// MMCR1: PMC1 counts instructions (02H), PMC2 cycles (1EH).
const SELECTS: u64 = 0x02 << 24 | 0x1e << 16;

const INSTRUCTIONS: CounterId = CounterId::ZERO;
const CYCLES: CounterId = CounterId::new(1).unwrap();

pub fn test() {
    hold_exceptions();
    it_misses_instructions_of_blocks_that_end_in_a_branch_to_a_register();
    it_does_not_freeze_by_mode();
    it_does_not_wrap_at_32_bits();
    assert_eq!(unit::hardware().read(Spr::SIAR), 0, "it samples no address");
    unit::hardware().write(Spr::MMCR1, 0);
}

/// Of bl, blr and bdnz, two are counted; cycles, one an instruction, tell the truth.
fn it_misses_instructions_of_blocks_that_end_in_a_branch_to_a_register() {
    let count = |rounds: usize| {
        counted(0, || {
            // SAFETY: it calls and returns within itself.
            unsafe {
                asm!("mtctr {0}", "b 3f", "2: blr", "3: bl 2b", "bdnz 3b",
                    in(reg) rounds, out("ctr") _, out("lr") _, options(nomem, nostack))
            };
        })
    };
    let ([few, less], [more, most]) = (count(100), count(1100));
    assert_eq!([more - few, most - less], [2 * 1000, 3 * 1000]);
}

fn it_does_not_freeze_by_mode() {
    let [instructions, _] = counted(FREEZE_EVERYWHERE, || exactly(1000));
    assert!(instructions >= 1000, "{instructions}");
}

fn it_does_not_wrap_at_32_bits() {
    let hardware = unit::hardware();
    hardware.write(Spr::MMCR0, FREEZE);
    hardware.write(Spr::pmc(INSTRUCTIONS), 0xffff_fff0);
    hardware.write(Spr::MMCR0, 0);
    exactly(1000);
    hardware.write(Spr::MMCR0, FREEZE);
    assert!(hardware.read(Spr::pmc(INSTRUCTIONS)) > 1 << 32);
}

/// Instructions and cycles of this work, and of what stops the counters.
#[inline(never)]
fn counted(control: u64, work: impl FnOnce()) -> [u64; 2] {
    let hardware = unit::hardware();
    hardware.write(Spr::MMCR0, FREEZE);
    hardware.write(Spr::MMCR1, SELECTS);
    [INSTRUCTIONS, CYCLES].into_iter().for_each(|counter| hardware.write(Spr::pmc(counter), 0));
    hardware.write(Spr::MMCR0, control);
    work();
    hardware.write(Spr::MMCR0, FREEZE);
    [INSTRUCTIONS, CYCLES].map(|counter| hardware.read(Spr::pmc(counter)))
}
