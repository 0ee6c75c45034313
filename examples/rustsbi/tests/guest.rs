//! A guest that knows the specification alone: its calls go through RustSBI, and the unit in software answers them.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use example_rustsbi::{Part, Timer, Unit};
use pmu::Mode;
use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::Identity;
use pmu::arch::riscv::hpm::sbi::{Address, Host, Memory};
use pmu::virt::{Device as _, Kinds, Trigger, Work};
use rustsbi::RustSBI;
use sbi_spec::base::{EID_BASE, GET_MVENDORID, PROBE_EXTENSION};
use sbi_spec::pmu::{
    COUNTER_CONFIG_MATCHING, COUNTER_FW_READ, COUNTER_GET_INFO, COUNTER_START, COUNTER_STOP, EID_PMU, NUM_COUNTERS,
    SNAPSHOT_SET_SHMEM, event_type, firmware_event, hardware_event,
};
use sbi_spec::time::{EID_TIME, SET_TIMER};

/// Cycle, instret, and counters 3 to 7 of a processor whose events are the specification's indices. The firmware's own
/// counters come after them.
const FEW: Identity = Identity::RV64.with_counters(0xFD);
const FIRST_OF_FIRMWARE: usize = 8;
/// Flags of a start and of a stop.
const SET_INITIAL_VALUE: usize = 1 << 0;
const FROM_SNAPSHOT: usize = 1 << 1;
const TAKE_SNAPSHOT: usize = 1 << 1;
/// Errors.
const INVALID_PARAMETER: isize = -3;
const ALREADY_STARTED: isize = -7;
const ALREADY_STOPPED: isize = -8;

/// The line of the interrupt.
#[derive(Debug, Default)]
struct Line(Cell<bool>);

impl Trigger for Line {
    fn interrupt(&self) {
        self.0.set(true);
    }
}

/// A page of the guest's.
#[derive(Debug, Default)]
struct Page(RefCell<HashMap<u64, u64>>);

const PAGE: u64 = 0x8000_0000;

impl Memory for Page {
    fn read(&self, address: u64) -> Option<u64> {
        let is_inside = (PAGE..PAGE + 4096).contains(&address);
        is_inside.then(|| self.0.borrow().get(&address).copied().unwrap_or(0))
    }

    fn is_writable(&self, address: u64) -> bool {
        self.read(address).is_some()
    }

    fn write(&self, address: u64, value: u64) -> Option<()> {
        self.read(address)?;
        self.0.borrow_mut().insert(address, value);
        Some(())
    }
}

#[derive(RustSBI)]
struct Firmware<'m> {
    pmu: Unit<'m, Line, Page>,
    time: Timer<'m, Line>,
    info: Part<'m, Line>,
}

/// A virtual processor with its memory.
struct Machine {
    host: Host<Line>,
    page: Page,
}

impl Machine {
    fn new(identity: &Identity) -> Self {
        Self { host: Host::new(identity, Kinds::CLOCK, Line::default()), page: Page::default() }
    }

    /// The guest's ECALL: its a7, a6, and from a0 on. Returns a1, or a0 if that is an error.
    fn ecall<const N: usize>(&self, extension: usize, function: usize, arguments: [usize; N]) -> Result<usize, isize> {
        let host = &self.host;
        let firmware = Firmware { pmu: Unit::new(host, &self.page), time: Timer::new(host), info: Part::new(host) };
        let mut registers = [0; 6];
        registers[..N].copy_from_slice(&arguments);
        let answer = firmware.handle_ecall(extension, function, registers);
        if answer.error == 0 { Ok(answer.value) } else { Err(answer.error.cast_signed()) }
    }

    fn pmu<const N: usize>(&self, function: usize, arguments: [usize; N]) -> Result<usize, isize> {
        self.ecall(EID_PMU, function, arguments)
    }

    fn configure(&self, counter: usize, kind: usize, code: usize) {
        let event = kind << 16 | code;
        assert_eq!(self.pmu(COUNTER_CONFIG_MATCHING, [0, 1 << counter, 0, event]), Ok(counter));
    }

    fn execute(&self, instructions: u64) {
        self.host.advance(&Work::instructions(Mode::Kernel, instructions));
    }

    /// The guest's read of hpmcounter, which is trapped.
    fn value(&self, counter: u8) -> u64 {
        self.host.try_read_counter(Csr::user_counter(counter).unwrap()).unwrap()
    }
}

