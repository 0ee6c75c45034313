//! A kernel optimised by its own profile: it is built and booted, its samples with their branches become a profile, by which the
//! compiler builds it again, and that is booted too. The kernel is `examples/fdo`; the guide `fdo` says the same steps by hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::identity::Identity;
use crate::kernel;
use crate::place;
use crate::process;
use crate::program::{PERF, PROFGEN};
use crate::progress::Step;
use crate::setup::{self, Need};
use crate::table::{Align, Table, grouped, percent};
use crate::toolchain::Toolchain;

/// The processor that the kernel is for: QEMU's, with the records of branches.
pub(super) const IDENTITY: Identity = Identity::Rv64M;
/// What reads its samples.
pub(crate) const READERS_OF_BRANCHES: [Need; 2] = [Need::Perf, Need::Profgen];

/// What a boot of the kernel prints.
struct Boot {
    instructions: u64,
    taken: u64,
    stream: Vec<u8>,
}

/// The kernel as it is built without a profile, and with its own.
struct Gain {
    samples: usize,
    before: Boot,
    after: Boot,
}

/// Print the counts of both, side by side.
///
/// # Errors
/// Something is missing that cannot be installed; the kernel does not compile, or fails; perf or llvm-profgen cannot read its
/// samples; or the profile does not help.
pub(super) fn print() -> Result<()> {
    setup::prepare(&[&IDENTITY.kernel().needs()[..], &READERS_OF_BRANCHES].concat())?;
    let gain = Gain::measure()?;
    println!("\n{} samples with branches, as perf.data and as a profile: {}\n", gain.samples, folder().display());
    println!("{}", gain.table());
    gain.check()
}

/// Check that the profile saves a fifth of the branches.
///
/// # Errors
/// As of [`print`].
pub(super) fn prove() -> Result<()> {
    Gain::measure()?.check()
}

impl Gain {
    fn measure() -> Result<Self> {
        let plain = build("plain", &[])?;
        let before = boot(&plain)?;
        let (profile, samples) = profile(&plain, &before.stream)?;
        let after = boot(&build("by-profile", &[format!("-Zprofile-sample-use={}", profile.display())])?)?;
        Ok(Self { samples, before, after })
    }

    fn table(&self) -> Table {
        let columns = ["", "plain", "by its profile", "less"];
        let align = |title: &str| if title.is_empty() { Align::Left } else { Align::Right };
        let mut table = Table::new(columns.map(|title| (title, align(title))));
        let Self { before, after, .. } = self;
        for (name, before, after) in
            [("instructions", before.instructions, after.instructions), ("taken branches", before.taken, after.taken)]
        {
            let less = percent(before.saturating_sub(after), before);
            table.row([name.to_owned(), grouped(before), grouped(after), less]);
        }
        table
    }

    fn check(&self) -> Result<()> {
        let [before, after] = [&self.before, &self.after].map(|boot| boot.taken);
        ensure!(
            after * 5 <= before * 4,
            "by its profile the kernel takes {after} branches, not a fifth less than {before}"
        );
        Ok(())
    }
}

/// Where the samples and the profile are.
fn folder() -> PathBuf {
    place::target().join("fdo")
}

/// Builds the kernel with these flags, and keeps it in a folder with this name. The profile knows code by line, discriminator and
/// the compiler's names, which `-Zdebug-info-for-profiling` and the debug information in the example's manifest provide. Flags
/// that `cargo rustc` is given are no part of the names, unlike those of a cargo profile.
fn build(name: &str, flags: &[String]) -> Result<PathBuf> {
    let mut cargo = Toolchain::find().context("no toolchain has the source of core")?.cargo();
    cargo.arg("rustc").arg("--target-dir").arg(IDENTITY.kernel().target_folder());
    let flags = [&["-Zdebug-info-for-profiling".to_owned()], flags].concat();
    let built = kernel::build_with_flags("the example fdo", &example(), cargo, &flags)?;
    let image = folder().join(name).join("example-fdo");
    fs::create_dir_all(folder().join(name)).context("cannot make a folder for the image")?;
    fs::copy(built, &image).context("cannot copy the image")?;
    Ok(image)
}

fn example() -> PathBuf {
    place::examples().join("fdo")
}

/// Boots an image by the example's own runner.
fn boot(image: &Path) -> Result<Boot> {
    let step = Step::begin("running the example fdo in QEMU".to_owned());
    let outcome = process::run(Command::new("sh").current_dir(example()).arg("run.sh").arg(image))?;
    step.end(if outcome.succeeded { "succeeded" } else { "failed" });
    ensure!(outcome.succeeded, "the example fdo failed:\n{outcome}");
    parse(&outcome.output)
}

/// Reads the counts, and the stream's digits, which are all other lines.
fn parse(text: &str) -> Result<Boot> {
    let count = |name: &str| -> Result<u64> {
        let number = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let number = number.with_context(|| format!("the kernel does not count its {name}"))?;
        number.parse().with_context(|| format!("{number:?} is no number"))
    };
    let digits: String = text.lines().filter(|line| !line.contains(':')).collect();
    let stream = hex::decode(digits).context("the kernel's stream is not all hexadecimal digits")?;
    Ok(Boot { instructions: count("instructions")?, taken: count("taken branches")?, stream })
}

/// Makes a profile of the samples of this image. Returns its file, and the number of samples.
fn profile(image: &Path, stream: &[u8]) -> Result<(PathBuf, usize)> {
    let [samples, script, profile] = ["perf.data", "perf.txt", "fdo.prof"].map(|file| folder().join(file));
    fs::write(&samples, stream).context("cannot write the stream")?;
    let mut perf = Command::new(PERF.command);
    let text = run(perf.args(["script", "-G", "-F", "ip,brstack", "--show-mmap-events", "-i"]).arg(samples))?;
    fs::write(&script, &text).context("cannot write what perf prints")?;
    let options = [("--perfscript", &*script), ("--binary", image), ("--output", &*profile)]
        .map(|(option, path)| format!("{option}={}", path.display()));
    run(Command::new(PROFGEN.command).args(options))?;
    let samples = text.lines().filter(|line| line.contains('/') && !line.starts_with("PERF_RECORD")).count();
    Ok((profile, samples))
}

/// Returns what a program prints.
fn run(command: &mut Command) -> Result<String> {
    let outcome = process::run(command)?;
    if outcome.succeeded { Ok(outcome.output) } else { bail!("{:?} failed:\n{outcome}", command.get_program()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_and_the_stream_are_told_apart() {
        let boot = parse("instructions: 12\ntaken branches: 3\n5045\n52\n").unwrap();
        assert_eq!((boot.instructions, boot.taken, &*boot.stream), (12, 3, &b"PER"[..]));
        assert!(parse("instructions: 12\n5045\n").is_err());
        assert!(parse("instructions: 12\ntaken branches: 3\nexample\n").is_err());
    }

    #[test]
    fn a_profile_that_saves_less_than_a_fifth_is_an_error() {
        let boot = |taken| Boot { instructions: 1000, taken, stream: Vec::new() };
        let gain = |taken| Gain { samples: 1, before: boot(100), after: boot(taken) };
        assert!(gain(80).check().is_ok());
        assert!(gain(81).check().is_err());
    }
}
