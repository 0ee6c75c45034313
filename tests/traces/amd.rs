//! AMD's manuals: the "AMD Athlon Processor x86 Code Optimization Guide" (22007), the BKDGs of K8
//! (26094), of family 10h (31116) and of family 15h (42301), the PPRs of families 17h and 19h, and
//! the APM, vol. 2. Sections are cited by title.
//!
//! Not every text was at hand. What was, and what the traces rest on where it was not:
//!
//! - Event numbers, unit masks and the counters of family 15h's events: AMD's own event files, which
//!   repeat the BKDGs' lists (GPUOpen-Archive/CodeXL, CpuProfiling/Data/Events, 0xf.xml to
//!   0x17_0x0.xml); for Zen 4 the text of PPR 55901, "Core Performance Monitor Counters".
//! - Merging: PPR 55901's PMCxFFF and PMCx003, and the sentence of family 17h's PPR on which selector
//!   is written first, with which bits (quoted in eigenform/lamina, kernel/fops.c). That a pair
//!   overflows at 64 bits and not at 48: torvalds/linux, "Fix sampling Large Increment per Cycle
//!   events".
//! - The registers of version 2, and that the line is never masked: torvalds/linux
//!   arch/x86/events/amd/core.c, which AMD has written.
//! - K7's and K8's selectors: oprofile, events/x86-64/hammer, and the layout that all of these
//!   share. K7's guide itself was not at hand.

use pmu::arch::x86::Unattached;
use pmu::arch::x86::amd::{Amd, Capabilities, Device, Identity};
use pmu::driver::{Counters as _, Recorder};
use pmu::request::Flag;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{CounterSet, Event, Handled, Interrupted, Mode, Modes, Request, Unit};

use crate::program::{NOTHING, Recorded, on};
use crate::trace;

/// Misaligned data references on family 16h. The unit mask selects the boundary, 16 bytes; without it nothing is
const FAMILY_16H_MISALIGNED_REFERENCES: Event = Event::raw(0x0147);
/// Misaligned data references (DC_misaligned_data_ref), which cross the boundary that [`misaligned_across`]
const MISALIGNED_REFERENCES: Event = Event::raw(0x0047);
/// Floating-point operations retired, up to 64 in a cycle: a large increment, which needs two counters; Zen.
const ZEN_FLOPS: Event = Event::raw(0xFF03);

type Registers = &'static Recorded<&'static Device<Unconnected>>;
type Program = crate::program::Program<Amd<Registers, Unattached>, &'static Device<Unconnected>>;

fn device(identity: &Identity) -> &'static Device<Unconnected> {
    Box::leak(Box::new(Device::new(identity, Kinds::CLOCK, Unconnected)))
}

fn program(identity: &Identity) -> Program {
    Program::of(device(identity), |registers| Amd::new(registers, Unattached, identity.capabilities()))
}

