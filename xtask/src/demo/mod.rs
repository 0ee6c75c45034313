//! What does the unit see of a workload? `cargo xtask demo`: the kernel counts and samples itself, we print the tables.

mod lines;
mod profile;
mod record;
mod render;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::identity::Identity;
use crate::kernel;
use crate::symbols::Symbols;
use record::Record;

/// Boot the kernel's demo and print what it found.
///
/// # Errors
/// The kernel cannot be built or booted, fails, or says something that cannot be read.
pub(crate) fn run(identity: Identity) -> Result<ExitCode> {
    let mut record = Record::default();
    let mut misread = Vec::new();
    let image = kernel::hear(&format!("run=demo identity={identity}"), |text| match lines::parse(text) {
        Ok(Some(line)) => record.hear(line),
        Ok(None) => eprintln!("kernel: {text}"),
        Err(error) => misread.push(format!("{error:#}")),
    })?;
    if !misread.is_empty() {
        bail!("the kernel's lines cannot be read:\n{}", misread.join("\n"));
    }
    record.check()?;
    print!("{}", render::render(&record, &Symbols::read(&image)?));
    Ok(ExitCode::SUCCESS)
}
