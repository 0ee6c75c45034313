//! A unit in software for the guests of a hypervisor that answers their calls by RustSBI.
//!
//! RustSBI takes an extension as a trait, and gives the call to it by its function and its arguments. [`Unit`] is its trait
//! [`rustsbi::Pmu`] over the crate's [`Host`], which checks everything that a guest passes. [`Timer`] shows how a
//! hypervisor has its own work counted: what it does for the guest are the events of the firmware's counters.
//!
//! ```
//! use example_rustsbi::{Part, Timer, Unit};
//! use pmu::arch::riscv::hpm::Identity;
//! use pmu::arch::riscv::hpm::sbi::{Host, NoMemory};
//! use pmu::virt::{Kinds, Unconnected};
//! use rustsbi::RustSBI;
//!
//! #[derive(RustSBI)]
//! struct Firmware<'h> {
//!     pmu: Unit<'h, Unconnected, NoMemory>,
//!     time: Timer<'h, Unconnected>,
//!     info: Part<'h, Unconnected>,
//! }
//!
//! let host = Host::new(&Identity::RV64, Kinds::CLOCK, Unconnected);
//! let firmware = Firmware { pmu: Unit::new(&host, &NoMemory), time: Timer::new(&host), info: Part::new(&host) };
//! // A guest's ECALL, by its a7, a6, and from a0 on: what goes into a0 and a1.
//! let counters = firmware.handle_ecall(sbi_spec::pmu::EID_PMU, sbi_spec::pmu::NUM_COUNTERS, [0; 6]);
//! assert_eq!((counters.error, counters.value), (0, 48));
//! ```
//!
//! A hypervisor has three things more to do: it answers the guest's trapped reads of counters by
//! [`try_read`](pmu::virt::Device::try_read), makes LCOFI pending when the trigger says so, and tells the host what the
//! guest has executed ([`advance`](pmu::virt::Device::advance)).

#![no_std]

use pmu::arch::riscv::hpm::sbi::{Host, Memory, NoMemory, SbiError};
use pmu::virt::Trigger;
use rustsbi::{EnvInfo, Pmu};
use sbi_spec::binary::{SbiRet, SharedPtr};
use sbi_spec::pmu::shmem_size::SIZE;
use sbi_spec::{base, pmu as function};

/// The unit of a virtual processor, and the memory that its snapshots lie in.
pub struct Unit<'h, T, M> {
    host: &'h Host<T>,
    memory: &'h M,
}

impl<'h, T, M> Unit<'h, T, M> {
    /// Answers by this host. `memory` is the guest's, or [`NoMemory`] if it is offered no snapshots.
    pub const fn new(host: &'h Host<T>, memory: &'h M) -> Self {
        Self { host, memory }
    }
}

impl<T: Trigger, M: Memory> Unit<'_, T, M> {
    fn call(&self, function: usize, arguments: [usize; 6]) -> SbiRet {
        call(self.host, function::EID_PMU, function, arguments, self.memory)
    }
}

/// RustSBI puts the halves of an argument of 64 bits together. The host takes them apart again where the guest's registers
/// have 32 bits, and uses the first alone where they have 64.
impl<T: Trigger, M: Memory> Pmu for Unit<'_, T, M> {
    fn num_counters(&self) -> usize {
        self.call(function::NUM_COUNTERS, [0; 6]).value
    }

    fn counter_get_info(&self, index: usize) -> SbiRet {
        self.call(function::COUNTER_GET_INFO, [index, 0, 0, 0, 0, 0])
    }

    fn counter_config_matching(&self, base: usize, mask: usize, flags: usize, event: usize, data: u64) -> SbiRet {
        let [low, high] = halves(data);
        self.call(function::COUNTER_CONFIG_MATCHING, [base, mask, flags, event, low, high])
    }

    fn counter_start(&self, base: usize, mask: usize, flags: usize, value: u64) -> SbiRet {
        let [low, high] = halves(value);
        self.call(function::COUNTER_START, [base, mask, flags, low, high, 0])
    }

    fn counter_stop(&self, base: usize, mask: usize, flags: usize) -> SbiRet {
        self.call(function::COUNTER_STOP, [base, mask, flags, 0, 0, 0])
    }

    fn counter_fw_read(&self, index: usize) -> SbiRet {
        self.call(function::COUNTER_FW_READ, [index, 0, 0, 0, 0, 0])
    }

    fn counter_fw_read_hi(&self, index: usize) -> SbiRet {
        self.call(function::COUNTER_FW_READ_HI, [index, 0, 0, 0, 0, 0])
    }

    fn snapshot_set_shmem(&self, memory: SharedPtr<[u8; SIZE]>, flags: usize) -> SbiRet {
        self.call(function::SNAPSHOT_SET_SHMEM, [memory.phys_addr_lo(), memory.phys_addr_hi(), flags, 0, 0, 0])
    }
}

/// A timer whose settings are counted. It sets no timer: that is the hypervisor's.
pub struct Timer<'h, T> {
    host: &'h Host<T>,
}

impl<'h, T> Timer<'h, T> {
    /// Counts on this host's counters.
    pub const fn new(host: &'h Host<T>) -> Self {
        Self { host }
    }
}

impl<T: Trigger> rustsbi::Timer for Timer<'_, T> {
    fn set_timer(&self, _: u64) {
        self.host.count_firmware(function::firmware_event::SET_TIMER as u16, 1);
    }
}

/// The identification of the processor that the guest sees.
pub struct Part<'h, T> {
    host: &'h Host<T>,
}

impl<'h, T> Part<'h, T> {
    /// That of this host.
    pub const fn new(host: &'h Host<T>) -> Self {
        Self { host }
    }
}

impl<T: Trigger> EnvInfo for Part<'_, T> {
    fn mvendorid(&self) -> usize {
        call(self.host, base::EID_BASE, base::GET_MVENDORID, [0; 6], &NoMemory).value
    }

    fn marchid(&self) -> usize {
        call(self.host, base::EID_BASE, base::GET_MARCHID, [0; 6], &NoMemory).value
    }

    fn mimpid(&self) -> usize {
        call(self.host, base::EID_BASE, base::GET_MIMPID, [0; 6], &NoMemory).value
    }
}

/// Returns a value as two registers have it, and as one does, where it has 64 bits.
const fn halves(value: u64) -> [usize; 2] {
    [value as usize, (value >> 32) as usize]
}

fn call<T: Trigger>(
    host: &Host<T>,
    extension: usize,
    function: usize,
    arguments: [usize; 6],
    memory: &impl Memory,
) -> SbiRet {
    match host.call(extension as u64, function as u64, arguments.map(|argument| argument as u64), memory) {
        Ok(value) => SbiRet::success(value as usize),
        Err(error) => failure(error),
    }
}

/// Returns an error as a0 has it: its number, with its sign.
fn failure(error: SbiError) -> SbiRet {
    SbiRet { error: error.number() as isize as usize, value: 0 }
}
