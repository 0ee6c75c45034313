//! The processors, by the names that the command line has for them: which of QEMU's, and in which mode the kernel runs.

use harness::CommandLine;
use pmu::arch::riscv::hpm::{Announced, Core, Extensions, Privilege};

use crate::board;
use crate::width::by_width;

/// A processor that the tests know.
#[derive(Debug)]
pub struct Identity {
    /// The name.
    pub name: &'static str,
    /// The mode that the kernel runs in.
    pub privilege: Privilege,
    /// What a device tree says of it (`riscv,isa`).
    isa: &'static str,
}

/// The counters that QEMU has, as a device tree says (`riscv,event-to-mhpmcounters`), and mcycle and minstret.
pub const COUNTERS: u32 = 0x7_fffd;

const ALL: [Identity; 2] = [
    Identity {
        name: by_width!("rv64-m", "rv32-m"),
        privilege: Privilege::Machine,
        isa: by_width!("rv64imac_sscofpmf_smcntrpmf", "rv32imac_sscofpmf_smcntrpmf"),
    },
    Identity {
        name: by_width!("rv64-s", "rv32-s"),
        privilege: Privilege::Supervisor,
        isa: by_width!("rv64imac_sscofpmf_smcntrpmf_smcdeleg_ssccfg", "rv32imac_sscofpmf_smcntrpmf_smcdeleg_ssccfg"),
    },
];

/// The processor that the command line names.
pub fn find() -> Option<&'static Identity> {
    let named = CommandLine::parse(board::command_line()).ok()?.identity?;
    ALL.iter().find(|identity| identity.name == named)
}

/// The processor, of which there is no doubt.
pub fn present() -> &'static Identity {
    find().unwrap_or_else(|| panic!("the command line is to name {} or {}", ALL[0].name, ALL[1].name))
}

impl Identity {
    /// What a kernel knows of its unit. QEMU's processor has no number of its own.
    pub fn announced(&self) -> Announced {
        Announced::new(Extensions::from_isa(self.isa)).with_counters(COUNTERS).with_core(Core::Qemu)
    }
}
