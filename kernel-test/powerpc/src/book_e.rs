//! What e500 has otherwise than the processors that the kernel was written for, put so that all else is alike.
//!
//! It has no mode without translation: one entry of its second table leaves everything where it is, open to problem
//! state. It has no fixed vectors: its registers name those that the others have. And it steps by a debug interrupt,
//! with return registers of its own, which become those of a trace.
//!
//! "PowerPC e500 Core Family Reference Manual", section 2.7, "Interrupt Registers", table 5-2, "Interrupt and
//! Exception Types", section 2.13, "Debug Registers", and section 12.3, "MMU Registers".

use crate::{assembly, low, processor};

/// MSR\[DE\]: the debug interrupt comes, here after the next instruction.
pub const STEP: usize = 1 << 9;

/// Does the kernel run on such a processor? (The same manual, table 2-5, "e500 PVR values"; e500v1 and e500v2.)
pub fn is_here() -> bool {
    matches!(processor::version() >> 16, 0x8020 | 0x8021)
}

assembly!(
    r#"
    .set SRR0, 26
    .set SRR1, 27
    .set CSRR0, 58
    .set CSRR1, 59
    .set IVPR, 63
    .set SPRG1, 273
    .set PVR, 287
    .set DBSR, 304
    .set DBCR0, 308
    .set IVOR, 400                  # IVOR0
    .set IVOR32, 528
    .set MAS0, 624
    .set MAS1, 625
    .set MAS2, 626
    .set MAS3, 627

    .macro name_vector register, vector
    li 3, \vector
    mtspr \register, 3
    .endm

    .text
    # Called before there is a stack: R3 and R4 are free.
    .global book_e_prepare
book_e_prepare:
    mfspr 3, PVR
    rlwinm 3, 3, 15, 17, 31         # the version, but for its last bit
    cmplwi 3, 0x4010
    bnelr
    lis 3, 0x1000                   # TLB1, entry 0, by which the board has begun
    mtspr MAS0, 3
    lis 3, 0xc000                   # V, IPROT
    ori 3, 3, 0x0b00                # TSIZE: 4 GiB
    mtspr MAS1, 3
    li 3, 0
    mtspr MAS2, 3
    li 3, 0x3f                      # UX, SX, UW, SW, UR, SR
    mtspr MAS3, 3
    isync
    tlbwe
    isync
    name_vector IVPR, 0
    name_vector IVOR + 1, 0x200     # machine check
    name_vector IVOR + 2, 0x300     # data storage
    name_vector IVOR + 3, 0x400     # instruction storage
    name_vector IVOR + 4, 0x500     # external input
    name_vector IVOR + 5, 0x600     # alignment
    name_vector IVOR + 6, 0x700     # program
    name_vector IVOR + 8, 0xc00     # system call
    name_vector IVOR + 10, 0x900    # decrementer
    name_vector IVOR + 13, 0x1100   # data TLB error
    name_vector IVOR + 14, 0x1000   # instruction TLB error
    name_vector IVOR + 15, 0xd40    # debug
    name_vector IVOR32, 0x800       # SPE unavailable
    name_vector IVOR32 + 3, {performance_monitor}
    lis 3, 0x4800                   # IDM, ICMP
    mtspr DBCR0, 3
    isync
    blr

    # As `step` in low memory, which goes on from here.
    .global book_e_step
book_e_step:
    mtspr SPRG1, 3
    mfspr 3, CSRR0
    mtspr SRR0, 3
    mfspr 3, CSRR1
    mtspr SRR1, 3
    lis 3, 0x0800                   # ICMP is seen
    mtspr DBSR, 3
    b count_step
    "#,
    performance_monitor = const low::PERFORMANCE_MONITOR,
);
