//! The registers of a unit, and the bits of each, by its version and capabilities.

use super::Place;
use crate::arch::x86::Window;
use crate::arch::x86::intel::sharing::RTM_FORCE_ABORT;
use crate::arch::x86::intel::{
    Auxiliary, AuxiliaryRegister, Capabilities, DebugControl, GlobalStatus, PerfCapabilities, Select,
};
use crate::contract::Description;
use crate::event::{CounterId, CounterSet, Event, Flag, Request};
use crate::virt::{Fault, check_fit};

/// LONGEST_LAT_CACHE.MISS, an event of every unit.
const CACHE_MISSES: u64 = 0x412E;

/// The registers and bits that exist. All others fault.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    version: u8,
    window: Window,
    counters: CounterSet,
    general_mask: u64,
    fixed_mask: u64,
    select: u64,
    fixed_control: u64,
    reset: u64,
    status: u64,
    beside: [Option<u64>; AuxiliaryRegister::COUNT],
    auxiliaries: &'static [Auxiliary],
    perf_capabilities: Option<u64>,
    has_force_abort: bool,
}

impl Limits {
    pub(super) fn of(capabilities: &Capabilities) -> Self {
        let counters = capabilities.counters_with_registers();
        Self {
            version: capabilities.version,
            window: capabilities.window(),
            counters,
            general_mask: capabilities.general_width().mask(),
            fixed_mask: capabilities.fixed_width().mask(),
            select: capabilities.selectable.bits(),
            fixed_control: capabilities
                .fixed
                .into_iter()
                .fold(0, |all, id| capabilities.fixed_control().within(id, all)),
            reset: counters.bits() | resettable(capabilities.version).bits(),
            status: counters.bits() | settable(capabilities.version).bits(),
            auxiliaries: capabilities.auxiliaries,
            beside: AuxiliaryRegister::ALL.map(|register| bits_beside(capabilities, register)),
            perf_capabilities: capabilities.perf_capabilities.map(|perf_capabilities| perf_capabilities.bits()),
            has_force_abort: capabilities.aborts.is_some(),
        }
    }

    /// Returns all counters.
    #[inline(always)]
    pub(super) const fn counters(&self) -> CounterSet {
        self.counters
    }

    /// Returns the general counters, as bits of the global registers.
    pub(super) const fn general(&self) -> u64 {
        self.counters.bits() & 0xFFFF_FFFF
    }

