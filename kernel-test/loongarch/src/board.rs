//! QEMU's board `virt`: how the kernel speaks and how it ends, and its command line.

use core::ptr;

use harness::Verdict;

/// Devices, where memory is not cached: a window of addresses that the boot opens.
const DEVICES: usize = 0x8000_0000_0000_0000;
/// The 16550.
const UART: usize = DEVICES + 0x1fe0_01e0;
/// Its line status, and in it: a byte can be sent.
const LINE_STATUS: usize = 5;
const IS_EMPTY: u8 = 1 << 5;
/// The sleep control of the generic event device, and what turns the machine off.
const SLEEP_CONTROL: usize = DEVICES + 0x100e_001c;
const OFF: u8 = 0x34;
/// The configuration of PCI devices, a device's part of it, and the device by which a guest says that it has panicked.
const CONFIGURATION: usize = DEVICES + 0x2000_0000;
const PART: usize = 1 << 15;
const PANIC: u32 = 0x0011_1b36;
/// Where the kernel lets that device be.
const PANIC_AT: u32 = 0x4000_0000;

/// Writes to the board's console.
pub fn print(text: &str) {
    for byte in text.bytes() {
        // SAFETY: the board has the device there, and the kernel alone uses it.
        unsafe {
            while ((UART + LINE_STATUS) as *const u8).read_volatile() & IS_EMPTY == 0 {}
            (UART as *mut u8).write_volatile(byte);
        }
    }
}

/// Ends the machine; QEMU's exit status is 0 if all is well, and else 1, by the panic device.
pub fn exit(verdict: Verdict) -> ! {
    if verdict != Verdict::Passed {
        (0..32).map(|number| CONFIGURATION + number * PART).for_each(panic_by);
    }
    // SAFETY: the machine is turned off.
    unsafe { (SLEEP_CONTROL as *mut u8).write_volatile(OFF) };
    loop {
        core::hint::spin_loop();
    }
}

/// Reports a panic by the device that is configured here, if it is for that.
fn panic_by(device: usize) {
    // SAFETY: the board has the registers of PCI devices there; of the panic device the base address and the command are
    // written, and then its only register, which ends QEMU.
    unsafe {
        if (device as *const u32).read_volatile() == PANIC {
            ((device + 0x10) as *mut u32).write_volatile(PANIC_AT);
            ((device + 4) as *mut u16).write_volatile(2);
            ((DEVICES + PANIC_AT as usize) as *mut u8).write_volatile(1);
        }
    }
}

/// The bytes that QEMU's board has for a command line.
const MOST: usize = 512;

/// The words of the command line, which QEMU puts at address 0. They are copied, because that is no address of Rust's.
pub fn command_line() -> &'static str {
    static mut WORDS: [u8; MOST] = [0; MOST];
    let words = &raw mut WORDS;
    for place in 0..MOST - 1 {
        let byte: u8;
        // SAFETY: the board has memory there, which nobody writes. Rust would take its first byte's address for none.
        unsafe {
            core::arch::asm!("ld.bu {0}, {1}, 0", out(reg) byte, in(reg) place, options(readonly, nostack));
            ptr::write(words.cast::<u8>().add(place), byte);
        }
    }
    // SAFETY: zeros are behind the words, and nobody writes them again.
    unsafe { harness::words_at(words as usize) }
}
