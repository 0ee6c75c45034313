//! "The RISC-V Instruction Set Manual, volume II: Privileged Architecture":
//! - "Hardware Performance Monitor": mcycle is B00H, minstret B02H, mhpmcounter3 to 31 follow; mhpmevent3 is 323H.
//! - "Machine Counter-Inhibit Register": bit n of mcountinhibit stops counter n; bit 1 is 0.
//! - "Sscofpmf", "Count Overflow Control": OF is bit 63 of mhpmevent, MINH 62, SINH 61, UINH 60, VSINH 59, VUINH 58; on RV32
//!   they are in mhpmeventh. A counter that wraps with OF clear sets LCOFIP, bit 13 of mip and sip. Software clears both.
//! - "Smcntrpmf": mcyclecfg 321H and minstretcfg 322H have MINH to VUINH in the same bits.
//! - T-Head's C906 (openc906, gen_rtl/pmu/rtl/aq_hpcp_top.v: MCNTINTEN, MCNTOF): mcounterinten is 7CAH, mcounterof 7CBH; each
//!   has the bits of mcountinhibit. The interrupt is bit 17 of mip and mie (OpenSBI, thead_c9xx_encoding: MOIP), and is
//!   pending while a bit of both is set.
//! - Andes' 45 series (OpenSBI, include/andes/andes.h and platform/generic/andes/andes_pmu.c): mcounterinten is 7CFH,
//!   mcounterovf 7D4H, whose bits are cleared by CSRRC. The interrupt is bit 18 of mip and mie (PMOVI), which Linux clears
//!   after it has read the overflows.
//! - "Smcdeleg and Ssccfg": counter n is 40H + n in siselect; sireg is the counter, sireg2 its event, sireg4 and sireg5 their
//!   upper halves on RV32; scountinhibit is 120H; MINH is read-only 0.

use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::{Capabilities, Extensions, Hpm, Identity};
use pmu::driver::{Counters as _, Registers as _};
use pmu::{CounterSet, Event, Handled, Interrupted, Mode, Modes, Request, Unit};

use crate::program::{Recorded, on};
use crate::support::bare::counter;
use crate::support::memory::Memory;
use crate::trace;

type CsrMemory = &'static Memory<Csr>;
type Driver = Hpm<&'static Recorded<CsrMemory>>;
type Program = crate::program::Program<Driver, CsrMemory>;

/// Only counters 0, 2, 3 and 4, so that traces are short.
const FEW: u32 = 0b1_1101;

fn program(identity: Identity) -> Program {
    let program =
        Program::of(Memory::leaked(), |registers| Hpm::new(registers, identity.with_counters(FEW).capabilities()));
    program.take_over();
    program
}

/// No access: what counts has not changed.
const NOTHING: [&str; 0] = [];

