//! The bench's registers: which events it counts for a counter, and how many it has seen (`rtl/bench.cpp`).

use core::cell::Cell;

use pmu::CounterId;

const WATCHED: *mut u32 = 0x2000_0000 as *mut u32;
const COUNTS: *const u32 = 0x2000_0100 as *const u32;

/// The code of a cycle on mcycle, and of an instruction on minstret, which have none in hardware, and their bits among the core's
/// events.
pub const FIXED: [(u64, u32); 2] = [(1 << 56, 1 << 16), (1 << 57, 1 << 17)];

/// Counts anew for this counter what the core reports of an event by its code.
pub fn watch(counter: CounterId, code: u64) {
    let fixed = FIXED.into_iter().find(|&(fixed, _)| fixed == code);
    let events = fixed.map_or(code as u32, |(_, bit)| bit);
    // SAFETY: the register is the bench's, and reaches no memory.
    unsafe { WATCHED.add(register(counter)).write_volatile(events) };
}

/// Returns how often the core has reported the event while the counter was not stopped. It must not carry amid this.
pub fn count(counter: CounterId) -> u64 {
    let half = |offset| {
        // SAFETY: as above.
        let half = unsafe { COUNTS.add(2 * register(counter) + offset).read_volatile() };
        u64::from(half)
    };
    half(1) << 32 | half(0)
}

/// The number of a counter's register: mcycle is 0, and minstret 2.
fn register(counter: CounterId) -> usize {
    usize::from(counter.number() & 31)
}

/// The sentence that runs.
struct Name(Cell<&'static str>);

// SAFETY: one hart runs, and nothing interrupts it.
unsafe impl Sync for Name {}

static NAME: Name = Name(Cell::new(""));

/// Says that a sentence runs.
pub fn running(name: &'static str) {
    NAME.0.set(name);
}

/// Returns the name of the sentence that runs.
pub fn name() -> &'static str {
    NAME.0.get()
}
