//! "RISC-V Supervisor Binary Interface Specification", version 2.0, chapter "Performance Monitoring Unit Extension":
//! - "Configure a set of matching counters": flags are SKIP_MATCH 0, CLEAR_VALUE 1, AUTO_START 2, SET_VUINH 3, SET_VSINH 4,
//!   SET_UINH 5, SET_SINH 6, SET_MINH 7; the answer is the counter.
//! - "Start a set of counters": flag 0 sets the initial value, the same for all. "Stop a set of counters": flag 0 resets.
//! - Errors ("Binary Encoding"): -7 already started, -8 already stopped.
//! - "Event: Hardware general events": 1 cycles, 2 instructions. "Hardware raw events": type 2, the selection is the data.
//!   "Firmware events": type 15.
//! - "Sscofpmf" of the privileged manual: LCOFIP is bit 13 of sip.

use std::cell::{Cell, RefCell};

use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::sbi::{Address, Call, Capabilities, Line, Sbi, SbiError};
use pmu::arch::riscv::hpm::{Announced, Extensions, Model};
use pmu::driver::{Counters as _, Plan as _, Registers};
use pmu::{CounterSet, Event, Handled, Interrupted, Mode, Modes, Request, Unit};

use crate::program::{NOTHING, Recorded, on};
use crate::support::bare::counter;
use crate::support::registers;
use crate::trace;

/// The first event of the firmware.
const FIRMWARE: u64 = 0xF_0000;

/// A firmware that agrees to everything on the first of the counters that are named: of counters 0, 2, 3 and 4 of 64 bits,
/// and one of its own, 5. Registers hold what is written to them.
#[derive(Debug, Default)]
struct Firmware {
    counters: RefCell<[u64; 8]>,
    /// What a stop is answered.
    stopped: Cell<Option<SbiError>>,
    /// What a request for an event is answered instead of its counter.
    other: Cell<Option<u64>>,
}

impl Registers for &'static Firmware {
    type Address = Address;
    type Index = Csr;

    registers::without_clock!();

    fn read(&self, at: Address) -> u64 {
        let call = match at {
            Address::Csr(_) => return 0,
            Address::Call(call) => call,
        };
        SbiError::pack(match call {
            Call::Probe | Call::ProbeEvents => Ok(1),
            Call::Count => Ok(6),
            Call::Describe(counter) => match u64::from(counter.number()) {
                1 => Err(SbiError::InvalidParameter),
                5 => Ok(1 << 63),
                hardware => Ok((63 << 12) | (0xC00 + hardware)),
            },
            Call::Configure { counters, .. } => {
                Ok(self.other.get().unwrap_or(counters.lowest().unwrap().number().into()))
            }
            Call::Stop(_) | Call::Reset(_) => self.stopped.get().map_or(Ok(0), Err),
            _ => Ok(0),
        })
    }

    fn write(&self, _: Address, _: u64) {}

    fn read_counter(&self, index: Csr) -> u64 {
        self.counters.borrow()[usize::from(index.number() & 7)]
    }
}

type Driver = Sbi<&'static Recorded<&'static Firmware>>;
type Program = crate::program::Program<Driver, &'static Firmware>;

const RAW: u64 = 1 << 63 | 0x4001;

/// What the firmware says of itself, which is not recorded.
fn capabilities(firmware: &&'static Firmware) -> Capabilities {
    let announced = Announced::new(Extensions::from_isa("rv64imac_sscofpmf_smcntrpmf"));
    Capabilities::discover(firmware, &announced, Line::Local, &[RAW]).unwrap()
}

fn program() -> (Program, &'static Firmware) {
    let firmware: &'static Firmware = Box::leak(Box::default());
    let program = Program::of(firmware, |registers| Sbi::new(registers, capabilities(&firmware)));
    program.take_over();
    (program, firmware)
}

