//! Instruction-based sampling as a guest's kernel has it: found by CPUID, with interrupts that come as NMIs through the local
//! APIC's entry that it names.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::place::OneCpu;
use pmu::arch::x86::access::{Cpuid, Ibs};
use pmu::arch::x86::amd::ibs::{Fetch, Op};
use pmu::precise::Sampler;
use pmu::{Handled, Interrupted, Request};

use super::{lvt, on_nmi, unit};
use crate::trap::Frame;

/// The sampler of ops.
pub type Ops = Op<Ibs<OneCpu>>;
/// The sampler of fetches.
pub type Fetches = Fetch<Ibs<OneCpu>>;

fn registers() -> Ibs<OneCpu> {
    // SAFETY: the guest runs in ring 0 and has one driver at a time, which asks CPUID; every guest has an NMI handler.
    unsafe { Ibs::claim(OneCpu) }
}

/// The sampler of ops, also for the handler.
pub fn ops() -> Ops {
    Op::detect(&Cpuid, registers()).expect("the processor samples ops")
}

/// The sampler of fetches.
pub fn fetches() -> Fetches {
    Fetch::detect(&Cpuid, registers()).expect("the processor samples fetches")
}

/// Records of ops, with room for many.
pub type Room = Records<1024>;

/// A sampler of the presented processor, as those sentences use it that any sampler can say.
pub trait Presented: Sampler + Sized {
    /// The fewest instructions after which it samples one.
    const LEAST: u64;
    /// The turns of a long run. The host looks at each instruction that precise sampling may record, which takes its time.
    const TURNS: u64;

    /// Finds it.
    fn find() -> Self;

    /// Lets its interrupts come as NMIs to this handler.
    fn open(&self, handler: fn(&mut Frame));

    /// The one that was opened last, for the handler.
    fn opened() -> Self;

    /// A request of a sample after so many of the instructions of [`exactly`](super::instructions::exactly).
    fn after(instructions: u64) -> Request;
}

impl Presented for Ops {
    const LEAST: u64 = 1_600;
    const TURNS: u64 = 2_000;

    fn find() -> Self {
        ops()
    }

    fn open(&self, handler: fn(&mut Frame)) {
        open(handler);
    }

    fn opened() -> Self {
        ops()
    }

    fn after(instructions: u64) -> Request {
        Request::new(Op::OPS).every(instructions)
    }
}

/// Records with room for so many, of any sampler.
pub type Records<const N: usize> = pmu::precise::Records<{ <Ops as Sampler>::WORDS + 3 }, N>;

/// How often NMIs were the sampler's, late, and nobody's.
#[derive(Default)]
pub struct Verdicts([AtomicUsize; 3]);

impl Verdicts {
    /// None yet.
    pub const fn none() -> Self {
        Self([const { AtomicUsize::new(0) }; 3])
    }

    /// Notes one.
    pub fn note(&self, handled: Handled) {
        let number = match handled {
            Handled::Overflow => 0,
            Handled::Late => 1,
            _ => 2,
        };
        self.0[number].fetch_add(1, Relaxed);
    }

    /// Takes what was noted.
    pub fn take(&self) -> [u64; 3] {
        self.0.each_ref().map(|count| count.swap(0, Relaxed) as u64)
    }
}

/// Lets the sampler's interrupts come as NMIs, to this handler.
pub fn open(handler: fn(&mut Frame)) {
    on_nmi(handler);
    lvt::open_extended(ops().entry());
}

/// What the handler says of what it interrupted.
pub fn interrupted(frame: &Frame) -> Interrupted {
    unit::interrupted(frame)
}
