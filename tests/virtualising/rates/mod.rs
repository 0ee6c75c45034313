//! How often a guest's unit may interrupt, and stop its host.

mod hostile;

use pmu::Mode;
use pmu::arch::x86::{Block, Msr, Window, amd, intel};
use pmu::arch::{aarch64::SystemRegister, aarch64::pmuv3};
use pmu::virt::{Device, Kinds, RateLimit, Trigger, Work};

use crate::support::line::Line;

/// How many interrupts a tick, and how many instructions it takes.
const RATE: u32 = 3;
const TICK: u64 = 1000;

fn step() -> Work {
    Work::instructions(Mode::Kernel, 1)
}

/// Runs a guest for 50 ticks. It takes each of its interrupts, presets its counter to overflow at the next instruction, and
/// acknowledges. Returns how many interrupts it had.
fn run<'h, D: Device>(
    heard: &'h Line,
    device: &D,
    limit: impl Fn(&D) -> &RateLimit<&'h Line>,
    again: impl Fn(),
) -> u64 {
    again();
    for _ in 0..50 {
        limit(device).allow(RATE);
        for _ in 0..TICK {
            if heard.take() {
                again();
            }
            device.advance(&step());
        }
    }
    heard.rises()
}

#[test]
fn a_guest_that_wants_an_interrupt_for_every_event_is_held_to_the_rate() {
    let heard = Line::default();
    let unit = intel::Device::new(&intel::Identity::SKYLAKE, Kinds::CLOCK, RateLimit::new(&heard, 0));
    let write = |at: Msr, value| unit.try_write(at, value).unwrap();
    write(Msr::select(0).unwrap(), 0x0053_00C0);
    write(Msr::GLOBAL_CONTROL, 1);
    let again = || {
        write(Msr::counter(Window::Full, 0).unwrap(), (1 << 48) - 1);
        write(Msr::GLOBAL_RESET, 1);
    };
    assert_eq!(run(&heard, &unit, |unit| unit.trigger(), again), u64::from(50 * RATE));
}

#[test]
fn so_is_one_whose_line_brings_each_overflow() {
    let heard = Line::default();
    let unit = amd::Device::new(&amd::Identity::K8, Kinds::CLOCK, RateLimit::new(&heard, 0));
    let [select, value] = [Msr::core_select(Block::Legacy, 0), Msr::core_counter(Block::Legacy, 0)].map(Option::unwrap);
    unit.try_write(select, 0x0053_00C0).unwrap();
    let again = || unit.try_write(value, (1 << 48) - 1).unwrap();
    assert_eq!(run(&heard, &unit, |unit| unit.trigger(), again), u64::from(50 * RATE));
}

#[test]
fn so_is_one_whose_line_is_a_level() {
    let heard = Line::default();
    let identity = pmuv3::Identity::CORTEX_A57.for_guest();
    let unit = pmuv3::Device::new(&identity, Kinds::CLOCK, RateLimit::new(&heard, 0));
    let write = |at, value| unit.try_write(at, value).unwrap();
    write(SystemRegister::select(0).unwrap(), 0x08);
    write(SystemRegister::ENABLE_SET, 1);
    write(SystemRegister::INTERRUPT_SET, 1);
    write(SystemRegister::CONTROL, 1);
    let again = || {
        write(SystemRegister::counter(0).unwrap(), 0xFFFF_FFFF);
        write(SystemRegister::OVERFLOW_CLEAR, 1);
    };
    assert_eq!(run(&heard, &unit, |unit| unit.trigger(), again), u64::from(50 * RATE));
}

#[test]
fn an_interrupt_that_was_kept_back_comes_when_more_are_allowed() {
    let heard = Line::default();
    let limit = RateLimit::new(&heard, 1);
    (0..5).for_each(|_| limit.interrupt());
    assert_eq!((heard.rises(), limit.is_reached()), (1, true));
    limit.allow(0);
    assert_eq!(heard.rises(), 1);
    limit.allow(7);
    assert_eq!((heard.rises(), limit.is_reached()), (2, false), "the four were one");
    limit.allow(7);
    assert_eq!(heard.rises(), 2);
}

#[test]
fn an_interrupt_that_is_withdrawn_while_it_is_kept_back_never_comes() {
    let heard = Line::default();
    let limit = RateLimit::new(&heard, 0);
    limit.interrupt();
    limit.withdraw();
    limit.allow(7);
    assert_eq!((heard.rises(), heard.is_high()), (0, false));
}