/// -1000 is FFFFFFFFFFFFFC18H. 1DH less bits 2 and 3 is 11H: the others stay inhibited.
#[test]
fn a_counter_is_selected_preset_and_let_go_by_one_write_of_mcountinhibit() {
    let mut program = program(Identity::RV64);
    assert_eq!(program.load([on(Event::raw(2), 3)]), ["write mhpmevent3 <- 0x2"]);
    assert_eq!(program.preset(1000), ["write mhpmcounter3 <- 0xfffffffffffffc18"]);
    assert_eq!(program.run(counter(3).only().or(Capabilities::MINSTRET.only())), ["write mcountinhibit <- 0x11"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write mcountinhibit <- 0x1d"]);
    assert_eq!(program.release(), NOTHING);
    assert_eq!(program.load([on(Event::raw(2), 3)]), NOTHING);
}

/// User alone is MINH, SINH and VSINH: 4 + 2 in the top digit, 8 in the next. The kernel alone is UINH and VUINH: 1, and 4.
#[test]
fn modes_that_are_not_counted_are_the_bits_from_62_to_58() {
    let mut program = program(Identity::RV64);
    let of = |modes, counter| on(Event::raw(1), counter).modes(modes);
    let expected = ["write mhpmevent3 <- 0x6800000000000001", "write mhpmevent4 <- 0x1400000000000001"];
    assert_eq!(program.load([of(Modes::USER, 3), of(Modes::KERNEL, 4)]), expected);
}

/// Andes' 45 series has a register for each mode, with the counters' bits (OpenSBI's include/andes/andes.h: mcountermask_m, _s
/// and _u are 7D1H to 7D3H; its andes_pmu.c sets the bit of a counter that is not to count in a mode): counter 3 is bit 3, and
/// mcycle bit 0.
#[test]
fn modes_that_an_ax45_does_not_count_are_bits_of_mcountermask() {
    let mut program = program(Identity::AX45);
    let expected = [
        "write csrs mcountermask_m <- 0x8",
        "write csrs mcountermask_s <- 0x8",
        "write csrc mcountermask_u <- 0x8",
        "write mhpmevent3 <- 0x20",
        "write csrc mcountermask_m <- 0x1",
        "write csrc mcountermask_s <- 0x1",
        "write csrs mcountermask_u <- 0x1",
    ];
    let cycles = Request::new(Event::CYCLES).pinned_to(Capabilities::MCYCLE).modes(Modes::KERNEL);
    assert_eq!(program.load([on(Event::raw(0x20), 3).modes(Modes::USER), cycles]), expected);
}

/// Smcntrpmf: the same bits, and no event.
#[test]
fn cycles_of_programs_are_filtered_in_mcyclecfg() {
    let mut program = program(Identity::RV64);
    let cycles = Request::new(Event::CYCLES).modes(Modes::USER);
    assert_eq!(program.load([cycles]), ["write mcyclecfg <- 0x6800000000000000"]);
}

/// The event is in the lower half, the modes in the upper: 68000000H.
#[test]
fn on_rv32_a_selection_and_a_preset_are_two_halves() {
    let mut program = program(Identity::RV32);
    let expected = ["write mhpmevent3h <- 0x68000000", "write mhpmevent3 <- 0x2"];
    assert_eq!(program.load([on(Event::raw(2), 3).modes(Modes::USER)]), expected);
    let expected = ["write mhpmcounter3h <- 0xffffffff", "write mhpmcounter3 <- 0xfffffc18"];
    assert_eq!(program.preset(1000), expected);
}

/// "Sscofpmf" adds mhpmevent3h, "Smcntrpmf" mcyclecfgh: neither adds the other's.
#[test]
fn on_rv32_a_selection_has_the_upper_half_that_its_own_extension_adds() {
    let load = |missing, request| {
        let mut capabilities = Identity::RV32.with_counters(FEW).capabilities();
        capabilities.extensions.remove(missing);
        Program::of(Memory::leaked(), |registers| Hpm::new(registers, capabilities)).load([request])
    };
    let user = Request::new(Event::CYCLES).modes(Modes::USER);
    assert_eq!(load(Extensions::SSCOFPMF, on(Event::raw(2), 3)), ["write mhpmevent3 <- 0x2"]);
    assert_eq!(load(Extensions::SSCOFPMF, user), ["write mcyclecfgh <- 0x68000000", "write mcyclecfg <- 0x0"]);
    let third = on(Event::raw(2), 3).modes(Modes::USER);
    assert_eq!(load(Extensions::SMCNTRPMF, third), ["write mhpmevent3h <- 0x68000000", "write mhpmevent3 <- 0x2"]);
    assert_eq!(load(Extensions::SMCNTRPMF, Request::new(Event::CYCLES)), NOTHING);
}

/// Smcdeleg: 43H is counter 3. A supervisor leaves MINH alone: SINH and VSINH are 2 and 8.
#[test]
fn a_supervisor_reaches_its_counters_through_sireg_and_sireg2() {
    let mut program = program(Identity::RV64_DELEGATED);
    let user = on(Event::raw(2), 3).modes(Modes::USER);
    assert_eq!(program.load([user]), ["write sireg2[0x43] <- 0x2800000000000002"]);
    assert_eq!(program.preset(1), ["write sireg[0x43] <- 0xffffffffffffffff"]);
    assert_eq!(program.run(counter(3).only()), ["write scountinhibit <- 0x15"]);
}

#[test]
fn a_supervisors_halves_are_in_sireg4_and_sireg5() {
    let mut program = program(Identity::RV32_DELEGATED);
    let expected = ["write sireg5[0x44] <- 0x14000000", "write sireg2[0x44] <- 0x1"];
    assert_eq!(program.load([on(Event::raw(1), 4).modes(Modes::KERNEL)]), expected);
    assert_eq!(program.preset(2), ["write sireg4[0x44] <- 0xffffffff", "write sireg[0x44] <- 0xfffffffe"]);
}

/// Before version 1.11 there is no mcountinhibit: event 0 counts nothing.
#[test]
fn without_mcountinhibit_a_counter_is_stopped_by_selecting_no_event() {
    let mut program = program(Identity::RV64_V1_10);
    assert_eq!(program.load([on(Event::raw(2), 3), on(Event::raw(1), 4)]), NOTHING);
    let both = ["write mhpmevent3 <- 0x2", "write mhpmevent4 <- 0x1"];
    assert_eq!(program.run(CounterSet::from_bits(0b1_1000)), both);
    assert_eq!(program.run(counter(4).only()), ["write mhpmevent3 <- 0x0"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write mhpmevent4 <- 0x0"]);
}

/// A read has the upper half first and again: if it has not changed, nothing was carried between.
#[test]
fn on_rv32_a_counter_is_read_in_three_reads_and_in_four_if_it_carries() {
    let mut program = program(Identity::RV32);
    program.load([on(Event::raw(2), 3)]);
    program.preset(1 << 32);
    let handle = pmu::driver::Plan::counter(&program.driver, &program.slots[0]).handle;
    assert_eq!(program.driver.read(handle), u64::MAX << 32);
    let expected = [
        "read counter mhpmcounter3h -> 0xffffffff",
        "read counter mhpmcounter3 -> 0x0",
        "read counter mhpmcounter3h -> 0xffffffff",
    ];
    assert_eq!(trace(program.registers), expected);
}

/// What a read of counter 3 does, and a second one, where QEMU's registers have 32 bits. It counts, and has this value.
fn reads_in_qemu_on_rv32(value: u64) -> [Vec<String>; 2] {
    let mut capabilities = Identity::QEMU.with_counters(FEW).capabilities();
    capabilities.extensions |= Extensions::RV32;
    let mut program = Program::of(Memory::leaked(), |registers| Hpm::new(registers, capabilities));
    program.load([on(Event::raw(1), 3)]);
    program.run(counter(3).only().or(Capabilities::MINSTRET.only()));
    program.registers.write(Csr::counter(3).unwrap().high(), value >> 32);
    program.registers.write(Csr::counter(3).unwrap(), value & 0xFFFF_FFFF);
    program.registers.clear();
    let handle = pmu::driver::Plan::counter(&program.driver, &program.slots[0]).handle;
    [(); 2].map(|()| {
        program.driver.read(handle);
        trace(program.registers)
    })
}

/// QEMU works out the halves of a running counter apart.
#[test]
fn in_qemu_on_rv32_a_counter_does_not_count_while_it_is_read() {
    let expected = [
        "read mcountinhibit -> 0x11",
        "write mcountinhibit <- 0x19",
        "read counter mhpmcounter3h -> 0xfffffff0",
        "read counter mhpmcounter3 -> 0x5",
        "read counter mhpmcounter3h -> 0xfffffff0",
        "write mcountinhibit <- 0x11",
    ];
    assert_eq!(reads_in_qemu_on_rv32(0xFFFF_FFF0_0000_0005), [expected; 2]);
}

/// QEMU notices no overflow of the instruction that stops the counter.
#[test]
fn in_qemu_on_rv32_an_overflow_at_the_stop_for_a_read_is_noticed_once() {
    let expected = [
        "read mcountinhibit -> 0x11",
        "write mcountinhibit <- 0x19",
        "read counter mhpmcounter3h -> 0x0",
        "read counter mhpmcounter3 -> 0x0",
        "read counter mhpmcounter3h -> 0x0",
        "read mhpmevent3h -> 0x0",
        "read mhpmevent3 -> 0x1",
        "read mhpmevent3h -> 0x0",
        "write mhpmevent3h <- 0x80000000",
        "write csrs mip <- 0x2000",
        "write mcountinhibit <- 0x11",
    ];
    let [first, second] = reads_in_qemu_on_rv32(0);
    assert_eq!(first, expected);
    assert!(
        !second.iter().any(|access| access.contains("mip") || access.starts_with("write mhpmevent3h")),
        "{second:?}"
    );
}

/// mcyclecfg and minstretcfg have no OF, and without Smcntrpmf there is neither.
#[test]
fn cycles_and_instructions_have_no_overflow_to_clear() {
    let program = program(Identity::RV64);
    program.driver.acknowledge(&program.image, Capabilities::MCYCLE.only().or(Capabilities::MINSTRET.only()));
    assert_eq!(trace(program.registers), NOTHING);
}

/// Registers of a unit that is claimed, and whose counter 3 counts this event with a period.
fn sampling(identity: Identity, event: u64, period: u64) -> (&'static Recorded<CsrMemory>, &'static Unit<Driver, 16>) {
    let recorded: &'static Recorded<CsrMemory> = Box::leak(Box::new(Recorded::new(Memory::leaked())));
    let unit: &'static Unit<Driver, 16> = Box::leak(Box::new(Unit::new()));
    let driver = Hpm::new(recorded, identity.with_counters(FEW).capabilities());
    let pmu = Box::leak(Box::new(unit.claim(driver).unwrap()));
    let session = Box::leak(Box::new(pmu.open([on(Event::raw(event), 3).every(period)]).unwrap()));
    session.start().unwrap();
    trace(recorded);
    (recorded, unit)
}

/// Sscofpmf: the counter is 3 past its wrap, so that 997 events are left: FFFFFFFFFFFFFC1BH. OF is cleared by a write of the
/// selection, LCOFIP before the counter counts again.
#[test]
fn an_overflow_is_cleared_in_mhpmevent_and_then_in_mip_before_anything_counts() {
    let (registers, unit) = sampling(Identity::RV64, 2, 1000);
    registers.write(Csr::SCOUNTOVF, 1 << 3);
    registers.write(Csr::counter(3).unwrap(), 3);
    trace(registers);
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::User)), Handled::Overflow);
    let expected = [
        "write mcountinhibit <- 0x1d",
        "read scountovf -> 0x8",
        "read counter mhpmcounter3 -> 0x3",
        "write mhpmcounter3 <- 0xfffffffffffffc1b",
        "write mhpmevent3 <- 0x2",
        "write csrc mip <- 0x2000",
        "write mcountinhibit <- 0x15",
    ];
    assert_eq!(trace(registers), expected);
}

/// The same by Ssccfg: the counter is read by hpmcounter3, which mcounteren opens to the supervisor.
#[test]
fn a_supervisor_serves_an_overflow_through_scountovf_sireg_and_sip() {
    let (registers, unit) = sampling(Identity::RV64_DELEGATED, 2, 1000);
    registers.write(Csr::SCOUNTOVF, 1 << 3);
    registers.write(Csr::user_counter(3).unwrap(), 3);
    trace(registers);
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::User)), Handled::Overflow);
    let expected = [
        "write scountinhibit <- 0x1d",
        "read scountovf -> 0x8",
        "read counter hpmcounter3 -> 0x3",
        "write sireg[0x43] <- 0xfffffffffffffc1b",
        "write sireg2[0x43] <- 0x2",
        "write csrc sip <- 0x2000",
        "write scountinhibit <- 0x15",
    ];
    assert_eq!(trace(registers), expected);
}

