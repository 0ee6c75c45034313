//! What the host answers for the guest's model-specific registers that come to it ([`crate::permissions`]).

use metal::vmcb::{LONG_MODE_ACTIVE, SVM_ENABLE};
use pmu::arch::x86::guest::{Identity, Injection};
use x86::msr::IA32_EFER;

use crate::machine::Machine;

/// SDM vol. 4, table "IA-32 Architectural MSRs". Bit 0 of the first: strings are copied fast.
const MISC_ENABLE: u32 = 0x1a0;
const FAST_STRINGS: u64 = 1 << 0;
const DEBUG_CONTROL: u32 = 0x1d9;

impl Machine<'_> {
    /// `rdmsr`
    pub fn read_register(&self, register: u32) -> Result<u64, Injection> {
        match register {
            IA32_EFER => Ok(self.efer & !SVM_ENABLE),
            MISC_ENABLE if self.is_intels() => Ok(self.unit.misc_enable(FAST_STRINGS)),
            DEBUG_CONTROL => Ok(self.unit.debug_control(self.debug_control)),
            _ => self.unit.rdmsr(register).unwrap_or(Err(Injection::GeneralProtection)),
        }
    }

    /// `wrmsr`
    pub fn write_register(&mut self, register: u32, value: u64) -> Result<(), Injection> {
        match register {
            IA32_EFER if value & SVM_ENABLE != 0 => Err(Injection::GeneralProtection),
            IA32_EFER => {
                self.efer = value & !LONG_MODE_ACTIVE | self.efer & LONG_MODE_ACTIVE | SVM_ENABLE;
                Ok(())
            }
            MISC_ENABLE if self.is_intels() => Ok(()),
            DEBUG_CONTROL => {
                self.debug_control = value;
                self.unit.set_debug_control(value);
                Ok(())
            }
            _ => self.unit.wrmsr(register, value).unwrap_or(Err(Injection::GeneralProtection)),
        }
    }

    fn is_intels(&self) -> bool {
        !matches!(self.unit.identity(), Identity::Amd(_))
    }
}
