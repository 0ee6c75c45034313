//! The "Arm Architecture Reference Manual for A-profile architecture", DDI 0487 M.a. Sections are cited
//! by number: D13 is "The Performance Monitors Extension", D14 "PMU Event Descriptions", D24.5
//! "Performance Monitors registers".

use pmu::arch::aarch64::pmuv3::{Capabilities, Machine, Pmuv3, Privilege, Share};
use pmu::driver::{Counters, Image as _, Plan, Recorder};
use pmu::request::Flag;
use pmu::{CounterId, CounterSet, Event, Handled, Interrupted, Modes, Pmu, Request, Session, Unit};

use crate::program::{Recorded, on};
use crate::support::file::{File, plain, with};
use crate::trace;

/// Cycles in which the back end took no operation (STALL_BACKEND).
const BACKEND_STALLS: Event = Event::raw(0x0024);
/// Instructions that software has marked by writing PMSWINC_EL0 (SW_INCR).
const SOFTWARE_INCREMENTS: Event = Event::raw(0x0000);
/// Issue slots that no operation used; a cycle has PMMIR_EL1.SLOTS of them (STALL_SLOT).
const STALLED_SLOTS: Event = Event::raw(0x003F);

type Registers = &'static Recorded<&'static File>;
type Driver = Pmuv3<Registers>;
type Program = crate::program::Program<Driver, &'static File>;

fn program(capabilities: Capabilities) -> Program {
    Program::of(File::new(capabilities), |registers| Pmuv3::new(registers, capabilities, Share::WHOLE))
}

/// D24.5.7, PMCNTENSET_EL0, D24.5.18, PMINTENSET_EL1, and D24.5.21, PMOVSSET_EL0: event counters are bits 0 to 5 if there
/// are six, the cycle counter is bit 31. D24.5.12, PMEVTYPERn_EL0, and PMUSERENR_EL0: fields are unknown after a reset.
/// D24.5.8, PMCR_EL0: E is bit 0, LC bit 6. No overflow is left when interrupts are enabled, and all counters interrupt.
/// What runs is unknown after a reset, too, so that a set-up stops all.
#[test]
fn a_unit_is_set_up_from_nothing_that_it_held() {
    let expected = [
        "write PMCNTENCLR_EL0 <- 0x8000003f",
        "write PMINTENCLR_EL1 <- 0x8000003f",
        "write PMOVSCLR_EL0 <- 0x8000003f",
        "write PMCNTENCLR_EL0 <- 0x8000003f",
        "write PMEVTYPER0_EL0 <- 0x0",
        "write PMEVTYPER1_EL0 <- 0x0",
        "write PMEVTYPER2_EL0 <- 0x0",
        "write PMEVTYPER3_EL0 <- 0x0",
        "write PMEVTYPER4_EL0 <- 0x0",
        "write PMEVTYPER5_EL0 <- 0x0",
        "write PMCCFILTR_EL0 <- 0x0",
        "write PMUSERENR_EL0 <- 0x0",
        "write PMCR_EL0 <- 0x41",
        "write PMINTENSET_EL1 <- 0x8000003f",
    ];
    assert_eq!(program(plain()).take_over(), expected);
}

