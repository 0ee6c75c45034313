//! The bench's registers: what it prints, which events it counts for a counter, and how many it has seen
//! (`rtl/microwatt/bench.cpp`).

use core::fmt;

use pmu::CounterId;

const END: *mut u64 = 0xC000_0000 as *mut u64;
const TEXT: *mut u64 = 0xC000_0008 as *mut u64;
const PRINT: *mut u64 = 0xC000_0010 as *mut u64;
const WATCHED: *mut u64 = 0xC000_1000 as *mut u64;
const COUNTS: *const u64 = 0xC000_1100 as *const u64;

/// What the bench prints costs the core two stores.
#[derive(Clone, Copy, Debug)]
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        write(TEXT, text.as_ptr() as u64);
        write(PRINT, text.len() as u64);
        Ok(())
    }
}

/// Prints texts one after the other.
pub fn print(texts: &[&str]) {
    texts.iter().for_each(|text| fmt::Write::write_str(&mut Console, text).expect("it never fails"));
}

/// Ends the run.
pub fn end(went_well: bool) -> ! {
    write(END, if went_well { 33 } else { 35 } << 16 | 0x3333);
    loop {
        core::hint::spin_loop();
    }
}

/// What was stored before is in the memory first: the core's caches write through.
fn write(at: *mut u64, value: u64) {
    // SAFETY: the register is the bench's, and reaches no memory.
    unsafe { at.write_volatile(value) };
}

/// Counts anew for this counter the event that the core reports by one of these bits.
pub fn watch(counter: CounterId, events: u64) {
    write(WATCHED.wrapping_add(register(counter)), events);
}

/// Returns how often the core has reported the event while the counter was not stopped.
pub fn count(counter: CounterId) -> u64 {
    // SAFETY: the register is the bench's, and reading it changes nothing.
    unsafe { COUNTS.wrapping_add(register(counter)).read_volatile() }
}

/// PMC1 is the counter 0.
fn register(counter: CounterId) -> usize {
    usize::from(counter.number()) + 1
}

/// Returns the bit by which the core reports the event with this code (top.vhdl, `bench_cycle`; pmu.vhdl, "Event selection").
pub fn of_code(code: u64) -> u64 {
    /// A cycle, and a cycle that runs: they are the same here.
    const CYCLE: u32 = 21;
    const RUN: u32 = 22;
    const INSTRUCTION: u32 = 3;
    1 << match code {
        0x1_00F0 => CYCLE,
        0x1_00FA | 0x2_00F4 | 0x4_00F4 | 0x6_00F4 => RUN,
        0x1_00F2 | 0x1_00FE | 0x3_00F4 | 0x4_00FA | 0x5_00FA => INSTRUCTION,
        0x1_00F8 => 0,
        0x2_00F2 | 0x3_00F2 | 0x4_00F2 => 1,
        0x2_00F8 => 2,
        0x1_00F4 => 4,
        0x1_00FC => 5,
        0x2_00F0 => 6,
        0x2_00FA => 7,
        0x4_00F6 => 8,
        0x1_00F6 => 10,
        0x4_00FC => 11,
        0x2_00FC => 12,
        0x4_00F0 => 14,
        0x3_00F6 => 15,
        0x3_00F0 => 16,
        0x3_00FE => 17,
        0x2_00F6 => 18,
        0x3_00F8 => 23,
        _ => panic!("{code:#x} is no event of the core's"),
    }
}
