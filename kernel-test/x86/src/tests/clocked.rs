//! What every identity's unit can count here: each counter, with an event that the clock feeds.

use pmu::arch::x86::netburst::CounterGroup;
use pmu::driver::Description;
use pmu::request::Flag;
use pmu::{CounterId, CounterSet, Event, Request};

use crate::identity::{self, Processor};

/// Cycles at the rate of the time-stamp counter while not halted; on fixed counter 2 only.
const TIME_STAMP_CYCLES: Event = Event::raw(0x0300);

/// The fixed counters of instructions, cycles and reference cycles; the others count what QEMU's
/// clock does not tell.
const FIXED: CounterSet = CounterSet::from_bits(0b111 << 32);

/// The counters that the host feeds with an event an instruction.
pub fn counters(unit: &Description) -> CounterSet {
    unit.general.or(unit.fixed.and(FIXED))
}

/// Some of them, of each kind.
pub fn kinds(unit: &Description) -> impl Iterator<Item = CounterId> {
    let general = unit.general;
    let of_parts = [CounterGroup::Ms, CounterGroup::Flame].map(|part| general.and(of(part)).lowest());
    let of_parts = of_parts.map(|counter| counter.filter(|_| is_netburst()));
    [general.lowest(), general.highest(), unit.fixed.lowest()].into_iter().chain(of_parts).flatten()
}

/// The fewest events that a counter of the presented processor can wait for: on Nehalem more than on the others
/// (torvalds/linux, arch/x86/events/intel/core.c, `nhm_limit_period`).
pub fn least() -> u64 {
    if identity::presented().name == "nehalem" { 32 } else { 2 }
}

/// Whether a Pentium 4 is presented.
pub fn is_netburst() -> bool {
    matches!(identity::presented().processor, Processor::Netburst(_))
}

/// The Pentium 4's counters of a part of the processor (SDM volume 3, table "Performance Counter MSRs and Associated CCCR and
/// ESCR MSRs").
const fn of(part: CounterGroup) -> CounterSet {
    CounterSet::from_bits(match part {
        CounterGroup::Bpu => 0xf,
        CounterGroup::Ms => 0xf0,
        CounterGroup::Flame => 0xf00,
        CounterGroup::Iq => 0x3_f000,
    })
}

/// What counts one event an instruction on this counter.
pub fn request(counter: CounterId) -> Request {
    if is_netburst() {
        return request_of_netburst(counter).pinned_to(counter);
    }
    let event = match counter.number() {
        33 => Event::CYCLES,
        34 => TIME_STAMP_CYCLES,
        _ => Event::INSTRUCTIONS,
    };
    Request::new(event).pinned_to(counter)
}

/// Instructions, or cycles: those while not halted, or, where the part has no such event, those in which no more than 15 of
/// another event come (SDM volume 3, "Non-Sleep Clockticks").
fn request_of_netburst(counter: CounterId) -> Request {
    let every_cycle = |code| Request::new(Event::raw(code)).threshold(16).flag(Flag::Invert);
    match counter.number() {
        0..=3 => Request::new(Event::CYCLES),
        // uop_queue_writes, x87_FP_uop
        4..=7 => every_cycle(CounterGroup::Ms.code(0x09, 0, 0x7)),
        8..=11 => every_cycle(CounterGroup::Flame.code(0x04, 1, 0x8000)),
        _ => Request::new(Event::INSTRUCTIONS),
    }
}

/// Does a counter that reads this tell of anybody? A preset for the longest wait, 2^31 events or half a width, does not.
pub const fn tells(value: u64) -> bool {
    value != 0 && value.trailing_zeros() < 31
}
