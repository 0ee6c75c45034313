//! The registers that a guest in user state has: while it does not run, they are the host's.

use crate::frame::Frame;
use crate::low;

/// All of them.
pub fn frame() -> &'static mut Frame {
    // SAFETY: one processor runs, the host, and nothing here keeps what this returns.
    unsafe { &mut (*low::low()).frame }
}

/// The next instruction.
pub fn instruction() -> u32 {
    // SAFETY: the guest's memory is the host's, and the guest is about to fetch from there.
    unsafe { (frame().address as *const u32).read_volatile() }
}

/// Goes on behind the next instruction, which the host has carried out.
pub fn skip() {
    let next = frame().next;
    go_to([next, next + 4]);
}

/// Goes on there, and after that there.
pub fn go_to([address, next]: [u64; 2]) {
    (frame().address, frame().next) = (address, next);
}

/// The register with this number: globals, outs, locals, ins.
pub fn register(number: usize) -> u64 {
    of(frame(), number)
}

/// The same of other registers.
pub fn of(frame: &Frame, number: usize) -> u64 {
    let at = number & 7;
    match number >> 3 {
        0 if at == 0 => 0,
        0 => frame.globals[at],
        1 => frame.outs[at],
        2 => frame.locals[at],
        _ => frame.ins[at],
    }
}

/// Sets it; %g0 is always 0.
pub fn set_register(number: usize, value: u64) {
    *place(number) = value;
}

fn place(number: usize) -> &'static mut u64 {
    let (frame, at) = (frame(), number & 7);
    match number >> 3 {
        0 => &mut frame.globals[at],
        1 => &mut frame.outs[at],
        2 => &mut frame.locals[at],
        _ => &mut frame.ins[at],
    }
}
