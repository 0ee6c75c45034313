//! Book3S 64: Power ISA 2.07B, 3.0B and 3.1, Book III, "Performance Monitor Facility"; the "IBM
//! PowerPC 970FX RISC Microprocessor User's Manual" and the "POWER8", "POWER9" and "POWER10
//! Performance Monitor Unit User's Guide". Sections are cited by title. The manuals count bits from
//! the top: bit n of 64 is 1 << (63 - n); MMCR0 is the lower half of its register, bits 32 to 63.

use pmu::arch::powerpc::book3s::{Book3s, Facts, Privilege, events};
use pmu::arch::powerpc::{Pvr, Spr};
use pmu::{CounterSet, CpuId, Event, Handled, Interrupted, Mode, Modes, Recorder, Registers, Request, Unit};

use crate::memory::Memory;
use crate::program::{Recorded, on};
use crate::trace;

type SprMemory = &'static Memory<Spr>;
type Program = crate::program::Program<Book3s<&'static Recorded<SprMemory>>, SprMemory>;

const PPC970: u32 = 0x003C_0300;
const POWER5: u32 = 0x003A_0301;
const POWER6: u32 = 0x003E_0300;
const POWER7: u32 = 0x003F_0201;
const POWER8: u32 = 0x004D_0200;
const POWER9: u32 = 0x004E_1202;
const POWER10: u32 = 0x0080_0200;

const FROZEN: &str = "write MMCR0 <- 0x80000000";
/// From 2.07 on PMCC (bits 44 and 45) is 01: problem state has no access.
const FROZEN_AND_CLOSED: &str = "write MMCR0 <- 0x80040000";

fn facts(pvr: u32, privilege: Privilege) -> Facts {
    Facts::discover(Pvr::from_bits(pvr), privilege).expect("it has a unit")
}

fn program(pvr: u32) -> Program {
    Program::of(Memory::new(), |registers| Book3s::new(registers, facts(pvr, Privilege::Supervisor)))
}

fn everywhere(event: Event, counter: u8) -> Request {
    on(event, counter).modes(Modes::ALL.and(Modes::HYPERVISOR))
}

/// 2.07B, "Monitor Mode Control Register 0": FC is bit 32, PMAE 37, PMCC 44:45, PMC1CE 48, FC5-6 59.
/// "Monitor Mode Control Register 2": FCnS, FCnP0, FCnP1 and FCnH are bits 0, 1, 2 and 6 of nine for each
/// counter, from bit 0 on. "POWER8 Performance Monitor Unit User's Guide", "MMCR1": PMC1SEL is bits 32 to 39, and
/// 0000_0010 counts instructions completed; "MMCRA": SDAR_MODE is bits 20 and 21. A counter alerts
/// as its bit 32 sets: 100 events before that it holds 7FFF_FF9CH.
#[test]
fn power8_counts_instructions_on_its_first_counter() {
    let mut program = program(POWER8);
    let loaded = program.load([on(events::INSTRUCTIONS, 0)]);
    let expected = [
        "write PMC1 <- 0x0",
        FROZEN_AND_CLOSED,
        "write MMCRA <- 0x40000000000",
        "write MMCR1 <- 0x2000000",
        // The hypervisor and its processes are not counted by PMC1, and nothing is by the others.
        "write MMCR2 <- 0x2271389c4e271000",
    ];
    assert_eq!(loaded, expected);
    assert_eq!(program.preset(100), ["write PMC1 <- 0x7fffff9c"]);
    assert_eq!(program.run(program.all()), ["write MMCR0 <- 0x4048010"]);
    assert_eq!(program.run(CounterSet::EMPTY), [FROZEN_AND_CLOSED]);
    assert_eq!(program.run(program.all()), ["write MMCR0 <- 0x4048010"]);
}

/// 2.07B, "Monitor Mode Control Register 0": PMCjCE is bit 49, CC5-6RUN bit 55, FC1-4 bit 58. "Performance
/// Monitor Counters": PMC5 counts instructions, and PMC6 cycles.
#[test]
fn power8s_last_two_counters_need_no_selector() {
    let mut program = program(POWER8);
    let loaded = program.load([everywhere(Event::INSTRUCTIONS, 4), everywhere(Event::CYCLES, 5)]);
    assert_eq!(loaded[4..], ["write MMCR1 <- 0x0", "write MMCR2 <- 0xe271389c40000000"]);
    assert_eq!(program.run(program.all()), ["write MMCR0 <- 0x4044120"]);
}

