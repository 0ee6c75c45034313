//! The pseries board: a partition, whose console and end are its hypervisor's.
//!
//! PAPR, "Linux on Power Architecture Platform Reference", chapters "Hypervisor Call Functions" and
//! "Run-Time Abstraction Services"; the tokens of the latter are QEMU's own (hw/ppc/spapr.h).

use core::arch::asm;

use harness::Verdict;

/// H_ENTER: makes an entry of the page table.
const ENTER: usize = 0x08;
/// H_PUT_TERM_CHAR: writes to the terminal.
const PUT_TERMINAL: usize = 0x58;
/// QEMU's first virtual terminal.
const TERMINAL: usize = 0x7100_0000;
/// QEMU's call for the run-time services.
const SERVICES: usize = 0xf000;
/// "power-off": QEMU's status is 0.
const POWER_OFF: u32 = 0x2003;
/// "ibm,os-term": the guest has crashed; QEMU's status is 1, by its `-action panic=exit-failure`.
const TERMINATE: u32 = 0x201f;

/// Calls the hypervisor; its answer is 0 if it has done what it was asked.
fn call(function: usize, arguments: [usize; 4]) -> usize {
    let [first, second, third, fourth] = arguments;
    let result;
    // SAFETY: the functions called here write no memory but a service's answer, into its own block.
    unsafe {
        asm!(
            "sc 1",
            inlateout("r3") function => result,
            inlateout("r4") first => _,
            inlateout("r5") second => _,
            inlateout("r6") third => _,
            inlateout("r7") fourth => _,
            lateout("r0") _, lateout("r8") _, lateout("r9") _, lateout("r10") _, lateout("r11") _,
            lateout("r12") _, lateout("ctr") _, lateout("lr") _, lateout("xer") _, lateout("cr0") _,
            lateout("cr1") _, lateout("cr5") _, lateout("cr6") _, lateout("cr7") _,
            options(nostack)
        );
    }
    result
}

/// Writes a byte to the terminal.
pub fn send(byte: u8) {
    call(PUT_TERMINAL, [TERMINAL, 1, usize::from(byte) << 56, 0]);
}

/// Ends the machine.
pub fn exit(verdict: Verdict) -> ! {
    static REASON: [u8; 16] = *b"see the console\0";
    match verdict {
        Verdict::Passed => serve(POWER_OFF, &[u32::MAX, u32::MAX]),
        Verdict::Failed => serve(TERMINATE, &[&raw const REASON as u32]),
    }
    loop {
        core::hint::spin_loop();
    }
}

/// The block through which a service is asked for: its token, how many arguments and answers, both.
#[repr(C, align(16))]
struct Services([u32; 8]);

fn serve(token: u32, arguments: &[u32]) {
    let mut block = Services([0; 8]);
    block.0[0] = token;
    block.0[1] = arguments.len() as u32;
    block.0[2] = 1;
    block.0[3..3 + arguments.len()].copy_from_slice(arguments);
    call(SERVICES, [&raw mut block as usize, 0, 0, 0]);
}

/// Maps all memory below `end` to itself, open to problem state, which cannot run without
/// translation. (Power ISA Book III, "Hashed Page Table Translation": one segment, pages of 4 KiB.)
pub fn map(end: usize) {
    /// Any segment would do.
    const SEGMENT: usize = 0x1234;
    /// A page table for 512 MiB has so many groups, less one.
    const GROUPS: usize = 0x7fff;
    /// The entry's two halves: valid; referenced, changed, in coherent memory, problem state writes.
    const VALID: usize = 1;
    const OPEN: usize = 0x180 | 0x10 | 2;
    /// A group has eight entries.
    const GROUP: usize = 8;
    for page in 0..end.div_ceil(1 << 12) {
        let group = (SEGMENT ^ page) & GROUPS;
        // Which 8 MiB of the segment it is in: the group does not tell.
        let abbreviated = page >> 11 << 7;
        let entry = [0, group * GROUP, SEGMENT << 12 | abbreviated | VALID, page << 12 | OPEN];
        assert_eq!(call(ENTER, entry), 0, "page {page:#x} is mapped");
    }
    // SAFETY: the kernel itself runs without translation; the segment is problem state's only one.
    unsafe { asm!("slbmte {}, {}", "isync", in(reg) SEGMENT << 12, in(reg) 1_usize << 27, options(nostack)) };
}
