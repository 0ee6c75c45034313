//! The manuals of the classic PowerPC processors: "PowerPC 604 RISC Microprocessor User's Manual" and that of the 604e,
//! chapters 9; "IBM PowerPC 750GX and 750GL RISC Microprocessor User's Manual", chapters 2 and 11; "MPC7400 RISC
//! Microprocessor User's Manual" and "MPC7450 RISC Microprocessor Family Reference Manual", chapters 11. Tables are cited
//! by number or title. The manuals count bits from the top: bit n of 32 is 1 << (31 - n).
//!
//! The 604's, the 750GX's and the MPC7400's pages on the performance monitor were available. The 7450's were not. Its
//! numbers are Apple's: "Shark User Guide" (TP40005233), appendix "PPC 7450 (G4+) Performance Counter Event List", has
//! each event's number and counters, and xnu's osfmk/ppc/hw_perfmon_mmcr.h the registers' fields. The 604e's manual was
//! not available either. Its numbers are those of perfctr and torvalds/linux, which agree with the 604's where the 604
//! has the same.

use pmu::arch::powerpc::classic::{Capabilities, Classic};
use pmu::arch::powerpc::{Pvr, Spr};
use pmu::driver::{Control, Recorder, Registers};
use pmu::{CounterId, CounterSet, Event, Handled, Interrupted, Modes, Request, Unit};

use crate::program::{Recorded, on};
use crate::support::memory::Memory;
use crate::trace;

/// Misses of the first-level data cache; 750.
const P750_L1_DATA_MISSES: Event = Event::raw(0x305);

/// The event with a threshold.
const fn exceeding(counter: u8, select: u8, threshold: u16) -> Event {
    Event::raw_with((counter as u64) << 8 | select as u64, threshold as u64)
}

/// The event that `counter`, 1 for PMC1, counts by this selector.
const fn selected(counter: u8, select: u8) -> Event {
    Event::raw((counter as u64) << 8 | select as u64)
}

type SprMemory = &'static Memory<Spr>;
type Program = crate::program::Program<Classic<&'static Recorded<SprMemory>>, SprMemory>;

const P604: u32 = 0x0004_0103;
const P604E: u32 = 0x0009_0204;
const P750: u32 = 0x0008_3100;
const P7400: u32 = 0x000C_0209;
const P7450: u32 = 0x8000_0201;

fn capabilities(pvr: u32) -> Capabilities {
    Capabilities::discover(Pvr::from_bits(pvr)).expect("it has a unit")
}

/// A unit that was taken over.
fn program(pvr: u32) -> Program {
    let program = Program::of(Memory::leaked(), |registers| Classic::new(registers, capabilities(pvr)));
    program.take_over();
    program
}

/// No access: the registers of a classic unit are written as it starts, and a counter's own as it is preset.
const NOTHING: [&str; 0] = [];

/// 604, section 9.1.2: an exception is signalled for as long as a counter's bit 0 is set: no counter keeps it. Table
/// 9-4: DIS is bit 0 of MMCR0, and a write that sets it alone clears ENINT.
#[test]
fn the_604_is_frozen_and_cleared_when_it_is_taken_over() {
    let expected = ["write MMCR0 <- 0x80000000", "write PMC1 <- 0x0", "write PMC2 <- 0x0"];
    assert_eq!(program(P604).take_over(), expected);
}

/// MPC7400, table 11-5: SMCNTENABLE and SMINTENABLE, bits 1 and 2 of MMCR2, are nobody's while the unit is ours.
#[test]
fn the_7400_lets_the_system_neither_count_nor_interrupt_when_it_is_taken_over() {
    let program = program(P7400);
    program.registers.write(Spr::CLASSIC_MMCR2, 0x6000_0000);
    trace(program.registers);
    let expected = [
        "write MMCR0 <- 0x80000000",
        "write MMCR2 <- 0x0",
        "write PMC1 <- 0x0",
        "write PMC2 <- 0x0",
        "write PMC3 <- 0x0",
        "write PMC4 <- 0x0",
    ];
    assert_eq!(program.take_over(), expected);
}

