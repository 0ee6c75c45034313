//! How much the kernel has done, and when to look again: the machine's own unit, in the host's hands.
//!
//! Its cycle counter counts at EL0 and EL1 and not at EL2, so the host's instructions are not in it; it interrupts
//! the host when the kernel has retired what it was given. An event counter that counts the same at EL0
//! alone tells the modes apart.

use metal::{get, put};
use pmu::Mode;

use crate::gic;

/// PMCR_EL0.E, P, C and LC.
const RUN_FROM_ZERO: u64 = 1 | 1 << 1 | 1 << 2 | 1 << 6;
/// The cycle counter and the first event counter.
const BOTH: u64 = 1 << 31 | 1;
/// PMEVTYPER0_EL0: CPU_CYCLES, not in EL1 (P).
const USER_CYCLES: u64 = 1 << 31 | 0x11;
/// PMUSERENR_EL0.EN: nothing is kept from EL0 before it comes to the host. With ER or CR QEMU would let EL0 read
/// counters without asking MDCR_EL2.TPM (target/arm/helper.c, pmreg_access_xevcntr and pmreg_access_ccntr).
const TO_THE_HOST: u64 = 1;

/// What was done in a passage, at EL1 and at EL0.
#[derive(Clone, Copy, Default, Debug)]
pub struct Done {
    pub kernel: u64,
    pub user: u64,
}

impl Done {
    /// One instruction in this mode.
    pub fn one(mode: Mode) -> Self {
        if mode == Mode::User { Self { kernel: 0, user: 1 } } else { Self { kernel: 1, user: 0 } }
    }

    /// One less in this mode.
    pub fn without_one(self, mode: Mode) -> Self {
        let one = Self::one(mode);
        Self { kernel: self.kernel - one.kernel, user: self.user - one.user }
    }

    /// In either mode.
    pub fn total(self) -> u64 {
        self.kernel + self.user
    }

    /// By mode.
    pub fn by_mode(self) -> [(Mode, u64); 2] {
        [(Mode::Kernel, self.kernel), (Mode::User, self.user)]
    }
}

/// Prepares the machine's unit.
pub fn prepare() {
    put!("pmcr_el0", RUN_FROM_ZERO);
    put!("pmccfiltr_el0", 0);
    put!("pmevtyper0_el0", USER_CYCLES);
    put!("pmovsclr_el0", 0xffff_ffff);
    put!("pmintenclr_el1", 0xffff_ffff);
    put!("pmintenset_el1", 1 << 31);
    put!("pmuserenr_el0", TO_THE_HOST);
    put!("pmcntenset_el0", BOTH);
}

/// Lets a passage be of so many instructions.
pub fn allow(instructions: u64) {
    put!("pmevcntr0_el0", 0);
    put!("pmccntr_el0", instructions.wrapping_neg());
}

/// What was done of them.
pub fn done(allowed: u64) -> Done {
    let total = get!("pmccntr_el0").wrapping_add(allowed);
    let user = get!("pmevcntr0_el0") & 0xffff_ffff;
    Done { kernel: total - user, user }
}

/// Takes the meter's own interrupt.
pub fn acknowledge() {
    put!("pmovsclr_el0", 1 << 31);
    let interrupt = gic::acknowledge();
    assert!([gic::OVERFLOW, gic::NONE].contains(&interrupt), "interrupt {interrupt}, which nobody enabled");
    if interrupt == gic::OVERFLOW {
        gic::end(interrupt);
    }
}
