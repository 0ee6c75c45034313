//! One unit for a hypervisor's guest, whichever processor the guest sees.
//!
//! A [`Unit`] is a [`Device`](crate::virt::Device) of one of the families, with one call for each kind of exit, from the
//! numbers of the instruction to its result. What is refused is an [`Injection`], which says how it is injected. The
//! registers that must not be left to the guest are [`trapped`], as bits of either vendor's map.
//!
//! ```
//! use pmu::Mode;
//! use pmu::arch::x86::guest::{Entry, Identity, Injection, Unit};
//! use pmu::arch::x86::intel;
//! use pmu::virt::{Kinds, Unconnected, Work};
//!
//! let unit = Unit::new(Identity::Intel(intel::Identity::SKYLAKE), Kinds::CLOCK, Unconnected);
//! assert_eq!(unit.wrmsr(0x186, 0x0052_00C0), Some(Ok(()))); // instructions, in ring 0, with an interrupt
//! assert_eq!(unit.wrmsr(0x38F, 1), Some(Ok(())));
//! unit.advance(&Work::instructions(Mode::Kernel, 100));
//! assert_eq!(unit.rdpmc(0), Ok(100));
//! assert_eq!(unit.wrmsr(0x186, 1 << 32), Some(Err(Injection::GeneralProtection)));
//! assert_eq!(unit.rdmsr(0xC000_0080), None); // EFER, which is not the unit's
//!
//! let mut entry = Entry::from_bits(0x400); // what the guest has written to its local APIC: an NMI
//! assert_eq!(unit.interrupt(&mut entry), Some(Injection::Nmi)); // when the trigger was called
//! assert!(entry.is_masked());
//! assert_eq!(Injection::Nmi.svm(), 0x8000_0202);
//! ```

mod entry;
mod injection;
mod no_unit;
mod passed;
mod trapped;

pub use super::identity::Identity;
pub use entry::Entry;
pub use injection::Injection;
pub use trapped::{SvmMap, VmxMap, protect_svm, protect_vmx, trapped};

use no_unit::NoUnit;
use raw_cpuid::{CpuIdReader, CpuIdResult};

use super::amd::Svm;
use super::intel::DebugControl;
use super::native::Nothing;
use super::p6::Model;
use super::{Index, Msr, amd, intel, lbr, netburst, p5, p6};
use crate::event::{CounterId, CounterSet, Mode};
use crate::virt::{
    Device as _, Fault, Filter, Fingerprint, Kinds, Observed, RestoreError, Selection, Snapshot, Trigger, Work,
};

/// A guest's unit, for one virtual processor. See the [module](self).
///
/// Where a function is not described here it is that of [`virt::Device`](crate::virt::Device).
#[derive(Debug)]
pub struct Unit<T: Trigger> {
    identity: Identity,
    device: Device<T>,
    branches: Option<lbr::Device>,
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a virtual processor has one, in place, and there is no allocator")]
enum Device<T: Trigger> {
    Intel(intel::Device<T>),
    Amd(amd::Device<T>),
    Netburst(netburst::Device<T>),
    P6(p6::Device<T>),
    P5(p5::Device, Quiet<T>),
    NoUnit(NoUnit, Quiet<T>),
}

/// The trigger of a unit that never interrupts.
struct Quiet<T>(T);

impl<T> core::fmt::Debug for Quiet<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Quiet")
    }
}

/// Evaluates an expression on the device of whichever family.
macro_rules! each {
    ($unit:expr, $device:ident => $result:expr) => {
        match &$unit.device {
            Device::Intel($device) => $result,
            Device::Amd($device) => $result,
            Device::Netburst($device) => $result,
            Device::P6($device) => $result,
            Device::P5($device, _) => $result,
            Device::NoUnit($device, _) => $result,
        }
    };
}

impl<T: Trigger> Unit<T> {
    /// Creates the unit of `identity` after a reset. The host reports work as `observed` says, and `trigger` is the line to
    /// the local APIC.
    #[must_use]
    pub fn new(identity: Identity, observed: impl Into<Observed>, trigger: T) -> Self {
        let device = match &identity {
            Identity::Intel(identity) => Device::Intel(intel::Device::new(identity, observed, trigger)),
            Identity::Amd(identity) => Device::Amd(amd::Device::new(identity, observed, trigger)),
            Identity::Netburst(identity) => Device::Netburst(netburst::Device::new(identity, observed, trigger)),
            Identity::P6(identity) => Device::P6(p6::Device::new(identity, observed, trigger)),
            Identity::P5(identity) => Device::P5(p5::Device::new(identity, observed), Quiet(trigger)),
            Identity::NoUnit => Device::NoUnit(NoUnit, Quiet(trigger)),
        };
        Self { identity, device, branches: None }
    }