/// -1000 is FFFFFFFFFFFFFC18H; MINH is flag 7, 80H.
#[test]
fn a_counter_is_configured_alone_and_started_with_its_preset_in_one_call() {
    let (mut program, _) = program();
    let expected =
        ["read counter_stop(0, 0x8, 1) -> 0x0", "read counter_config_matching(0, 0x8, 0x80, 0x2, 0x0) -> 0x3"];
    assert_eq!(program.load([on(Event::raw(2), 3)]), expected);
    assert_eq!(program.preset(1000), NOTHING);
    let three = counter(3).only();
    assert_eq!(program.run(three), ["read counter_start(0, 0x8, 1, 0xfffffffffffffc18) -> 0x0"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["read counter_stop(0, 0x8, 0) -> 0x0"]);
    assert_eq!(program.run(three), ["read counter_start(0, 0x8, 0) -> 0x0"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["read counter_stop(0, 0x8, 0) -> 0x0"]);
    assert_eq!(program.release(), NOTHING);
    assert_eq!(program.load([on(Event::raw(2), 3)]), NOTHING);
}

/// QEMU works out the halves of a running counter apart. So it is stopped meanwhile.
#[test]
fn in_qemu_on_rv32_a_counter_is_stopped_while_it_is_read() {
    let firmware: &'static Firmware = Box::leak(Box::default());
    let announced = Announced::new(Extensions::from_isa("rv32imac_sscofpmf_smcntrpmf")).with_model(Model::Qemu);
    let unit = Capabilities::discover(&firmware, &announced, Line::Local, &[]).unwrap();
    let mut program = Program::of(firmware, |registers| Sbi::new(registers, unit.clone()));
    program.take_over();
    program.load([on(Event::raw(2), 4)]);
    program.run(counter(4).only());
    let handle = pmu::driver::Plan::counter(&program.driver, &program.slots[0]).handle;
    program.driver.read(handle);
    let expected = [
        "read counter_stop(0, 0x10, 0) -> 0x0",
        "read counter hpmcounter4h -> 0x0",
        "read counter hpmcounter4 -> 0x0",
        "read counter hpmcounter4h -> 0x0",
        "read counter_start(0, 0x10, 0) -> 0x0",
    ];
    assert_eq!(trace(program.registers), expected);
    firmware.stopped.set(Some(SbiError::AlreadyStopped));
    program.driver.read(handle);
    assert_eq!(trace(program.registers).len(), 4, "one that did not count is not started");
}

/// User alone: VSINH, SINH and MINH are 10H, 40H and 80H. The kernel alone: VUINH, UINH and MINH are 8, 20H and 80H.
#[test]
fn modes_that_are_not_counted_are_flags_of_the_configuration() {
    let (mut program, _) = program();
    let made = program.load([on(Event::raw(2), 3).modes(Modes::USER), on(Event::raw(1), 4).modes(Modes::KERNEL)]);
    assert_eq!(made[1], "read counter_config_matching(0, 0x8, 0xd0, 0x2, 0x0) -> 0x3");
    assert_eq!(made[3], "read counter_config_matching(0, 0x10, 0xa8, 0x1, 0x0) -> 0x4");
}

#[test]
fn an_event_of_the_processors_own_is_of_type_2_with_its_selection_as_the_data() {
    let (mut program, _) = program();
    let made = program.load([on(Event::raw(RAW), 3)]);
    assert_eq!(made[1], "read counter_config_matching(0, 0x8, 0x80, 0x20000, 0x4001) -> 0x3");
}

/// The firmware's events are of type 15; its counters know no modes.
#[test]
fn an_event_of_the_firmware_is_on_its_own_counter_which_a_call_reads() {
    let (mut program, _) = program();
    let made = program.load([Request::new(Event::raw(FIRMWARE + 5))]);
    assert_eq!(made[1], "read counter_config_matching(0, 0x20, 0x0, 0xf0005, 0x0) -> 0x5");
    let handle = program.driver.counter(&program.slots[0]).handle;
    program.run(program.all());
    assert_eq!(program.driver.read(handle), 0);
    assert_eq!(trace(program.registers), ["read counter_fw_read(5) -> 0x0"]);
}

/// cycle and instret have run since the boot. A firmware may stop them only once they have an event.
#[test]
fn a_counter_that_counts_since_the_boot_is_stopped_as_it_is_configured() {
    let (mut program, _) = program();
    let expected = [
        "read counter_stop(0, 0x4, 0) -> 0x0",
        "read counter instret -> 0x0",
        "read counter_config_matching(0, 0x4, 0x80, 0x2, 0x0) -> 0x2",
        "read counter_stop(0, 0x4, 0) -> 0x0",
    ];
    assert_eq!(program.load([on(Event::raw(2), 2)]), expected);
}

/// One call for the counters that stop, one for those that go on where they were, and one for each value.
#[test]
fn a_switch_of_any_set_is_a_call_for_a_stop_and_one_for_each_value() {
    let (mut program, _) = program();
    program.load([on(Event::raw(1), 3), on(Event::raw(2), 4), on(Event::raw(2), 2)]);
    program.preset(1000);
    let all = program.all();
    assert_eq!(program.run(all), ["read counter_start(0, 0x1c, 1, 0xfffffffffffffc18) -> 0x0"]);
    assert_eq!(program.run(counter(4).only()), ["read counter_stop(0, 0xc, 0) -> 0x0"]);
    program.driver.preset(&program.image, counter(3), pmu::driver::Remaining::events(5));
    let expected = ["read counter_start(0, 0x4, 0) -> 0x0", "read counter_start(0, 0x8, 1, 0xfffffffffffffffb) -> 0x0"];
    assert_eq!(program.run(all), expected);
    assert_eq!(program.run(all), NOTHING);
}

/// The counter is preset and does not run yet: its value is the preset, and no call reads it.
#[test]
fn a_preset_is_the_counters_value_before_it_has_started_and_its_register_afterwards() {
    let (mut program, firmware) = program();
    program.load([on(Event::raw(2), 3)]);
    program.preset(1000);
    firmware.counters.borrow_mut()[3] = 7;
    let handle = program.driver.counter(&program.slots[0]).handle;
    assert_eq!(program.driver.read(handle), 1000_u64.wrapping_neg());
    assert_eq!(trace(program.registers), NOTHING);
    program.run(program.all());
    assert_eq!(program.driver.read(handle), 7);
    assert_eq!(trace(program.registers), ["read counter hpmcounter3 -> 0x7"]);
}

/// OpenSBI 1.5.1 answers with cycle or instret if the counters of the mask are taken.
#[test]
fn a_firmware_that_takes_another_counter_than_was_asked_for_has_refused() {
    let (mut program, firmware) = program();
    firmware.other.set(Some(2));
    program.load([on(Event::raw(2), 4)]);
    assert_eq!(program.driver.refused(), counter(4).only());
    program.release();
    firmware.other.set(None);
    assert_eq!(program.load([on(Event::raw(2), 4)]).len(), 2, "it is tried again");
    assert_eq!(program.driver.refused(), CounterSet::EMPTY);
}

/// The unit of a firmware, whose counter 3 counts event 2 with a period of 1000.
fn sampling() -> (&'static Recorded<&'static Firmware>, &'static Unit<Driver, 16>, &'static Firmware) {
    let firmware: &'static Firmware = Box::leak(Box::default());
    let recorded: &'static Recorded<&'static Firmware> = Box::leak(Box::new(Recorded::new(firmware)));
    let unit: &'static Unit<Driver, 16> = Box::leak(Box::new(Unit::new()));
    let pmu = Box::leak(Box::new(unit.claim(Sbi::new(recorded, capabilities(&firmware))).unwrap()));
    let session = Box::leak(Box::new(pmu.open([on(Event::raw(2), 3).every(1000)]).unwrap()));
    session.start().unwrap();
    trace(recorded);
    (recorded, unit, firmware)
}

/// The counter is 3 past its wrap, so that 997 events are left: FFFFFFFFFFFFFC1BH. Two calls.
#[test]
fn an_overflow_takes_a_stop_and_a_start() {
    let (registers, unit, firmware) = sampling();
    firmware.counters.borrow_mut()[3] = 3;
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::User)), Handled::Overflow);
    let expected = [
        "read counter_stop(0, 0x8, 0) -> 0x0",
        "read counter hpmcounter3 -> 0x3",
        "write csrc sip <- 0x2000",
        "read counter_start(0, 0x8, 1, 0xfffffffffffffc1b) -> 0x0",
    ];
    assert_eq!(trace(registers), expected);
}