/// "POWER8 Performance Monitor Unit User's Guide", "MMCR1": PMC4UNIT is bits 12 to 15, PMC4SEL 56 to 63;
/// "MMCRA": SAMPLE_ENABLE is bit 63, RAND_SAMP_MODE 61:62, RAND_SAMP_ELIG 57:59, THRESH_EVENT_SEL
/// 45:47, THRESH_START 48:51, THRESH_END 52:55, THRESH_CMP 22:31. PM_MRK_INST_CMPL is 401E0H; marked at
/// random, mode 01, eligibility 100, between events 3 and 4 of sort 1, of more than 96 of them.
#[test]
fn power8_marks_instructions_and_compares_with_a_threshold() {
    let mut program = program(POWER8);
    let code = 0x4_01E0 | 0b1_0001 << 24 | 1 << 29 | 0x34 << 32 | 0x60 << 40;
    let loaded = program.load([on(Event::raw(code), 3)]);
    assert_eq!(loaded[2..4], ["write MMCRA <- 0x46000013443", "write MMCR1 <- 0xe0"]);
}

/// "POWER9 Performance Monitor Unit User's Guide", "MMCR1": PMC1COMB is bits 24:25 and so on; PMC1UNIT 0:3,
/// PMC2UNIT 4:7; the qualifier of L1 reloads 16:17. "MMCRA": SDAR_MODE 20:21. Event 1E054H is of unit 14;
/// D4C40H is a sum (combine 11) of unit 4 on any counter.
#[test]
fn power9_combines_by_two_bits() {
    let mut program = program(POWER9);
    let loaded = program.load([everywhere(Event::raw(0x1_E054), 0), everywhere(Event::raw(0x4C40), 1)]);
    assert_eq!(loaded[4], "write MMCR1 <- 0xe400003054400000");
    let loaded = program.load([everywhere(Event::raw(0x4C40 | 3 << 50), 2)]);
    assert_eq!(loaded[2], "write MMCRA <- 0xc0000000000");
}

/// "POWER9 Performance Monitor Unit User's Guide", "MMCRA": THRESH_CMP is bits 9 to 18, and SDAR_MODE is 0
/// while instructions are marked. The code's bits 40 to 49 are the threshold, 60H; 32 to 39 start and
/// end, 34H; 29 to 31 the event, 1; 24 to 28 eligibility 5 and mode 0.
#[test]
fn power9s_threshold_is_higher_up() {
    let mut program = program(POWER9);
    let loaded = program.load([on(Event::raw(0x6034_3404_01E0), 3)]);
    assert_eq!(loaded[2], "write MMCRA <- 0xc000000013451");
}

/// "POWER10 Performance Monitor Unit User's Guide", "MMCR3": fifteen bits a counter, PMC1's from bit 0 on.
/// "MMCR1": the radix scope is bit 18. 3.1, "Monitor Mode Control Register A": BHRBRD is bit 26. Event
/// 0340_0000_0000_C040H is PM_DATA_FROM_L2's source on unit 12.
#[test]
fn power10_names_the_source_in_mmcr3() {
    let mut program = program(POWER10);
    let code = 0x0003_4000_0000_C040;
    let loaded = program.load([everywhere(Event::raw(code | 1 << 9), 1)]);
    let expected = [
        "write PMC2 <- 0x0",
        FROZEN_AND_CLOSED,
        "write MMCRA <- 0x82000000000",
        // Bits 45 to 59 of the code, 1AH, in bits 15 to 29.
        "write MMCR3 <- 0x6800000000",
        "write MMCR1 <- 0xc00200000400000",
    ];
    assert_eq!(loaded[..5], expected);
}

