//! Intel SDM vol. 3, "Performance Monitoring (P6 Family Processor)"; its sections are cited by title, and so is the table
//! "Events That Can Be Counted with the P6 Family Performance-Monitoring Counters" ("the table").
//!
//! The SDM says that counter 1 alone is stopped by clearing PerfEvtSel1, and gives no way to stop counter 0 alone. That
//! both are parked on event 2EH without a unit mask is from torvalds/linux arch/x86/events/intel/p6.c, `P6_NOP_EVENT`.
//! PerfEvtSel0 and PerfCtr0 print by the names of their successors at the same addresses.

use pmu::arch::x86::p6::{Device, Identity, P6};
use pmu::arch::x86::{Apic, Lvtpc, Msr, Unattached};
use pmu::driver::{Control, Recorder};
use pmu::request::Flag;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{CounterId, CounterSet, Event, Handled, Interrupted, Mode, Modes, Request, Unit};

use crate::program::{NOTHING, Recorded, on};
use crate::support::line::Entry;
use crate::trace;

/// Floating-point operations retired (FLOPS); on counter 0 alone.
const FLOPS: Event = Event::raw(0x00C1);

type Registers = &'static Recorded<&'static Device<Unconnected>>;
type Program = crate::program::Program<P6<Registers, Unattached>, &'static Device<Unconnected>>;

fn device(identity: &Identity) -> &'static Device<Unconnected> {
    Box::leak(Box::new(Device::new(identity, Kinds::CLOCK, Unconnected)))
}

fn program(identity: &Identity) -> Program {
    Program::of(device(identity), |registers| P6::new(registers, Unattached, identity.capabilities()))
}

/// "PerfEvtSel0 and PerfEvtSel1 MSRs": event in bits 7:0, USR 16, OS 17, INT 20, EN 22. The table: C0H, INST_RETIRED.
/// "PerfCtr0 and PerfCtr1 MSRs": C1H takes 32 bits, sign-extended. Counter 1 rests on 2EH, and EN is written last.
#[test]
fn counter_0_counts_instructions_alone() {
    let mut program = program(&Identity::PENTIUM_PRO);
    assert_eq!(program.load([on(Event::INSTRUCTIONS, 0)]), NOTHING);
    assert_eq!(program.preset(100), ["write IA32_PMC0 <- 0xffffff9c"]);
    let started = ["write IA32_PERFEVTSEL1 <- 0x2e", "write IA32_PERFEVTSEL0 <- 0x5300c0"];
    assert_eq!(program.run(program.all()), started);
    assert_eq!(program.run(CounterSet::EMPTY), ["write IA32_PERFEVTSEL0 <- 0x1300c0"]);
}

/// The same section: EN is only in PerfEvtSel0, and starts counter 1 too, whose selector, 187H, is written before. The
/// table: 79H, CPU_CLK_UNHALTED.
#[test]
fn counter_1_is_started_by_the_enable_bit_of_counter_0() {
    let mut program = program(&Identity::PENTIUM_II);
    program.load([on(Event::CYCLES, 1)]);
    assert_eq!(program.preset(2), ["write IA32_PMC1 <- 0xfffffffe"]);
    let started = ["write IA32_PERFEVTSEL1 <- 0x130079", "write IA32_PERFEVTSEL0 <- 0x40002e"];
    assert_eq!(program.run(program.all()), started);
    assert_eq!(program.run(CounterSet::EMPTY), ["write IA32_PERFEVTSEL0 <- 0x0"]);
}

/// "Starting and Stopping the Performance-Monitoring Counters": EN starts both, and clearing it stops both. What
/// PerfEvtSel1 holds need not be written again. The table: C4H and C5H, branches retired, and mispredicted ones.
#[test]
fn both_counters_are_started_and_stopped_by_one_write() {
    let mut program = program(&Identity::PENTIUM_III);
    program.load([on(Event::BRANCHES, 0), on(Event::BRANCH_MISSES, 1)]);
    let started = ["write IA32_PERFEVTSEL1 <- 0x1300c5", "write IA32_PERFEVTSEL0 <- 0x5300c4"];
    assert_eq!(program.run(program.all()), started);
    assert_eq!(program.run(CounterSet::EMPTY), ["write IA32_PERFEVTSEL0 <- 0x1300c4"]);
    assert_eq!(program.run(program.all()), ["write IA32_PERFEVTSEL0 <- 0x5300c4"]);
}

/// The same: one counter stops while the other goes on. Counter 1's selector is rewritten and EN stays; counter 0's is
/// with EN, which is counter 1's.
#[test]
fn a_counter_stops_alone_on_an_event_that_counts_nothing() {
    let mut program = program(&Identity::PENTIUM_M);
    program.load([on(Event::INSTRUCTIONS, 0), on(Event::CYCLES, 1)]);
    program.run(program.all());
    let [first, second] = [0, 1].map(|number| CounterId::new(number).unwrap().only());
    let without_1 = ["write IA32_PERFEVTSEL1 <- 0x2e", "write IA32_PERFEVTSEL0 <- 0x5300c0"];
    assert_eq!(program.run(first), without_1);
    let without_0 = ["write IA32_PERFEVTSEL1 <- 0x130079", "write IA32_PERFEVTSEL0 <- 0x40002e"];
    assert_eq!(program.run(second), without_0);
}

/// "PerfEvtSel0 and PerfEvtSel1 MSRs": UMASK in bits 15:8. The table: 2EH, L2_RQSTS, with the states M 08H, E 04H, S
/// 02H and I 01H.
#[test]
fn requests_to_the_second_level_are_told_apart_by_their_lines_states() {
    let mut program = program(&Identity::PENTIUM_II);
    program.load([on(Event::CACHE_REFERENCES, 0), on(Event::CACHE_MISSES, 1)]);
    let started = ["write IA32_PERFEVTSEL1 <- 0x13012e", "write IA32_PERFEVTSEL0 <- 0x530f2e"];
    assert_eq!(program.run(program.all()), started);
}