/// 22007, "PerfEvtSel[3:0] MSRs (MSR Addresses C001_0000h-C001_0003h)": event in bits 7:0, USR 16,
/// OS 17, INT 20, EN 22. Event C0H is retired instructions. "PerfCtr[3:0] MSRs": C001_0004H on, 48
/// bits. Nothing counts before EN is written, and the event is written with it.
#[test]
fn k7_counts_instructions_on_counter_0() {
    let mut program = program(&Identity::K7);
    assert_eq!(program.load([on(Event::INSTRUCTIONS, 0)]), NOTHING);
    assert_eq!(program.preset(100), ["write PerfCtr0 <- 0xffffffffff9c"]);
    assert_eq!(program.run(program.all()), ["write PerfEvtSel0 <- 0x5300c0"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write PerfEvtSel0 <- 0x1300c0"]);
}

/// 26094, "Performance Event-Select Registers (PerfEvtSeln)": PC is bit 19, E 18, INV 23, CNT_MASK
/// 31:24. "Performance Monitor Events": 76H, CPU clocks not halted.
#[test]
fn k8_has_pins_edges_and_thresholds() {
    let mut program = program(&Identity::K8);
    program.load([on(Event::CYCLES, 3).flag(Flag::PinControl)]);
    assert_eq!(program.run(program.all()), ["write PerfEvtSel3 <- 0x5b0076"]);
    let refined = on(Event::CYCLES, 1).threshold(2).flag(Flag::Edge).flag(Flag::Invert);
    program.load([refined]);
    assert_eq!(program.run(program.all()), ["write PerfEvtSel3 <- 0x1b0076", "write PerfEvtSel1 <- 0x2d70076"]);
}

/// 26094, "Performance Monitor Events": 47H, misaligned accesses. USR is bit 16, and OS, bit 17,
/// stays clear.
#[test]
fn k8_counts_misaligned_references_of_users() {
    let mut program = program(&Identity::K8);
    program.load([on(MISALIGNED_REFERENCES, 2).modes(Modes::USER)]);
    assert_eq!(program.preset(100), ["write PerfCtr2 <- 0xffffffffff9c"]);
    assert_eq!(program.run(program.all()), ["write PerfEvtSel2 <- 0x510047"]);
}

/// 31116, MSRC001_00[03:00]: event bits 11:8 are bits 35:32, GuestOnly is bit 40, HostOnly 41.
/// Event 1C0H is not the northbridge's.
#[test]
fn family_10h_selects_with_twelve_bits_and_tells_guests_from_their_host() {
    let mut program = program(&Identity::FAMILY_10H);
    let guests = on(Event::raw(0x0001_0000_00C0), 0).flag(Flag::GuestOnly);
    let host = on(Event::BRANCHES, 1).flag(Flag::HostOnly);
    program.load([guests, host]);
    let expected = ["write PerfEvtSel0 <- 0x101005300c0", "write PerfEvtSel1 <- 0x200005300c2"];
    assert_eq!(program.run(program.all()), expected);
}

/// APM, "Performance Monitoring Counters": PERF_CTL0 is C001_0200H, PERF_CTR0 C001_0201H, and so on in
/// turn. 42301, "Performance Counter Events": 76H, CPU clocks not halted, is counted by PERF_CTL[2:0]
/// and 003H, retired floating-point operations, by PERF_CTL[3].
#[test]
fn family_15h_counts_each_event_where_it_is_wired() {
    let mut program = program(&Identity::FAMILY_15H);
    let requests = [Request::new(Event::CYCLES), Request::new(Event::raw(0xFF03))];
    program.load(requests);
    assert_eq!(program.run(program.all()), ["write PERF_CTL2 <- 0x530076", "write PERF_CTL3 <- 0x53ff03"]);
}

/// 48751, "Performance Counter Events", PMCx047: unit mask 01H, misaligned accesses that cross sixteen
/// bytes. There is no mask that means all of them, and 16h's counters are at C001_0000H again.
#[test]
fn family_16h_counts_misaligned_references_by_their_unit_mask() {
    let mut program = program(&Identity::FAMILY_16H);
    program.load([on(FAMILY_16H_MISALIGNED_REFERENCES, 3)]);
    assert_eq!(program.run(program.all()), ["write PerfEvtSel3 <- 0x530147"]);
}

/// PPR for family 17h, "Large Increment per Cycle Events": the odd counter selects FFFH, which is
/// FFH in bits 7:0 and FH in bits 35:32, and is enabled; of what the pair is preset to, bits 63:48
/// are written to the odd counter first, and bits 47:0 to the even one then. There being no status, what has its top
/// bit clear looks as if it had overflowed. So a pair's is set before it is somebody's, and its counters hold their
/// longest wait, 2^47, once it is none.
#[test]
fn zen_merges_two_counters_for_a_large_increment() {
    let mut program = program(&Identity::ZEN_2);
    let loaded = program.load([on(ZEN_FLOPS, 4)]);
    let expected = ["write PERF_CTL5 <- 0xf004000ff", "write PERF_CTR5 <- 0x8000"];
    assert_eq!(loaded, expected);
    assert_eq!(program.preset(1000), ["write PERF_CTR5 <- 0xffff", "write PERF_CTR4 <- 0xfffffffffc18"]);
    assert_eq!(program.run(program.all()), ["write PERF_CTL4 <- 0x53ff03"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write PERF_CTL4 <- 0x13ff03"]);
    let released = ["write PERF_CTL5 <- 0x0", "write PERF_CTR4 <- 0x800000000000", "write PERF_CTR5 <- 0x800000000000"];
    assert_eq!(program.release(), released);
}

/// APM, "Performance Monitoring Counters", PerfCntrGlobalCtl: C000_0301H has a bit a counter, and a
/// counter counts if its selector enables it too. Nothing has to be written before it is preset:
/// PerfCntrGlobalStatus says who has overflowed.
#[test]
fn version_2_starts_and_stops_by_global_control() {
    let mut program = program(&Identity::ZEN_4);
    let loaded = program.load([on(Event::INSTRUCTIONS, 1), on(Event::BRANCH_MISSES, 5)]);
    assert_eq!(loaded, ["write PERF_CTL1 <- 0x5300c0", "write PERF_CTL5 <- 0x5300c3"]);
    assert_eq!(program.run(program.all()), ["write PerfCntrGlobalCtl <- 0x22"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write PerfCntrGlobalCtl <- 0x0"]);
}

/// The same for a pair: both of its counters are let go and halted, and neither's bit of PerfCntrGlobalStatus is left.
#[test]
fn version_2_starts_and_acknowledges_both_counters_of_a_pair() {
    let mut program = program(&Identity::ZEN_4);
    program.load([on(ZEN_FLOPS, 2)]);
    assert_eq!(program.run(program.all()), ["write PerfCntrGlobalCtl <- 0xc"]);
    program.driver.acknowledge(&program.image, CounterSet::from_bits(1 << 2));
    assert_eq!(trace(program.registers), ["write PerfCntrGlobalStatusClr <- 0xc"]);
}

/// PPR for family 19h, "Core Performance Monitor Counters": event 120H, mask 1, cycles not halted at
/// the frequency of P0; its bit 8 is the selector's bit 32.
#[test]
fn zen_4_has_reference_cycles() {
    let mut program = program(&Identity::ZEN_4);
    assert_eq!(program.load([on(Event::REFERENCE_CYCLES, 0)]), ["write PERF_CTL0 <- 0x100530120"]);
}

/// A unit whose one session waits for 1000 instructions, 1003 of which have passed.
fn serviced(identity: &Identity) -> Vec<String> {
    serviced_as(identity, identity.capabilities())
}

fn serviced_as(identity: &Identity, capabilities: Capabilities) -> Vec<String> {
    let device = device(identity);
    let registers: Registers = Box::leak(Box::new(Recorder::new(device)));
    let unit: &'static Unit<_, 16> = Box::leak(Box::new(Unit::new()));
    let driver = Amd::new(registers, Unattached, capabilities);
    let pmu = unit.claim(driver).expect("nobody has claimed it");
    let mut session = pmu.open([on(Event::INSTRUCTIONS, 0).every(1000)]).expect("it fits");
    session.start().expect("it is stopped");
    device.advance(&Work::instructions(Mode::Kernel, 1003));
    trace(registers);
    assert_eq!(unit.on_overflow(Interrupted::default()), Handled::Overflow);
    trace(registers)
}

/// 26094, "Performance Monitoring", names no status register: a counter that was preset to -n has
/// overflowed when its top bit, bit 47, is clear. "Local Vector Table": the line's mask is
/// software's alone, and is not written.
#[test]
fn an_overflow_before_version_2_shows_in_the_counter() {
    let expected = [
        "write PerfEvtSel0 <- 0x1300c0",
        "read counter general 0 -> 0x3",
        "write PerfCtr0 <- 0xfffffffffc1b",
        "write PerfEvtSel0 <- 0x5300c0",
    ];
    assert_eq!(serviced(&Identity::K8), expected);
}

/// APM, "Performance Monitoring Counters", PerfCntrGlobalStatus and PerfCntrGlobalStatusClr: the
/// first, C000_0300H, is read; a bit that is written to the second, C000_0302H, is cleared in it.
#[test]
fn an_overflow_of_version_2_is_read_and_cleared_in_the_status() {
    let expected = [
        "write PerfCntrGlobalCtl <- 0x0",
        "read PerfCntrGlobalStatus -> 0x1",
        "read counter general 0 -> 0x3",
        "write PERF_CTR0 <- 0xfffffffffc1b",
        "write PerfCntrGlobalStatusClr <- 0x1",
        "write PerfCntrGlobalCtl <- 0x1",
    ];
    assert_eq!(serviced(&Identity::ZEN_4), expected);
}

/// APM, "Performance Monitoring Counters", PerfCntrGlobalStatus: PMC_FROZEN, bit 59, is set at an
/// overflow where DebugCtl asks for that and CPUID Fn8000_0022_EAX has LbrAndPmcFreeze; it goes by
/// PerfCntrGlobalStatusClr as an overflow's bit does.
#[test]
fn an_overflow_that_may_have_frozen_the_counters_is_cleared_with_the_frost() {
    let mut capabilities = Identity::ZEN_4.capabilities();
    capabilities.freezes = true;
    let cleared = serviced_as(&Identity::ZEN_4, capabilities);
    assert_eq!(cleared[4], "write PerfCntrGlobalStatusClr <- 0x800000000000001");
}
