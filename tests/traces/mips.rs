//! "MIPS R10000 Microprocessor User's Manual", version 2.0 (SGI, 007-2490-001), section 14.20: the control has EXL in bit 0,
//! K, S and U in bits 1 to 3, IE in bit 4 and the event in bits 5 to 8, and all others are reserved; there are two counters
//! of 32 bits; a counter interrupts while its bit 31 and IE are set, and counts on. Its table of events was not at hand:
//! events are libperfex', 0 to 15 of counter 0 and 16 to 31 of counter 1, which IRIX' r10k_counters(5) and PAPI have too.
//!
//! "MIPS32 Architecture For Programmers, volume III", "Performance Counter Registers": the same bits, the event from bit 5
//! on, W in bit 30 and M in bit 31. It was not at hand: its bits are those of torvalds/linux
//! (arch/mips/include/asm/mipsregs.h) and of QEMU (target/mips), and the events those of OProfile and, for the 74K, of
//! "Programming the MIPS32 74K Core Family", table 8.8, and libpfm4.

use pmu::arch::mips::Cp0;
use pmu::arch::mips::mipsxx::{Identity, Mipsxx, PerfCtl};
use pmu::driver::{Control, Registers as _};
use pmu::{CounterId, CounterSet, Event, Handled, Interrupted, Modes, Request, Unit};

use crate::program::{Recorded, on};
use crate::support::memory::Memory;
use crate::trace;

type Cp0Memory = &'static Memory<Cp0>;
type Driver = Mipsxx<&'static Recorded<Cp0Memory>>;
type Program = crate::program::Program<Driver, Cp0Memory>;

fn program(identity: Identity) -> Program {
    let program = Program::of(Memory::leaked(), |registers| Mipsxx::new(registers, identity.capabilities()));
    program.take_over();
    program
}

/// What is written as these requests are placed and start.
fn started<const N: usize>(identity: Identity, requests: [Request; N]) -> Vec<String> {
    let mut program = program(identity);
    assert_eq!(program.load(requests), NOTHING);
    program.run(program.all())
}

/// Registers that answer detection with these values.
fn answering(registers: &[(Cp0, u64)]) -> &'static Recorded<Cp0Memory> {
    let recorded: &'static Recorded<Cp0Memory> = Box::leak(Box::new(Recorded::new(Memory::leaked())));
    registers.iter().for_each(|&(at, value)| recorded.write(at, value));
    trace(recorded);
    recorded
}

