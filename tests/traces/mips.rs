//! "MIPS R10000 Microprocessor User's Manual", section 14.20: the control has EXL in bit 0, K, S and U in bits 1 to 3, IE in
//! bit 4 and the event in bits 5 to 8; a counter interrupts while its bit 31 is set. "MIPS32 Architecture For Programmers,
//! volume III", "Performance Counter Registers": the same bits, the event from bit 5 on, and W in bit 30. The manuals were
//! not at hand: their bits and events are second-hand, from Linux, OProfile, PAPI and IRIX' pages.

use pmu::arch::mips::Cp0;
use pmu::arch::mips::mipsxx::{Identity, Mipsxx};
use pmu::{CounterId, CounterSet, Event, Modes, Request};

use crate::memory::Memory;
use crate::program::{Recorded, on};

type Cp0Memory = &'static Memory<Cp0>;
type Program = crate::program::Program<Mipsxx<&'static Recorded<Cp0Memory>>, Cp0Memory>;

fn program(identity: Identity) -> Program {
    let program = Program::of(Memory::new(), |registers| Mipsxx::new(registers, identity.capabilities()));
    program.reload();
    program
}

/// No access: a control is written as its counter starts.
const NOTHING: [&str; 0] = [];

/// Section 14.20: graduated instructions are event 15 of counter 0 and event 1 of counter 1. 1FH is EXL, K, U
/// and IE with S left out: 1BH.
#[test]
fn r10000_counts_instructions_by_other_numbers_on_its_two_counters() {
    let mut program = program(Identity::R10000);
    assert_eq!(program.load([on(Event::INSTRUCTIONS, 0), on(Event::INSTRUCTIONS, 1)]), NOTHING);
    assert_eq!(program.preset(7), ["write PerfCnt0 <- 0x7ffffff9", "write PerfCnt1 <- 0x7ffffff9"]);
    let expected = ["write PerfCtl0 <- 0x1fb", "write PerfCtl1 <- 0x3b"];
    assert_eq!(program.run(CounterSet::first(2)), expected);
    assert_eq!(program.run(CounterId::new(1).unwrap().only()), ["write PerfCtl0 <- 0x0"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write PerfCtl1 <- 0x0"]);
}

/// libperfex(3C): event 26, misses of the second-level cache by data, is event 10 of counter 1. U and IE are 18H.
#[test]
fn libperfex_26_is_event_10_of_counter_1_in_user_mode() {
    let mut program = program(Identity::R10000_V2);
    assert_eq!(program.load([Request::new(Event::raw(26)).modes(Modes::USER)]), NOTHING);
    assert_eq!(program.run(program.all()), ["write PerfCtl1 <- 0x158"]);
}

/// r10k_counters(5): each of R12000's counters has all 32 events.
#[test]
fn r12000_has_event_26_on_its_first_counter_too() {
    let mut program = program(Identity::R12000);
    assert_eq!(program.load([on(Event::raw(26), 0).modes(Modes::USER)]), NOTHING);
    assert_eq!(program.run(program.all()), ["write PerfCtl0 <- 0x358"]);
}

/// OProfile's list of 74K's events, after its manual: 27H is conditional branches on counters 0 and
/// 2, and mispredicted ones on 1 and 3. EXL, K and IE are 13H.
#[test]
fn a_74k_counts_branches_on_an_even_and_their_misses_on_an_odd_counter() {
    let mut program = program(Identity::M74K);
    let requests = [on(Event::BRANCHES, 2), on(Event::BRANCH_MISSES, 3)].map(|request| request.modes(Modes::KERNEL));
    assert_eq!(program.load(requests), NOTHING);
    assert_eq!(program.run(program.all()), ["write PerfCtl2 <- 0x4f3", "write PerfCtl3 <- 0x4f3"]);
}

/// MIPS64, PerfCtl\[W\]: the counter has 64 bits, and interrupts while bit 63 is set.
#[test]
fn a_wide_counter_is_preset_beneath_bit_63() {
    let mut program = program(Identity::M5K.wide());
    program.load([on(Event::CYCLES, 0)]);
    assert_eq!(program.preset(1), ["write PerfCnt0 <- 0x7fffffffffffffff"]);
}

/// A unit that is taken over counts nothing and has no counter past its overflow, whatever was there.
#[test]
fn a_unit_is_stopped_and_cleared_when_it_is_taken_over() {
    let expected = ["write PerfCtl0 <- 0x0", "write PerfCnt0 <- 0x0", "write PerfCtl1 <- 0x0", "write PerfCnt1 <- 0x0"];
    assert_eq!(program(Identity::M24K).reload(), expected);
}
