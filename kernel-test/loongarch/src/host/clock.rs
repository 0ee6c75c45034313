//! Instructions by the clock, and a timer that stops the guest at its very instruction.
//!
//! QEMU is told to let an instruction take 128 nanoseconds (`-icount shift=7`), and the board's stable counter has 100 MHz. So
//! 5 instructions are 64 ticks, and each has a tick of its own. The timer has a grain of 4 ticks.

const INSTRUCTIONS: u64 = 5;
const TICKS: u64 = 64;
const GRAIN: u64 = 4;
/// TCFG\[En\]: the timer is on.
const IS_ON: u64 = 1;

/// The longest time, in instructions, that the timer is set to.
pub const LONGEST: u64 = 1 << 32;

/// The instructions between two readings of the stable counter.
pub const fn between(first: u64, second: u64) -> u64 {
    instructions_at(second) - instructions_at(first)
}

/// Instructions before the counter read this.
const fn instructions_at(ticks: u64) -> u64 {
    (ticks * INSTRUCTIONS).div_ceil(TICKS)
}

/// The timer's configuration that interrupts after these instructions.
pub const fn timer(instructions: u64) -> u64 {
    (instructions * TICKS / INSTRUCTIONS / GRAIN * GRAIN) | IS_ON
}