/// 1DH are the counters, and bit 17 is 20000H.
#[test]
fn a_c906_lets_its_counters_interrupt_by_mcounterinten_and_mie() {
    let program = program(Identity::C906);
    let expected = ["write mcounterof <- 0x0", "write mcounterinten <- 0x1d", "write csrs mie <- 0x20000"];
    let written = program.take_over();
    assert!(written.windows(3).any(|three| three == expected), "{written:?}");
}

/// The counter is 3 past its wrap, and 1997 is 7CDH. mcounterof is written while nothing counts: an overflow amid that would be lost.
#[test]
fn an_overflow_of_a_c906_is_cleared_in_mcounterof_while_nothing_counts() {
    let (registers, unit) = sampling(Identity::C906, 1, 2000);
    registers.write(Csr::MCOUNTEROF, 1 << 3);
    registers.write(Csr::counter(3).unwrap(), 3);
    trace(registers);
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::User)), Handled::Overflow);
    let expected = [
        "write mcountinhibit <- 0x1d",
        "read mcounterof -> 0x8",
        "read counter mhpmcounter3 -> 0x3",
        "write mhpmcounter3 <- 0xfffffffffffff833",
        "read mcountinhibit -> 0x1d",
        "write mcountinhibit <- 0x1d",
        "write csrc mcounterof <- 0x8",
        "write mcountinhibit <- 0x1d",
        "write csrc mcounterof <- 0x1d",
        "write mcountinhibit <- 0x15",
    ];
    assert_eq!(trace(registers), expected);
}

