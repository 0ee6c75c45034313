//! The guest's model-specific registers: which of them come to the host, and what it answers.
//!
//! The guest uses all others itself, because they are registers of the real processor or of QEMU, which has none of a
//! unit.

use pmu::arch::x86::{Index, Msr};
use pmu::virt::Fault;

use crate::identity::Unit;
use crate::machine::Machine;

const EFER: u32 = 0xc000_0080;
/// The system-call enable bit, the active bit of long mode, and the enable bit of SVM, which the guest does not have.
pub const SYSTEM_CALLS: u64 = 1 << 0;
const LONG_MODE_ACTIVE: u64 = 1 << 10;
pub const SVM_ENABLE: u64 = 1 << 12;

/// SDM vol. 4, table "IA-32 Architectural MSRs".
const MISC_ENABLE: u32 = 0x1a0;
const DEBUG_CONTROL: u32 = 0x1d9;
/// Strings are copied fast (0); there is a unit (7), and neither branch traces (11) nor precise samples (12).
const MISC: u64 = 1 << 0 | 1 << 7 | 1 << 11 | 1 << 12;
/// The top of the branch records, and the threshold of precise loads (the tables of Nehalem): not announced.
const LAST_BRANCH: u32 = 0x1c9;
const LOAD_LATENCY: u32 = 0x3f6;

const OTHERS: [u32; 5] = [EFER, MISC_ENABLE, DEBUG_CONTROL, LAST_BRANCH, LOAD_LATENCY];

/// The registers of each range of the permission map, from its first (APM volume 2, section 15.11, "MSR Intercepts").
const RANGES: [u32; 3] = [0, 0xc000_0000, 0xc001_0000];
const RANGE: u32 = 0x2000;

/// The permission map: two bits a register, the lower for reads; set, the access leaves the guest.
#[repr(C, align(4096))]
pub struct Permissions([u8; 0x2000]);

impl Permissions {
    /// A map that lets everything through.
    pub const fn open() -> Self {
        Self([0; 0x2000])
    }

    /// Has the registers of all units leave the guest, its own and those that it must not find.
    pub fn close(&mut self) {
        for (first, at) in RANGES.into_iter().zip((0..).step_by(RANGE as usize / 4)) {
            for number in (0..RANGE).filter(|number| is_answered(first + number)) {
                self.0[at + number as usize / 4] |= 0b11 << (2 * (number % 4));
            }
        }
    }
}

fn is_answered(register: u32) -> bool {
    Msr::from_address(register).is_some() || OTHERS.contains(&register)
}

impl<U: Unit> Machine<'_, U> {
    /// `rdmsr`
    pub fn read_register(&self, register: u32) -> Result<u64, Fault> {
        match register {
            EFER => Ok(self.efer & !SVM_ENABLE),
            MISC_ENABLE if self.identity.is_intels() => Ok(MISC),
            DEBUG_CONTROL => Ok(self.unit.debug_control()),
            _ => self.unit.try_read(Msr::from_address(register).ok_or(Fault::Absent)?),
        }
    }

    /// `wrmsr`
    pub fn write_register(&mut self, register: u32, value: u64) -> Result<(), Fault> {
        match register {
            EFER if value & SVM_ENABLE != 0 => Err(Fault::Reserved),
            EFER => {
                self.efer = value & !LONG_MODE_ACTIVE | self.efer & LONG_MODE_ACTIVE | SVM_ENABLE;
                Ok(())
            }
            MISC_ENABLE if self.identity.is_intels() => Ok(()),
            DEBUG_CONTROL => self.unit.set_debug_control(value),
            _ => self.unit.try_write(Msr::from_address(register).ok_or(Fault::Absent)?, value),
        }
    }

    /// `rdpmc`
    pub fn read_counter(&self, index: u32) -> Result<u64, Fault> {
        self.unit.try_read_counter(Index::from_raw(index).ok_or(Fault::Absent)?)
    }
}
