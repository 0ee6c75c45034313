//! UltraSPARC T1 to SPARC T3. The manuals ("UltraSPARC T1 Supplement to the UltraSPARC Architecture 2005" and
//! "OpenSPARC T2 Programmer's Reference Manual", chapters "Performance Instrumentation") were not available. The numbers
//! are those of two sources that agree: Sun's designs, OpenSPARC T1 (tlu_pib.v) and T2 (pmu_pct_ctl.v, "PCR format is"),
//! and Sun's own software for the processors, illumos-gate (usr/src/uts/sun4v/sys/niagararegs.h, niagara2regs.h and the
//! tables of usr/src/uts/sun4v/pcbe/niagara_pcbe.c, niagara2_pcbe.c).

use pmu::arch::sparc::niagara::{Capabilities, Model, Niagara, Privilege};
use pmu::arch::sparc::{Asr, Half};
use pmu::driver::{Control, Counters, Registers};
use pmu::{CounterSet, Event, Modes, Request};

use crate::program::{NOTHING, Recorded, on};
use crate::support::memory::Memory;
use crate::trace;

/// %pcr and %pic as words.
type Words = Memory<Asr, Half>;
type Program = crate::program::Program<Niagara<&'static Recorded<Words>>, Words>;

fn program(model: Model, privilege: Privilege) -> Program {
    let program =
        Program::of(Words::new(), |registers| Niagara::new(registers, Capabilities::of(model).with(privilege)));
    program.take_over();
    program
}

fn t1() -> Program {
    program(Model::T1, Privilege::Kernel)
}

fn t2() -> Program {
    program(Model::T2, Privilege::Kernel)
}

const BOTH: CounterSet = CounterSet::first(2);
/// PRIV is bit 0. T2's overflow bits are cleared by a write without HOLDOV, bits 62 and 63. Both counters are 2^31
/// events before -15, where T2 overflows: 7FFF_FFF1H.
#[test]
fn t2_is_halted_and_cleared_when_it_is_taken_over() {
    assert_eq!(
        t2().take_over(),
        ["write %pcr <- 0xc000000000000001", "write %pcr <- 0x1", "write %pic <- 0x7ffffff17ffffff1"]
    );
}

/// T1 overflows at the wrap: 2^31 events before it is 8000_0000H.
#[test]
fn t1_is_halted_and_cleared_when_it_is_taken_over() {
    assert_eq!(t1().take_over(), ["write %pcr <- 0x1", "write %pcr <- 0x1", "write %pic <- 0x8000000080000000"]);
}

/// Instr_cnt is 2FDH and DC_miss 302H. pic0's event is in bits 6 to 17, pic1's in 19 to 30; TOE are bits 4 and 5; ST is
/// bit 1, UT bit 2: 2FDH << 19 | 302H << 6 | 37H = 17E8_C0B7H, beside HOLDOV.
#[test]
fn t2_counts_two_events_by_one_write() {
    let mut program = t2();
    assert_eq!(program.load([on(Event::raw(0x302), 0), on(Event::raw(0x2FD), 1)]), NOTHING);
    assert_eq!(program.run(BOTH), ["write %pcr <- 0xc000000017e8c0b7"]);
}

/// A counter that rests has the group of instructions, 2, and an empty mask: 200H << 19 = 1000_0000H. It does not trap.
#[test]
fn t2_stops_one_counter_by_an_empty_mask() {
    let mut program = t2();
    program.load([on(Event::raw(0x302), 0), on(Event::raw(0x2FD), 1)]);
    let first = CounterSet::first(1);
    assert_eq!(program.run(first), ["write %pcr <- 0xc00000001000c097"]);
}

/// No mode is enabled: nothing counts, whatever is selected.
#[test]
fn t2_stops_both_counters_by_their_modes() {
    let mut program = t2();
    program.load([on(Event::raw(0x302), 0)]);
    program.run(CounterSet::first(1));
    assert_eq!(program.run(CounterSet::EMPTY), ["write %pcr <- 0xc000000010008001"]);
}

