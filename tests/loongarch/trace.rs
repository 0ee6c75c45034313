//! "LoongArch Reference Manual, volume 1", "Performance Monitor Configuration n" (PMCFG): the event's number is in bits 0 to
//! 9, PLV0 to PLV3 are bits 16 to 19, PMIEn is bit 20. "Performance Monitor Overall Counter n" (PMCNT): a counter of 64 bits
//! interrupts while its highest bit is 1, and clearing that cancels the interrupt. The numbers of events are those of
//! torvalds/linux (arch/loongarch/kernel/perf_event.c), since the manual lists none. PMCFGn is CSR 200H + 2n, PMCNTn 201H + 2n.

use pmu::arch::loongarch::Register;
use pmu::arch::loongarch::la64::{Identity, La64};
use pmu::driver::{Control, Registers as _};
use pmu::{CounterId, CounterSet, Event, Handled, Interrupted, Modes, Unit};

use crate::program::{NOTHING, Recorded, on};
use crate::support::memory::Memory;
use crate::trace;

type Registers = &'static Memory<Register>;
type Driver = La64<&'static Recorded<Registers>>;
type Program = crate::program::Program<Driver, Registers>;

fn program() -> Program {
    let capabilities = Identity::LOONGSON_3A5000.capabilities();
    let program = Program::of(Memory::leaked(), |registers| La64::new(registers, capabilities));
    program.take_over();
    program
}

/// Registers that answer detection with these values.
fn answering(registers: &[(Register, u64)]) -> &'static Recorded<Registers> {
    let recorded: &'static Recorded<Registers> = Box::leak(Box::new(Recorded::new(Memory::leaked())));
    registers.iter().for_each(|&(at, value)| recorded.write(at, value));
    trace(recorded);
    recorded
}

