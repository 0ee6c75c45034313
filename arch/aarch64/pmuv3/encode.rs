//! Encodes a request: the counters that can count it, and the value of their selection register.

use super::capabilities::{Capabilities, Privilege};
use super::events::{CPU_CYCLES, INST_RETIRED, Meaning, has_chain};
use super::registers::{Comparison, Select};
use super::widths::Widths;
use crate::event::{CounterSet, Event, Flag, Flags, Generic, Mode, Modes, Refusal, Request};
use crate::family::{Rate, Shortest};

/// The ways to count one request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// The counters that can count it alone.
    pub(super) counters: CounterSet,
    /// The even counters that can count it as the lower half of a pair.
    pub(super) pairs: CounterSet,
    /// The value for PMEVTYPER`n`_EL0.
    pub(super) word: u64,
}

impl Capabilities {
    /// The shortest period of instructions that may repeat while the kernel is counted.
    ///
    /// An interrupt counts its own instructions, except while the unit is halted: those of the vector, of the kernel's
    /// accesses to the interrupt controller, and of this crate. If the period is not longer, it ends again before the handler
    /// has returned, and the interrupted code does not continue. If it is longer by less than
    /// [`LEAST_IN_USER`](Self::LEAST_IN_USER), an atomic operation may never end.
    ///
    /// In this crate's test kernel, with a GICv3, an interrupt counts 77 instructions, so that 51 are left for a longer path
    /// in the kernel. This was measured in QEMU's emulation of Cortex-A57 and `max`, by sampling a row of instructions one
    /// by one, and not on silicon. `cargo xtask boot --identity cortex-a57 -- run=test test=the_least_period` measures it
    /// again, and fails if the period is too short.
    ///
    /// Requests that interrupt at different times share this limit: their periods must be so long that
    /// together they cause at most one interrupt in this many events.
    pub const LEAST_IN_KERNEL: u64 = 256;

    /// The shortest period of any other event that may repeat while the kernel is counted. One instruction may cause many
    /// events: accesses to the interrupt controller and to system registers may take some hundred cycles each. This is an
    /// estimate, and was not measured on silicon. A kernel with a long entry needs more.
    pub const LEAST_OF_OTHERS_IN_KERNEL: u64 = 2_000;

    /// The shortest period of instructions or cycles that may repeat while only user programs are counted.
    ///
    /// An exception clears the exclusive monitor. If every load-exclusive of a program is interrupted before its
    /// store-exclusive, the program retries for ever. Arm recommends at most 128 bytes, 32 instructions, between the two
    /// (DDI 0487, "Load-Exclusive and Store-Exclusive instruction usage restrictions"), and a retry takes a few more. In
    /// QEMU's emulation a loop of 35 instructions hung with periods up to 63, and one of 6 with periods up to 6
    /// (`cargo xtask boot --identity cortex-a57 -- run=test test=an_exclusive_pair`). It was not measured on silicon. Atomic
    /// instructions (FEAT_LSE) end with any period.
    ///
    /// Other events may have any period, because most are rarer. A short period of an event that each instruction causes may
    /// stop programs in the same way.
    pub const LEAST_IN_USER: u64 = 128;
}

/// All of them.
const SHORTEST: Shortest = Shortest {
    in_kernel: Capabilities::LEAST_IN_KERNEL,
    others_in_kernel: Capabilities::LEAST_OF_OTHERS_IN_KERNEL,
    in_user: Capabilities::LEAST_IN_USER,
};

/// Encodes requests for one unit, with what can be computed before the first of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encoder {
    generic: [Meaning; Generic::ALL.len()],
    flags: Flags,
    /// The counters that the driver uses.
    own: CounterSet,
    /// Whether counters can be chained to pairs.
    chains: bool,
}

impl Encoder {
    pub(super) fn of(capabilities: &Capabilities, own: CounterSet) -> Self {
        Self {
            generic: Generic::ALL.map(|generic| Meaning::of_generic(capabilities, generic)),
            flags: flags(capabilities),
            own,
            chains: has_chain(capabilities),
        }
    }

    /// Returns the flags that the unit has.
    pub(super) const fn flags(&self) -> Flags {
        self.flags
    }

