//! Book3S 64 from POWER8 on: Power ISA 2.07B, 3.0B and 3.1, Book III, "Performance Monitor Facility", and the "POWER8",
//! "POWER9" and "POWER10 Performance Monitor Unit User's Guide". Older processors are in `before_power8.rs`.
//!
//! None of these manuals' text was at hand. Of their sections two numbers are known, from those who cite them: MMCR0
//! is described in 3.1's section 10.4.4 (QEMU, target/ppc), SIER in 3.0B's section 9.4.10 (torvalds/linux, perf). The
//! rest is cited by its title, and each number agrees with public sources:
//!
//! - Of the architecture's registers, MMCR0, MMCR2, SIER and MMCRA's lower half: Microwatt, pmu.vhdl, a processor that
//!   was built to 3.0B; and QEMU, target/ppc/cpu.h. Microwatt has neither FCnP1 nor FCnH of MMCR2.
//! - Of what is each processor's own, MMCR1, MMCR3 and MMCRA's upper half: torvalds/linux,
//!   arch/powerpc/perf/isa207-common.h; and IBM's tests, tools/testing/selftests/powerpc/pmu, which read the registers of
//!   POWER9 and POWER10 back: sampling_tests/misc.h says where fields are, misc.c what codes mean. They have FCnP1
//!   and FCnH too. For POWER8's MMCR1 also LIKWID, perfmon_power8.h.
//!
//! Codes that are said to be a test's are those that this test of IBM's programs.
//!
//! The manuals count bits from the top: bit n of 64 is 1 << (63 - n); MMCR0 is the lower half of its register, bits 32
//! to 63.

use pmu::arch::powerpc::book3s::{Book3s, Capabilities, Model, Privilege};
use pmu::arch::powerpc::{Pvr, Spr};
use pmu::driver::{Control, Recorder, Registers};
use pmu::{CounterSet, Event, Handled, Interrupted, Mode, Modes, Request, Unit};

use crate::program::{Recorded, on};
use crate::support::memory::Memory;
use crate::trace;

/// Cycles (PM_CYC), on any of PMC1 to PMC4; POWER6 to POWER9.
const CYCLES: Event = Event::raw(0x1E);
/// Instructions completed (PM_INST_CMPL), on any of PMC1 to PMC4; POWER6 to POWER9.
const INSTRUCTIONS: Event = Event::raw(0x02);

type SprMemory = &'static Memory<Spr>;
pub(crate) type Program = crate::program::Program<Book3s<&'static Recorded<SprMemory>>, SprMemory>;

const POWER8: u32 = 0x004D_0200;
const POWER9: u32 = 0x004E_1202;
const POWER10: u32 = 0x0080_0200;

/// FC is bit 32.
pub(crate) const FROZEN: &str = "write MMCR0 <- 0x80000000";
/// From 2.07 on PMCC (bits 44 and 45) is 01: problem state has no access.
const FROZEN_AND_CLOSED: &str = "write MMCR0 <- 0x80040000";

fn capabilities(pvr: u32, privilege: Privilege) -> Capabilities {
    Capabilities::discover(Pvr::from_bits(pvr), privilege).expect("it has a unit")
}

pub(crate) fn program(pvr: u32) -> Program {
    Program::of(Memory::leaked(), |registers| Book3s::new(registers, capabilities(pvr, Privilege::Supervisor)))
}

/// What is written as these requests start on a unit that holds nothing. A load notes them and touches no register: MMCRA,
/// MMCR1, MMCR2 and MMCR3 are written while the unit is frozen, as a start freezes it.
pub(crate) fn start<const N: usize>(program: &mut Program, requests: [Request; N]) -> Vec<String> {
    assert!(program.load(requests).is_empty());
    let mut started = program.run(program.all());
    let is_closed = program.driver.capabilities().model >= Model::Power8;
    assert_eq!(started.remove(0), if is_closed { FROZEN_AND_CLOSED } else { FROZEN });
    started
}