    /// Gives the guest the recorder of branches that processors of its model have ([`lbr`]), if they have one: it is told of it,
    /// and has its registers. The host says of each branch what it was while the recorder
    /// [records](lbr::Device::records), and stores the recorder's own snapshot beside the unit's.
    ///
    /// AMD announces with one bit that an overflow freezes the records and the counters (CPUID Fn8000_0022_EAX\[2\]). The records
    /// freeze; the counters do not, if a guest asks for it (IA32_DEBUGCTL bit 12), and the status has no bit 59.
    #[must_use]
    pub fn with_branches(self) -> Self {
        let cpuid = |leaf, subleaf| self.identity.cpuid(leaf, subleaf, &Nothing);
        let branches = lbr::Capabilities::of_model(&cpuid).map(lbr::Device::new);
        Self { branches, ..self }
    }

    /// Returns the recorder of branches, if the guest has one.
    pub const fn branches(&self) -> Option<&lbr::Device> {
        self.branches.as_ref()
    }

    /// Returns the processor that the guest sees.
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns the line to the local APIC.
    pub fn trigger(&self) -> &T {
        match &self.device {
            Device::Intel(device) => device.trigger(),
            Device::Amd(device) => device.trigger(),
            Device::Netburst(device) => device.trigger(),
            Device::P6(device) => device.trigger(),
            Device::P5(_, Quiet(trigger)) | Device::NoUnit(_, Quiet(trigger)) => trigger,
        }
    }

    /// Resets the unit, when the virtual processor is.
    pub fn reset(&self) {
        each!(self, device => device.reset());
        self.branches.iter().for_each(lbr::Device::reset);
    }
}

/// The exits.
impl<T: Trigger> Unit<T> {
    /// Answers CPUID with `leaf` in EAX and `subleaf` in ECX. `native` answers for the physical processor.
    #[must_use]
    pub fn cpuid<C: CpuIdReader>(&self, leaf: u32, subleaf: u32, native: &C) -> CpuIdResult {
        let answer = self.identity.cpuid(leaf, subleaf, native);
        self.branches().map_or(answer, |branches| branches.capabilities().cpuid(leaf, subleaf, answer))
    }

    /// Answers RDMSR of this register: with the value for EDX:EAX, or with what to inject. Returns `None` for a register
    /// that is not a unit's, which is the host's to answer.
    #[inline]
    #[must_use]
    pub fn rdmsr(&self, register: u32) -> Option<Result<u64, Injection>> {
        let at = Msr::from_address(register)?;
        let unit = || each!(self, device => device.try_read(at));
        Some(self.branches().map_or_else(unit, |branches| branches.try_read_with(at, unit)).map_err(refused))
    }

    /// Answers WRMSR of EDX:EAX to this register, as [`Self::rdmsr`].
    ///
    /// Writes of IA32_DEBUGCTL are the host's to answer, and are passed on by [`Self::set_debug_control`].
    #[inline]
    #[must_use]
    pub fn wrmsr(&self, register: u32, value: u64) -> Option<Result<(), Injection>> {
        let at = Msr::from_address(register)?;
        let unit = |value| each!(self, device => device.try_write(at, value));
        let written = match &self.branches {
            Some(branches) => branches.try_write_with(at, value, unit),
            None => unit(value),
        };
        Some(written.map_err(refused))
    }

    /// Answers RDPMC with this number in ECX. The caller has checked that CR4.PCE or the privilege level permits it, if the
    /// processor has not done so before the exit.
    ///
    /// # Errors
    /// Returns what to inject if there is no such counter, or no such instruction. Nothing has changed then.
    #[inline]
    pub fn rdpmc(&self, number: u32) -> Result<u64, Injection> {
        if matches!(&self.identity, Identity::P5(identity) if !identity.capabilities().has_mmx) {
            return Err(Injection::InvalidOpcode);
        }
        let index = Index::from_raw(number).ok_or(Injection::GeneralProtection)?;
        each!(self, device => device.try_read_counter(index)).map_err(refused)
    }

    /// Passes the guest's IA32_DEBUGCTL on, whose bits to freeze counters an Intel unit uses, and whose bits to record branches
    /// and to freeze them a recorder does.
    pub fn set_debug_control(&self, value: u64) {
        self.branches.iter().for_each(|branches| branches.set_debug_control(value));
        if let Device::Intel(device) = &self.device {
            device.set_debug_control(DebugControl::from_bits_retain(value));
        }
    }

    /// Returns what a guest reads of IA32_DEBUGCTL that has written `value`: an overflow may have ended the recording of
    /// branches.
    #[must_use]
    pub fn debug_control(&self, value: u64) -> u64 {
        self.branches().map_or(value, |branches| branches.debug_control_of(value))
    }

    /// Passes on whether the guest has SVM on, and whether it runs a guest of its own now, which selectors of AMD's units can
    /// be limited by.
    pub fn set_svm(&self, svm: Svm) {
        if let Device::Amd(device) = &self.device {
            device.set_svm(svm);
        }
    }

