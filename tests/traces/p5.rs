//! SDM vol. 3, "Performance Monitoring (Pentium Processors)". Sections are cited by title.
//!
//! CESR is register 11H, CTR0 12H and CTR1 13H (vol. 4, "MSRs in Pentium Processors"). CESR has, for counter 0, the event in
//! bits 5:0, CC in 8:6 and PC in 9, and for counter 1 the same 16 bits higher. CC is 001 for privilege levels 0 to 2, 010 for
//! level 3, 011 for all, and 4 more for clocks; 000 counts nothing.

use pmu::arch::x86::p5::{Device, Identity, P5};
use pmu::driver::Recorder;
use pmu::request::Flag;
use pmu::virt::{Device as _, Kinds, Work};
use pmu::{CounterSet, Event, Handled, Interrupted, Mode, Modes, Request, Unit};

use crate::program::{NOTHING, Recorded, on};
use crate::trace;

type Registers = &'static Recorded<&'static Device>;
type Program = crate::program::Program<P5<Registers>, &'static Device>;

fn device(identity: &Identity) -> &'static Device {
    Box::leak(Box::new(Device::new(identity, Kinds::CLOCK)))
}

fn program(identity: &Identity) -> Program {
    Program::of(device(identity), |registers| P5::new(registers, identity.capabilities()))
}

/// "Control and Event Select Register (CESR)": a counter "must be stopped and cleared or preset before switching to a new
/// event", and CESR is written whole. Table of events: 16H, INSTRUCTIONS_EXECUTED; 12H, BRANCHES.
#[test]
fn another_event_is_selected_once_its_counter_is_stopped_and_preset() {
    let mut program = program(&Identity::P5);
    assert_eq!(program.load([on(Event::INSTRUCTIONS, 0)]), NOTHING);
    assert_eq!(program.preset(100), ["write CTR0 <- 0xffffffff9c"]);
    assert_eq!(program.run(program.all()), ["write CESR <- 0xd6"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write CESR <- 0x16"]);
    assert_eq!(program.release(), NOTHING);
    assert_eq!(program.load([on(Event::BRANCHES, 0)]), NOTHING);
    assert_eq!(program.preset(100), ["write CTR0 <- 0xffffffff9c"]);
    assert_eq!(program.run(program.all()), ["write CESR <- 0xd2"]);
}

/// The same: "it is not possible to set one counter separately". Counter 1's field is 16 bits above counter 0's.
#[test]
fn both_counters_are_started_and_stopped_at_once() {
    let mut program = program(&Identity::P5);
    program.load([on(Event::INSTRUCTIONS, 0), on(Event::CACHE_MISSES, 1)]);
    assert_eq!(program.preset(1 << 39), ["write CTR0 <- 0x8000000000", "write CTR1 <- 0x8000000000"]);
    assert_eq!(program.run(program.all()), ["write CESR <- 0xe900d6"]);
    let [first, second] = [0, 1].map(|slot: usize| program.slots[slot].counter.only());
    assert_eq!(program.run(first), ["write CESR <- 0x2900d6"], "the other's event stays");
    assert_eq!(program.run(second), ["write CESR <- 0xe90016"]);
    assert_eq!(program.run(CounterSet::EMPTY), ["write CESR <- 0x290016"]);
}

/// CC: 001 in the kernel's levels, 010 in level 3, 110 for clocks in level 3; PC is bit 9.
#[test]
fn modes_clocks_and_the_pin_are_in_their_bits() {
    let mut program = program(&Identity::P5);
    let kernel = on(Event::INSTRUCTIONS, 0).modes(Modes::KERNEL);
    let user = on(Event::raw(0x0119), 1).modes(Modes::USER).flag(Flag::PinControl);
    program.load([kernel, user]);
    assert_eq!(program.run(program.all()), ["write CESR <- 0x3990056"]);
}

/// Table of events, with MMX: 30H on counter 0, NUMBER_OF_CYCLES_NOT_IN_HALT_STATE; 32H on counter 1, TAKEN_BRANCHES.
#[test]
fn with_mmx_one_number_is_two_events() {
    let mut program = program(&Identity::P5_MMX);
    program.load([Request::new(Event::CYCLES), Request::new(Event::raw(0x1_0030))]);
    assert_eq!(program.run(program.all()), ["write CESR <- 0xf000f0"]);
}

/// Vol. 2, "RDPMC": there with MMX, and not without.
#[test]
fn counters_are_read_by_rdmsr_without_mmx_and_by_rdpmc_with_it() {
    let read = |identity| {
        let mut program = program(identity);
        program.load([on(Event::INSTRUCTIONS, 1)]);
        let slot = program.slots[0];
        let known = pmu::driver::Plan::counter(&program.driver, &slot);
        pmu::driver::Counters::read(&program.driver, known.handle);
        (known.user_index, trace(program.registers))
    };
    assert_eq!(read(&Identity::P5), (None, vec!["read CTR1 -> 0x0".to_owned()]));
    assert_eq!(read(&Identity::P5_MMX), (Some(1), vec!["read counter general 1 -> 0x0".to_owned()]));
}

/// "Performance Monitoring (Pentium Processors)" names no interrupt and no status. A counter of 40 bits that was preset to
/// its longest wait has overflowed when its top bit, bit 39, is clear. The kernel's tick finds it, and it waits as long
/// again.
#[test]
fn a_wrap_is_found_in_the_counter_when_the_handler_is_called() {
    let device = device(&Identity::P5);
    let registers: Registers = Box::leak(Box::new(Recorder::new(device)));
    let unit: &'static Unit<_, 0> = Box::leak(Box::new(Unit::new()));
    let pmu = unit.claim(P5::new(registers, Identity::P5.capabilities())).expect("nobody has claimed it");
    let mut session = pmu.open([on(Event::INSTRUCTIONS, 0)]).expect("it fits");
    session.start().expect("it is stopped");
    device.advance(&Work::instructions(Mode::Kernel, (1 << 39) + 3));
    trace(registers);
    assert_eq!(unit.on_overflow(Interrupted::default()), Handled::Overflow);
    let expected = ["write CESR <- 0x16", "read CTR0 -> 0x3", "write CTR0 <- 0x8000000000", "write CESR <- 0xd6"];
    let found = trace(registers);
    assert_eq!(found, expected);
    assert_eq!(session.read(), Ok([(1 << 39) + 3]));
}
