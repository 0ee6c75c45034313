//! The unit's registers, all of them: as after a reset, in one number, and with something of a test's own in each.

use harness::Fingerprint;
use harness::place::OneCpu;
use pmu::Kernel;
use pmu::arch::riscv::Csr;
use pmu::arch::riscv::access::Hardware;
use pmu::arch::riscv::hpm::{Capabilities, Select};
use pmu::driver::Registers;

use crate::csr::{self, is_machine, put};
use crate::identity;
use harness::by_width;

/// The unit's registers.
pub fn hardware<K: Kernel>(kernel: K) -> Hardware<K> {
    // SAFETY: the kernel runs in this mode, and where that is the supervisor's the counters are delegated to it. It has one
    // driver at a time, and an interrupt handler.
    unsafe { Hardware::claim(csr::privilege(), kernel) }
}

/// The registers of one kernel's mode.
struct Mine {
    counter: fn(u8) -> Option<Csr>,
    select: fn(u8) -> Option<Csr>,
    inhibit: Csr,
    readable: Csr,
    enable: Csr,
}

fn mine() -> Mine {
    if is_machine() {
        let (counter, select) = (Csr::counter, Csr::select);
        Mine { counter, select, inhibit: Csr::MCOUNTINHIBIT, readable: Csr::MCOUNTEREN, enable: Csr::MIE }
    } else {
        let (counter, select) = (Csr::delegated_counter, Csr::delegated_select);
        Mine { counter, select, inhibit: Csr::SCOUNTINHIBIT, readable: Csr::SCOUNTEREN, enable: Csr::SIE }
    }
}

/// The numbers of the counters.
fn numbers() -> impl Iterator<Item = u8> {
    let counters = identity::present().counters();
    (0..32).filter(move |number| counters >> number & 1 != 0)
}

/// Reads a register of 64 bits, whose counter is stopped.
fn read(at: Csr) -> u64 {
    let low = hardware(OneCpu).read(at);
    by_width!(low, hardware(OneCpu).read(at.high()) << 32 | low & 0xffff_ffff)
}

/// Writes a register of 64 bits.
fn write(at: Csr, value: u64) {
    if cfg!(target_pointer_width = "32") {
        hardware(OneCpu).write(at.high(), value >> 32);
    }
    hardware(OneCpu).write(at, value);
}

/// Reads a counter's selection. Without modes mcycle and minstret have none, and no other has an upper half in a register of
/// its own.
fn read_select(number: u8) -> u64 {
    let at = (mine().select)(number).expect("it is a counter's number");
    match identity::present().has_interrupts() {
        true => read(at),
        false if number < 3 => 0,
        false => hardware(OneCpu).read(at),
    }
}

/// Writes a counter's selection, as far as it has one.
fn write_select(number: u8, value: u64) {
    let at = (mine().select)(number).expect("it is a counter's number");
    match identity::present().has_interrupts() {
        true => write(at, value),
        false if number < 3 => {}
        false => hardware(OneCpu).write(at, value),
    }
}

/// Writes a counter and its selection. QEMU forgets what a counter has counted only if its selection is 0 in between.
pub fn set(number: u8, counter: u64, select: u64) {
    [0, select].into_iter().for_each(|value| write_select(number, value));
    write((mine().counter)(number).expect("it is a counter's number"), counter);
}

/// Reads a counter.
pub fn counted(number: u8) -> u64 {
    read((mine().counter)(number).expect("it is a counter's number"))
}

/// Lets these counters run, by their bits in mcountinhibit, and no others.
#[inline(always)]
pub fn run(counters: u32) {
    hardware(OneCpu).write(if is_machine() { Csr::MCOUNTINHIBIT } else { Csr::SCOUNTINHIBIT }, (!counters).into());
}

/// Stops every counter, and makes everything 0. What lower modes may read is nothing.
pub fn reset() {
    run(0);
    numbers().for_each(|number| set(number, 0, 0));
    hardware(OneCpu).write(mine().readable, 0);
}

/// A number that stays the same as long as the unit's registers do; no counter runs.
pub fn fingerprint() -> u64 {
    let (at, hardware) = (mine(), hardware(OneCpu));
    let mut counters = [[0; 2]; 32];
    for number in numbers() {
        counters[usize::from(number)] = [counted(number), read_select(number)];
    }
    let enabled = hardware.read(at.enable) & 1 << Capabilities::INTERRUPT;
    Fingerprint::of(&(counters, hardware.read(at.inhibit), hardware.read(at.readable), enabled))
}

/// Fills every register with something of its own; these may be read below. No counter runs.
pub fn leave(readable: u32) {
    let (at, hardware) = (mine(), hardware(OneCpu));
    run(0);
    for number in numbers() {
        let filter = if number % 2 == 0 { Select::NOT_USER } else { Select::NOT_SUPERVISOR };
        // QEMU's unit knows no such event.
        let event = if number < 3 { 0 } else { 0x100 + u64::from(number) };
        set(number, 0x12_3456_7800 + u64::from(number), filter.bits() | event);
    }
    hardware.write(at.readable, u64::from(readable & identity::present().counters()));
    let enable = if readable & 1 == 0 { at.enable.clearing() } else { at.enable.setting() };
    hardware.write(enable, 1 << Capabilities::INTERRUPT);
}

/// Makes the overflow interrupt pending, though no counter overflows.
pub fn raise() {
    put!("csrs", "mie" or "sie", 1 << Capabilities::INTERRUPT);
    put!("csrs", "mip" or "sip", 1 << Capabilities::INTERRUPT);
}

/// The cycle counter, which advances by one an instruction; it runs from now on.
#[inline(always)]
pub fn cycles() -> u64 {
    run(1);
    csr::get!("cycle") as u64
}