pub(crate) fn everywhere(event: Event, counter: u8) -> Request {
    on(event, counter).modes(Modes::ALL.and(Modes::HYPERVISOR))
}

/// 3.1, "Monitor Mode Control Register 0": FC is bit 32; PMAE, bit 37, is 0. A counter is negative while its bit 32 is 1,
/// and would alert as soon as PMAE is 1. 3.1 has PMC1 to PMC6, MMCRA, and MMCR1 to MMCR3.
#[test]
fn a_unit_is_set_up_from_nothing_that_it_held() {
    let expected = [
        FROZEN_AND_CLOSED,
        "write PMC1 <- 0x0",
        "write PMC2 <- 0x0",
        "write PMC3 <- 0x0",
        "write PMC4 <- 0x0",
        "write PMC5 <- 0x0",
        "write PMC6 <- 0x0",
        "write MMCRA <- 0x0",
        "write MMCR1 <- 0x0",
        "write MMCR2 <- 0x0",
        "write MMCR3 <- 0x0",
    ];
    assert_eq!(program(POWER10).take_over(), expected);
}

/// 2.07B, "Monitor Mode Control Register 0": FC is bit 32, PMAE 37, PMCC 44:45, PMC1CE 48, FC5-6 59.
/// "Monitor Mode Control Register 2": FCnS, FCnP0, FCnP1 and FCnH are bits 0, 1, 2 and 6 of nine for each
/// counter, from bit 0 on. "POWER8 Performance Monitor Unit User's Guide", "MMCR1": PMC1SEL is bits 32 to 39, and
/// 0000_0010 counts instructions completed; "MMCRA": SDAR_MODE is bits 20 and 21. A counter alerts
/// as its bit 32 sets: 100 events before that it holds 7FFF_FF9CH.
#[test]
fn power8_counts_instructions_on_its_first_counter() {
    let mut program = program(POWER8);
    assert!(program.load([on(INSTRUCTIONS, 0)]).is_empty(), "nothing is written before the start");
    assert_eq!(program.preset(100), ["write PMC1 <- 0x7fffff9c"]);
    let expected = [
        FROZEN_AND_CLOSED,
        "write MMCRA <- 0x40000000000",
        "write MMCR1 <- 0x2000000",
        // The hypervisor and its processes are not counted by PMC1, and nothing is by the others.
        "write MMCR2 <- 0x2271389c4e271000",
        "write MMCR0 <- 0x4048010",
    ];
    assert_eq!(program.run(program.all()), expected);
    assert_eq!(program.run(CounterSet::EMPTY), [FROZEN_AND_CLOSED]);
    assert_eq!(program.run(program.all()), ["write MMCR0 <- 0x4048010"]);
}

/// 2.07B, "Monitor Mode Control Register 0": PMCjCE is bit 49, CC5-6RUN bit 55, FC1-4 bit 58. "Performance
/// Monitor Counters": PMC5 counts instructions, and PMC6 cycles.
#[test]
fn power8s_last_two_counters_need_no_selector() {
    let mut program = program(POWER8);
    let started = start(&mut program, [everywhere(Event::INSTRUCTIONS, 4), everywhere(Event::CYCLES, 5)]);
    let expected = ["write MMCRA <- 0x40000000000", "write MMCR2 <- 0xe271389c40000000", "write MMCR0 <- 0x4044120"];
    assert_eq!(started, expected, "MMCR1 holds 0");
}

