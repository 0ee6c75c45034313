//! Intel SDM vol. 3, chapter "Performance Monitoring"; sections are cited by title.

use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::arch::x86::{Apic, Lvtpc, Unattached};
use pmu::driver::{Counters, Plan, Recorder};
use pmu::request::Flag;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{CounterSet, Event, Handled, Interrupted, Mode, Modes, Request, Unit};

use crate::program::{NOTHING, Recorded, on};
use crate::support::line::Entry;
use crate::trace;

type Registers = &'static Recorded<&'static Device<Unconnected>>;
type Program = crate::program::Program<Intel<Registers, Unattached>, &'static Device<Unconnected>>;

fn device(identity: &Identity) -> &'static Device<Unconnected> {
    Box::leak(Box::new(Device::new(identity, Kinds::CLOCK, Unconnected)))
}

fn program(identity: &Identity) -> Program {
    Program::of(device(identity), |registers| Intel::new(registers, Unattached, identity.capabilities()))
}

/// "Architectural Performance Monitoring Version 1", figure "Layout of IA32_PERFEVTSELx MSRs":
/// event C0H, USR bit 16, OS bit 17, INT bit 20; EN, bit 22, starts the counter. IA32_PMC0 is
/// C1H and takes 32 bits, sign-extended. Nothing counts before EN is written, and the event is written with it.
#[test]
fn version_1_counts_instructions_on_counter_0() {
    let mut program = program(&Identity::CORE_DUO);
    assert_eq!(program.load([on(Event::INSTRUCTIONS, 0)]), NOTHING);
    assert_eq!(program.preset(100), ["write IA32_PMC0 <- 0xffffff9c"]);
    assert_eq!(program.run(program.all()), ["write IA32_PERFEVTSEL0 <- 0x5300c0"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write IA32_PERFEVTSEL0 <- 0x1300c0"]);
}

/// The same section has no register for all counters, so EN of each is cleared, and no status: a counter has overflowed
/// if its top bit, bit 39, is clear. "Full-Width Writes to Performance Counter Registers": of what is written to
/// IA32_PMCx, bit 31 goes to the bits above it. So each counter is 2^31 before its overflow.
#[test]
fn version_1_stops_every_counter_and_leaves_none_that_looks_overflowed() {
    let program = program(&Identity::CORE_DUO);
    let selects = ["write IA32_PERFEVTSEL0 <- 0x0", "write IA32_PERFEVTSEL1 <- 0x0"];
    let counters = ["write IA32_PMC0 <- 0x80000000", "write IA32_PMC1 <- 0x80000000"];
    assert_eq!(program.take_over(), [selects, selects, counters].concat());
}

/// "Architectural Performance Monitoring Version 2", figures "Layout of IA32_FIXED_CTR_CTRL MSR"
/// (EN of counter 0 in bits 1:0, both rings 3; PMI in bit 3) and "Layout of
/// IA32_PERF_GLOBAL_CTRL MSR" (IA32_FIXED_CTR0 enable is bit 32). The counter has 40 bits, and waits for 2 events or
/// more (Linux, `x86_perf_event_set_period`).
#[test]
fn version_2_counts_instructions_on_the_fixed_counter() {
    let mut program = program(&Identity::CORE_2);
    assert_eq!(program.load([Request::new(Event::INSTRUCTIONS)]), ["write IA32_FIXED_CTR_CTRL <- 0xb"]);
    assert_eq!(program.preset(1), ["write IA32_FIXED_CTR0 <- 0xfffffffffe"]);
    assert_eq!(program.run(program.all()), ["write IA32_PERF_GLOBAL_CTRL <- 0x100000000"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write IA32_PERF_GLOBAL_CTRL <- 0x0"]);
}

/// The same figures: EN is 1 for ring 0 alone and 2 for the others; counter 1's field is bits
/// 7:4. Both fields in one write.
#[test]
fn fixed_counters_tell_the_kernel_from_its_users() {
    let mut program = program(&Identity::SKYLAKE);
    let requests =
        [Request::new(Event::INSTRUCTIONS).modes(Modes::KERNEL), Request::new(Event::CYCLES).modes(Modes::USER)];
    assert_eq!(program.load(requests), ["write IA32_FIXED_CTR_CTRL <- 0xa9"]);
    assert_eq!(program.run(program.all()), ["write IA32_PERF_GLOBAL_CTRL <- 0x300000000"]);
}

/// "Pre-defined Architectural Performance Events", table: branch misses retired are C5H, mask 0;
/// last-level cache misses 2EH, mask 41H. Where there is a global register EN stays set.
#[test]
fn general_counters_keep_their_enable_bit_under_global_control() {
    let mut program = program(&Identity::SKYLAKE);
    let loaded = program.load([on(Event::BRANCH_MISSES, 0), on(Event::CACHE_MISSES, 3)]);
    assert_eq!(loaded, ["write IA32_PERFEVTSEL0 <- 0x5300c5", "write IA32_PERFEVTSEL3 <- 0x53412e"]);
    assert_eq!(program.run(program.all()), ["write IA32_PERF_GLOBAL_CTRL <- 0x9"]);
}

/// "Full-Width Writes to Performance Counter Registers": with FW_WRITE, IA32_A_PMCx (4C1H on)
/// takes the counter's whole width, here 48 bits; a general counter can then wait for more
/// than 2^31 events.
#[test]
fn full_width_writes_go_through_the_alias() {
    let mut program = program(&Identity::SKYLAKE);
    program.load([on(Event::BRANCHES, 2)]);
    assert_eq!(program.preset(1 << 40), ["write IA32_A_PMC2 <- 0xff0000000000"]);
}

/// Without FW_WRITE, bits 31 to the top follow bit 31 of what is written: 2^31 events is the
/// longest wait.
#[test]
fn narrow_writes_rely_on_sign_extension() {
    let mut program = program(&Identity::NEHALEM);
    program.load([on(Event::BRANCHES, 2)]);
    assert_eq!(program.preset(1 << 31), ["write IA32_PMC2 <- 0x80000000"]);
    let raw = program.driver.read(program.driver.counter(&program.slots[0]).handle);
    assert_eq!(
        (raw, trace(program.driver.registers())),
        (0xFFFF_8000_0000, vec!["read counter general 2 -> 0xffff80000000".to_owned()])
    );
}

/// "Architectural Performance Monitoring Version 1": INV bit 23, counter mask bits 31:24, E bit
/// 18. The table of Skylake's events gives stalls as UOPS_ISSUED.STALL_CYCLES: event 0EH, mask 1,
/// CMASK 1, INV.
#[test]
fn a_stall_is_a_threshold_turned_over() {
    let mut program = program(&Identity::SKYLAKE);
    let stalls = on(Event::raw(0x010E), 0).threshold(1).flag(Flag::Invert);
    assert_eq!(program.load([stalls]), ["write IA32_PERFEVTSEL0 <- 0x1d3010e"]);
    let beginnings = on(Event::raw(0x010E), 1).threshold(1).flag(Flag::Invert).flag(Flag::Edge);
    assert_eq!(program.load([beginnings]), ["write IA32_PERFEVTSEL1 <- 0x1d7010e"]);
}

/// "Off-core Response Performance Monitoring in the Processor Core" (Nehalem, then Westmere and
/// on): event B7H, mask 1 with MSR_OFFCORE_RSP_0 (1A6H); BBH, mask 1 with MSR_OFFCORE_RSP_1
/// (1A7H). The value of each stands before its counter selects the event.
#[test]
fn offcore_requests_program_the_register_before_the_selector() {
    let mut program = program(&Identity::SKYLAKE);
    let offcore = |value, counter| on(Event::raw_with(0x01B7, value), counter);
    let expected = [
        "write MSR_OFFCORE_RSP_0 <- 0x10001",
        "write MSR_OFFCORE_RSP_1 <- 0x3fbfc00002",
        "write IA32_PERFEVTSEL0 <- 0x5301b7",
        "write IA32_PERFEVTSEL1 <- 0x5301bb",
    ];
    assert_eq!(program.load([offcore(0x10001, 0), offcore(0x3F_BFC0_0002, 1)]), expected);
}

/// "Architectural Performance Monitoring Version 5", and the table of fixed counters: fixed counter
/// 3 counts slots; its field is bits 15:12 of IA32_FIXED_CTR_CTRL, where ANY (bit 14) is reserved
/// by now, and its bit in IA32_PERF_GLOBAL_CTRL is 35. Sapphire Rapids has eight general counters
/// of 48 bits, and branches there are C4H, mask 0.
#[test]
fn version_5_counts_slots_on_the_fixed_counter() {
    let mut program = program(&Identity::SAPPHIRE_RAPIDS);
    let loaded = program.load([Request::new(Event::SLOTS), on(Event::BRANCHES, 7)]);
    assert_eq!(loaded, ["write IA32_PERFEVTSEL7 <- 0x5300c4", "write IA32_FIXED_CTR_CTRL <- 0xb000"]);
    let preset = ["write IA32_FIXED_CTR3 <- 0xfffffffffc18", "write IA32_A_PMC7 <- 0xfffffffffc18"];
    assert_eq!(program.preset(1000), preset);
    assert_eq!(program.run(program.all()), ["write IA32_PERF_GLOBAL_CTRL <- 0x800000080"]);
}

/// "Architectural Performance Monitoring Version 6": UMASK2 is bits 47:40, EQ bit 36 (the same
/// numbers in torvalds/linux arch/x86/include/asm/perf_event.h).
#[test]
fn version_6_selects_with_a_second_mask_and_equality() {
    let mut program = program(&Identity::LION_COVE);
    let request = on(Event::raw(0x0A << 40 | 0x01C7), 9).threshold(4).flag(Flag::Equal);
    assert_eq!(program.load([request]), ["write IA32_PERFEVTSEL9 <- 0xa10045301c7"]);
}

/// "Architectural Performance Monitoring Version 3", figure "Layout of IA32_PERFEVTSELx MSRs
/// Supporting Architectural Performance Monitoring Version 3": ANY is bit 21, in
/// IA32_FIXED_CTR_CTRL bit 2 of each field.
#[test]
fn any_thread_has_its_bit_in_both_kinds_of_counter() {
    let mut program = program(&Identity::NEHALEM);
    let any = |counter| on(Event::CYCLES, counter).flag(Flag::AnyThread);
    let expected = ["write IA32_PERFEVTSEL0 <- 0x73003c", "write IA32_FIXED_CTR_CTRL <- 0xf0"];
    program.load([on(Event::CYCLES, 1)]);
    assert_eq!(program.load([any(0), any(33)]), expected);
}

/// Errata AAK100, AAP53 and BD53: before selectors are programmed the general counters, cleared, count
/// B5H, D2H, B1H and B1H for a moment, and are cleared again with their selectors. That is done when the unit is taken
/// over, and when it has slept: counters that are added to others do without, for those may count.
#[test]
fn nehalems_counters_are_woken_when_the_unit_is_taken_over() {
    let mut program = program(&Identity::NEHALEM);
    let woken = [
        "write IA32_PERFEVTSEL0 <- 0x4300b5",
        "write IA32_PMC0 <- 0x0",
        "write IA32_PERFEVTSEL1 <- 0x4300d2",
        "write IA32_PMC1 <- 0x0",
        "write IA32_PERFEVTSEL2 <- 0x4300b1",
        "write IA32_PMC2 <- 0x0",
        "write IA32_PERFEVTSEL3 <- 0x4300b1",
        "write IA32_PMC3 <- 0x0",
        "write IA32_PERF_GLOBAL_CTRL <- 0xf",
        "write IA32_PERF_GLOBAL_CTRL <- 0x0",
        "write IA32_PERFEVTSEL0 <- 0x0",
        "write IA32_PMC0 <- 0x0",
        "write IA32_PERFEVTSEL1 <- 0x0",
        "write IA32_PMC1 <- 0x0",
        "write IA32_PERFEVTSEL2 <- 0x0",
        "write IA32_PMC2 <- 0x0",
        "write IA32_PERFEVTSEL3 <- 0x0",
        "write IA32_PMC3 <- 0x0",
    ];
    let taken_over = program.take_over();
    assert!(taken_over.windows(woken.len()).any(|accesses| accesses == woken), "{taken_over:?}");
    assert_eq!(program.load([on(Event::BRANCHES, 0)]), ["write IA32_PERFEVTSEL0 <- 0x5300c4"]);
    assert_eq!(program.load([on(Event::BRANCHES, 1)]), ["write IA32_PERFEVTSEL1 <- 0x5300c4"]);
}

/// "Architectural Performance Monitoring Version 4": writing a bit to 390H clears that bit of
/// IA32_PERF_GLOBAL_STATUS; CTR_FRZ, bit 59, would keep the counters frozen. Chapter "Advanced Programmable Interrupt
/// Controller (APIC)", section "Local Vector Table": the interrupt has set the mask of LVTPC. Fixed counter 0 waits for
/// 1000 events; 1003 have passed when the handler reads it.
#[test]
fn an_overflow_is_serviced_with_the_unit_halted() {
    let (device, entry): (_, &'static Entry) = (device(&Identity::SKYLAKE), Box::leak(Box::default()));
    let registers: Registers = Box::leak(Box::new(Recorder::new(device)));
    let driver = Intel::new(registers, Apic::x2apic(entry, Lvtpc::NMI), Identity::SKYLAKE.capabilities());
    let unit: &'static Unit<_, 16> = Box::leak(Box::new(Unit::new()));
    let pmu = unit.claim(driver).expect("nobody has claimed it");
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(1000)]).expect("it fits");
    session.start().expect("it is stopped");
    device.advance(&Work::instructions(Mode::Kernel, 1003));
    entry.0.set(Lvtpc::NMI.masked().bits());
    trace(registers);
    assert_eq!(unit.on_overflow(Interrupted::default()), Handled::Overflow);
    let expected = [
        "write IA32_PERF_GLOBAL_CTRL <- 0x0",
        "read IA32_PERF_GLOBAL_STATUS -> 0x100000000",
        "read counter fixed 0 -> 0x3",
        "write IA32_FIXED_CTR0 <- 0xfffffffffc1b",
        "write IA32_PERF_GLOBAL_OVF_CTRL <- 0x800000100000000",
        "write IA32_PERF_GLOBAL_CTRL <- 0x100000000",
    ];
    assert_eq!((trace(registers), entry.0.get()), (expected.map(str::to_owned).to_vec(), 0x400));
}
