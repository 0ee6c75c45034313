//! What does the unit see of a workload? `cargo xtask demo`: the kernel counts and samples itself, we print the tables.

mod experiment;
mod lines;
mod profile;
mod record;
mod render;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::identity::Identity;
use crate::kernel;
use crate::symbols::Symbols;
use record::Record;

/// Boot the kernel's demo and print what it found.
///
/// # Errors
/// The kernel cannot be built or booted, fails, or says something that cannot be read.
pub(crate) fn run(identity: Identity) -> Result<ExitCode> {
    let mut ear = Ear::default();
    let image = kernel::hear(&append(identity), |text| ear.hear(text))?;
    print!("{}", render::render(&ear.record()?, &Symbols::read(&image)?));
    Ok(ExitCode::SUCCESS)
}

/// Boot this image's demo: is it whole, and is every overflow accounted for?
///
/// # Errors
/// It is not.
pub(crate) fn prove(image: &Path, identity: Identity) -> Result<()> {
    let mut ear = Ear::default();
    kernel::hear_image(image, &append(identity), |text| ear.hear(text))?;
    ear.record().map(drop)
}

fn append(identity: Identity) -> String {
    format!("run=demo identity={identity}")
}

/// What was heard of the kernel's lines.
#[derive(Default)]
struct Ear {
    record: Record,
    misread: Vec<String>,
}

impl Ear {
    fn hear(&mut self, text: &str) {
        match lines::parse(text) {
            Ok(Some(line)) => self.record.hear(line),
            Ok(None) => eprintln!("kernel: {text}"),
            Err(error) => self.misread.push(format!("{error:#}")),
        }
    }

    fn record(self) -> Result<Record> {
        ensure!(self.misread.is_empty(), "the kernel's lines cannot be read:\n{}", self.misread.join("\n"));
        self.record.check()?;
        Ok(self.record)
    }
}
