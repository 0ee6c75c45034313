//! The guest's model-specific registers: which of them come to the host, and what it answers.
//!
//! The guest uses all others itself, because they are registers of the real processor or of QEMU, which has none of a
//! unit.

use pmu::arch::x86::guest::{Event, Identity, SvmMap, protect_svm};

use crate::machine::Machine;

const EFER: u32 = 0xc000_0080;
/// The system-call enable bit, the active bit of long mode, and the enable bit of SVM, which the guest does not have.
pub const SYSTEM_CALLS: u64 = 1 << 0;
const LONG_MODE_ACTIVE: u64 = 1 << 10;
pub const SVM_ENABLE: u64 = 1 << 12;

/// SDM vol. 4, table "IA-32 Architectural MSRs". Bit 0 of the first: strings are copied fast.
const MISC_ENABLE: u32 = 0x1a0;
const FAST_STRINGS: u64 = 1 << 0;
const DEBUG_CONTROL: u32 = 0x1d9;

/// The permission map: two bits a register, the lower for reads; set, the access leaves the guest.
#[repr(C, align(4096))]
pub struct Permissions(SvmMap);

impl Permissions {
    /// A map by which the registers of all units leave the guest, its own and those that it must not find; and EFER.
    pub fn of_host() -> Self {
        /// Where the second range of the map begins (APM volume 2, section 15.11, "MSR Intercepts").
        const SECOND: usize = 0x800;
        let mut map = [0; size_of::<SvmMap>()];
        protect_svm(&mut map);
        map[SECOND + (EFER as usize & 0x1fff) / 4] |= 0b11 << (EFER % 4 * 2);
        Self(map)
    }
}

impl Machine<'_> {
    /// `rdmsr`
    pub fn read_register(&self, register: u32) -> Result<u64, Event> {
        match register {
            EFER => Ok(self.efer & !SVM_ENABLE),
            MISC_ENABLE if self.is_intels() => Ok(self.unit.misc_enable(FAST_STRINGS)),
            DEBUG_CONTROL => Ok(self.debug_control),
            _ => self.unit.rdmsr(register).unwrap_or(Err(Event::GeneralProtection)),
        }
    }

    /// `wrmsr`
    pub fn write_register(&mut self, register: u32, value: u64) -> Result<(), Event> {
        match register {
            EFER if value & SVM_ENABLE != 0 => Err(Event::GeneralProtection),
            EFER => {
                self.efer = value & !LONG_MODE_ACTIVE | self.efer & LONG_MODE_ACTIVE | SVM_ENABLE;
                Ok(())
            }
            MISC_ENABLE if self.is_intels() => Ok(()),
            DEBUG_CONTROL => {
                self.debug_control = value;
                self.unit.set_debug_control(value);
                Ok(())
            }
            _ => self.unit.wrmsr(register, value).unwrap_or(Err(Event::GeneralProtection)),
        }
    }

    fn is_intels(&self) -> bool {
        !matches!(self.unit.identity(), Identity::Amd(_))
    }
}
