//! SDM vol. 3, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)". Sections are cited by
//! title; the layouts of ESCR and CCCR are those of its figures, the addresses those of its table "Performance Counter
//! MSRs and Associated CCCR and ESCR MSRs", and the events those of "Performance Monitoring Events".
//!
//! An ESCR has the event in bits 30:25, its mask in 24:9, the tag in 8:5, tag enable in 4, and OS and USR of thread 0 in 3
//! and 2. A CCCR has enable in bit 12, the ESCR's number in 15:13, active thread in 17:16, compare in 18, complement in
//! 19, the threshold in 23:20, edge in 24, OVF_PMI_T0 in 26 and OVF in 31.

use pmu::arch::x86::Unattached;
use pmu::arch::x86::netburst::CounterGroup;
use pmu::arch::x86::netburst::{Capabilities, Cccr, Netburst, Share, View};
use pmu::driver::{Recorder, Registers};
use pmu::request::Flag;
use pmu::{CounterSet, Event, Handled, Interrupted, Modes, Request, Unit};

use crate::program::{NOTHING, Recorded, on};
use crate::support::memory::Msrs;
use crate::trace;

/// Tagged micro-operations that retired (replay_event), without a mask.
const REPLAY: u64 = CounterGroup::Iq.code(0x09, 5, 0);

type Program = crate::program::Program<Netburst<&'static Recorded<Msrs>, Unattached>, Msrs>;

fn program() -> Program {
    of(Capabilities::of_model(2))
}

fn of(capabilities: Capabilities) -> Program {
    Program::of(Msrs::new(), |registers| Netburst::new(registers, Unattached, capabilities))
}

