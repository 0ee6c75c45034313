//! What every unit in software does, whatever the processor.
//!
//! A family joins by one `impl Family` and one `every_device!`, in the module of its own suite. Where hardware has another
//! rule the family leaves a group of sentences out, and its suite has the rule.

#![allow(dead_code, reason = "each suite uses a part of it")]

#[macro_use]
mod sentences;
pub(crate) mod overflows;
pub(crate) mod snapshots;
pub(crate) mod time;

use std::fmt::Debug;

use pmu::driver::Registers;
use pmu::virt::{Device, Discipline, Fault};

use crate::support::line::Line;

pub(crate) type AddressOf<F> = <<F as Family>::Device as Device>::Address;
pub(crate) type StateOf<F> = <<F as Family>::Device as Device>::State;
/// Contents that differ from the default, and whether a unit takes them.
pub(crate) type Judged<F> = (<F as Family>::Identity, fn(&mut StateOf<F>), Result<(), Fault>);

/// A family of units in software, and what is done to them that no trait of the library names.
pub(crate) trait Family: Sized {
    type Identity: Copy + 'static;
    type Device: Discipline<Address: Debug>
        + Registers<Address = AddressOf<Self>, Index = <Self::Device as Device>::Index>
        + 'static;
    /// A counter, and how it is set up.
    type Counter: Copy + Debug + 'static;

    const IDENTITIES: &'static [Self::Identity];
    /// Counters that every processor has and that can be used together.
    const COUNTERS: &'static [Self::Counter] = &[];
    /// Where they overflow.
    const EDGE: Edge = Edge::wrapping(64);
    /// Contents that a unit refuses for a reason that is worth a test, and some beside them that it takes.
    const JUDGED: &'static [Judged<Self>] = &[];

    fn identities() -> Vec<Self::Identity> {
        Self::IDENTITIES.to_vec()
    }
    fn name(identity: &Self::Identity) -> &'static str;
    /// A unit with a line of its own.
    fn unit(identity: &Self::Identity) -> Self::Device;
    /// The same without one.
    fn alone(identity: &Self::Identity) -> impl Device<Address = AddressOf<Self>, State = StateOf<Self>>;
    fn line(unit: &Self::Device) -> &Line;
    /// What the unit itself says of its line, where it says anything.
    fn is_asserted(unit: &Self::Device) -> bool {
        Self::line(unit).is_high()
    }

    /// Contents that a unit can have. The first have every bit set that there is.
    fn contents(identity: &Self::Identity) -> Vec<StateOf<Self>>;
    fn reset(unit: &Self::Device);
    /// A unit's contents after a reset: those of a new one, with what the reset leaves alone.
    fn after_reset(new: StateOf<Self>, before: &StateOf<Self>) -> StateOf<Self>;

    /// The identities whose overflows interrupt.
    fn interrupting() -> Vec<Self::Identity> {
        Self::identities()
    }
    /// Counters of each width that count instructions, the first two of which can be used together.
    fn counters(_: &Self::Identity) -> Vec<Self::Counter> {
        Self::COUNTERS.to_vec()
    }
    fn edge(_: &Self::Identity, _: Self::Counter) -> Edge {
        Self::EDGE
    }
    /// Lets a counter count instructions from `value` on, and interrupt. A counter that was started before goes on.
    fn start<D>(unit: &D, identity: &Self::Identity, counter: Self::Counter, value: u64)
    where
        D: Device<Address = AddressOf<Self>>;
    fn value<D: Device<Address = AddressOf<Self>>>(unit: &D, counter: Self::Counter) -> u64;
}

/// Writes all bits of each of these registers, and returns what the unit holds then.
pub(crate) fn filled<D: Device>(unit: &D, registers: impl Iterator<Item = D::Address>) -> D::State {
    for at in registers {
        let _ = unit.try_write(at, u64::MAX);
    }
    unit.state()
}

/// Where a counter overflows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// The bits after which it wraps.
    bits: u32,
    /// What it holds after the event by which it overflows.
    at: u64,
}

impl Edge {
    /// It overflows as it wraps to 0.
    pub(crate) const fn wrapping(bits: u32) -> Self {
        Self { bits, at: 0 }
    }

    /// It overflows as its highest bit is set.
    pub(crate) const fn negative(bits: u32) -> Self {
        Self { bits, at: 1 << (bits - 1) }
    }

    /// It overflows by the event after -16.
    pub(crate) const fn early(bits: u32) -> Self {
        Self { bits, at: 15_u64.wrapping_neg() }
    }

    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// What the counter holds so many events before it overflows.
    fn before(self, events: u64) -> u64 {
        self.at.wrapping_sub(events) & self.mask()
    }

    /// What it holds so many events after it.
    fn behind(self, events: u64) -> u64 {
        self.at.wrapping_add(events) & self.mask()
    }
}

/// Lets a counter overflow by the `events`th instruction from now.
fn sample<F: Family, D>(unit: &D, identity: &F::Identity, counter: F::Counter, events: u64)
where
    D: Device<Address = AddressOf<F>>,
{
    F::start(unit, identity, counter, F::edge(identity, counter).before(events));
}

/// The bits of a counter that its edge has.
fn value<F: Family>(unit: &F::Device, identity: &F::Identity, counter: F::Counter) -> u64 {
    F::value(unit, counter) & F::edge(identity, counter).mask()
}

fn rises<F: Family>(unit: &F::Device) -> u64 {
    F::line(unit).rises()
}

/// Checks a sentence on each counter of each processor that interrupts.
fn each<F: Family>(check: impl Fn(&F::Identity, F::Counter)) {
    for identity in F::interrupting() {
        let counters = F::counters(&identity);
        assert!(!counters.is_empty(), "{} has counters", F::name(&identity));
        for counter in counters {
            println!("{}, {counter:?}", F::name(&identity));
            check(&identity, counter);
        }
    }
}