/// D24.5.1, PMCCFILTR_EL0: P (31) and U (30) keep it from counting in EL1 and EL0; it is 0 since the unit was set up. It
/// is bit 31 of PMCNTENSET_EL0. D13.3: it overflows from 64 bits. Six event counters are bits 0 to 5.
#[test]
fn cycles_are_counted_by_their_own_counter() {
    let mut program = program(plain());
    program.take_over();
    let user = program.load([Request::new(Event::CYCLES).modes(Modes::USER)]);
    assert_eq!(user, ["write PMCCFILTR_EL0 <- 0x80000000"]);
    program.release();
    let everywhere = program.load([Request::new(Event::CYCLES)]);
    assert_eq!(everywhere, ["write PMCCFILTR_EL0 <- 0x0"]);
    assert_eq!(program.preset(1000), ["write PMCCNTR_EL0 <- 0xfffffffffffffc18"]);
    assert_eq!(program.run(program.all()), ["write PMCNTENSET_EL0 <- 0x80000000"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write PMCNTENCLR_EL0 <- 0x8000003f"]);
}

/// D24.5.6, PMCNTENCLR_EL0, and D24.5.7, PMCNTENSET_EL0: a 0 leaves a counter as it is, so that only what changes is
/// written. Halting writes all: a guest may have started what the driver did not.
#[test]
fn only_what_starts_or_stops_is_written() {
    let mut program = program(plain());
    program.take_over();
    program.load([on(Event::INSTRUCTIONS, 0), on(Event::BRANCHES, 1), on(Event::BRANCHES, 2)]);
    let run = |bits| program.run(CounterSet::from_bits(bits));
    assert_eq!(run(0b011), ["write PMCNTENSET_EL0 <- 0x3"]);
    assert_eq!(run(0b110), ["write PMCNTENCLR_EL0 <- 0x1", "write PMCNTENSET_EL0 <- 0x4"]);
    assert_eq!(run(0b010), ["write PMCNTENCLR_EL0 <- 0x4"]);
    assert_eq!(run(0b010), [""; 0]);
    assert_eq!(run(0), ["write PMCNTENCLR_EL0 <- 0x8000003f"]);
}

/// D14.2, table D14-3: 0008H is INST_RETIRED. D24.5.12, PMEVTYPERn_EL0: evtCount is bits 15:0, P bit
/// 31. D13.3.1: "software might set a 32-bit counter to 0xFFFF_0000, to generate another counter overflow
/// after 65 536 increments".
#[test]
fn a_32_bit_counter_waits_for_65536_events_as_the_manual_has_it() {
    let mut program = program(plain());
    let loaded = program.load([on(Event::INSTRUCTIONS, 2).modes(Modes::USER)]);
    assert_eq!(loaded, ["write PMEVTYPER2_EL0 <- 0x80000008"]);
    assert_eq!(program.preset(65_536), ["write PMEVCNTR2_EL0 <- 0xffff0000"]);
}

/// D14.3, CHAIN (001EH): the odd counter counts the overflow of bits 31:0 of the even one before it, and
/// has to count at every level, EL2 among them, where NSH (27) is 1, whatever the even one's filter is:
/// here U (30). What overflows the pair is the odd one's overflow: the even one's, bit 4 of PMINTENCLR_EL1, is not to
/// interrupt. PMEVCNTR5_EL0 is written first: with its top bit set, the pair has not overflowed between the writes.
#[test]
fn a_chained_pair_counts_everywhere_in_its_upper_half() {
    let capabilities = with(plain(), |it| it.has_hypervisor = true);
    let mut program = program(capabilities);
    let long = on(Event::INSTRUCTIONS, 4).modes(Modes::KERNEL).every(1 << 40);
    let loaded = program.load([long]);
    let expected =
        ["write PMINTENCLR_EL1 <- 0x10", "write PMEVTYPER5_EL0 <- 0x800001e", "write PMEVTYPER4_EL0 <- 0x40000008"];
    assert_eq!(loaded, expected);
    assert_eq!(program.preset(1 << 40), ["write PMEVCNTR5_EL0 <- 0xffffff00", "write PMEVCNTR4_EL0 <- 0x0"]);
    assert_eq!(program.run(program.all()), ["write PMCNTENSET_EL0 <- 0x30"]);
    assert_eq!(program.release(), ["write PMOVSCLR_EL0 <- 0x10", "write PMINTENSET_EL1 <- 0x10"]);
}

/// D14.3, CHAIN: "reading the low counter first and the high counter second, with an intervening Context
/// synchronization event"; the registers are PMEVCNTR0_EL0 and PMEVCNTR1_EL0, each read in order, and the
/// upper one before as well, which tells whether the lower one has wrapped meanwhile.
#[test]
fn a_chained_pair_is_read_lower_half_before_upper_half() {
    let mut program = program(plain());
    program.load([on(Event::INSTRUCTIONS, 0).every(1 << 40)]);
    let pair = program.driver.counter(&program.slots[0]);
    assert_eq!(program.driver.read(pair.handle), 0);
    let expected = ["read PMEVCNTR1_EL0 -> 0x0", "read PMEVCNTR0_EL0 -> 0x0", "read PMEVCNTR1_EL0 -> 0x0"];
    assert_eq!(trace(program.registers), expected);
}

/// Example D13-5: TC (63:61) 101, "greater-than-or-equal, count", TH (43:32) 2 and evtCount 80C1H,
/// FP_FIXED_OPS_SPEC, count the cycles in which at least two floating-point operations are issued.
/// D24.5.19, PMMIR_EL1: THWIDTH, bits 23:20, is 3.
#[test]
fn cycles_are_counted_by_how_many_events_they_have() {
    let capabilities = with(plain(), |it| (it.version, it.machine) = (8, Machine(3 << 20)));
    let mut program = program(capabilities);
    let loaded = program.load([on(Event::raw(0x80C1), 0).threshold(2)]);
    assert_eq!(loaded, ["write PMEVTYPER0_EL0 <- 0xa0000002000080c1"]);
    let fewer = on(STALLED_SLOTS, 1).threshold(4).flag(Flag::Invert);
    assert_eq!(program.load([fewer])[0], "write PMEVTYPER1_EL0 <- 0xe00000040000003f");
    let exactly = on(STALLED_SLOTS, 2).threshold(4).flag(Flag::Equal);
    assert_eq!(program.load([exactly])[0], "write PMEVTYPER2_EL0 <- 0x600000040000003f");
}

/// Example D13-6: for a leading edge without a threshold TH is 0, TE (60) 1 and TC 001. D24.5.12, table of
/// TC where TE is 1: 101 is "less-than to greater-than-or-equal". PMMIR_EL1.EDGE is bits 27:24.
#[test]
fn cycles_in_which_something_begins_are_counted() {
    let capabilities = with(plain(), |it| (it.version, it.machine) = (8, Machine(1 << 24 | 4 << 20)));
    let mut program = program(capabilities);
    let begins = on(BACKEND_STALLS, 0).flag(Flag::Edge);
    assert_eq!(program.load([begins])[0], "write PMEVTYPER0_EL0 <- 0x3000000000000024");
    let rises = on(STALLED_SLOTS, 1).threshold(3).flag(Flag::Edge);
    assert_eq!(program.load([rises])[0], "write PMEVTYPER1_EL0 <- 0xb00000030000003f");
}

/// D24.5.12: NSH (27) counts in EL2; P (31) keeps EL1 out, U (30) EL0; where there is an EL3, it is counted
/// if M (26) is as P.
#[test]
fn levels_are_told_apart() {
    let capabilities = with(plain(), |it| (it.has_hypervisor, it.has_monitor) = (true, true));
    let words = [
        (Modes::USER, "0x80000021"),
        (Modes::KERNEL, "0x44000021"),
        (Modes::HYPERVISOR, "0xc8000021"),
        (Modes::ALL.and(Modes::HYPERVISOR), "0xc000021"),
    ];
    for (modes, word) in words {
        let loaded = program(capabilities).load([on(Event::BRANCHES, 3).modes(modes)]);
        assert_eq!(loaded[0], format!("write PMEVTYPER3_EL0 <- {word}"));
    }
}

/// A unit that was claimed, and what its session is.
struct Claimed {
    file: &'static File,
    registers: Registers,
    unit: &'static Unit<Driver, 16>,
    pmu: &'static Pmu<'static, Driver>,
}

impl Claimed {
    fn of(capabilities: Capabilities, share: Share) -> Self {
        let file = File::new(capabilities);
        let registers: Registers = Box::leak(Box::new(Recorder::new(file)));
        let unit: &'static Unit<_, 16> = Box::leak(Box::new(Unit::new()));
        let pmu = unit.claim(Pmuv3::new(registers, capabilities, share)).expect("nobody has claimed it");
        Self { file, registers, unit, pmu: Box::leak(Box::new(pmu)) }
    }

    fn start(&self, request: Request) -> Session<'static, Driver, 1> {
        let mut session = self.pmu.open([request]).expect("it fits");
        session.start().expect("it is stopped");
        trace(self.registers);
        session
    }

    /// The last write to a register.
    fn wrote(&self, register: &str) -> Option<String> {
        let start = format!("write {register} <- ");
        trace(self.registers).iter().rev().find_map(|line| line.strip_prefix(&start).map(str::to_owned))
    }
}

/// D24.5.8, PMCR_EL0: E is bit 0, LC bit 6, LP, from PMUv3p5 on, bit 7; DP, bit 5, where counting can be
/// prohibited, as with an EL3.
#[test]
fn a_claimed_unit_counts_with_64_bits_where_it_can() {
    assert_eq!(Claimed::of(plain(), Share::WHOLE).wrote("PMCR_EL0").as_deref(), Some("0x41"));
    let version_5 = with(plain(), |it| (it.version, it.has_monitor) = (5, true));
    assert_eq!(Claimed::of(version_5, Share::WHOLE).wrote("PMCR_EL0").as_deref(), Some("0xe1"));
}

/// D13.1.1: counters from HPMN on are EL2's. D24.3, MDCR_EL2: HPMN is bits 4:0, HPME bit 7, HLP, from
/// PMUv3p5 on, bit 26. PMCR_EL0 and the cycle counter, bit 31, are the guests'.
#[test]
fn a_hypervisor_that_lends_four_counters_uses_the_other_two() {
    let capabilities = with(plain(), |it| (it.privilege, it.has_hypervisor, it.version) = (Privilege::El2, true, 5));
    let share = Share::beside_guests(&capabilities, 4).expect("two are left");
    let claimed = Claimed::of(capabilities, share);
    let all = trace(claimed.registers);
    assert!(all.contains(&"write MDCR_EL2 <- 0x4000084".to_owned()), "{all:?}");
    assert!(!all.iter().any(|line| line.contains("PMCR_EL0") || line.contains("PMCCNTR_EL0")), "{all:?}");
    let _session = claimed.start(Request::new(Event::INSTRUCTIONS).every(1000));
    let _ = claimed.unit.on_overflow(Interrupted::default());
    let halted = trace(claimed.registers);
    assert_eq!(halted[0], "write PMCNTENCLR_EL0 <- 0x30");
}

/// D24.5.14, PMICFILTR_EL0, which has the bits of the others and no event to write; the instruction counter is bit 32
/// of PMINTENSET_EL1 and of PMCNTENSET_EL0 (F0), and PMICNTR_EL0 has 64 bits. PMCR_EL0: LP is bit 7, DP, where counting
/// can be prohibited, as from PMUv3p7 on, bit 5.
#[test]
fn instructions_are_counted_by_their_own_counter_where_there_is_one() {
    let capabilities = with(plain(), |it| (it.version, it.has_instruction_counter) = (9, true));
    let mut program = program(capabilities);
    let set_up = program.take_over();
    let expected = [
        "write PMICFILTR_EL0 <- 0x0",
        "write PMUSERENR_EL0 <- 0x0",
        "write PMCR_EL0 <- 0xe1",
        "write PMINTENSET_EL1 <- 0x18000003f",
    ];
    assert_eq!(set_up[set_up.len() - 4..], expected);
    let loaded = program.load([Request::new(Event::INSTRUCTIONS).modes(Modes::KERNEL)]);
    assert_eq!(loaded, ["write PMICFILTR_EL0 <- 0x40000000"]);
    assert_eq!(program.preset(5), ["write PMICNTR_EL0 <- 0xfffffffffffffffb"]);
    assert_eq!(program.run(program.all()), ["write PMCNTENSET_EL0 <- 0x100000000"]);
}

/// D13.3.1: the handler cancels the request by writing 1 to the overflow's bit of PMOVSCLR_EL0. D13.2.2:
/// a counter's value is what it was when it was stopped, if a context synchronisation comes before the
/// read. Counter 5 waits for 1000 events; 1003 have passed when the handler reads it.
#[test]
fn an_overflow_is_serviced_with_the_unit_halted() {
    let claimed = Claimed::of(plain(), Share::WHOLE);
    let _session = claimed.start(Request::new(Event::BRANCHES).every(1000).modes(Modes::USER));
    claimed.file.count(CounterId::new(5).expect("there are 64"), 1003);
    assert_eq!(claimed.unit.on_overflow(Interrupted::default()), Handled::Overflow);
    let expected = [
        "write PMCNTENCLR_EL0 <- 0x8000003f",
        "read PMOVSSET_EL0 -> 0x20",
        "read counter PMEVCNTR5_EL0 -> 0x3",
        "write PMEVCNTR5_EL0 <- 0xfffffc1b",
        "write PMOVSCLR_EL0 <- 0x20",
        "write PMCNTENSET_EL0 <- 0x20",
    ];
    assert_eq!(trace(claimed.registers), expected);
}

/// Table D13-12: with UEN (4) set, a counter whose bit in PMUACR_EL1 is 1 is read-only at EL0 if CR (2), ER
/// (3), or IR (5) for the instruction counter, is set, and the others are RAZ/WI. TID (6) traps PMCEIDn_EL0.
/// Without PMUv3p9, UEN, EN and ER = 1 give all event counters, read-only.
#[test]
fn user_programs_read_what_they_were_lent() {
    let named = with(plain(), |it| (it.version, it.has_instruction_counter) = (9, true));
    let program_9 = program(named);
    let lent = CounterSet::from_bits(1 << 31 | 0b10);
    assert_eq!(program_9.driver.open_user_reads(lent), Ok(()));
    let opened = ["write PMUACR_EL1 <- 0x80000002", "write PMUSERENR_EL0 <- 0x7c"];
    assert_eq!(trace(program_9.registers), opened);
    let program_0 = program(plain());
    assert_eq!(program_0.driver.open_user_reads(CounterSet::first(1)), Ok(()));
    assert_eq!(trace(program_0.registers).last().map(String::as_str), Some("write PMUSERENR_EL0 <- 0xc"));
}

/// D24.5.24, PMSWINC_EL0: a bit an event counter; a write adds one to those that count SW_INCR, 0000H, as all do since
/// the unit was set up: one that is to count it everywhere is not written.
#[test]
fn software_adds_to_a_counter_of_its_own() {
    let mut program = program(plain());
    assert!(program.take_over().contains(&"write PMEVTYPER1_EL0 <- 0x0".to_owned()));
    assert!(program.load([on(SOFTWARE_INCREMENTS, 1)]).is_empty());
    program.driver.increment(program.image.occupancy());
    assert_eq!(trace(program.registers), ["write PMSWINC_EL0 <- 0x2"]);
}