/// "Non-Halted Clockticks": an ESCR for global_power_events with RUNNING and the OS and USR bits, a counter, and the enable
/// bit of its CCCR. global_power_events is event 13H of MSR_FSB_ESCR0, number 6; RUNNING is bit 0. "CCCR MSRs": without
/// hyper-threading active thread must be 11B. A counter has 40 bits. It is written twice (erratum N15).
#[test]
fn clockticks_that_are_not_halted() {
    let mut program = program();
    assert_eq!(program.load([on(Event::CYCLES, 0)]), ["write MSR_FSB_ESCR0 <- 0x2600020c"]);
    assert_eq!(program.preset(1000), ["write MSR_BPU_COUNTER0 <- 0xfffffffc18"; 2]);
    assert_eq!(program.run(program.all()), ["write MSR_BPU_CCCR0 <- 0x403d000"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write MSR_BPU_CCCR0 <- 0x403c000"]);
    assert_eq!(program.release(), NOTHING);
}

/// "Non-Sleep Clockticks": any event, compare set, the threshold 15, complement set. No event exceeds the threshold, so the
/// counter counts in every cycle. uop_queue_writes is event 09H of MSR_MS_ESCR0, number 0.
#[test]
fn clockticks_that_do_not_sleep() {
    let mut program = program();
    let uops = on(Event::raw(CounterGroup::Ms.code(0x09, 0, 0x7)), 4).threshold(16).flag(Flag::Invert);
    assert_eq!(program.load([uops]), ["write MSR_MS_ESCR0 <- 0x12000e0c"]);
    assert_eq!(program.run(program.all()), ["write MSR_MS_CCCR0 <- 0x4ff1000"]);
}

/// "Filtering Events", edge: with compare, the cycles in which the comparison begins to hold. FSB_data_activity, event 17H
/// of the bus, DRDY_DRV (bit 0) and DRDY_OWN (bit 1), is what the manual counts with an edge, threshold 0.
#[test]
fn transfers_on_the_bus_by_their_edges() {
    let mut program = program();
    let transfers = on(Event::raw(CounterGroup::Bpu.code(0x17, 6, 0x3)), 2).flag(Flag::Edge).modes(Modes::USER);
    assert_eq!(program.load([transfers]), ["write MSR_FSB_ESCR1 <- 0x2e000604"]);
    assert_eq!(program.run(program.all()), ["write MSR_BPU_CCCR2 <- 0x507d000"]);
}

/// "List of Metrics Available for Replay Tagging": 1stL_cache_load_miss_retired sets bits 0, 24 and, for precise sampling, 25
/// of IA32_PEBS_ENABLE, bit 0 of MSR_PEBS_MATRIX_VERT, and counts replay_event with NBOGUS: event 09H of MSR_CRU_ESCR2,
/// number 5, mask bit 0. Once nobody counts it, nothing is tagged.
#[test]
fn loads_that_missed_the_first_level_by_replay_tagging() {
    let mut program = program();
    let misses = Request::new(Event::raw(REPLAY | 0b101 << 16)).pinned_to(pmu::CounterId::new(16).unwrap());
    let loaded = [
        "write MSR_PEBS_MATRIX_VERT <- 0x1",
        "write IA32_PEBS_ENABLE <- 0x1000001",
        "write MSR_CRU_ESCR2 <- 0x1200020c",
    ];
    assert_eq!(program.load([misses]), loaded);
    assert_eq!(program.run(program.all()), ["write MSR_IQ_CCCR4 <- 0x403b000"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write MSR_IQ_CCCR4 <- 0x403a000"]);
    assert_eq!(program.release(), ["write MSR_PEBS_MATRIX_VERT <- 0x0", "write IA32_PEBS_ENABLE <- 0x0"]);
}

/// "List of Metrics Available for Front_end Tagging": memory_loads sets TAGLOADS, bit 1 of the mask of uop_type (event 02H of
/// MSR_RAT_ESCR0, number 2), and counts front_end_event with NBOGUS (event 08H of MSR_CRU_ESCR3, number 5).
#[test]
fn loads_by_front_end_tagging() {
    let mut program = program();
    let (loads, retired) = (CounterGroup::Iq.code(0x02, 2, 0x2), CounterGroup::Iq.code(0x08, 5, 0x1));
    let loaded = program.load([on(Event::raw(loads), 16), on(Event::raw(retired), 17)]);
    assert_eq!(loaded, ["write MSR_RAT_ESCR0 <- 0x400040c", "write MSR_CRU_ESCR3 <- 0x1000020c"]);
    assert_eq!(program.run(program.all()), ["write MSR_IQ_CCCR4 <- 0x4035000", "write MSR_IQ_CCCR5 <- 0x403b000"]);
    program.run(CounterSet::EMPTY);
    assert_eq!(program.release(), ["write MSR_RAT_ESCR0 <- 0x0"]);
}

/// "List of Metrics Available for Execution Tagging": packed_SP_retired sets ALL, bit 15, and the tag 1 in the ESCR of
/// packed_SP_uop (event 08H of MSR_FIRM_ESCR0, number 1), and counts execution_event with NBOGUS0 (event 0CH of
/// MSR_CRU_ESCR2).
#[test]
fn packed_operations_by_execution_tagging() {
    let mut program = program();
    let tagged = on(Event::raw(CounterGroup::Flame.code(0x08, 1, 0x8000) | 1 << 32), 8);
    let loaded = program.load([tagged, on(Event::raw(CounterGroup::Iq.code(0x0C, 5, 0x1)), 16)]);
    assert_eq!(loaded, ["write MSR_FIRM_ESCR0 <- 0x1100003c", "write MSR_CRU_ESCR2 <- 0x1800020c"]);
}

/// "Performance Monitoring and Intel Hyper-Threading Technology": T1_USR and T1_OS are bits 0 and 1 of an ESCR, and
/// OVF_PMI_T1 is bit 27 of a CCCR. instr_retired is event 02H of MSR_CRU_ESCR1, number 4; NBOGUSNTAG and NBOGUSTAG are bits 0
/// and 1.
#[test]
fn instructions_of_the_second_thread() {
    let mut capabilities = Capabilities::of_model(2);
    (capabilities.share, capabilities.view) = (Share::Thread1, View::All);
    let mut program = of(capabilities);
    assert_eq!(program.load([on(Event::INSTRUCTIONS, 14)]), ["write MSR_CRU_ESCR1 <- 0x4000603"]);
    assert_eq!(program.run(program.all()), ["write MSR_IQ_CCCR2 <- 0x8039000"]);
}

/// A unit whose session waits for 3000 clocks in user programs, 3005 of which have passed.
fn serviced(has_flag: bool) -> Vec<String> {
    let registers: &'static Recorded<Msrs> = Box::leak(Box::new(Recorder::new(Msrs::new())));
    let unit: &'static Unit<_, 16> = Box::leak(Box::new(Unit::new()));
    let driver = Netburst::new(registers, Unattached, Capabilities::of_model(2));
    let pmu = unit.claim(driver).expect("nobody has claimed it");
    let mut session = pmu.open([on(Event::CYCLES, 0).modes(Modes::USER).every(3000)]).expect("it fits");
    session.start().expect("it is stopped");
    let counter = pmu::CounterId::ZERO;
    registers.write(Cccr::counter_msr(counter), 5);
    let overflow = if has_flag { 1 << 31 } else { 0 };
    registers.write(Cccr::msr(counter), registers.read(Cccr::msr(counter)) | overflow);
    registers.clear();
    assert_eq!(unit.on_overflow(Interrupted::default()), Handled::Overflow);
    trace(registers)
}

/// "Interrupt on Overflow": OVF is set in the CCCR, and must be cleared by software; a write with bit 31 clear does. The
/// counter has its top bit, bit 39, clear once it has overflowed, also where the processor has not set OVF though it
/// interrupted. The counter is stopped while it is written (CCCR, bit 12).
#[test]
fn an_overflow_is_cleared_by_the_stop_and_shows_in_the_counter() {
    let expected = [
        "write MSR_BPU_CCCR0 <- 0x403c000",
        "read counter general 0 -> 0x5",
        "write MSR_BPU_COUNTER0 <- 0xfffffff44d",
        "write MSR_BPU_COUNTER0 <- 0xfffffff44d",
        "write MSR_BPU_CCCR0 <- 0x403d000",
    ];
    assert_eq!(serviced(true), expected);
    assert_eq!(serviced(false), expected);
}
