//! What sampling hardware records of one instruction.

use core::fmt;

use super::{Branch, CounterSet, Mode};

/// What sampling hardware recorded of one instruction, or of one fetch. Each field says whether it is known.
///
/// ```
/// use pmu::precise::{DataSource, Operation, Record};
///
/// let mut record = Record::new(0x40_1000);
/// (record.operation, record.data_address) = (Some(Operation::Load), Some(0x7000_0040));
/// (record.source, record.latency) = (Some(DataSource::Memory), Some(412));
/// assert_eq!(record.to_string(), "0x401000 load of 0x70000040 from memory, 412 cycles");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Record {
    /// The address of the instruction itself; of a fetch, the address that was fetched. `None` if the hardware could not tell.
    pub address: Option<u64>,
    /// What the instruction did with memory; `None` if the hardware does not record it.
    pub operation: Option<Operation>,
    /// The linear address of the data that the instruction loaded or stored.
    pub data_address: Option<u64>,
    /// The physical address of these data; of a fetch, that of the instruction.
    pub physical_address: Option<u64>,
    /// Where the data, or the fetched instruction, came from.
    pub source: Option<DataSource>,
    /// How the address of the data, or of the fetch, was translated.
    pub translation: Option<Translation>,
    /// The processor's cycles until the data, or the fetched instruction, arrived. Hardware says from when on. IBS' end at 65,535.
    pub latency: Option<u32>,
    /// The processor's cycles from the tag to the retirement of the instruction. IBS' end at 65,535.
    pub retirement: Option<u32>,
    /// Whether the access was locked.
    pub is_locked: Option<bool>,
    /// Whether the access was slower because it was misaligned.
    pub is_misaligned: Option<bool>,
    /// The branch that the instruction took or did not take. It is `None` also for other instructions. A target that is not
    /// known is 0.
    pub branch: Option<Branch>,
    /// The time: that of the kernel's clock when the record was taken in, unless hardware has its own. `None` if the clock is at
    /// 0, as in a kernel that has none.
    pub time: Option<u64>,
    /// The counters whose event the record is of; `None` if the sampler uses no counter.
    pub counters: Option<CounterSet>,
    /// The address of the instruction before which the record was taken in, if an interrupt did that. It comes some instructions
    /// after [`Record::address`], or many, if several records were taken in at once.
    pub interrupted: Option<u64>,
    /// The instruction's mode if the sampler samples one mode alone, else the mode that was interrupted: the instruction may have
    /// run in another one.
    pub mode: Option<Mode>,
    /// The thread that was interrupted or switched out, as the kernel numbers threads.
    pub thread: u32,
}

impl Record {
    /// Creates a record of the instruction at this address, of which no more is known.
    #[must_use]
    pub fn new(address: u64) -> Self {
        Self { address: Some(address), ..Self::default() }
    }
}

/// Prints what is known of the instruction: `0x401000 load of 0x70000040 from memory, 412 cycles`.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.address {
            Some(address) => write!(f, "{address:#x}")?,
            None => f.write_str("unknown address")?,
        }
        self.operation.iter().try_for_each(|operation| write!(f, " {operation}"))?;
        self.data_address.iter().try_for_each(|address| write!(f, " of {address:#x}"))?;
        self.source.iter().try_for_each(|source| write!(f, " from {source}"))?;
        self.translation.iter().try_for_each(|translation| write!(f, ", {translation}"))?;
        self.latency.iter().try_for_each(|latency| write!(f, ", {latency} cycles"))?;
        self.branch.iter().try_for_each(|branch| write!(f, ", {branch}"))
    }
}

/// What an instruction did with memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Operation {
    /// Nothing.
    None,
    /// It loaded data.
    Load,
    /// It stored data.
    Store,
    /// It loaded data and stored them.
    LoadAndStore,
    /// It was a prefetch by software.
    Prefetch,
    /// The record is of a fetch of instructions.
    Fetch,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "without memory",
            Self::Load => "load",
            Self::Store => "store",
            Self::LoadAndStore => "load and store",
            Self::Prefetch => "prefetch",
            Self::Fetch => "fetch",
        })
    }
}

/// Where data came from, the nearest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum DataSource {
    /// The first-level cache.
    Level1,
    /// A miss of the first level that was under way already: a line-fill or miss-address buffer.
    Pending,
    /// The second-level cache.
    Level2,
    /// The third-level cache of these cores.
    Level3,
    /// Another cache near by: of another core, or of other cores on the same chip or package.
    NearCache,
    /// The cache of another node.
    FarCache,
    /// The memory of this node, or of a node that is not known.
    Memory,
    /// The memory of another node.
    FarMemory,
    /// Persistent memory.
    PersistentMemory,
    /// Memory beyond an extension, as CXL.
    ExtensionMemory,
    /// A device, another processor's included.
    Device,
    /// Memory that is not cached.
    Uncached,
}

impl fmt::Display for DataSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Level1 => "L1",
            Self::Pending => "a pending miss",
            Self::Level2 => "L2",
            Self::Level3 => "L3",
            Self::NearCache => "a near cache",
            Self::FarCache => "a far cache",
            Self::Memory => "memory",
            Self::FarMemory => "far memory",
            Self::PersistentMemory => "persistent memory",
            Self::ExtensionMemory => "extension memory",
            Self::Device => "a device",
            Self::Uncached => "uncached memory",
        })
    }
}

/// How an address was translated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Translation {
    /// By the first-level TLB.
    Level1,
    /// By the second-level TLB.
    Level2,
    /// By the page tables: no TLB had it.
    Missed,
}

impl fmt::Display for Translation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Level1 => "TLB hit",
            Self::Level2 => "L2 TLB hit",
            Self::Missed => "TLB miss",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_prints_what_is_known_of_it() {
        assert_eq!(Record::default().to_string(), "unknown address");
        let mut record = Record::new(0x10);
        (record.operation, record.translation) = (Some(Operation::Store), Some(Translation::Missed));
        record.branch = Some(Branch::new(0x10, 0x40));
        assert_eq!(record.to_string(), "0x10 store, TLB miss, 0x10 -> 0x40");
    }
}
