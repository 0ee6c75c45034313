//! Reads a kernel's samples with Linux' `perf report`. The kernel writes its stream to the serial port, in hexadecimal
//! digits. Here it is converted to a file, beside the image in which perf finds the names.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use crate::identity::Identity;
use crate::kernel::Image;
use crate::process;
use crate::program::PERF;

/// The kernel's path to its image, in the directory that perf is given.
const IMAGE: &str = "kernel-test";
const STREAM: &str = "perf.data";

/// A kernel's samples as a file, beside its image.
struct Recording {
    folder: TempDir,
}

/// Boot the kernel, and print perf's report of its samples.
///
/// # Errors
/// It cannot be booted, or fails; perf cannot be started, or cannot read what the kernel wrote.
pub(super) fn print(image: &Image, identity: Identity) -> Result<()> {
    println!("\n{}", record(image, identity)?.callers()?.trim_end());
    Ok(())
}

/// Boot the kernel, and check that perf finds the hot function's name, share and callers.
///
/// # Errors
/// It does not.
pub(super) fn prove(image: &Image, identity: Identity) -> Result<()> {
    let recording = record(image, identity)?;
    check_shares(&shares(&recording.functions()?)?)?;
    check_chains(&recording.chains()?)
}

fn record(image: &Image, identity: Identity) -> Result<Recording> {
    let mut digits = String::new();
    image.hear(identity, "run=demo show=perf", |line| digits += line)?;
    let stream = hex::decode(&digits).context("the kernel's stream is not all hexadecimal digits")?;
    let folder = tempfile::tempdir().context("cannot make a folder for perf's files")?;
    std::fs::write(folder.path().join(STREAM), stream).context("cannot write the stream")?;
    std::fs::copy(&image.path, folder.path().join(IMAGE)).context("cannot copy the image")?;
    Ok(Recording { folder })
}

impl Recording {
    /// `share;function` in each line.
    fn functions(&self) -> Result<String> {
        self.perf("report", &["--no-children", "-g", "none", "-F", "overhead,sym", "-t", ";"])
    }

    /// The table for people: functions, with the callers beneath each.
    fn callers(&self) -> Result<String> {
        self.perf("report", &["--no-children", "-g", "caller"])
    }

    /// A paragraph for each sample: its function in the first line, then those that called.
    fn chains(&self) -> Result<String> {
        self.perf("script", &["-F", "ip,sym"])
    }

    fn perf(&self, command: &str, arguments: &[&str]) -> Result<String> {
        let folder: &Path = self.folder.path();
        let mut perf = Command::new(PERF.command);
        perf.arg(command).arg("-i").arg(folder.join(STREAM)).arg("--symfs").arg(folder).args(arguments);
        let outcome = process::run(if command == "report" { perf.arg("--stdio") } else { &mut perf })?;
        if outcome.succeeded { Ok(outcome.output) } else { bail!("perf {command} failed:\n{outcome}") }
    }
}

/// Returns functions and their shares, in hundredths of a percent.
fn shares(report: &str) -> Result<Vec<(&str, u64)>> {
    let rows = report.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(';'));
    rows.map(|(share, function)| {
        let digits: String = share.chars().filter(char::is_ascii_digit).collect();
        let name = function.trim().trim_start_matches("[.]").trim();
        Ok((name, digits.parse().with_context(|| format!("perf's share {share:?} is no percentage"))?))
    })
    .collect()
}

/// Checks the shares: of the program's instructions 80 are in `spin` and 20 in `left`. A sample is a quarter percent.
fn check_shares(shares: &[(&str, u64)]) -> Result<()> {
    for (function, wanted) in [("callers::spin", 8000), ("callers::left", 2000)] {
        let found = shares.iter().find(|(name, _)| name.ends_with(function));
        let (_, share) = found.with_context(|| format!("perf names no {function}, but {shares:?}"))?;
        ensure!(share.abs_diff(wanted) <= 50, "perf says {share} of 10,000 of {function}, which has {wanted}");
    }
    Ok(())
}

/// Checks the chains: `spin` is called by `left` three times of four or by `right`, and they by `outermost`.
fn check_chains(script: &str) -> Result<()> {
    let chains: Vec<_> = script.split("\n\n").map(names).filter(|chain| !chain.is_empty()).collect();
    let called_by = |caller| chains.iter().filter(|chain| chain[..] == ["spin", caller, "outermost"]).count();
    let (spin, left, right) =
        (chains.iter().filter(|chain| chain[0] == "spin").count(), called_by("left"), called_by("right"));
    ensure!(spin > 0 && left + right == spin, "of {spin} samples, {left} were for left and {right} for right");
    ensure!(left.abs_diff(3 * right) <= 4, "{left} samples for left are not thrice the {right} for right");
    Ok(())
}

/// Returns the functions of a chain, without their paths.
fn names(paragraph: &str) -> Vec<&str> {
    paragraph
        .lines()
        .filter_map(|line| line.split("::").last())
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "# Overhead;Symbol\n80.10;[.] kernel_test::guest::callers::spin\n\
        19.90;[.] kernel_test::guest::callers::left\n\n# (Tip)\n";

    #[test]
    fn shares_are_read_from_perfs_table() {
        let shares = shares(REPORT).unwrap();
        assert_eq!(shares, [("kernel_test::guest::callers::spin", 8010), ("kernel_test::guest::callers::left", 1990)]);
        assert!(check_shares(&shares).is_ok());
    }

    #[test]
    fn a_share_that_is_wrong_or_missing_is_an_error() {
        assert!(check_shares(&[("callers::spin", 9000), ("callers::left", 1000)]).is_err());
        assert!(check_shares(&[("callers::spin", 8000)]).is_err());
    }

    #[test]
    fn chains_must_name_the_callers_as_often_as_they_called() {
        let chain = |caller| format!("  1 k::spin\n  2 k::{caller}\n  3 k::outermost\n\n");
        let script = |left, right| chain("left").repeat(left) + &chain("right").repeat(right);
        assert!(check_chains(&script(30, 10)).is_ok());
        assert!(check_chains(&script(20, 20)).is_err());
        assert!(check_chains("  1 k::spin\n\n").is_err());
        assert!(check_chains("").is_err());
    }
}
