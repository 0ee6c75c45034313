//! Access to a local APIC's entry for counters where it is mapped, by volatile reads and writes.

use core::fmt;
use core::ptr::NonNull;

use volatile::VolatilePtr;
use volatile::access::ReadWrite;

use super::{LineRegister, Lvtpc};

/// A local APIC's mapped LVTPC register, for [`Apic::xapic`](super::Apic::xapic).
#[derive(Clone, Copy)]
pub struct MappedLine(VolatilePtr<'static, u32, ReadWrite>);

impl MappedLine {
    /// # Safety
    /// - `register` is LVTPC of a local APIC in xAPIC mode (its base + 340H), mapped uncached, and
    ///   at the same address on every CPU that uses the value: each CPU accesses its own there;
    /// - nobody else uses the register;
    /// - the interrupt that it raises has the handler that `access::Hardware::claim` requires.
    #[must_use]
    pub unsafe fn claim(register: NonNull<u32>) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { VolatilePtr::new(register) })
    }
}

// SAFETY: claim() promised a register that nobody else uses and that each CPU has for itself,
// so that no access from one CPU meets one from another; an access is one instruction, which no
// interrupt divides.
unsafe impl Send for MappedLine {}
// SAFETY: as for Send.
unsafe impl Sync for MappedLine {}

impl LineRegister for MappedLine {
    #[inline(always)]
    fn read_line(&self) -> u32 {
        self.0.read()
    }

    #[inline(always)]
    fn write_line(&self, entry: Lvtpc) {
        self.0.write(entry.bits());
    }
}

impl fmt::Debug for MappedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MappedLine").field(&self.0.as_raw_ptr()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Apic, Line};
    use super::*;

    #[test]
    fn a_kernel_chooses_its_apics_mode_as_it_boots() {
        let register = NonNull::from(Box::leak(Box::new(Lvtpc::NMI.masked().bits())));
        // SAFETY: memory of the test's own stands for the register, and the test looks at it between accesses.
        let mapped = unsafe { MappedLine::claim(register) };
        // SAFETY: as above.
        let held = || unsafe { register.read_volatile() };
        let vector = Lvtpc::vector(0x40).unwrap();
        let mut line = Apic::<MappedLine>::unattached();
        let before = line.install();
        line.rearm();
        line.restore(before);
        assert_eq!(held(), Lvtpc::NMI.masked().bits(), "it is the kernel's own");
        line = Apic::xapic(mapped, vector);
        let before = line.install();
        assert_eq!(held(), vector.bits());
        line.restore(before);
        assert_eq!(held(), Lvtpc::NMI.masked().bits());
    }
}