/// The same section: E is bit 18, PC 19, INV 23, the counter mask 31:24. USR alone is bit 16.
#[test]
fn edges_pins_inversions_thresholds_and_modes_have_their_bits() {
    let mut program = program(&Identity::PENTIUM_III);
    let refined = on(Event::CYCLES, 0).threshold(2).flag(Flag::Edge).flag(Flag::Invert);
    program.load([refined, on(Event::INSTRUCTIONS, 1).flag(Flag::PinControl).modes(Modes::USER)]);
    let started = ["write IA32_PERFEVTSEL1 <- 0x1900c0", "write IA32_PERFEVTSEL0 <- 0x2d70079"];
    assert_eq!(program.run(program.all()), started);
}

/// The table: C1H, FLOPS, is counted by counter 0 only, and 12H, MUL, by counter 1 only.
#[test]
fn floating_point_events_are_placed_where_they_are_counted() {
    let mut program = program(&Identity::PENTIUM_PRO);
    program.load([Request::new(Event::raw(0x12)), Request::new(FLOPS)]);
    let started = ["write IA32_PERFEVTSEL1 <- 0x130012", "write IA32_PERFEVTSEL0 <- 0x5300c1"];
    assert_eq!(program.run(program.all()), started);
}

/// "Starting and Stopping the Performance-Monitoring Counters": clearing EN of PerfEvtSel0 stops both. There is no status:
/// a counter has overflowed if its top bit, bit 39, is clear. So each is 2^31 before its overflow, the most that 32 bits
/// can say.
#[test]
fn a_claim_stops_both_counters_and_leaves_none_that_looks_overflowed() {
    let program = program(&Identity::PENTIUM_III);
    let stopped = "write IA32_PERFEVTSEL0 <- 0x0";
    let image = ["write IA32_PERFEVTSEL0 <- 0x0", "write IA32_PERFEVTSEL1 <- 0x0"];
    let counters = ["write IA32_PMC0 <- 0x80000000", "write IA32_PMC1 <- 0x80000000"];
    assert_eq!(program.take_over(), [&[stopped][..], &image, &counters].concat());
}

/// The same: what counts is stopped before its counter is read, and EN, with the selector of counter 0, comes back last.
#[test]
fn a_unit_is_given_back_with_its_enable_bit_last() {
    let device = device(&Identity::PENTIUM_M);
    let capabilities = Identity::PENTIUM_M.capabilities();
    let program = Program::of(device, |registers| P6::new(registers, Unattached, capabilities));
    let saved = P6::<Registers, Unattached>::NOTHING_SAVED;
    for (at, value) in [(0x187, 0x1300C0), (0x186, 0x530079), (0xC2, 5)] {
        device.try_write(Msr::from_address(at).unwrap(), value).unwrap();
    }
    program.driver.save(&saved);
    let kept = [
        "read IA32_PERFEVTSEL1 -> 0x1300c0",
        "read IA32_PERFEVTSEL0 -> 0x530079",
        "read IA32_PERFEVTSEL0 -> 0x530079",
        "write IA32_PERFEVTSEL0 <- 0x130079",
        "read IA32_PMC0 -> 0x0",
        "read IA32_PMC1 -> 0x5",
    ];
    assert_eq!(trace(program.registers), kept);
    program.driver.restore(&saved);
    let restored = [
        "read IA32_PERFEVTSEL0 -> 0x130079",
        "write IA32_PERFEVTSEL0 <- 0x130079",
        "write IA32_PMC0 <- 0x0",
        "write IA32_PMC1 <- 0x5",
        "write IA32_PERFEVTSEL1 <- 0x1300c0",
        "write IA32_PERFEVTSEL0 <- 0x530079",
    ];
    assert_eq!(trace(program.registers), restored);
}

/// "PerfEvtSel0 and PerfEvtSel1 MSRs": INT interrupts through the local APIC, and no register says which counter it was:
/// one that was preset to -n has overflowed when its top bit, bit 39, is clear. "Local Vector Table": a mask that was set
/// is cleared.
#[test]
fn an_overflow_shows_in_the_counter_and_the_line_is_unmasked() {
    for identity in [Identity::PENTIUM_III, Identity::PENTIUM_M] {
        let device = device(&identity);
        let registers: Registers = Box::leak(Box::new(Recorder::new(device)));
        let line: &'static Entry = Box::leak(Box::default());
        let unit: &'static Unit<_, 16> = Box::leak(Box::new(Unit::new()));
        let driver = P6::new(registers, Apic::x2apic(line, Lvtpc::NMI), identity.capabilities());
        let pmu = unit.claim(driver).expect("nobody has claimed it");
        let mut session = pmu.open([on(Event::INSTRUCTIONS, 1).every(1000)]).expect("it fits");
        session.start().expect("it is stopped");
        device.advance(&Work::instructions(Mode::Kernel, 1003));
        line.0.set(Lvtpc::NMI.masked().bits());
        trace(registers);
        assert_eq!(unit.on_overflow(Interrupted::default()), Handled::Overflow);
        let expected = [
            "write IA32_PERFEVTSEL0 <- 0x0",
            "read counter general 1 -> 0x3",
            "write IA32_PMC1 <- 0xfffffc1b",
            "write IA32_PERFEVTSEL0 <- 0x40002e",
        ];
        assert_eq!((trace(registers), line.0.get()), (expected.map(String::from).to_vec(), 0x400));
    }
}
