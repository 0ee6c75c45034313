//! What runs the kernel that is tested: at EL2, one body after the other.
//!
//! [`here`] runs it at EL2 itself, [`below`] at EL1 on the machine's own unit, [`model`] at EL1 on the
//! crate's unit in software. [`metal::world`] is the switch between the levels.

pub mod below;
pub mod here;
pub mod model;

use harness::host::{Outcome, conclude};
use harness::{Console, Report, Verdict, println};
use metal::{get, put};

use crate::guest::entry;
use crate::guest::place::Place;
use crate::tests;
use crate::{cpus, gic, guest, system};
use model::Delivery;

/// HCR_EL2.RW: EL1 is AArch64.
const LONG: u64 = 1 << 31;
/// HCR_EL2.TWI: who waits for an interrupt at EL1 is the host's to know.
const TRAP_WAITING: u64 = 1 << 13;
/// ICC_SRE_EL2: the interrupt controller's registers are system registers, for EL1 too.
const INTERRUPTS_BY_REGISTERS: u64 = 0b1111;
/// CNTHCTL_EL2.EL1PCTEN and EL1PCEN: EL1 may use the timer.
const TIMERS: u64 = 0b11;

/// Prepares the CPU that runs this to host a kernel.
pub fn prepare_cpu(cpu: usize) {
    entry::load_el2();
    entry::load_el1();
    put!("hcr_el2", LONG | TRAP_WAITING);
    put!("icc_sre_el2", INTERRUPTS_BY_REGISTERS);
    put!("cnthctl_el2", get!("cnthctl_el2") | TIMERS);
    put!("cptr_el2", 0x33ff);
    gic::prepare(cpu);
}

impl Place {
    /// Does the processor have it?
    fn is_there(self) -> bool {
        self != Self::Vhe || system::has_vhe()
    }

    fn run(self, body: fn()) -> Outcome {
        guest::place::enter(self);
        guest::fresh::reset();
        match self {
            Self::El1 => below::run(0, body),
            Self::El2 => here::run(body),
            Self::Vhe => here::run_host(body),
            Self::Model => model::run(body, Delivery::Irq),
            Self::Nmi => model::run(body, Delivery::Fiq),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::El1 => "at EL1",
            Self::El2 => "at EL2",
            Self::Vhe => "at EL2 with VHE",
            Self::Model => "on the model",
            Self::Nmi => "on the model with NMIs",
        }
    }
}

/// Runs every test whose name contains this, wherever it is to run.
pub fn run_tests(filter: &str) -> Verdict {
    let mut report = Report::new(Console);
    for place in Place::ALL.into_iter().filter(|place| place.is_there()) {
        for test in tests::of(place, filter) {
            let outcome = test.meets(place.run(test.body));
            report.ended(format_args!("{} {}", test.name, place.name()), outcome);
        }
    }
    report.conclude()
}

/// The life of a CPU that was woken, at EL2.
pub fn run_woken(cpu: usize) -> ! {
    let outcome = below::run(cpu, cpus::body());
    if let Err(outcome) = &outcome {
        println!("CPU {cpu}: {outcome}");
    }
    cpus::end(outcome.is_ok())
}

/// Runs one body at EL1 that speaks for itself.
pub fn run_kernel(body: fn()) -> Verdict {
    conclude(Place::El1.run(body))
}