/// Instructions are event 1. In all modes PLV0, PLV2, PLV3 and PMIEn are 1DH in the upper half: 1DH << 16. 2^63 - 7 is
/// 7FFF_FFFF_FFFF_FFF9H.
#[test]
fn a_counter_is_preset_beneath_bit_63_and_started_by_one_write() {
    let mut program = program();
    // A configuration is written as its counter starts.
    assert_eq!(program.load([on(Event::INSTRUCTIONS, 2)]), NOTHING);
    assert_eq!(program.preset(7), ["write PMCNT2 <- 0x7ffffffffffffff9"]);
    assert_eq!(program.run(program.all()), ["write PMCFG2 <- 0x1d0001"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write PMCFG2 <- 0x0"]);
}

/// PLV0 and PMIEn are 11H in the upper half; PLV3, PLV2 and PMIEn 1CH. Linux counts branches by 2 and their misses by 3.
#[test]
fn the_kernel_is_counted_at_plv0_and_programs_at_plv2_and_plv3() {
    let mut program = program();
    let requests = [on(Event::BRANCHES, 0).modes(Modes::KERNEL), on(Event::BRANCH_MISSES, 1).modes(Modes::USER)];
    assert_eq!(program.load(requests), NOTHING);
    assert_eq!(program.run(program.all()), ["write PMCFG0 <- 0x110002", "write PMCFG1 <- 0x1c0003"]);
    assert_eq!(program.run(CounterId::new(1).unwrap().only()), ["write PMCFG0 <- 0x0"]);
}

/// Linux' cache references and misses are 8 and 9. The field has ten bits: 3FFH fills it.
#[test]
fn the_last_event_fills_the_field() {
    let mut program = program();
    program.load([on(Event::CACHE_REFERENCES, 0), on(Event::CACHE_MISSES, 1), on(Event::raw(0x3FF), 2)]);
    let expected = ["write PMCFG0 <- 0x1d0008", "write PMCFG1 <- 0x1d0009", "write PMCFG2 <- 0x1d03ff"];
    assert_eq!(program.run(program.all()), expected);
}

/// A counter interrupts as bit 63 becomes 1: 2^63 events at most after a preset of 0.
#[test]
fn a_counter_waits_for_2_to_the_63_events_at_most() {
    let mut program = program();
    program.load([on(Event::CYCLES, 3)]);
    assert_eq!(program.preset(1), ["write PMCNT3 <- 0x7fffffffffffffff"]);
    assert_eq!(program.preset(1 << 63), ["write PMCNT3 <- 0x0"]);
    assert_eq!(program.preset(u64::MAX), ["write PMCNT3 <- 0x0"]);
}

/// Word 6 of CPUCFG is 7F33H on a 3A6000, whose PRID is 14D000H. The test's event is 5, at no level.
#[test]
fn a_3a6000_is_detected_by_cpucfg_and_a_configuration_that_keeps_an_event() {
    let control = Register::control(0).unwrap();
    let registers = answering(&[(Register::UNIT, 0x7F33), (Register::PRID, 0x14_D000), (control, 0x12)]);
    let driver = La64::detect(registers).expect("it has a unit");
    let expected = [
        "read CPUCFG.0x6 -> 0x7f33",
        "read CPUCFG.0x0 -> 0x14d000",
        "read PMCFG0 -> 0x12",
        "write PMCFG0 <- 0x5",
        "read PMCFG0 -> 0x5",
        "write PMCFG0 <- 0x12",
    ];
    assert_eq!(trace(registers), expected);
    let capabilities = driver.capabilities();
    assert_eq!((capabilities.counters, capabilities.width.bits()), (CounterSet::first(4), 64));
}

/// The interrupt: the counter is stopped, found past bit 63, and preset below it before it counts again, as the interrupt
/// lasts while bit 63 is set. Three events past the period leave 997 of the next: 2^63 - 997 is 7FFF_FFFF_FFFF_FC1BH.
#[test]
fn an_overflow_is_withdrawn_by_a_preset_before_the_counter_counts_again() {
    let registers: &'static Recorded<Registers> = answering(&[]);
    let unit: &'static Unit<Driver, 4> = Box::leak(Box::new(Unit::new()));
    let pmu = unit.claim(La64::new(registers, Identity::LOONGSON_3A5000.capabilities())).unwrap();
    let mut session = pmu.open([on(Event::INSTRUCTIONS, 0).modes(Modes::USER).every(1000)]).unwrap();
    session.start().unwrap();
    registers.write(Register::counter(0).unwrap(), (1 << 63) + 3);
    trace(registers);
    assert_eq!(unit.on_overflow(Interrupted::default()), Handled::Overflow);
    let expected = [
        "write PMCFG0 <- 0x0",
        "read counter PMCNT0 -> 0x8000000000000003",
        "write PMCNT0 <- 0x7ffffffffffffc1b",
        "write PMCFG0 <- 0x1c0001",
    ];
    assert_eq!(trace(registers), expected);
}

/// What it held is read before it is cleared. A counter is restored before its configuration, which makes it count. Bits 21
/// and 22 of that, the virtualisation extension's, come back as they were.
#[test]
fn what_a_unit_held_is_put_back_before_it_counts() {
    let program = program();
    let [control, counter] = [Register::control(1), Register::counter(1)].map(Option::unwrap);
    program.registers.write(control, 0x7A_0008);
    program.registers.write(counter, 1 << 63);
    trace(program.registers);
    let saved = <Driver as Control>::NOTHING_SAVED;
    program.driver.save(&saved);
    let of_counter_1 =
        ["read PMCFG1 -> 0x7a0008", "write PMCFG1 <- 0x0", "read PMCNT1 -> 0x8000000000000000", "write PMCNT1 <- 0x0"];
    assert_eq!(trace(program.registers)[4..8], of_counter_1);
    program.driver.restore(&saved);
    let restored = trace(program.registers);
    assert_eq!(restored[..4], [0, 1, 2, 3].map(|counter| format!("write PMCFG{counter} <- 0x0")));
    assert_eq!(restored[6..8], ["write PMCNT1 <- 0x8000000000000000", "write PMCFG1 <- 0x7a0008"]);
}
