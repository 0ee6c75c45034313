//! The processors, by the names that the command line has for them: which of QEMU's, and in which mode the kernel runs.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use harness::CommandLine;
use pmu::arch::riscv::hpm::sbi::Line;
use pmu::arch::riscv::hpm::{self, Announced, Extensions, Model, Privilege};

use crate::board;
use harness::by_width;

/// A processor that the tests know.
#[derive(Debug)]
pub struct Identity {
    /// The name.
    pub name: &'static str,
    /// The mode that the kernel runs in.
    pub privilege: Privilege,
    /// What a device tree says of it (`riscv,isa`).
    isa: &'static str,
    /// The firmware, where that has the unit.
    pub firmware: Option<Firmware>,
    /// The unit that the host presents, where it is not QEMU's.
    presented: Option<hpm::Identity>,
}

/// A firmware that has the unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(target_pointer_width = "32", expect(dead_code, reason = "no processor of 32 bits is under a firmware"))]
pub enum Firmware {
    /// QEMU's OpenSBI, and how overflows interrupt.
    OpenSbi(Line),
    /// The example hypervisor, beneath which the kernel is in VS. It has a unit in software, and no software event.
    Hypervisor,
}

/// The counters that QEMU has, as a device tree says (`riscv,event-to-mhpmcounters`), and mcycle and minstret.
pub const COUNTERS: u32 = 0x7_fffd;
/// Those that the example hypervisor presents (`hypervisor/riscv/src/machine.rs`).
const OF_HYPERVISOR: u32 = 0x7fd;
/// So few of a unit that the host presents that each can be tried.
const FEW: u32 = 0b1_1101;

const ALL: &[Identity] = &[
    Identity {
        name: by_width!("rv64-m", "rv32-m"),
        privilege: Privilege::Machine,
        isa: by_width!("rv64imac_sscofpmf_smcntrpmf_smctr_ssctr", "rv32imac_sscofpmf_smcntrpmf"),
        firmware: None,
        presented: None,
    },
    Identity {
        name: by_width!("rv64-s", "rv32-s"),
        privilege: Privilege::Supervisor,
        isa: by_width!(
            "rv64imac_sscofpmf_smcntrpmf_smcdeleg_ssccfg_ssctr",
            "rv32imac_sscofpmf_smcntrpmf_smcdeleg_ssccfg"
        ),
        firmware: None,
        presented: None,
    },
    #[cfg(target_pointer_width = "32")]
    Identity { name: "rv32-m-plain", privilege: Privilege::Machine, isa: "rv32imac", firmware: None, presented: None },
    #[cfg(target_pointer_width = "64")]
    Identity::under_firmware("rv64-sbi", Firmware::OpenSbi(Line::Local)),
    #[cfg(target_pointer_width = "64")]
    Identity::under_firmware("rv64-sse", Firmware::OpenSbi(Line::Software)),
    #[cfg(target_pointer_width = "64")]
    Identity::under_firmware("rv64-vs", Firmware::Hypervisor),
    #[cfg(target_pointer_width = "64")]
    Identity::presented("rv64-device-m", hpm::Identity::RV64),
    #[cfg(target_pointer_width = "64")]
    Identity::presented("rv64-device-s", hpm::Identity::RV64_DELEGATED),
];

/// The processor that the command line names.
pub fn find() -> Option<&'static Identity> {
    let named = CommandLine::parse(board::command_line()).ok()?.identity?;
    ALL.iter().find(|identity| identity.name == named)
}

/// The processor, of which there is no doubt.
pub fn present() -> &'static Identity {
    find().unwrap_or_else(|| panic!("the command line is to name a processor: {} or another", ALL[0].name))
}

/// Has the firmware the unit? No processor of 32 bits is under one, so their image has none of the code for it.
#[inline(always)]
pub fn is_under_firmware() -> bool {
    by_width!(present().firmware.is_some(), false)
}

/// Is the kernel in VS?
pub fn is_in_vs() -> bool {
    present().firmware == Some(Firmware::Hypervisor)
}

static HAS_HOST: AtomicBool = AtomicBool::new(false);

/// The kernel is a guest of its own host's from now on, which presents a unit in software.
pub fn begin_host() {
    HAS_HOST.store(true, Relaxed);
}

/// Is the kernel a guest?
#[inline(always)]
pub fn has_host() -> bool {
    HAS_HOST.load(Relaxed)
}

impl Identity {
    #[cfg(target_pointer_width = "64")]
    const fn presented(name: &'static str, unit: hpm::Identity) -> Self {
        Self { name, privilege: unit.privilege(), isa: "", firmware: None, presented: Some(unit.with_counters(FEW)) }
    }

    #[cfg(target_pointer_width = "64")]
    const fn under_firmware(name: &'static str, firmware: Firmware) -> Self {
        let isa = match firmware {
            Firmware::OpenSbi(Line::Local) => "rv64imac_sscofpmf_smcntrpmf_ssctr",
            _ => "rv64imac_sscofpmf_smcntrpmf",
        };
        Self { name, privilege: Privilege::Supervisor, isa, firmware: Some(firmware), presented: None }
    }

    /// The unit that the host presents.
    pub fn unit(&self) -> Option<&hpm::Identity> {
        self.presented.as_ref()
    }

    /// Do its counters overflow into an interrupt? Otherwise they are not filtered either, and with registers of 32 bits no
    /// selection has an upper half.
    pub fn has_interrupts(&self) -> bool {
        self.presented.is_some() || self.isa.contains("_sscofpmf")
    }

    /// Does its hart record branches?
    pub fn has_records(&self) -> bool {
        self.isa.contains("ssctr")
    }

    /// The unit's counters, by their bits in mcounteren.
    pub fn counters(&self) -> u32 {
        if self.presented.is_some() { FEW } else { COUNTERS }
    }

    /// What a kernel knows of its unit. QEMU's processor has no number of its own.
    pub fn announced(&self) -> Announced {
        if let Some(unit) = self.presented {
            return unit.announced();
        }
        let (counters, model) = match self.firmware {
            Some(Firmware::Hypervisor) => (OF_HYPERVISOR, Model::Indexed),
            _ => (COUNTERS, Model::Qemu),
        };
        Announced::new(Extensions::from_isa(self.isa)).with_counters(counters).with_model(model)
    }
}
