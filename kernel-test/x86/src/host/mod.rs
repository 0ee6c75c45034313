//! The tiny hypervisor: one virtual processor, one unit in software, one test after the other.
//!
//! From the bottom up: [`metal::vmcb`] and [`world`] are the processor's own interface to virtualisation; [`processor`] gives
//! it names, [`tables`] lead its interrupts; [`calibration`] takes the host's instructions off the clock; [`machine`]
//! is the loop of entry and exit, with [`interrupts`] and [`apic`] beside it, [`engines`] to let the guest run as
//! closely as [`attention`] says, [`observer`] to tell what instructions do, [`ledger`] to keep the books, and
//! [`instructions`] and [`calls`] as its answers; [`cpus`] are the processors that its guest has; [`sampling`] is beside
//! the unit, and [`tagging`] lets the guest run up to what it samples; [`precise`] samples the unit's counters, and
//! [`recording`] shows it each instruction; [`unit`] is the one
//! thing that a family of processors brings along.

mod apic;
mod attention;
mod calibration;
mod calls;
mod cpus;
mod engines;
mod exit;
mod heap;
mod instructions;
mod interrupts;
mod ledger;
mod machine;
mod observer;
mod permissions;
mod precise;
mod processor;
mod recording;
mod sampling;
mod tables;
mod tagging;
mod unit;
mod units;
mod world;

use harness::host::{Task, conclude, run_each};
use harness::{Verdict, refuse};
use pmu::arch::x86::{amd, intel, lbr, netburst, p5, p6};
use x86::io::outb;
use x86::msr::wrmsr;

use crate::identity::{Identity, Processor};
use crate::tests;
use crate::width::IS_I486;
use apic::Apic;
use machine::Machine;
use permissions::Permissions;
use unit::{Unit, Wire};

/// VM_HSAVE_PA: where VMRUN keeps the host's registers (AMD APM volume 2, section 15.30.4).
const SAVE_AREA: u32 = 0xc001_0117;

/// The page behind [`SAVE_AREA`].
#[repr(C, align(4096))]
struct SaveArea([u8; 4096]);

/// Does what a machine with this processor is for. The i486's image has a Pentium's unit alone.
pub fn run(identity: &'static Identity, task: Task) -> Verdict {
    let wire = Wire::default();
    let observed = observer::kinds(identity.processor.misaligned_across());
    match &identity.processor {
        Processor::P5(p5) => host(p5::Device::new(p5, observed), &wire, identity, task),
        _ if IS_I486 => refuse("this image boots Pentiums alone"),
        Processor::Intel(intel) => host(intel::Device::new(intel, observed, &wire), &wire, identity, task),
        Processor::Amd(amd) => host(amd::Device::new(amd, observed, &wire), &wire, identity, task),
        Processor::Netburst(p4) => host(netburst::Device::new(p4, observed, &wire), &wire, identity, task),
        Processor::P6(p6) => host(p6::Device::new(p6, observed, &wire), &wire, identity, task),
    }
}

fn host<U: Unit>(unit: U, wire: &Wire, identity: &'static Identity, task: Task) -> Verdict {
    let save_area = SaveArea([0; 4096]);
    prepare(&save_area);
    let permissions = Permissions::closed();
    let recorder = identity.processor.recorder().map(lbr::Device::new);
    let mut machine = Machine::new(unit, recorder.as_ref(), wire, identity, &permissions);
    match task {
        Task::Tests(filter) => {
            let all = tests::all().chain(tests::records::all());
            #[cfg(target_pointer_width = "64")]
            let all = all.chain(tests::precise::all());
            run_each(all, filter, |test| machine.run(test.body))
        }
        Task::Guest(body) => conclude(machine.run(body)),
    }
}

fn prepare(save_area: &SaveArea) {
    tables::load();
    // SAFETY: the page is the host's and outlives every guest.
    unsafe { wrmsr(SAVE_AREA, &raw const *save_area as u64) };
    mask_legacy_interrupts();
    Apic::prepare_timer();
    world::hold_interrupts();
}

/// Nobody programs the two 8259s, so nobody shall hear of them (8259A data sheet, OCW1).
fn mask_legacy_interrupts() {
    for mask in [0x21, 0xa1] {
        // SAFETY: these are the mask registers of the interrupt controllers on every PC.
        unsafe { outb(mask, 0xff) };
    }
}