    /// Checks that a unit of this description can count for the guest.
    pub(super) fn fits(&self, real: &Description, encodes: impl Fn(&Request) -> bool) -> Result<(), &'static str> {
        let widths = (real.general_width.mask(), real.fixed_width.mask());
        if real.name != Capabilities::UNIT {
            Err("the guest's unit is Intel's, and the real one is not")
        } else if self.version < 4 || self.window != Window::Full {
            Err("the guest's unit is older than version 4, or its counters are not written in full width")
        } else if self.has_sampling() {
            Err(
                "the guest is told of precise sampling, whose records a host has to write for it: make its identity without \
                 with_sampling",
            )
        } else if self.has_force_abort {
            Err("the guest's unit shares a counter with aborted transactions")
        } else if self.version > real.version || !self.counters.without(real.general.or(real.fixed)).is_empty() {
            Err("the guest's unit has a higher version than the real one, or more counters")
        } else if (self.general_mask, self.fixed_mask) != widths {
            Err("the guest's counters have another width than the real ones")
        } else if !self.is_within(encodes) {
            Err("the guest's unit has registers for events, or bits of them, that the real one does not have")
        } else {
            Ok(())
        }
    }

    /// Returns true if a unit whose driver encodes these requests has the registers beside this one, and the bits of selectors
    /// that not every unit has.
    fn is_within(&self, encodes: impl Fn(&Request) -> bool) -> bool {
        let select = Select::from_bits_retain(self.select);
        let plain = Request::new(Event::raw(CACHE_MISSES | select.intersection(Select::UNIT_MASK_2).bits()));
        let flags = [(Select::EQUAL, Flag::Equal), (Select::PIN_CONTROL, Flag::PinControl)];
        encodes(&plain)
            && flags.into_iter().all(|(bit, flag)| !select.contains(bit) || encodes(&plain.flag(flag)))
            && self.auxiliaries.iter().all(|event| event.of_its_register().any(|request| encodes(&request)))
    }

    /// Returns true if there are registers for the whole unit. Version 1 has none.
    #[inline(always)]
    pub(super) const fn has_global(&self) -> bool {
        self.version >= 2
    }

    /// Returns the bits of IA32_DEBUGCTL that the unit uses.
    pub(super) fn debug_control(&self) -> u64 {
        let on_interrupts = if self.has_global() { DebugControl::FREEZE_COUNTERS } else { DebugControl::empty() };
        let has = PerfCapabilities::from_bits_retain(self.perf_capabilities());
        let in_smm = has.contains(PerfCapabilities::FREEZE_IN_SMM);
        (on_interrupts | if in_smm { DebugControl::FREEZE_IN_SMM } else { DebugControl::empty() }).bits()
    }

    /// Returns true if counter 3 is the microcode's until transactions are aborted.
    #[inline(always)]
    pub(super) const fn has_force_abort(&self) -> bool {
        self.has_force_abort
    }

    /// Returns true if the status holds frozen counters, and false if the global control does.
    pub(super) const fn freezes_by_status(&self) -> bool {
        self.version >= 4
    }

    /// Returns the bits of the general counters.
    #[inline(always)]
    pub(super) const fn general_mask(&self) -> u64 {
        self.general_mask
    }

    /// Returns the bits of the fixed counters.
    #[inline(always)]
    pub(super) const fn fixed_mask(&self) -> u64 {
        self.fixed_mask
    }

    /// Returns the bits of a counter.
    #[inline(always)]
    pub(super) const fn mask(&self, id: CounterId) -> u64 {
        if id.number() < 32 { self.general_mask } else { self.fixed_mask }
    }

    /// Returns true if counters and selectors have second addresses.
    pub(super) const fn has_second(&self) -> bool {
        self.version >= 6
    }

    #[inline(always)]
    pub(super) fn perf_capabilities(&self) -> u64 {
        self.perf_capabilities.unwrap_or_default()
    }

    /// Returns true if the guest is told of precise sampling.
    fn has_sampling(&self) -> bool {
        PerfCapabilities::from_bits_retain(self.perf_capabilities()).intersects(PerfCapabilities::SAMPLING)
    }

    /// Returns the bits of a register, or `None` if there is no such register.
    #[inline(always)]
    pub(super) fn bits(&self, place: Place) -> Option<u64> {
        let global = |bits: u64| self.has_global().then_some(bits);
        let since_4 = |bits: u64| (self.version >= 4).then_some(bits);
        match place {
            Place::General(window, number) if self.has_window(window) => self.counter(number, self.general_mask),
            Place::General(..) => None,
            Place::Select(number) => self.counter(number, self.select),
            Place::Fixed(number) => self.counter(number + 32, self.fixed_mask),
            Place::FixedControl => global(self.fixed_control),
            Place::Control => global(self.counters.bits()),
            Place::Status => global(self.status),
            Place::Reset => global(self.reset),
            Place::Set => since_4(self.status),
            Place::InUse => since_4(0),
            Place::AuxiliaryRegister(number) => self.beside.get(number).copied().flatten(),
            Place::Capabilities => self.perf_capabilities.map(|_| 0),
            Place::ForceAbort => self.has_force_abort.then_some(RTM_FORCE_ABORT),
        }
    }

    /// Returns the auxiliary register that this event uses.
    pub(super) fn auxiliary(&self, code: u64) -> Option<AuxiliaryRegister> {
        self.auxiliaries.iter().find(|event| event.code == code).map(|event| event.beside)
    }

    /// Checks that a register can hold a value. A register that does not exist holds 0.
    pub(super) fn check(&self, place: Place, value: u64) -> Result<(), Fault> {
        check_fit(self.bits(place), value)
    }

    #[inline(always)]
    fn counter(&self, number: usize, bits: u64) -> Option<u64> {
        (self.counters.bits() >> (number & 63) & 1 == 1).then_some(bits)
    }

    #[inline(always)]
    fn has_window(&self, window: Window) -> bool {
        window == Window::Narrow || self.window == Window::Full
    }
}

/// Returns the bits of the status besides overflows that can be set, for the facilities that exist (SDM vol. 4,
/// table "IA-32 Architectural MSRs", 391H: CondChgd is not among them).
fn settable(version: u8) -> GlobalStatus {
    let frozen = GlobalStatus::BRANCHES_FROZEN | GlobalStatus::COUNTERS_FROZEN;
    if version >= 4 { frozen | GlobalStatus::UNCORE | GlobalStatus::BUFFER } else { GlobalStatus::empty() }
}

/// Returns the bits of the status besides overflows that can be acknowledged (the same table, 390H).
fn resettable(version: u8) -> GlobalStatus {
    let uncore = if version >= 3 { GlobalStatus::UNCORE } else { GlobalStatus::empty() };
    settable(version) | uncore | GlobalStatus::BUFFER | GlobalStatus::CHANGED
}

/// Returns the bits of an auxiliary register: all that any of its events uses.
fn bits_beside(capabilities: &Capabilities, register: AuxiliaryRegister) -> Option<u64> {
    let events = capabilities.auxiliaries.iter().filter(|event| event.beside == register);
    events.map(|event| event.mask).reduce(|all, mask| all | mask)
}
