//! Which of the guest's MSR accesses come to the host: all but those to a kernel's own few.
//!
//! AMD64 Architecture Programmer's Manual, volume 2 (publication 24593), section 15.11, "MSR
//! Intercepts": two bits a register, the lower for reads; set, the access leaves the guest.

/// The registers that a kernel keeps its bearings in, and that touch nobody else: system calls and
/// the bases of FS and GS (same manual, appendix A, "MSR Cross-Reference").
const OPEN: [u32; 11] = [
    0x174,
    0x175,
    0x176, // SYSENTER
    0xc000_0081,
    0xc000_0082,
    0xc000_0083,
    0xc000_0084, // STAR, LSTAR, CSTAR, SFMASK
    0xc000_0100,
    0xc000_0101,
    0xc000_0102,
    0xc000_0103, // FS, GS, kernel GS, TSC_AUX
];

/// The map; two pages, whose address stands in the control block.
#[repr(C, align(4096))]
pub struct Permissions([u8; 0x2000]);

impl Permissions {
    /// Everything leaves the guest but what is open.
    pub fn closed() -> Self {
        let mut map = Self([0xff; 0x2000]);
        OPEN.into_iter().for_each(|register| map.open(register));
        map
    }

    fn open(&mut self, register: u32) {
        let bit = 2 * (register as usize % 0x2000);
        self.0[range(register) + bit / 8] &= !(0b11 << (bit % 8));
    }
}

/// Where the registers of this one's range begin in the map.
const fn range(register: u32) -> usize {
    match register {
        0..=0x1fff => 0x000,
        0xc000_0000..=0xc000_1fff => 0x800,
        0xc001_0000..=0xc001_1fff => 0x1000,
        _ => panic!("the map has no bits for this register"),
    }
}