/// "POWER8 Performance Monitor Unit User's Guide", "MMCR1": PMC4UNIT is bits 12 to 15, PMC4SEL 56 to 63;
/// "MMCRA": SAMPLE_ENABLE is bit 63, RAND_SAMP_MODE 61:62, RAND_SAMP_ELIG 57:59, THRESH_EVENT_SEL
/// 45:47, THRESH_START 48:51, THRESH_END 52:55, THRESH_CMP 22:31. PM_MRK_INST_CMPL is 401E0H; marked at
/// random, mode 01, eligibility 100, between events 3 and 4 of sort 1, of more than 96 of them.
#[test]
fn power8_marks_instructions_and_compares_with_a_threshold() {
    let mut program = program(POWER8);
    let code = 0x4_01E0 | 0b1_0001 << 24 | 1 << 29 | 0x34 << 32 | 0x60 << 40;
    let started = start(&mut program, [on(Event::raw(code), 3)]);
    assert_eq!(started[..2], ["write MMCRA <- 0x46000013443", "write MMCR1 <- 0xe0"]);
}

/// "POWER9 Performance Monitor Unit User's Guide", "MMCR1": PMC1COMB is bits 24:25 and so on; PMC1UNIT 0:3,
/// PMC2UNIT 4:7; the qualifier of L1 reloads 16:17. "MMCRA": SDAR_MODE 20:21. Event 1E054H is of unit 14;
/// D4C40H is a sum (combine 11) of unit 4 on any counter.
#[test]
fn power9_combines_by_two_bits() {
    let mut program = program(POWER9);
    let started = start(&mut program, [everywhere(Event::raw(0x1_E054), 0), everywhere(Event::raw(0x4C40), 1)]);
    assert_eq!(started[1], "write MMCR1 <- 0xe400003054400000");
    let started = start(&mut program, [everywhere(Event::raw(0x4C40 | 3 << 50), 2)]);
    assert_eq!(started[0], "write MMCRA <- 0xc0000000000");
}

/// "POWER9 Performance Monitor Unit User's Guide", "MMCRA": THRESH_CMP is bits 9 to 18, and SDAR_MODE is 0
/// while instructions are marked. The code's bits 40 to 49 are the threshold, 60H; 32 to 39 start and
/// end, 34H; 29 to 31 the event, 1; 24 to 28 eligibility 5 and mode 0.
#[test]
fn power9s_threshold_is_higher_up() {
    let mut program = program(POWER9);
    let started = start(&mut program, [on(Event::raw(0x6034_3404_01E0), 3)]);
    assert_eq!(started[0], "write MMCRA <- 0xc000000013451");
}

/// "POWER10 Performance Monitor Unit User's Guide", "MMCR3": fifteen bits a counter, PMC1's from bit 0 on.
/// "MMCR1": the radix scope is bit 18. 3.1, "Monitor Mode Control Register A": BHRBRD is bit 26. Event
/// 0340_0000_0000_C040H is PM_DATA_FROM_L2's source on unit 12.
#[test]
fn power10_names_the_source_in_mmcr3() {
    let mut program = program(POWER10);
    let code = 0x0003_4000_0000_C040;
    let started = start(&mut program, [everywhere(Event::raw(code | 1 << 9), 1)]);
    assert_eq!(started[..2], ["write MMCRA <- 0x82000000000", "write MMCR1 <- 0xc00200000400000"]);
    // Bits 45 to 59 of the code, 1AH, in bits 15 to 29.
    assert_eq!(started[3], "write MMCR3 <- 0x6800000000");
}

/// IBM's test mmcr1_comb_test: 46880H is of PMC4, unit 6, combine 10, selector 80H. "MMCR1": PMC4UNIT is bits 12:15,
/// PMC4COMB 30:31, PMC4SEL 56:63.
#[test]
fn power9_combines_on_its_fourth_counter() {
    let mut program = program(POWER9);
    let started = start(&mut program, [everywhere(Event::raw(0x4_6880), 3)]);
    assert_eq!(started[1], "write MMCR1 <- 0x6000200000080");
}

/// IBM's test mmcr1_sel_unit_cache_test: 21C040H is of PMC1, unit 12, selector 40H, with the caches' qualifier 2.
/// "MMCR1": PMC1UNIT is bits 0:3, DC_RLD_QUAL and IC_RLD_QUAL 16:17, PMC1SEL 32:39.
#[test]
fn power9_says_which_reloads_of_its_first_caches_it_means() {
    let mut program = program(POWER9);
    let started = start(&mut program, [everywhere(Event::raw(0x21_C040), 0)]);
    assert_eq!(started[1], "write MMCR1 <- 0xc000800040000000");
}

