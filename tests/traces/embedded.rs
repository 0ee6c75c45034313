//! The manuals of the embedded PowerPC cores: "PowerPC e500 Core Family Reference Manual", chapter 7, and page 7-13 of the
//! "MPC8308 PowerQUICC II Pro Processor Reference Manual", Rev. 1, which says what registers the e300 has. The manuals
//! count bits from the top: bit n of 32 is 1 << (31 - n), and of 64 as many from 32 on.
//!
//! The e500mc's manual was not available. Its numbers are those of torvalds/linux, which agree with the e500's where the
//! e500 has the same.

use pmu::arch::powerpc::embedded::{Capabilities, Embedded};
use pmu::arch::powerpc::{Pmr, Pvr};
use pmu::driver::{Recorder, Registers};
use pmu::{CounterId, CounterSet, Event, Handled, Interrupted, Modes, Request, Unit};

use crate::program::{Recorded, on};
use crate::support::memory::Memory;
use crate::trace;

type PmrMemory = &'static Memory<Pmr>;
type Program = crate::program::Program<Embedded<&'static Recorded<PmrMemory>>, PmrMemory>;

const E300C3: u32 = 0x8085_0010;
const E500V2: u32 = 0x8021_0030;
const E500MC: u32 = 0x8023_0031;

fn capabilities(pvr: u32) -> Capabilities {
    Capabilities::discover(Pvr::from_bits(pvr)).expect("it has a unit")
}

/// A unit that was taken over.
fn program(pvr: u32) -> Program {
    let program = Program::of(Memory::leaked(), |registers| Embedded::new(registers, capabilities(pvr)));
    program.take_over();
    program
}

/// No access: an event is written as its counter starts.
const NOTHING: [&str; 0] = [];

/// e500, sections 7.2.1 and 7.2.3, tables 7-3 and 7-4: FAC is bit 32 of PMGC0, PMIE bit 33; FC is bit 32 of PMLCan, CE
/// bit 37, EVENT bits 41-47. Section 7.7: Com:2, instructions completed. PMLCbn are tables 7-5's; PMCn is PMR16 + n.
#[test]
fn the_e500_freezes_each_counter_by_itself() {
    let mut program = program(E500V2);
    assert_eq!(program.load([on(Event::INSTRUCTIONS, 0), on(Event::CYCLES, 3)]), NOTHING);
    assert_eq!(program.preset(7), ["write PMC0 <- 0x7ffffff9", "write PMC3 <- 0x7ffffff9"]);
    // PMLCa3 has had FC since the unit was taken over.
    let expected = ["write PMLCa0 <- 0x4020000", "write PMGC0 <- 0x40000000"];
    assert_eq!(program.run(CounterSet::first(1)), expected);
    let expected = [
        "write PMGC0 <- 0x80000000",
        "write PMLCa3 <- 0x4010000",
        "write PMLCa0 <- 0x80000000",
        "write PMGC0 <- 0x40000000",
    ];
    assert_eq!(program.run(CounterId::new(3).unwrap().only()), expected);
    assert_eq!(program.run(CounterSet::EMPTY), ["write PMGC0 <- 0x80000000"]);
}

/// e500, table 7-4: a counter whose CE and upmost bit are set is a condition: each is frozen without CE, and cleared.
/// PMGC0's FAC is set first, and PMIE is clear with it.
#[test]
fn the_e500_is_frozen_and_cleared_when_it_is_taken_over() {
    let mut program = program(E500V2);
    program.load([on(Event::raw_with(76, 0x305), 1)]);
    let expected = [
        "write PMGC0 <- 0x80000000",
        "write PMLCa0 <- 0x80000000",
        "write PMC0 <- 0x0",
        "write PMLCa1 <- 0x80000000",
        "write PMC1 <- 0x0",
        "write PMLCa2 <- 0x80000000",
        "write PMC2 <- 0x0",
        "write PMLCa3 <- 0x80000000",
        "write PMC3 <- 0x0",
        "write PMLCb0 <- 0x0",
        "write PMLCb1 <- 0x305",
        "write PMLCb2 <- 0x0",
        "write PMLCb3 <- 0x0",
    ];
    assert_eq!(program.take_over(), expected, "after a sleep its threshold is there again");
}

/// e500, table 7-4: a counter that ran in a unit that is halted has an event in PMLCan. It is frozen there before
/// PMLCbn, which is part of what it counts, is another's.
#[test]
fn a_counter_of_the_e500_is_frozen_before_another_threshold_is_written() {
    let mut program = program(E500V2);
    program.load([on(Event::raw_with(76, 0x305), 0)]);
    program.run(program.all());
    program.run(CounterSet::EMPTY);
    program.release();
    assert_eq!(program.load([on(Event::CYCLES, 0)]), ["write PMLCa0 <- 0x80000000", "write PMLCb0 <- 0x0"]);
    let expected = ["write PMLCa0 <- 0x4010000", "write PMGC0 <- 0x40000000"];
    assert_eq!(program.run(program.all()), expected);
}

/// e500, table 7-4: FCS is bit 33, FCU bit 34: each counter tells user from supervisor by itself.
#[test]
fn counters_of_the_e500_count_in_modes_of_their_own() {
    let mut program = program(E500V2);
    let user = on(Event::BRANCHES, 1).modes(Modes::USER);
    let kernel = on(Event::BRANCH_MISSES, 2).modes(Modes::KERNEL);
    program.load([user, kernel]);
    let expected = ["write PMLCa1 <- 0x44080000", "write PMLCa2 <- 0x240f0000", "write PMGC0 <- 0x40000000"];
    assert_eq!(program.run(program.all()), expected);
}