fn user(event: Event) -> Request {
    Request::new(event).modes(Modes::USER)
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

/// Section 14.20, "Event 0 for Counter 0 and Counter 1: Cycles": libperfex' 0 and 16.
#[test]
fn r10000_counts_cycles_by_0_on_both_counters() {
    let cycles = started(Identity::R10000, [Event::raw(0), Event::raw(16)].map(Request::new));
    assert_eq!(cycles, ["write PerfCtl0 <- 0x1b", "write PerfCtl1 <- 0x1b"]);
}

/// libperfex(3C): event 26, misses of the second-level cache by data, is event 10 of counter 1. U and IE are 18H.
#[test]
fn libperfex_26_is_event_10_of_counter_1_in_user_mode() {
    assert_eq!(started(Identity::R10000_V2, [user(Event::raw(26))]), ["write PerfCtl1 <- 0x158"]);
}

/// The last event of each counter, 15: FH << 5 is 1E0H. K, EXL and IE are 13H.
#[test]
fn the_last_events_of_r10000s_counters_fill_the_field() {
    let requests = [15, 31].map(|code| Request::new(Event::raw(code)).modes(Modes::KERNEL));
    assert_eq!(started(Identity::R10000, requests), ["write PerfCtl0 <- 0x1f3", "write PerfCtl1 <- 0x1f3"]);
}

/// Section 14.20, "Any combination of count enable bits may be asserted": U, EXL and IE are 19H, U, S and IE 1CH.
#[test]
fn r10000_counts_programs_and_exceptions_or_programs_and_supervisors() {
    let mode = |bit: PerfCtl, code| user(Event::raw_with(code, bit.bits().into()));
    let requests = [mode(PerfCtl::EXCEPTION, 9), mode(PerfCtl::SUPERVISOR, 18)];
    assert_eq!(started(Identity::R10000, requests), ["write PerfCtl0 <- 0x139", "write PerfCtl1 <- 0x5c"]);
}

/// A counter has 32 bits and interrupts as bit 31 becomes 1: 2^31 events at most after a preset of 0.
#[test]
fn r10000_waits_for_2_to_the_31_events_at_most() {
    let mut program = program(Identity::R10000);
    program.load([on(Event::CYCLES, 0)]);
    assert_eq!(program.preset(1), ["write PerfCnt0 <- 0x7fffffff"]);
    assert_eq!(program.preset(1 << 31), ["write PerfCnt0 <- 0x0"]);
    assert_eq!(program.preset(1 << 40), ["write PerfCnt0 <- 0x0"]);
}

/// r10k_counters(5): each of R12000's counters has all 32 events, so that the field has five bits: 1AH << 5 is 340H.
#[test]
fn r12000_has_event_26_on_its_first_counter_too() {
    assert_eq!(started(Identity::R12000, [on(Event::raw(26), 0).modes(Modes::USER)]), ["write PerfCtl0 <- 0x358"]);
}

/// The R10000 has neither Config1 nor bits that say how many counters there are: it has two. Its implementation number in
/// PRId is 9 (section 14.16), and its revision 3.4 is 34H. The test's event is 5: A0H, in no mode.
#[test]
fn r10000_is_detected_by_prid_and_a_control_that_keeps_an_event() {
    let registers = answering(&[(Cp0::PRID, 0x0934), (Cp0::control(0).unwrap(), 0x158)]);
    let driver = Mipsxx::detect(registers).expect("it has a unit");
    let expected = [
        "read PRId -> 0x934",
        "read PerfCtl0 -> 0x158",
        "write PerfCtl0 <- 0xa0",
        "read PerfCtl0 -> 0xa0",
        "write PerfCtl0 <- 0x158",
    ];
    assert_eq!(
        (trace(registers).as_slice(), driver.capabilities().counters.len()),
        (expected.map(String::from).as_slice(), 2)
    );
}

/// The interrupt: the counter is found past bit 31 and stopped, and is preset below it before it counts again, as the
/// interrupt lasts while bit 31 is set. 1000 is 3E8H: three events past the period leave 997 of the next.
#[test]
fn an_overflow_is_withdrawn_by_a_preset_before_the_counter_counts_again() {
    let registers: &'static Recorded<Cp0Memory> = answering(&[]);
    let unit: &'static Unit<Driver, 4> = Box::leak(Box::new(Unit::new()));
    let pmu = unit.claim(Mipsxx::new(registers, Identity::R10000.capabilities())).unwrap();
    let mut session = pmu.open([on(Event::raw(15), 0).modes(Modes::USER).every(1000)]).unwrap();
    session.start().unwrap();
    registers.write(Cp0::counter(0).unwrap(), 0x8000_0003);
    trace(registers);
    assert_eq!(unit.on_overflow(Interrupted::default()), Handled::Overflow);
    let expected = [
        "read counter PerfCnt0 -> 0x80000003",
        "write PerfCtl0 <- 0x0",
        "read counter PerfCnt0 -> 0x80000003",
        "write PerfCnt0 <- 0x7ffffc1b",
        "write PerfCtl0 <- 0x1f8",
    ];
    assert_eq!(trace(registers), expected);
}

/// What it held is read before it is cleared. A counter is restored before its control, which makes it count.
#[test]
fn what_an_r10000_held_is_put_back_before_it_counts() {
    let program = program(Identity::R10000);
    let [control, counter] = [Cp0::control(1), Cp0::counter(1)].map(Option::unwrap);
    program.registers.write(control, 0x158);
    program.registers.write(counter, 0x8000_0000);
    trace(program.registers);
    let saved = <Driver as Control>::NOTHING_SAVED;
    program.driver.save(&saved);
    let of_counter_1 =
        ["read PerfCtl1 -> 0x158", "write PerfCtl1 <- 0x0", "read PerfCnt1 -> 0x80000000", "write PerfCnt1 <- 0x0"];
    assert_eq!(trace(program.registers)[4..], of_counter_1);
    program.driver.restore(&saved);
    let restored = trace(program.registers);
    assert_eq!(restored[..2], ["write PerfCtl0 <- 0x0", "write PerfCtl1 <- 0x0"]);
    assert_eq!(restored[4..], ["write PerfCnt1 <- 0x80000000", "write PerfCtl1 <- 0x158"]);
}

/// OProfile's list of 74K's events, after its manual: 27H is conditional branches on counters 0 and
/// 2, and mispredicted ones on 1 and 3. EXL, K and IE are 13H.
#[test]
fn a_74k_counts_branches_on_an_even_and_their_misses_on_an_odd_counter() {
    let requests = [on(Event::BRANCHES, 2), on(Event::BRANCH_MISSES, 3)].map(|request| request.modes(Modes::KERNEL));
    assert_eq!(started(Identity::M74K, requests), ["write PerfCtl2 <- 0x4f3", "write PerfCtl3 <- 0x4f3"]);
}

/// libpfm_mips_74k(3): JR_31_MISPREDICTIONS is its code 4AH, the user's event 2 of counters 1 and 3. IE is the driver's:
/// 2 << 5 | 8 | 10H = 58H.
#[test]
fn libpfms_jr_31_mispredictions_are_event_2_of_an_odd_counter() {
    let catalogue = Identity::M74K.capabilities().model.catalogue();
    let named = catalogue.named("JR_31_MISPREDICTIONS").expect("libpfm has it");
    assert_eq!(started(Identity::M74K, [on(catalogue.event(named), 1).modes(Modes::USER)]), ["write PerfCtl1 <- 0x58"]);
}

/// "Programming the MIPS32 74K Core Family", table 8.8: event 1CH is the second level's accesses on odd counters, 1DH its
/// misses on either.
#[test]
fn a_74ks_second_level_is_event_28_of_an_odd_and_29_of_an_even_counter() {
    let requests = [on(Event::CACHE_REFERENCES, 1), on(Event::CACHE_MISSES, 0)];
    let requests = requests.map(|request| request.modes(Modes::USER));
    assert_eq!(started(Identity::M74K, requests), ["write PerfCtl0 <- 0x3b8", "write PerfCtl1 <- 0x398"]);
}

/// MIPS64, PerfCtl\[W\]: the counter has 64 bits, and interrupts while bit 63 is set.
#[test]
fn a_wide_counter_is_preset_beneath_bit_63() {
    let mut program = program(Identity::M5K.wide());
    program.load([on(Event::CYCLES, 0)]);
    assert_eq!(program.preset(1), ["write PerfCnt0 <- 0x7fffffffffffffff"]);
}

/// OProfile's list of 5K's events: executed instructions are FH of counter 0 and 1 of counter 1.
#[test]
fn a_5k_counts_instructions_by_other_numbers_on_its_two_counters() {
    let instructions = started(Identity::M5K, [on(Event::INSTRUCTIONS, 0), on(Event::INSTRUCTIONS, 1)]);
    assert_eq!(instructions, ["write PerfCtl0 <- 0x1fb", "write PerfCtl1 <- 0x3b"]);
}

/// OProfile's list of 20K's events: its one counter has branches by 6 and mispredicted ones by 5.
#[test]
fn a_20k_has_one_counter_for_all_its_events() {
    assert_eq!(started(Identity::M20K, [user(Event::BRANCHES)]), ["write PerfCtl0 <- 0xd8"]);
    assert_eq!(started(Identity::M20K, [user(Event::BRANCH_MISSES)]), ["write PerfCtl0 <- 0xb8"]);
}

/// A unit that is taken over counts nothing and has no counter past its overflow, whatever was there.
#[test]
fn a_unit_is_stopped_and_cleared_when_it_is_taken_over() {
    let expected = ["write PerfCtl0 <- 0x0", "write PerfCnt0 <- 0x0", "write PerfCtl1 <- 0x0", "write PerfCnt1 <- 0x0"];
    assert_eq!(program(Identity::M24K).take_over(), expected);
}

/// MT_EN is bits 20 and 21, 1 for a VPE and 2 for a TC; VPEID is bits 16 to 19, TCID 22 to 29 (M_PERFCTL_MT_EN and its
/// neighbours in Linux). Event 1 of either counter is instructions: 20H. U and IE are 18H.
#[test]
fn a_34k_limits_a_counter_to_a_vpe_or_a_tc() {
    let of = |limit: PerfCtl, counter| on(Event::raw_with(1, limit.bits().into()), counter).modes(Modes::USER);
    let limited = started(Identity::M34K, [of(PerfCtl::of_vpe(1), 0), of(PerfCtl::of_tc(3), 1)]);
    assert_eq!(limited, ["write PerfCtl0 <- 0x110038", "write PerfCtl1 <- 0xe00038"]);
}

/// Linux gives VPE 1 the counters from 2 on, and limits each to its VPE (`mipsxx_pmu_swizzle_perf_idx`).
#[test]
fn the_second_vpe_of_a_34k_has_counters_2_and_3_and_clears_no_others() {
    let share = Identity::M34K.capabilities().of_vpe(1).unwrap();
    let mut program = Program::of(Memory::leaked(), |registers| Mipsxx::new(registers, share));
    let cleared = ["write PerfCtl2 <- 0x0", "write PerfCnt2 <- 0x0", "write PerfCtl3 <- 0x0", "write PerfCnt3 <- 0x0"];
    assert_eq!(program.take_over(), cleared);
    program.load([on(Event::CYCLES, 2).modes(Modes::USER)]);
    assert_eq!(program.run(program.all()), ["write PerfCtl2 <- 0x110018"]);
}

/// Config1\[PC\] is bit 4. M, bit 31 of a control, announces the next one. The bits that describe the unit are not written
/// back.
#[test]
fn a_74k_is_detected_by_config1_and_the_bits_that_announce_the_next_counter() {
    let control = |number| Cp0::control(number).unwrap();
    let more = [0, 1, 2].map(|number| (control(number), 0x8000_0000));
    let registers = answering(&[&[(Cp0::PRID, 0x0001_9700), (Cp0::CONFIG1, 0x10)], more.as_slice()].concat());
    let driver = Mipsxx::detect(registers).expect("it has a unit");
    let expected = [
        "read PRId -> 0x19700",
        "read Config1 -> 0x10",
        "read PerfCtl0 -> 0x80000000",
        "read PerfCtl1 -> 0x80000000",
        "read PerfCtl2 -> 0x80000000",
        "read PerfCtl0 -> 0x80000000",
        "read PerfCtl0 -> 0x80000000",
        "write PerfCtl0 <- 0xa0",
        "read PerfCtl0 -> 0xa0",
        "write PerfCtl0 <- 0x0",
    ];
    assert_eq!(trace(registers), expected);
    assert_eq!(driver.capabilities().counters, CounterSet::first(4));
}