/// Bit 18 is 40000H. The counter is 3 past its wrap, and 1997 is 7CDH. The memory here keeps the bit in mcounterovf, as if
/// the counter of somebody else had one: mip has its bit until the end.
#[test]
fn an_overflow_of_an_ax45_is_cleared_in_mcounterovf_and_in_mip_while_nothing_counts() {
    let (registers, unit) = sampling(Identity::AX45, 0x20, 2000);
    registers.write(Csr::MCOUNTEROVF, 1 << 3);
    registers.write(Csr::counter(3).unwrap(), 3);
    trace(registers);
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::User)), Handled::Overflow);
    let expected = [
        "write mcountinhibit <- 0x1d",
        "read mcounterovf -> 0x8",
        "read counter mhpmcounter3 -> 0x3",
        "write mhpmcounter3 <- 0xfffffffffffff833",
        "read mcountinhibit -> 0x1d",
        "write mcountinhibit <- 0x1d",
        "write csrc mcounterovf <- 0x8",
        "read mcounterovf -> 0x8",
        "write mcountinhibit <- 0x1d",
        "write csrc mcounterovf <- 0x1d",
        "write csrc mip <- 0x40000",
        "write mcountinhibit <- 0x15",
    ];
    assert_eq!(trace(registers), expected);
}