/// Erratum 108 (illumos-gate, niagara2_pcbe.c): L2_dmiss_ld, 320H, has no trap, so TOE, bit 4, is not set. UT alone:
/// 320H << 6 | 200H << 19 | 5H.
#[test]
fn t2_lets_no_l2_load_miss_trap() {
    let mut program = t2();
    program.load([on(Event::raw(0x320), 0).modes(Modes::USER)]);
    assert_eq!(program.run(CounterSet::first(1)), ["write %pcr <- 0xc00000001000c805"]);
}

/// HT is bit 3: 2FDH << 6 | 200H << 19 | 1FH.
#[test]
fn t2_counts_in_the_hypervisor_where_it_may() {
    let mut program = program(Model::T2, Privilege::Hypervisor);
    let modes = Modes::ALL.and(Modes::HYPERVISOR);
    program.load([on(Event::INSTRUCTIONS, 0).modes(modes)]);
    assert_eq!(program.run(CounterSet::first(1)), ["write %pcr <- 0xc00000001000bf5f"]);
}

/// niagara2regs.h, PIC_IN_OV_RANGE: an overflow is from -16 to -1; the design's first is on the event that leaves -16. A
/// thousand events before -15 is -1015, FFFF_FC09H. pic1 keeps what it holds.
#[test]
fn t2_is_preset_to_overflow_on_the_last_event_of_a_period() {
    let mut program = t2();
    program.load([on(Event::INSTRUCTIONS, 0)]);
    let expected = ["read %pcr -> 0x1", "read %pic -> 0x7ffffff17ffffff1", "write %pic <- 0x7ffffff1fffffc09"];
    assert_eq!(program.preset(1000), expected);
}

/// OV0 is bit 18 and OV1 bit 31. OV0 is cleared by a write without HOLDOV0, and OV1 kept by HOLDOV1.
#[test]
fn t2_clears_one_overflow_and_holds_the_other() {
    let program = t2();
    program.registers.write(Asr::Pcr, 0x8004_0001);
    trace(program.registers);
    program.driver.acknowledge(&program.image, CounterSet::first(1));
    assert_eq!(trace(program.registers), ["read %pcr -> 0x80040001", "write %pcr <- 0x8000000080000001"]);
}

/// T1's pic0 has its event in bits 4 to 6: DC_miss is 3. pic1 has none. ST is bit 1, UT bit 2, and OVF, bits 8 and 9, are
/// written 0: 37H. Values are written first, and pic1 is 1000 events before its wrap: FFFF_FC18H.
#[test]
fn t1_writes_both_values_before_it_counts() {
    let mut program = t1();
    assert_eq!(program.load([Request::new(Event::INSTRUCTIONS), Request::new(Event::raw(3))]), NOTHING);
    assert_eq!(program.preset(1000), NOTHING);
    assert_eq!(program.run(BOTH), ["write %pic <- 0xfffffc18fffffc18", "write %pcr <- 0x37"]);
    assert_eq!(program.run(BOTH), NOTHING);
}

/// T1's counters count while any mode is enabled: to stop one, both are halted, and the other goes on from its value. The
/// idle half begins at 0.
#[test]
fn t1_stops_one_counter_by_keeping_its_value() {
    let mut program = t1();
    program.load([Request::new(Event::INSTRUCTIONS), Request::new(Event::raw(3))]);
    program.preset(1000);
    program.run(BOTH);
    let expected =
        ["write %pcr <- 0x1", "read %pic -> 0xfffffc18fffffc18", "write %pic <- 0xfffffc18", "write %pcr <- 0x37"];
    assert_eq!(program.run(CounterSet::first(1)), expected);
}

/// What it held is read before anything is written, and %pcr is written back last, with the overflow bits that it had.
#[test]
fn what_t2_held_is_put_back_before_it_counts() {
    let program = t2();
    program.registers.write(Asr::Pcr, 0x97EC_C0B7);
    program.registers.write(Asr::Pic, 0x1234_5678);
    trace(program.registers);
    let saved = <Niagara<&Recorded<&'static Words>> as Control>::NOTHING_SAVED;
    program.driver.save(&saved);
    let taken = trace(program.registers);
    assert_eq!(taken[..2], ["read %pcr -> 0x97ecc0b7", "write %pcr <- 0xc000000000000001"]);
    program.driver.restore(&saved);
    let expected = ["write %pcr <- 0xc000000000000001", "write %pic <- 0x12345678", "write %pcr <- 0x97ecc0b7"];
    assert_eq!(trace(program.registers), expected);
}
