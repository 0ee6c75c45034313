//! The powernv board: bare metal, with a serial port and a management controller on an LPC bus.
//!
//! QEMU's documentation, "PowerNV family boards"; from POWER9 on the bus is part of memory, before
//! that it is reached through SCOM registers (the ECCB engine; skiboot's `hw/lpc.c` describes it).

use core::arch::asm;

use harness::Verdict;

use crate::processor::{self, Spr};

/// Where chip 0's LPC bus is in memory; its space of ports begins `PORTS` behind that.
const BUS: usize = 0x6_0300_0000_0000;
const PORTS: usize = 0xd001_0000;
/// The first serial port (PC16550D): its data register.
const SERIAL: usize = 0x3f8;
/// The management controller's block transfer interface (IPMI specification 2.0, section 11).
const BLOCK_CONTROL: usize = 0xe4;
const BLOCK_DATA: usize = 0xe5;

/// Writes a byte to the serial port.
pub fn send(byte: u8) {
    write(SERIAL, byte);
}

/// Ends the machine: powered down by its controller, or stopped by an attention.
pub fn exit(verdict: Verdict) -> ! {
    match verdict {
        Verdict::Passed => power_down(),
        Verdict::Failed => stop(),
    }
    loop {
        core::hint::spin_loop();
    }
}

/// "Chassis Control: power down" (IPMI specification 2.0, section 28.3).
fn power_down() {
    const CLEAR_WRITE_POINTER: u8 = 1;
    const ATTENTION: u8 = 1 << 2;
    /// Length, function and unit, sequence, command, data.
    const MESSAGE: [u8; 5] = [4, 0, 1, 2, 0];
    write(BLOCK_CONTROL, CLEAR_WRITE_POINTER);
    MESSAGE.into_iter().for_each(|byte| write(BLOCK_DATA, byte));
    write(BLOCK_CONTROL, ATTENTION);
}

/// An attention, once HID0 lets it through, is a checkstop: QEMU's status is 1, by its `-action
/// panic=exit-failure`.
fn stop() {
    /// HID0's enable bit of POWER8 and that of POWER9 and later.
    const ENABLE: usize = 1 << 32 | 1 << 60;
    // SAFETY: the machine ends here.
    unsafe {
        processor::write_spr::<{ Spr::HARDWARE_IMPLEMENTATION }>(
            processor::read_spr::<{ Spr::HARDWARE_IMPLEMENTATION }>() | ENABLE,
        );
        asm!(".long 0x00000200");
    }
}

fn write(port: usize, byte: u8) {
    if processor::is_power8() { write_by_scom(port, byte) } else { write_to_memory(port, byte) }
}

fn write_to_memory(port: usize, byte: u8) {
    // SAFETY: the board has its LPC bus there, and no register of it reaches memory.
    unsafe { ((BUS + PORTS + port) as *mut u8).write_volatile(byte) };
}

/// Data, then the command: a write of one byte to this address.
fn write_by_scom(port: usize, byte: u8) {
    const COMMAND: usize = 0xb0020;
    const DATA: usize = 0xb0023;
    const WRITE_ONE: usize = 0xd << 60 | 1 << 56;
    write_scom(DATA, usize::from(byte) << 56);
    write_scom(COMMAND, WRITE_ONE | (PORTS + port));
}

/// Where a SCOM register of chip 0 is in memory: its number's low four bits and the others are apart.
fn write_scom(number: usize, value: usize) {
    const SCOM: usize = 0x3_fc00_0000_0000;
    let address = SCOM + ((number & !0xf) << 4) + ((number & 0xf) << 3);
    // SAFETY: the board has the register there; the kernel runs in hypervisor real mode.
    unsafe { asm!("stdcix {}, 0, {}", in(reg) value, in(reg) address, options(nostack)) };
}