    /// Returns what a guest reads of IA32_MISC_ENABLE, of which the host answers all other bits. On Intel's processors from
    /// Core on there is a unit, and neither branch traces nor PEBS; on the Pentium 4 it is as its identity says (SDM vol. 4,
    /// table "IA-32 Architectural MSRs", 1A0H).
    #[must_use]
    pub const fn misc_enable(&self, host: u64) -> u64 {
        const HAS_UNIT: u64 = 1 << 7;
        const NO_BRANCH_TRACES: u64 = 1 << 11;
        const NO_PEBS: u64 = 1 << 12;
        let others = host & !(HAS_UNIT | NO_BRANCH_TRACES | NO_PEBS);
        match &self.identity {
            Identity::Intel(_) => others | HAS_UNIT | NO_BRANCH_TRACES | NO_PEBS,
            Identity::Netburst(identity) => others | identity.misc(),
            Identity::Amd(_) | Identity::P6(_) | Identity::P5(_) => host,
            Identity::NoUnit => others | NO_BRANCH_TRACES | NO_PEBS,
        }
    }

    /// Returns what to inject when the trigger was called: what the guest's entry of its local APIC raises. Masks the entry if it
    /// raises something and the processor does so when it delivers the interrupt: Intel's do from the Pentium M and the
    /// Pentium 4 on. Freezes the records of branches, if the guest has chosen that.
    #[must_use]
    pub fn interrupt(&self, entry: &mut Entry) -> Option<Injection> {
        self.branches.iter().for_each(lbr::Device::overflow_interrupts);
        let event = entry.raises()?;
        if self.masks_itself() {
            *entry = entry.masked();
        }
        Some(event)
    }

    fn masks_itself(&self) -> bool {
        match &self.identity {
            Identity::Intel(_) | Identity::Netburst(_) => true,
            Identity::P6(identity) => identity.capabilities().model == Model::PentiumM,
            Identity::Amd(_) | Identity::P5(_) | Identity::NoUnit => false,
        }
    }
}

impl<T: Trigger> crate::virt::ByEvent for Unit<T> {
    fn unfed(&self) -> CounterSet {
        self.unfed()
    }

    fn selection(&self, counter: CounterId) -> Option<Selection> {
        self.selection(counter)
    }

    fn feed(&self, counter: CounterId, mode: Mode, events: u64) {
        self.feed(counter, mode, events);
    }
}

/// Every refusal is the same exception.
const fn refused(_: Fault) -> Injection {
    Injection::GeneralProtection
}

/// What the guest has done, and what is stored of it.
impl<T: Trigger> Unit<T> {
    /// Counts what the processor has done, and calls the trigger if a counter overflows.
    #[inline]
    pub fn advance(&self, work: &Work) {
        each!(self, device => device.advance(work));
    }

    /// Counts what the guest's system-management mode has done: [`intel::Device::advance_in_smm`]. Other units count it as
    /// the kernel's.
    pub fn advance_in_smm(&self, work: &Work) {
        match &self.device {
            Device::Intel(device) => device.advance_in_smm(work),
            _ => self.advance(work),
        }
    }

    /// Returns after how many repetitions of `step` an overflow interrupts, or `None` if none will.
    #[inline]
    #[must_use]
    pub fn until_overflow(&self, step: &Work) -> Option<u64> {
        each!(self, device => device.until_overflow(step))
    }

    /// Returns the kinds that running counters count, whether observed or not.
    #[must_use]
    pub fn wanted(&self) -> Kinds {
        each!(self, device => device.wanted())
    }

    /// Returns the counters that run and count something that is not observed.
    #[must_use]
    pub fn unfed(&self) -> CounterSet {
        each!(self, device => device.unfed())
    }

    /// Returns the counters that would run if the host let the guest count their events.
    #[must_use]
    pub fn withheld(&self) -> CounterSet {
        each!(self, device => device.withheld())
    }

    /// Lets the guest count what passes this filter alone, from now on.
    pub fn set_filter(&self, filter: Filter) {
        each!(self, device => device.set_filter(filter));
    }

    /// Returns what a counter selects, or `None` if the unit has no such counter.
    #[must_use]
    pub fn selection(&self, counter: CounterId) -> Option<Selection> {
        each!(self, device => device.selection(counter))
    }

    /// Counts events on one counter, if it counts in this mode now.
    pub fn feed(&self, counter: CounterId, mode: Mode, events: u64) {
        each!(self, device => device.feed(counter, mode, events));
    }

    /// Returns after how many events of its own a counter interrupts, or `None` if it will not.
    #[must_use]
    pub fn until_overflow_of(&self, counter: CounterId, mode: Mode) -> Option<u64> {
        each!(self, device => device.until_overflow_of(counter, mode))
    }

    /// Returns the fingerprint of what the guest is told of the unit, but for a recorder of branches, whose
    /// [`Device`](lbr::Device) has one of its own.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        each!(self, device => device.fingerprint())
    }

    /// Returns the contents of all registers as bytes, but for those of a recorder of branches.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        each!(self, device => device.snapshot())
    }

    /// Restores the contents of all registers from the bytes of a snapshot.
    ///
    /// # Errors
    /// Those of [`virt::Device::restore`](crate::virt::Device::restore). Nothing has changed then.
    pub fn restore(&self, snapshot: &[u8]) -> Result<(), RestoreError> {
        each!(self, device => device.restore(snapshot))
    }
}