    /// Encodes a request for the unit that `capabilities` describe.
    #[inline(always)]
    pub(super) fn encode(
        &self,
        capabilities: &Capabilities,
        widths: &Widths,
        request: &Request,
    ) -> Result<Demand, Refusal> {
        let meaning = self.meaning(capabilities, request.event)?;
        let filter = filter(capabilities, request)?;
        let (counters, word) = (meaning.counters.and(self.own), u64::from(meaning.number) | filter.bits());
        let plain = Demand { counters, pairs: CounterSet::EMPTY, word };
        if request.is_plain() { Ok(plain) } else { self.restrict(plain, meaning.number, capabilities, widths, request) }
    }

    /// Restricts a demand by the flags, the threshold, the counters and the period of its request.
    #[inline(never)]
    fn restrict(
        &self,
        mut demand: Demand,
        number: u16,
        capabilities: &Capabilities,
        widths: &Widths,
        request: &Request,
    ) -> Result<Demand, Refusal> {
        if request.is_refined() {
            self.refine(&mut demand, capabilities, request)?;
        }
        demand.counters = request.usable(self.own, demand.counters)?;
        if let Some(sampling) = request.sampling {
            check_least(number, request)?;
            if sampling.period > widths.longest_on_every() {
                self.restrict_to_long(&mut demand, widths, sampling.period);
            }
        }
        Ok(demand)
    }

    #[inline(always)]
    fn meaning(&self, capabilities: &Capabilities, event: Event) -> Result<Meaning, Refusal> {
        let meaning = match event {
            Event::Generic(generic) => self.generic.get(generic as usize).copied(),
            Event::Raw { code, auxiliary } => Some(Meaning::of_raw(capabilities, code, auxiliary)?),
        };
        meaning.filter(|meaning| !meaning.counters.and(self.own).is_empty()).ok_or(Refusal::UnknownEvent)
    }

    /// Adds a threshold and its flags, which only event counters have.
    #[cold]
    fn refine(&self, demand: &mut Demand, capabilities: &Capabilities, request: &Request) -> Result<(), Refusal> {
        if let Some(flag) = request.flags.beyond(self.flags) {
            return Err(Refusal::Flag(flag));
        }
        let comparison = comparison(capabilities, request)?;
        if comparison.is_empty() {
            return Ok(());
        }
        demand.word |= comparison.bits();
        demand.counters = demand.counters.and(CounterSet::first(capabilities.event_counters));
        if demand.counters.is_empty() { Err(Refusal::ThresholdTooLarge { largest: 0 }) } else { Ok(()) }
    }

    /// Restricts a demand whose period is too long for some counters to wide counters and pairs. If there are none, or
    /// the period is too long for them too, any counter will do, which is then preset several times in each period.
    #[cold]
    fn restrict_to_long(&self, demand: &mut Demand, widths: &Widths, period: u64) {
        let (wide, narrow) = (demand.counters.without(widths.narrow()), demand.counters.and(widths.narrow()));
        let pairs = if self.chains { lower_halves(narrow, self.own.and(widths.narrow())) } else { CounterSet::EMPTY };
        if period <= widths.longest_on_any() && !wide.or(pairs).is_empty() {
            (demand.counters, demand.pairs) = (wide, pairs);
        }
    }
}

/// Returns the lower halves of the pairs within `all` of which at least one half is `able`.
const fn lower_halves(able: CounterSet, all: CounterSet) -> CounterSet {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let either = able.bits() | able.bits() >> 1;
    CounterSet::from_bits(either & EVEN & all.bits() & all.bits() >> 1)
}

/// Returns the flags that a unit with these capabilities has.
fn flags(capabilities: &Capabilities) -> Flags {
    let machine = capabilities.machine;
    let had = |flag: &Flag| match flag {
        Flag::Invert | Flag::Equal => machine.threshold_bits() > 0,
        Flag::Edge => machine.has_edges(),
        Flag::GuestOnly | Flag::HostOnly => capabilities.privilege == Privilege::El2,
        _ => false,
    };
    Flag::ALL.into_iter().filter(had).fold(Flags::NONE, Flags::with)
}