#[test]
fn a_guest_finds_the_extension_and_the_counters() {
    let machine = Machine::new(&Identity::U74);
    assert_eq!(machine.ecall(EID_BASE, PROBE_EXTENSION, [EID_PMU]), Ok(1));
    assert_eq!(machine.ecall(EID_BASE, GET_MVENDORID, []), Ok(0x489));
    let counters = machine.pmu(NUM_COUNTERS, []).unwrap();
    let all: Vec<_> = (0..counters).map(|index| machine.pmu(COUNTER_GET_INFO, [index]).ok()).collect();
    let register = |csr: usize, width: usize| Some(csr | (width - 1) << 12);
    let of_processor = [register(0xC00, 64), None, register(0xC02, 64), register(0xC03, 40), register(0xC04, 40)];
    assert_eq!(all[..5], of_processor, "1 is the clock's");
    assert!(all[5..].iter().all(|info| info.is_some_and(|info| info >> 63 == 1)), "the firmware's own");
}

#[test]
fn a_guests_counter_counts_and_interrupts_on_the_nth_event() {
    let machine = Machine::new(&FEW);
    machine.host.try_write(Address::Csr(Csr::SIE.setting()), 1 << 13).unwrap();
    machine.configure(3, event_type::HARDWARE_GENERAL, hardware_event::INSTRUCTIONS);
    assert_eq!(machine.pmu(COUNTER_START, [0, 1 << 3, SET_INITIAL_VALUE, 1000_usize.wrapping_neg()]), Ok(0));
    machine.execute(999);
    assert!(!machine.host.trigger().0.get());
    machine.execute(1);
    assert!(machine.host.trigger().0.get());
    assert_eq!(machine.pmu(COUNTER_STOP, [0, 1 << 3]), Ok(0));
    machine.execute(50);
    assert_eq!(machine.value(3), 0);
}

#[test]
fn errors_come_back_as_the_specification_has_them() {
    let machine = Machine::new(&FEW);
    machine.configure(3, event_type::HARDWARE_GENERAL, hardware_event::CPU_CYCLES);
    assert_eq!(machine.pmu(COUNTER_STOP, [0, 1 << 3]), Err(ALREADY_STOPPED));
    assert_eq!(machine.pmu(COUNTER_START, [0, 1 << 3]), Ok(0));
    assert_eq!(machine.pmu(COUNTER_START, [0, 1 << 3]), Err(ALREADY_STARTED));
    assert_eq!(machine.pmu(COUNTER_FW_READ, [3]), Err(INVALID_PARAMETER));
    assert_eq!(machine.pmu(COUNTER_GET_INFO, [usize::MAX]), Err(INVALID_PARAMETER));
}

#[test]
fn what_the_hypervisor_does_for_its_guest_is_an_event() {
    let machine = Machine::new(&FEW);
    machine.configure(FIRST_OF_FIRMWARE, event_type::FIRMWARE, firmware_event::SET_TIMER);
    assert_eq!(machine.pmu(COUNTER_START, [0, 1 << FIRST_OF_FIRMWARE]), Ok(0));
    for at in [100, 200, 300] {
        assert_eq!(machine.ecall(EID_TIME, SET_TIMER, [at]), Ok(0));
    }
    assert_eq!(machine.pmu(COUNTER_FW_READ, [FIRST_OF_FIRMWARE]), Ok(3));
}

#[test]
fn a_snapshot_lies_in_the_guests_memory() {
    let machine = Machine::new(&FEW);
    assert_eq!(machine.pmu(SNAPSHOT_SET_SHMEM, [PAGE as usize, 0, 0]), Ok(0));
    machine.configure(3, event_type::HARDWARE_GENERAL, hardware_event::INSTRUCTIONS);
    machine.page.write(PAGE + 8, 10_u64.wrapping_neg()).unwrap();
    assert_eq!(machine.pmu(COUNTER_START, [3, 1, FROM_SNAPSHOT]), Ok(0));
    machine.execute(15);
    assert_eq!(machine.pmu(COUNTER_STOP, [3, 1, TAKE_SNAPSHOT]), Ok(0));
    assert_eq!(
        (machine.page.read(PAGE), machine.page.read(PAGE + 8)),
        (Some(1), Some(5)),
        "the overflow, and the value"
    );
}