/// 2.06B, "Monitor Mode Control Register 0": FCS is bit 33, FCP 34, FCHV 63: before 2.07 they are all
/// counters'. "POWER7 Performance Monitor", "MMCR1": TTM1SEL is bits 4 to 7, PMC2SEL bits 40 to 47, L2SEL
/// 16:18. PM_L2_ST_MISS on PMC2 is 26082H with L2 selector 0. POWER7 reads MMCR0 as it halts.
#[test]
fn power7_counts_users_by_freezing_all_others() {
    let mut program = program(POWER7);
    let loaded = program.load([on(Event::raw(0x2_6382), 1).modes(Modes::USER)]);
    let expected = ["write PMC2 <- 0x0", FROZEN, "write MMCRA <- 0x60000000", "write MMCR1 <- 0x600600000820000"];
    assert_eq!(loaded, expected);
    assert_eq!(program.run(program.all()), ["write MMCR0 <- 0x44004011"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["read MMCR0 -> 0x44004011", FROZEN]);
}

/// "POWER5 Performance Monitor", "MMCR1": TTM0SEL is bits 0:1, TD_CP_DBG3SEL 14:15, PMC1_ADDER_SEL 28,
/// PMC1SEL 32 to 38. IFU, value 2 of multiplexer 0, on lane 3.
#[test]
fn power5_routes_a_unit_to_a_lane() {
    let mut program = program(POWER5);
    let loaded = program.load([everywhere(Event::raw(0x2_30E4), 2)]);
    assert_eq!(loaded[3], "write MMCR1 <- 0x800000000000c800");
}

/// "POWER6 Performance Monitor", "MMCR1": TTM1SEL is bits 4 to 7, PMC3SEL 48 to 55. Unit 4, lane 1,
/// selector A0H, which on PMC3 and PMC4 is 80H.
#[test]
fn power6_selects_the_bus_differently_on_its_last_counters() {
    let mut program = program(POWER6);
    let loaded = program.load([everywhere(Event::raw(0x4_10A0), 2)]);
    assert_eq!(loaded[3], "write MMCR1 <- 0x400000000008000");
}

/// 970FX, "MMCR0": PMC1SEL is bits 51 to 55, PMC2SEL 58 to 62; "MMCR1": PMC3SEL 32 to 36, and so on by five
/// bits. Selector 8 counts nothing, 9 instructions completed, 0FH cycles. "MMCRA": one operation of an
/// instruction is marked, bit 50.
#[test]
fn the_970_has_eight_counters_and_a_selector_for_nothing() {
    let mut program = program(PPC970);
    let loaded = program.load([everywhere(Event::INSTRUCTIONS, 0), everywhere(Event::CYCLES, 3)]);
    assert_eq!(loaded[3..], ["write MMCRA <- 0x2000", "write MMCR1 <- 0x43d08420"]);
    assert_eq!(program.run(program.all()), ["write MMCR0 <- 0x400c910"]);
}

/// 2.07B, "Monitor Mode Control Register 2", as above: a counter that stops beside another is frozen in
/// every state, problem state with MSR[HV] set among them, while MMCR0's FC, bit 32, freezes all.
#[test]
fn one_counter_of_power8_stops_while_all_are_frozen() {
    let mut program = program(POWER8);
    program.load([everywhere(events::INSTRUCTIONS, 0), everywhere(events::CYCLES, 1)]);
    program.run(program.all());
    let expected =
        [FROZEN_AND_CLOSED, "write MMCR1 <- 0x1e0000", "write MMCR2 <- 0xe200389c4e271000", "write MMCR0 <- 0x4044010"];
    assert_eq!(program.run(CounterSet::from_bits(0b10)), expected);
}

/// 3.0B, "Monitor Mode Control Register 0": the alert sets PMAO, bit 56, and clears PMAE; there is an interrupt
/// while PMAO is set. The handler freezes, presets, and lets go with PMAE set and PMAO clear.
#[test]
fn an_overflow_on_power9_is_serviced_in_three_writes() {
    let registers: &'static Recorder<SprMemory, 64> = Box::leak(Box::new(Recorder::new(Memory::new())));
    let unit: &'static Unit<_, 16> = Box::leak(Box::new(Unit::new()));
    let driver = Book3s::new(registers, facts(POWER9, Privilege::Supervisor));
    let pmu = unit.claim(driver, || CpuId(0)).unwrap();
    let mut session = pmu.open([everywhere(events::CYCLES, 1).every(5000)]).unwrap();
    session.start().unwrap();
    trace(registers);
    let pmc2 = Spr::from_number(788).expect("PMC2 is SPR 788");
    registers.write(pmc2, 0x8000_0003);
    registers.clear();
    assert_eq!(unit.on_overflow(Interrupted::new(0x1000, Mode::Kernel)), Handled::Overflow);
    let expected = [
        FROZEN_AND_CLOSED,
        "read counter PMC2 -> 0x80000003",
        "read counter PMC2 -> 0x80000003",
        // 2^31 - 5000 + 3: what came after the overflow is part of the next period.
        "write PMC2 <- 0x7fffec7b",
        "write MMCR0 <- 0x4044010",
    ];
    assert_eq!(trace(registers), expected);
}
