//! PCI devices that nobody has placed yet: found by what they are, and put somewhere.
//!
//! "PCI Local Bus Specification", revision 2.2, section 3.2.2.3.2, "Software Generation of Configuration
//! Transactions", and section 6.1, "Configuration Space Organization".

use core::arch::asm;

/// The two registers that reach the devices' configuration.
pub struct Bridge {
    /// Writes the first: which register of which device.
    pub select: fn(u32),
    /// Where the second is: what is in that register. It is little-endian.
    pub data: usize,
}

impl Bridge {
    /// Puts the devices of the first bus that are wanted, by identity and class, at this address: there is one.
    pub fn place(&self, is_wanted: fn(u32, u32) -> bool, address: usize) {
        const CLASS: u32 = 8;
        (0..32).filter(|&device| is_wanted(self.read(device, 0), self.read(device, CLASS))).for_each(|device| {
            self.put(device, address);
        });
    }

    fn put(&self, device: u32, address: usize) {
        const COMMAND: u32 = 4;
        const BASE_ADDRESS: u32 = 0x10;
        /// It answers to its address and may be a master.
        const ENABLED: u32 = 0b110;
        self.write(device, BASE_ADDRESS, address as u32);
        self.write(device, COMMAND, ENABLED);
    }

    fn read(&self, device: u32, register: u32) -> u32 {
        self.choose(device, register);
        let value;
        // SAFETY: reading configuration space has no effect.
        unsafe { asm!("lwbrx {}, 0, {}", out(reg) value, in(reg) self.data, options(nostack)) };
        value
    }

    fn write(&self, device: u32, register: u32, value: u32) {
        self.choose(device, register);
        write_little_endian(self.data, value);
    }

    fn choose(&self, device: u32, register: u32) {
        (self.select)(1 << 31 | device << 11 | register);
    }
}

/// Writes a word to a device's register, the lowest byte first.
pub fn write_little_endian(address: usize, value: u32) {
    // SAFETY: callers name registers of the PCI bridge.
    unsafe { asm!("stwbrx {}, 0, {}", in(reg) value, in(reg) address, options(nostack)) };
}

/// Writes a byte to a device's register.
pub fn write_byte(address: usize, byte: u8) {
    // SAFETY: callers name registers of the devices that were placed; none of them reaches memory.
    unsafe { (address as *mut u8).write_volatile(byte) };
}