/// Counter 4, which nobody has requested, is 3 past its wrap.
#[test]
fn an_overflow_of_a_counter_that_is_not_ours_makes_no_interrupt_ours() {
    let (_, unit, firmware) = sampling();
    firmware.counters.borrow_mut()[3] = 500_u64.wrapping_neg();
    firmware.counters.borrow_mut()[4] = 3;
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::User)), Handled::NotMine);
}

#[test]
fn a_stop_that_is_answered_with_already_stopped_has_stopped() {
    let (registers, unit, firmware) = sampling();
    firmware.stopped.set(Some(SbiError::AlreadyStopped));
    firmware.counters.borrow_mut()[3] = 3;
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::User)), Handled::Overflow);
    assert_eq!(trace(registers)[0], "read counter_stop(0, 0x8, 0) -> 0xfffffffffffffff8");
}

/// The software event's interrupt has no bit in sip that is ours, and OpenSBI keeps LCOFI off.
#[test]
fn a_software_event_is_disabled_at_a_release_and_touches_neither_sip_nor_sie() {
    let firmware: &'static Firmware = Box::leak(Box::default());
    let recorded: &'static Recorded<&'static Firmware> = Box::leak(Box::new(Recorded::new(firmware)));
    let announced = Announced::new(Extensions::from_isa("rv64imac_sscofpmf_smcntrpmf"));
    let capabilities = Capabilities::discover(&firmware, &announced, Line::Software, &[]).unwrap();
    let unit = Unit::<Driver, 0>::new();
    let pmu = unit.claim(Sbi::new(recorded, capabilities)).unwrap();
    trace(recorded);
    pmu.release().unwrap();
    let released = trace(recorded);
    assert!(released.iter().any(|access| access.contains("sse")), "{released:?}");
    assert!(!released.iter().any(|access| access.contains("sip") || access.contains("sie")), "{released:?}");
}
