//! Proves that no panic is reachable from the overflow interrupt.
//!
//! There are two proofs, each with a negative control that must be refused: without it a proof that checks nothing would
//! pass. The linker proves it for a static library that contains only the handler. A walk over the machine code proves it
//! for linked programs, among them the x86 kernel's image. `nm` on an image would prove nothing, because every image
//! contains a panic function. Further proofs look at the contents of a program.

mod link;
mod tables;
mod walk;
mod zeros;

use std::path::Path;

use anyhow::{Result, ensure};

use crate::kernel::Kernel;
use crate::progress::Step;
use crate::setup::Need;
use crate::tally::Tally;
use link::{Entries, Undefined, Variant};
use walk::Program;

/// The library's NMI entry, which the machine code has once for each handler.
const ENTRY: &str = "pmu::arch::x86::entry::wide::stub";
/// The kernel's entry that calls the handler that a test has chosen. This call is indirect, so the walk begins at the
/// handlers instead.
const CHOSEN: &str = "kernel_test::guest::Nmi";
/// The functions that choose a handler, which is a closure in them.
const CHOOSERS: &str = "harness::claim::";
/// The handler of all the test kernel's own exceptions, which panics at an unexpected one.
const KERNEL_TRAP: &str = "kernel_test::guest::on_trap";

/// A proof by its name: a sentence that holds or does not.
type Proof = (&'static str, fn() -> Result<()>);

/// Returns what is needed to build, link and walk them.
pub(crate) fn needs() -> Vec<Need> {
    let linkers = Entries::ALL.map(|entries| entries.kernel().linking());
    [Need::Compiler].into_iter().chain(linkers).collect()
}

/// All proofs and their controls, each counted as a test.
pub(crate) fn run() -> Tally {
    let proofs: [Proof; 19] = [
        ("the handler links without a panic function", || {
            link::link(Entries::X86, Variant::Good, Undefined::Refuse).map(drop)
        }),
        ("control: a handler that panics does not link", || link::refuses_a_panic(Entries::X86)),
        ("x86's handler of 32 bits links without a panic function", || {
            link::link(Entries::I686, Variant::Good, Undefined::Refuse).map(drop)
        }),
        ("control: x86's handler of 32 bits that panics does not link", || link::refuses_a_panic(Entries::I686)),
        ("AArch64's handler links without a panic function", || {
            link::link(Entries::Aarch64, Variant::Good, Undefined::Refuse).map(drop)
        }),
        ("control: AArch64's handler that panics does not link", || link::refuses_a_panic(Entries::Aarch64)),
        ("PowerPC's handler of 64 bits links without a panic function", || {
            link::link(Entries::PowerPc64, Variant::Good, Undefined::Refuse).map(drop)
        }),
        ("control: PowerPC's handler of 64 bits that panics does not link", || {
            link::refuses_a_panic(Entries::PowerPc64)
        }),
        ("PowerPC's handler of 32 bits links without a panic function", || {
            link::link(Entries::PowerPc32, Variant::Good, Undefined::Refuse).map(drop)
        }),
        ("control: PowerPC's handler of 32 bits that panics does not link", || {
            link::refuses_a_panic(Entries::PowerPc32)
        }),
        ("RISC-V's handler of the software event links without a panic function", || {
            link::link(Entries::Riscv64, Variant::Good, Undefined::Refuse).map(drop)
        }),
        ("control: RISC-V's handler of the software event that panics does not link", || {
            link::refuses_a_panic(Entries::Riscv64)
        }),
        ("a walk from the handler meets no panic", || {
            walk(&link::link(Entries::X86, Variant::Good, Undefined::Refuse)?)
        }),
        ("control: a walk from a handler that panics meets it", || {
            meets(&link::link(Entries::X86, Variant::Bad, Undefined::Ignore)?, ENTRY)
        }),
        ("an event that a constant names links no table", || {
            tables::check(&link::link_function("named_by_a_constant")?, &[])
        }),
        ("a name that is looked up links its processor's tables alone", || {
            // One has the vendor's names, the other libpfm's.
            tables::check(&link::link_function("named_by_a_table")?, &["SKYLAKE", "LIBPFM_SKYLAKE"])
        }),
        ("a unit that nobody has claimed is all zeros", || zeros::check(&Kernel::X86.build()?.path)),
        ("a walk from the kernel's handler meets no panic", || walk(&Kernel::X86.build()?.path)),
        ("control: a walk from the kernel's own trap entry meets one", || {
            meets(&Kernel::X86.build()?.path, KERNEL_TRAP)
        }),
    ];
    proofs.into_iter().map(|(name, proof)| prove(name, proof)).collect()
}

fn prove(name: &str, proof: fn() -> Result<()>) -> Tally {
    let step = Step::begin(format!("proof: {name}"));
    let result = proof();
    step.end(if result.is_ok() { "holds" } else { "FAILED" });
    match result {
        Ok(()) => Tally::pass(),
        Err(error) => Tally::failure(format!("{name}: {error:#}")),
    }
}

fn walk(program: &Path) -> Result<()> {
    let reach = Program::read(program)?.walk(is_handler)?;
    reach.check_that_it_programs()?;
    reach.check()
}

/// Returns true for the entry of the overflow interrupt, or a handler that a test has chosen.
fn is_handler(name: &str) -> bool {
    name.starts_with(ENTRY) && !name.contains(CHOSEN) || name.contains(CHOOSERS) && name.contains("closure")
}

fn meets(program: &Path, root: &str) -> Result<()> {
    let reach = Program::read(program)?.walk(|name| name.starts_with(root))?;
    ensure!(reach.meets_a_panic(), "{} instructions were walked and no panic was met", reach.instructions);
    Ok(())
}
