//! Can a panic be reached from the overflow interrupt?
//!
//! Two proofs, each with a negative control that must be refused: without it a proof that looks at nothing would pass.
//! The linker proves it of a static library rooted at the handler; a walk over the machine code proves it of what was
//! linked, of the x86 kernel's image too. `nm` on a whole image would prove nothing: a panic function is always in it.

mod link;
mod walk;
mod zeros;

use std::path::Path;

use anyhow::{Result, ensure};

use crate::kernel::Kernel;
use crate::progress::Step;
use crate::tally::Tally;
use link::{Entries, Undefined, Variant};
use walk::Program;

/// The library's NMI entry, which is in the machine code once for each kernel's handler.
const ENTRY: &str = "pmu::arch::x86::entry::stub";
/// The kernel's entry that calls whichever handler a test has chosen: its call is indirect, so the walk begins at the
/// handlers instead.
const CHOSEN: &str = "kernel_test::guest::Nmi";
/// The functions that choose a handler, each a closure within.
const CHOOSERS: &str = "harness::claim::";
/// Where all of the test kernel's own exceptions arrive; an unexpected one panics.
const KERNEL_TRAP: &str = "kernel_test::guest::on_trap";

/// A proof by its name: a sentence that holds or does not.
type Proof = (&'static str, fn() -> Result<()>);

/// All proofs and their controls, each counted as a test.
pub(crate) fn run() -> Tally {
    let proofs: [Proof; 13] = [
        ("the handler links without a panic function", || {
            link::link(Entries::X86, Variant::Good, Undefined::Refuse).map(drop)
        }),
        ("control: a handler that panics does not link", || link::refuses_a_panic(Entries::X86)),
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
        ("a walk from the handler meets no panic", || {
            walk(&link::link(Entries::X86, Variant::Good, Undefined::Refuse)?)
        }),
        ("control: a walk from a handler that panics meets it", || {
            meets(&link::link(Entries::X86, Variant::Bad, Undefined::Ignore)?, ENTRY)
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

/// Does the overflow interrupt arrive here, or is this a handler that a test has chosen?
fn is_handler(name: &str) -> bool {
    name.starts_with(ENTRY) && !name.contains(CHOSEN) || name.contains(CHOOSERS) && name.contains("closure")
}

fn meets(program: &Path, root: &str) -> Result<()> {
    let reach = Program::read(program)?.walk(|name| name.starts_with(root))?;
    ensure!(reach.meets_a_panic(), "{} instructions were walked and no panic was met", reach.instructions);
    Ok(())
}