/// IBM's test mmcra_thresh_cmp_test: 1_3E35_3404_01E0H compares with 13EH, mantissa 62 and exponent 2, 992; from
/// event 3 to event 5, of sort 1; loads alone are marked, eligibility 101, mode 00.
#[test]
fn power9_compares_loads_with_a_thousand_cycles() {
    let mut program = program(POWER9);
    let started = start(&mut program, [on(Event::raw(0x1_3E35_3404_01E0), 3)]);
    assert_eq!(started[..2], ["write MMCRA <- 0x27c00000013551", "write MMCR1 <- 0xe0"]);
}

/// The same test: POWER10's code is 35_3404_01E0H, the threshold beside it 1FAH: 250 * 4, eight bits of mantissa.
/// "MMCRA": THRESH_CMP is bits 8:18, BHRBRD 26.
#[test]
fn power10_compares_loads_with_a_thousand_cycles() {
    let mut program = program(POWER10);
    let started = start(&mut program, [on(Event::raw_with(0x35_3404_01E0, 0x1FA), 3)]);
    assert_eq!(started[0], "write MMCRA <- 0x3f402000013551");
}

/// IBM's test mmcr3_src_test: 13_4000_0001_C040H is of PMC1, unit 12, selector 40H; its source is 9AH.
#[test]
fn power10s_first_source_is_mmcr3s_upmost_bits() {
    let mut program = program(POWER10);
    let started = start(&mut program, [everywhere(Event::raw(0x13_4000_0001_C040), 0)]);
    assert_eq!([&started[1], &started[3]], ["write MMCR1 <- 0xc000000040000000", "write MMCR3 <- 0x134000000000000"]);
}

/// IBM's test mmcr2_l2l3_test: 100_0004_6080H is of PMC4, unit 6, selector 80H, L2L3SEL 1: MMCR2's bits 56 to 60. Of
/// the others each is frozen in four states, 1_1100_0100 of nine bits.
#[test]
fn power10_selects_events_of_its_caches_in_mmcr2() {
    let mut program = program(POWER10);
    let started = start(&mut program, [everywhere(Event::raw(0x0100_0004_6080), 3)]);
    assert_eq!(started[1..3], ["write MMCR1 <- 0x6000000000080", "write MMCR2 <- 0xe27138800e271008"]);
}

/// IBM's test group_constraint_radix_scope_qual_test: 14242H and 24242H are of unit 4, selector 42H, in the radix
/// scope, MMCR1's bit 18.
#[test]
fn power10_counts_walks_in_the_radix_scope() {
    let mut program = program(POWER10);
    let started =
        start(&mut program, [0x1_4242, 0x2_4242].map(|code| everywhere(Event::raw(code), (code >> 16) as u8 - 1)));
    let selects = started.iter().find(|line| line.contains("MMCR1"));
    assert_eq!(selects.map(String::as_str), Some("write MMCR1 <- 0x4400200042420000"));
}

/// 3.0B, "Monitor Mode Control Register 1", and Microwatt: PMC1 counts cycles by F0H, PMC2 taken branches by FAH, PMC3
/// instructions while CTRL[RUN] is set by F4H, PMC4 mispredicted branches by F6H.
#[test]
fn the_architectures_own_events_have_a_selector_and_no_unit() {
    let mut program = program(POWER10);
    let codes = [0x1_00F0, 0x2_00FA, 0x3_00F4, 0x4_00F6];
    let started = start(&mut program, codes.map(|code: u64| everywhere(Event::raw(code), (code >> 16) as u8 - 1)));
    let expected = ["write MMCR1 <- 0xf0faf4f6", "write MMCR2 <- 0xe271000", "write MMCR0 <- 0x404c010"];
    assert_eq!(started[1..], expected);
}