/// e500, table 7-5: THRESHMUL is bits 53-55, THRESHOLD bits 58-63; PMC0 and PMC1 alone have them. Com:76 is the
/// first of the events that they apply to.
#[test]
fn the_e500_compares_with_a_threshold_on_two_counters() {
    let mut program = program(E500V2);
    let event = Event::raw_with(76, 0x305);
    let loaded = program.load([on(event, 0), on(event, 1)]);
    let thresholds: Vec<_> = loaded.iter().filter(|line| line.contains("PMLCb")).collect();
    assert_eq!(thresholds, ["write PMLCb0 <- 0x305", "write PMLCb1 <- 0x305"]);
}

/// MPC8308, page 7-13: the e300 has PMC0-PMC3, PMGC0 and PMLCa0-PMLCa3, and no PMLCbn. e500mc: EVENT has eight bits,
/// 40-47 (torvalds/linux, reg_fsl_emb.h).
#[test]
fn the_e300_has_no_thresholds_and_e500mc_has_events_beyond_127() {
    let mut e300 = program(E300C3);
    assert_eq!(e300.load([on(Event::CYCLES, 1)]), NOTHING);
    assert!(e300.take_over().iter().all(|line| !line.contains("PMLCb")));
    let mut e500mc = program(E500MC);
    e500mc.load([on(Event::raw(0x81), 0)]);
    assert_eq!(e500mc.run(e500mc.all())[0], "write PMLCa0 <- 0x4810000");
}

/// e500, table 7-4: FCS, FCU and the event's number. Section 7.7: Ref:1, processor cycles, on any of the four.
#[test]
fn all_four_counters_of_the_e500_count_cycles() {
    let mut program = program(E500V2);
    program.load([Request::new(Event::CYCLES); 4]);
    let expected = [
        "write PMLCa0 <- 0x4010000",
        "write PMLCa1 <- 0x4010000",
        "write PMLCa2 <- 0x4010000",
        "write PMLCa3 <- 0x4010000",
        "write PMGC0 <- 0x40000000",
    ];
    assert_eq!(program.run(program.all()), expected);
}

/// e500, tables 7-3 and 7-6: an interrupt clears PMIE, bit 33 of PMGC0, and it is set again; OV, a counter's upmost
/// bit, says that it overflowed. 2^31 - 1000 + 3: what came after the overflow is part of the next period.
#[test]
fn an_overflow_on_the_e500_shows_in_the_counter_and_pmie_is_set_again() {
    let memory: PmrMemory = Memory::leaked();
    let registers: &'static Recorded<PmrMemory> = Box::leak(Box::new(Recorder::new(memory)));
    let unit: &'static Unit<_, 16> = Box::leak(Box::new(Unit::new()));
    let pmu = unit.claim(Embedded::new(registers, capabilities(E500V2))).expect("it is free");
    let mut session = pmu.open([on(Event::INSTRUCTIONS, 0).every(1000)]).expect("it fits");
    session.start().expect("it is stopped");
    memory.write(Pmr::from_number(16).expect("PMC0 is PMR 16"), 0x8000_0003);
    trace(registers);
    assert_eq!(unit.on_overflow(Interrupted::default()), Handled::Overflow);
    let expected = [
        "write PMGC0 <- 0x80000000",
        "read counter PMC0 -> 0x80000003",
        "write PMC0 <- 0x7ffffc1b",
        "write PMGC0 <- 0x40000000",
    ];
    assert_eq!(trace(registers), expected);
}

/// e300: the e500's PMGC0 and PMLCa, as MPC8308's page 7-13 has them. FCU, bit 34, leaves the kernel.
#[test]
fn the_e300_counts_branches_in_the_kernel_alone() {
    let mut program = program(E300C3);
    program.load([on(Event::BRANCHES, 2).modes(Modes::KERNEL)]);
    let expected = ["write PMLCa2 <- 0x24080000", "write PMGC0 <- 0x40000000"];
    assert_eq!(program.run(program.all()), expected);
    assert_eq!(program.run(CounterSet::EMPTY), ["write PMGC0 <- 0x80000000"]);
}

/// e500, section 7.2.7: a counter overflows as its upmost bit sets: 7 events before that it holds 7FFF_FFF9H.
#[test]
fn the_e300_is_preset_below_its_upmost_bit() {
    let mut program = program(E300C3);
    program.load([on(Event::CYCLES, 0)]);
    assert_eq!(program.preset(7), ["write PMC0 <- 0x7ffffff9"]);
    assert_eq!(program.preset(0x8000_0000), ["write PMC0 <- 0x0"]);
}

/// e500, tables 7-4 and 7-5: a threshold is in PMLCbn, beside the event in PMLCan, 76 in bits 41-47.
#[test]
fn the_e500_runs_an_event_with_its_threshold() {
    let mut program = program(E500V2);
    assert_eq!(program.load([on(Event::raw_with(76, 0x73F), 1)]), ["write PMLCb1 <- 0x73f"]);
    let expected = ["write PMLCa1 <- 0x44c0000", "write PMGC0 <- 0x40000000"];
    assert_eq!(program.run(program.all()), expected);
}

/// e500mc, as e500's table 7-4 but for an eighth bit of EVENT, 40: 81H in it.
#[test]
fn the_e500mc_runs_an_event_beyond_127() {
    let mut program = program(E500MC);
    program.load([on(Event::raw(0x81), 3).modes(Modes::USER)]);
    let expected = ["write PMLCa3 <- 0x44810000", "write PMGC0 <- 0x40000000"];
    assert_eq!(program.run(program.all()), expected);
}