/// MPC7450, by xnu's ppc32_mmcr0_bits_t: what it held is read, MMCR0 before FC, bit 0, is written over it, and is put
/// back last.
#[test]
fn what_the_7450_held_is_read_once_it_is_frozen_and_put_back_before_it_counts() {
    let program = program(P7450);
    let saved = <Classic<&Recorded<SprMemory>> as Control>::NOTHING_SAVED;
    program.driver.save(&saved);
    let taken = trace(program.registers);
    assert_eq!(taken[..3], ["read MMCR0 -> 0x80000000", "write MMCR0 <- 0x80000000", "read MMCR1 -> 0x0"]);
    program.driver.restore(&saved);
    let expected = [
        "write MMCR0 <- 0x80000000",
        "write PMC1 <- 0x0",
        "write PMC2 <- 0x0",
        "write PMC3 <- 0x0",
        "write PMC4 <- 0x0",
        "write PMC5 <- 0x0",
        "write PMC6 <- 0x0",
        "write MMCR2 <- 0x0",
        "write MMCR1 <- 0x0",
        "write MMCR0 <- 0x80000000",
    ];
    assert_eq!(trace(program.registers), expected);
}

/// 604, table 9-2: PMC1 counts instructions completed by 000 0010 in MMCR0\[19-25\]. 604, table 9-4,
/// "MMCR0 Bit Settings": DIS is bit 0, ENINT bit 5, PMC1INTCONTROL bit 16. Section 9.1.2: a counter signals as
/// its bit 0 sets; 100 events before that it holds 7FFF_FF9CH.
#[test]
fn the_604_counts_instructions_on_its_first_counter() {
    let mut program = program(P604);
    assert_eq!(program.load([on(Event::INSTRUCTIONS, 0)]), NOTHING);
    assert_eq!(program.preset(100), ["write PMC1 <- 0x7fffff9c"]);
    assert_eq!(program.run(program.all()), ["write MMCR0 <- 0x4008080"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write MMCR0 <- 0x80000000"]);
}

/// 604, table 9-3: PMC2 counts branches completed by 00 1000 in MMCR0\[26-31\]; PMC2INTCONTROL is bit 17.
#[test]
fn the_604_counts_branches_on_its_second_counter() {
    let mut program = program(P604);
    program.load([Request::new(Event::BRANCHES)]);
    assert_eq!(program.run(program.all()), ["write MMCR0 <- 0x4004008"]);
}

/// 604, tables 9-2 and 9-4: 000 0111 is a branch incorrectly predicted; DP, bit 1, disables in supervisor mode.
#[test]
fn the_604_counts_mispredicted_branches_of_programs_alone() {
    let mut program = program(P604);
    program.load([Request::new(Event::BRANCH_MISSES).modes(Modes::USER)]);
    assert_eq!(program.run(program.all()), ["write MMCR0 <- 0x440081c0"]);
}

/// 604e, "Monitor Mode Control Register 1": PMC3SELECT is bits 0-4, PMC4SELECT 5-9. PMC4 counts misaligned
/// loads that hit by 0 1000. In user mode only: DP, bit 1 of MMCR0, disables in supervisor mode.
#[test]
fn the_604e_selects_for_its_new_counters_in_mmcr1() {
    let mut program = program(P604E);
    let requests = [on(Event::CYCLES, 2), Request::new(selected(4, 8))].map(|request| request.modes(Modes::USER));
    assert_eq!(program.load(requests), NOTHING);
    let expected = ["write MMCR1 <- 0xa000000", "write MMCR0 <- 0x44004000"];
    assert_eq!(program.run(program.all()), expected);
}

/// 750GX, section 2.1.2.5, "Monitor Mode Control Register 0 (MMCR0)": THRESHOLD is bits 10-15. Table 11-2, "PMC1
/// Events": 000 1010, loads that miss the L1 with latencies that exceed the threshold.
#[test]
fn the_750_compares_load_misses_with_a_threshold() {
    let mut program = program(P750);
    program.load([Request::new(exceeding(1, 0x0A, 20))]);
    let expected = ["write MMCR1 <- 0x0", "write MMCR0 <- 0x4148280"];
    assert_eq!(program.run(program.all()), expected);
}

/// 750GX, the same: DU, bit 2, disables in user mode. Table 11-4, "PMC3 Events": 0 0101, L1 data-cache misses.
#[test]
fn the_750_counts_in_the_kernel_alone() {
    let mut program = program(P750);
    program.load([Request::new(P750_L1_DATA_MISSES).modes(Modes::KERNEL)]);
    let expected = ["write MMCR1 <- 0x28000000", "write MMCR0 <- 0x24004000"];
    assert_eq!(program.run(program.all()), expected);
}

/// MPC7400, table 11-8, "PMC1 Events": 11, load miss latency over threshold. Table 11-5, "MMCR2 Field
/// Descriptions": THRESHMULT, bit 0, multiplies the threshold by 32.
#[test]
fn the_7400_multiplies_a_threshold_by_32() {
    let mut program = program(P7400);
    assert_eq!(program.load([Request::new(exceeding(1, 11, 1 << 8 | 3))]), NOTHING);
    let expected = ["write MMCR2 <- 0x80000000", "write MMCR1 <- 0x0", "write MMCR0 <- 0x40382c0"];
    assert_eq!(program.run(program.all()), expected);
}

/// MPC7400, tables 11-8 to 11-11: 011 0000 on PMC1 counts AltiVec loads, 00 0101 on PMC2 branches that fell through,
/// 0 0101 on PMC3 taken branches and on PMC4 mispredicted ones.
#[test]
fn the_7400_tells_what_became_of_branches_on_three_counters() {
    let mut program = program(P7400);
    program
        .load([(1, 0x30), (2, 5), (3, 5), (4, 5)].map(|(counter, select)| selected(counter, select)).map(Request::new));
    let expected = ["write MMCR1 <- 0x29400000", "write MMCR0 <- 0x400cc05"];
    assert_eq!(program.run(program.all()), expected);
}

/// Apple's list: "L2 Hits" is 2 on PMC5, "Prefetch Engine Requests" 52 on PMC6. No counter before them counts.
#[test]
fn the_7450_counts_its_caches_on_the_last_two_counters() {
    let mut program = program(P7450);
    program.load([selected(5, 2), selected(6, 52)].map(Request::new));
    let expected = ["write MMCR1 <- 0x5a000", "write MMCR0 <- 0x4004000"];
    assert_eq!(program.run(program.all()), expected);
}

/// xnu, ppc32_mmcr1_bits_t: PMC3 to PMC5 have five bits of MMCR1 each, PMC6 the next six. Apple's list: 1, "CPU
/// Cycles", on every counter; of six the first waits for no other's condition enable (PMC1CE, bit 16).
#[test]
fn the_7450_has_six_counters() {
    let mut program = program(P7450);
    program.load([Request::new(Event::CYCLES); 6]);
    let expected = ["write MMCR1 <- 0x8420800", "write MMCR0 <- 0x400c041"];
    assert_eq!(program.run(program.all()), expected);
}

/// Apple's list: "Branch Instr" is 34 on PMC1, "Mispredicted Branches" 28 on PMC4, "Nothing" 0. PMC2 of them that
/// run stops by selecting that. MPC7450, MMCR0: FC, bit 0, is set before a selection changes, unless it is set.
#[test]
fn a_counter_of_the_7450_stops_by_selecting_nothing() {
    let mut program = program(P7450);
    let requests = [Event::BRANCHES, Event::BRANCH_MISSES].map(Request::new);
    program.load([requests[0], requests[1], on(Event::CYCLES, 1)]);
    let but_second = program.all().without(CounterId::new(1).unwrap().only());
    let expected = ["write MMCR1 <- 0x7000000", "write MMCR0 <- 0x400c880"];
    assert_eq!(program.run(but_second), expected);
    assert_eq!(program.run(program.all()), ["write MMCR0 <- 0x80000000", "write MMCR0 <- 0x400c881"]);
    program.run(CounterSet::EMPTY);
    assert_eq!(program.run(program.all()), ["write MMCR0 <- 0x400c881"]);
}

/// MPC7400, section 11.3.2.2, table 11-7: OV, bit 0 of a counter, is all that says which counter
/// overflowed. Table 11-3: an interrupt clears PMXE, bit 5, and it is set again.
#[test]
fn an_overflow_shows_in_the_counter_and_pmxe_is_set_again() {
    let memory: SprMemory = Memory::leaked();
    let registers: &'static Recorded<SprMemory> = Box::leak(Box::new(Recorder::new(memory)));
    let unit: &'static Unit<_, 16> = Box::leak(Box::new(Unit::new()));
    let pmu = unit.claim(Classic::new(registers, capabilities(P7400))).expect("it is free");
    let mut session = pmu.open([on(Event::INSTRUCTIONS, 0).every(1000)]).expect("it fits");
    session.start().expect("it is stopped");
    memory.write(Spr::CLASSIC_PMCS[0], 0x8000_0003);
    trace(registers);
    assert_eq!(unit.on_overflow(Interrupted::default()), Handled::Overflow);
    let expected = [
        "write MMCR0 <- 0x80000000",
        "read counter PMC1 -> 0x80000003",
        "write PMC1 <- 0x7ffffc1b",
        "write MMCR0 <- 0x4008080",
    ];
    assert_eq!(trace(registers), expected);
}