/// 3.0B, "Monitor Mode Control Register 2": a kernel's own processes alone are in problem state with MSR[HV] clear where
/// there is a hypervisor above it, and with MSR[HV] set where it is its own: FCnP0 and FCnP1, bits 1 and 2 of nine.
#[test]
fn power9_counts_the_processes_of_a_kernel_wherever_it_runs() {
    let mmcr2 = |privilege| {
        let mut program =
            Program::of(Memory::leaked(), |registers| Book3s::new(registers, capabilities(POWER9, privilege)));
        let started = start(&mut program, [on(CYCLES, 0).modes(Modes::USER)]);
        started.into_iter().find(|line| line.contains("MMCR2")).expect("MMCR2 is written")
    };
    // 1_0100_0100 and 1_1000_0100 for PMC1, 1_1100_0100 for each of the others.
    assert_eq!(mmcr2(Privilege::Supervisor), "write MMCR2 <- 0xa271389c4e271000");
    assert_eq!(mmcr2(Privilege::Hypervisor), "write MMCR2 <- 0xc271389c4e271000");
}

/// 3.0B, "Monitor Mode Control Register 0": PMCC 00 lets problem state read the counters and write none.
#[test]
fn power9_lends_its_counters_while_they_count() {
    let mut program = program(POWER9);
    start(&mut program, [everywhere(CYCLES, 0)]);
    let lend = |counters| {
        program.driver.lend(&program.image, counters);
        trace(program.registers)
    };
    assert_eq!(lend(program.all()), ["write MMCR0 <- 0x4008010"]);
    assert_eq!(lend(CounterSet::EMPTY), ["write MMCR0 <- 0x4048010"]);
}

/// 2.07B, "Monitor Mode Control Register 2", as above: a counter that stops beside another is frozen in
/// every state, problem state with MSR[HV] set among them, while MMCR0's FC, bit 32, freezes all.
#[test]
fn one_counter_of_power8_stops_while_all_are_frozen() {
    let mut program = program(POWER8);
    start(&mut program, [everywhere(INSTRUCTIONS, 0), everywhere(CYCLES, 1)]);
    let expected =
        [FROZEN_AND_CLOSED, "write MMCR1 <- 0x1e0000", "write MMCR2 <- 0xe200389c4e271000", "write MMCR0 <- 0x4044010"];
    assert_eq!(program.run(CounterSet::from_bits(0b10)), expected);
}

/// 3.0B, "Monitor Mode Control Register 0": the alert sets PMAO, bit 56, and clears PMAE; there is an interrupt
/// while PMAO is set. The handler freezes, presets, and lets go with PMAE set and PMAO clear.
#[test]
fn an_overflow_on_power9_is_serviced_in_three_writes() {
    let registers: &'static Recorder<SprMemory, 64> = Box::leak(Box::new(Recorder::new(Memory::leaked())));
    let unit: &'static Unit<_, 16> = Box::leak(Box::new(Unit::new()));
    let driver = Book3s::new(registers, capabilities(POWER9, Privilege::Supervisor));
    let pmu = unit.claim(driver).unwrap();
    let mut session = pmu.open([everywhere(CYCLES, 1).every(5000)]).unwrap();
    session.start().unwrap();
    trace(registers);
    let pmc2 = Spr::from_number(788).expect("PMC2 is SPR 788");
    registers.write(pmc2, 0x8000_0003);
    registers.clear();
    assert_eq!(unit.on_overflow(Interrupted::new(0x1000, Mode::Kernel)), Handled::Overflow);
    let expected = [
        FROZEN_AND_CLOSED,
        "read counter PMC2 -> 0x80000003",
        // 2^31 - 5000 + 3: what came after the overflow is part of the next period.
        "write PMC2 <- 0x7fffec7b",
        "write MMCR0 <- 0x4044010",
    ];
    assert_eq!(trace(registers), expected);
}
