//! Executes the instructions of the extension A for a core that has none: as ordinary ones, since nothing else runs. What executes
//! here uses none itself.
//!
//! Source: "The RISC-V Instruction Set Manual, volume I", "A" Extension for Atomic Instructions.

/// Returns the instruction at an address of which only the halves are aligned.
///
/// # Safety
/// There are four bytes of memory.
pub unsafe fn instruction_at(address: usize) -> u32 {
    let half = |offset| {
        // SAFETY: the caller says so.
        let half = unsafe { ((address + offset) as *const u16).read() };
        u32::from(half)
    };
    half(0) | half(2) << 16
}

/// Executes an instruction on a word (AMO, funct3 010B), and returns false if it is none of them.
pub fn execute(instruction: u32, registers: &mut [usize; 32]) -> bool {
    if instruction & 0x707F != 0x202F {
        return false;
    }
    let field = |shift: u32| (instruction >> shift & 31) as usize;
    let (destination, operand) = (field(7), registers[field(20)]);
    let address = registers[field(15)] as *mut usize;
    // SAFETY: the instruction would have accessed this word.
    let before = unsafe { address.read_volatile() };
    let (after, result) = match field(27) {
        0b00010 => (None, before),          // LR
        0b00011 => (Some(operand), 0),      // SC, which has stored
        0b00001 => (Some(operand), before), // AMOSWAP
        0b00000 => (Some(before.wrapping_add(operand)), before),
        0b00100 => (Some(before ^ operand), before),
        0b01100 => (Some(before & operand), before),
        0b01000 => (Some(before | operand), before),
        0b10000 => (Some(before.cast_signed().min(operand.cast_signed()).cast_unsigned()), before),
        0b10100 => (Some(before.cast_signed().max(operand.cast_signed()).cast_unsigned()), before),
        0b11000 => (Some(before.min(operand)), before),
        0b11100 => (Some(before.max(operand)), before),
        _ => return false,
    };
    if let Some(after) = after {
        // SAFETY: as above.
        unsafe { address.write_volatile(after) };
    }
    if destination != 0 {
        registers[destination] = result;
    }
    true
}
