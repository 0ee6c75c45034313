//! Which of the guest's model-specific registers come to the host.
//!
//! The guest uses all others itself, because they are registers of the real processor or of QEMU, which has none of a
//! unit.

use pmu::arch::x86::guest::{SvmMap, protect_svm};
use x86::msr::IA32_EFER;

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
        map[SECOND + (IA32_EFER as usize & 0x1fff) / 4] |= 0b11 << (IA32_EFER % 4 * 2);
        Self(map)
    }
}