/// Returns the filter bits for the levels in which a request counts.
///
/// Kernel mode is EL1, and to a driver at EL2 also EL2, its own level. The flags restrict it to guests' kernels
/// (EL1) or to the host (EL2).
///
/// The same holds for a kernel at EL2 with programs at EL0 (FEAT_VHE), whatever HCR_EL2.E2H and TGE are: P and
/// U filter EL1 and EL0 by their numbers, and EL2 is counted if NSH is 1 (DDI 0487 M.a, D24.5,
/// "PMEVTYPER<n>_EL0"). EL0 has the host's programs and the guests'.
#[inline(always)]
fn filter(capabilities: &Capabilities, request: &Request) -> Result<Select, Refusal> {
    let modes = request.modes;
    let able = levels(capabilities);
    if modes == Modes::NONE || !able.covers(modes) {
        return Err(Refusal::Modes { able });
    }
    let kernel = modes.contains(Mode::Kernel);
    let below = capabilities.privilege == Privilege::El2 && kernel;
    let mut hypervisor = modes.contains(Mode::Hypervisor) || below;
    let mut guests = kernel;
    if request.flags.contains(Flag::GuestOnly) || request.flags.contains(Flag::HostOnly) {
        check_sides(request, able)?;
        hypervisor &= !request.flags.contains(Flag::GuestOnly);
        guests &= !request.flags.contains(Flag::HostOnly);
    }
    Ok(select(capabilities, modes.contains(Mode::User), guests, hypervisor))
}

/// Returns the levels that a unit can filter.
pub(super) const fn levels(capabilities: &Capabilities) -> Modes {
    if capabilities.has_hypervisor { Modes::ALL.and(Modes::HYPERVISOR) } else { Modes::ALL }
}

/// Checks the flags for guests and host. They cannot filter EL0, which both have, and a hypervisor is no guest.
#[cold]
fn check_sides(request: &Request, able: Modes) -> Result<(), Refusal> {
    let guests = request.flags.contains(Flag::GuestOnly);
    if guests && request.flags.contains(Flag::HostOnly) {
        Err(Refusal::FlagsExclude(Flag::GuestOnly, Flag::HostOnly))
    } else if request.modes.contains(Mode::User) || guests && request.modes.contains(Mode::Hypervisor) {
        Err(Refusal::Modes { able: if guests { Modes::KERNEL } else { able.set(Modes::USER, false) } })
    } else {
        Ok(())
    }
}

/// Returns the filter bits. EL3 is never counted, because M is the opposite of P.
#[inline(always)]
fn select(capabilities: &Capabilities, user: bool, kernel: bool, hypervisor: bool) -> Select {
    let mut select = Select::empty();
    select.set(Select::NOT_USER, !user);
    select.set(Select::NOT_KERNEL, !kernel);
    select.set(Select::HYPERVISOR, hypervisor);
    select.set(Select::MONITOR, capabilities.has_monitor && kernel);
    select
}

/// Returns the bits of a threshold and its flags; none if the request has neither.
fn comparison(capabilities: &Capabilities, request: &Request) -> Result<Select, Refusal> {
    let has = |flag| request.flags.contains(flag);
    let largest = largest_threshold(capabilities);
    if request.threshold > largest {
        return Err(Refusal::ThresholdTooLarge { largest });
    }
    if has(Flag::Invert) && has(Flag::Equal) {
        return Err(Refusal::FlagsExclude(Flag::Equal, Flag::Invert));
    }
    let turned = [Flag::Invert, Flag::Equal].into_iter().find(|&flag| has(flag));
    let comparison = match (request.threshold, turned) {
        (0, Some(flag)) => return Err(Refusal::NeedsThreshold(flag)),
        (0, None) if has(Flag::Edge) => Comparison::CyclesUnlessEqual,
        (0, None) => return Ok(Select::empty()),
        (_, None) => Comparison::CyclesFrom,
        (_, Some(Flag::Equal)) => Comparison::CyclesIfEqual,
        (_, Some(_)) => Comparison::CyclesBelow,
    };
    let edge = if has(Flag::Edge) { Select::EDGE } else { Select::empty() };
    Ok(edge.with_threshold(request.threshold.into()).with_comparison(comparison))
}

/// Returns the largest threshold that the unit has and a request can express.
fn largest_threshold(capabilities: &Capabilities) -> u8 {
    let largest = (1_u16 << capabilities.machine.threshold_bits()) - 1;
    u8::try_from(largest).unwrap_or(u8::MAX)
}

/// Checks that the period is not shorter than the least one.
#[inline(always)]
fn check_least(number: u16, request: &Request) -> Result<(), Refusal> {
    let counts_handler = [Mode::Kernel, Mode::Hypervisor].into_iter().any(|mode| request.modes.contains(mode));
    SHORTEST.check(request, counts_handler, || match number {
        INST_RETIRED if request.threshold == 0 => Rate::Instructions,
        CPU_CYCLES if request.threshold == 0 => Rate::Cycles,
        _ => Rate::Others,
    })
}
