//! Reads a kernel's samples with Linux' `perf report`. The kernel writes its stream to the serial port, in hexadecimal
//! digits. Here it is converted to a file, beside the image in which perf finds the names.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use crate::identity::Identity;
use crate::kernel::{Image, Kernel};
use crate::process;
use crate::program::PERF;

/// The kernel's image, in the directory that perf is given.
const KERNEL: &str = "kernel-test";
/// The programs that the x86 kernel runs in processes, in the same directory. All are the kernel's image.
const PROGRAMS: [&str; 2] = ["books", "sums"];
const STREAM: &str = "perf.data";

/// A kernel's samples as a file, beside its image.
pub(super) struct Recording {
    folder: TempDir,
}

/// Boot the kernel, and print perf's report of its samples.
///
/// # Errors
/// It cannot be booted, or fails; perf cannot be started, or cannot read what the kernel wrote.
pub(super) fn print(image: &Image, identity: Identity) -> Result<()> {
    let recording = Recording::of(image, identity, "perf")?;
    let shown = if image.kernel == Kernel::Riscv64 { recording.branches() } else { recording.callers() };
    println!("\n{}", shown?.trim_end());
    Ok(())
}

/// Boot the kernel, and check that perf finds the event's name, the functions of the kernel and of each process, and the
/// callers in the kernel, or the branches before each sample.
///
/// # Errors
/// It does not.
pub(super) fn prove(image: &Image, identity: Identity) -> Result<()> {
    let recording = Recording::of(image, identity, "perf")?;
    if image.kernel == Kernel::Riscv64 {
        return check_branches(&recording.branches()?);
    }
    let report = recording.functions()?;
    let rows = rows(&report)?;
    check_kernel(&rows)?;
    check_chains(&recording.chains()?)?;
    if image.kernel.is_x86() {
        check_event(&report, "instructions").and(check_processes(&rows))
    } else {
        check_event(&report, "cycles")
    }
}

impl Recording {
    /// Boots the kernel for this show.
    ///
    /// # Errors
    /// It cannot be booted, or fails, or prints no stream.
    pub(super) fn of(image: &Image, identity: Identity, show: &str) -> Result<Self> {
        let mut digits = String::new();
        image.hear(identity, &format!("run=demo show={show}"), |line| digits += line)?;
        let stream = hex::decode(&digits).context("the kernel's stream is not all hexadecimal digits")?;
        let folder = tempfile::tempdir().context("cannot make a folder for perf's files")?;
        std::fs::write(folder.path().join(STREAM), stream).context("cannot write the stream")?;
        for file in [KERNEL].iter().chain(&PROGRAMS) {
            std::fs::copy(&image.path, folder.path().join(file)).context("cannot copy the image")?;
        }
        Ok(Self { folder })
    }

    /// `samples;thread;image;function` in each line.
    fn functions(&self) -> Result<String> {
        self.perf(&["report"], &["--no-children", "-g", "none", "-F", "sample,comm,dso,sym", "-t", ";"])
    }

    /// The table for people: functions, with the callers beneath each.
    fn callers(&self) -> Result<String> {
        self.perf(&["report"], &["--no-children", "-g", "caller"])
    }

    /// A paragraph for each sample: its function in the first line, then those that called.
    fn chains(&self) -> Result<String> {
        self.perf(&["script"], &["-F", "ip,sym"])
    }

    /// A line for each sample: its address, and its branches, the newest first.
    fn branches(&self) -> Result<String> {
        self.perf(&["script"], &["-G", "-F", "ip,brstack"])
    }

    /// Runs a command of perf's on the stream; of several words, the first is told where that is.
    ///
    /// # Errors
    /// perf cannot be started, or fails.
    pub(super) fn perf(&self, command: &[&str], arguments: &[&str]) -> Result<String> {
        let folder: &Path = self.folder.path();
        let (first, others) = command.split_at(1);
        let mut perf = Command::new(PERF.command);
        perf.args(first).arg("-i").arg(folder.join(STREAM)).args(others).arg("--symfs").arg(folder).args(arguments);
        perf.arg("--vmlinux").arg(folder.join(KERNEL)).arg("--demangle-kernel");
        let outcome = process::run(if command.ends_with(&["report"]) { perf.arg("--stdio") } else { &mut perf })?;
        if outcome.succeeded { Ok(outcome.output) } else { bail!("perf {} failed:\n{outcome}", command.join(" ")) }
    }
}

/// A function of perf's table, with its number of samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Row<'r> {
    samples: u64,
    thread: &'r str,
    image: &'r str,
    /// `k` for the kernel's mode, `.` for a program's.
    mode: &'r str,
    function: &'r str,
}

fn rows(report: &str) -> Result<Vec<Row<'_>>> {
    let lines = report.lines().filter(|line| !line.starts_with('#') && line.contains(';'));
    lines.map(|line| row(line).with_context(|| format!("perf's line {line:?} is no row of four columns"))).collect()
}

fn row(line: &str) -> Option<Row<'_>> {
    let mut columns = line.splitn(4, ';').map(str::trim);
    let (samples, thread, image) = (columns.next()?.parse().ok()?, columns.next()?, columns.next()?);
    let (mode, function) = columns.next()?.strip_prefix('[')?.split_once(']')?;
    Some(Row { samples, thread, image, mode, function: function.trim() })
}

/// Checks that perf shows the event by the name that the kernel gave it.
fn check_event(report: &str, name: &str) -> Result<()> {
    ensure!(report.contains(&format!("of event '{name}'")), "perf does not show the event as {name}:\n{report}");
    Ok(())
}

/// Checks the kernel: of its instructions 80 are in `spin` and 20 in `left`.
fn check_kernel(rows: &[Row]) -> Result<()> {
    let samples = |function: &str| -> u64 {
        let is_it =
            |row: &&Row| row.mode == "k" && row.image == "[kernel.kallsyms]" && row.function.ends_with(function);
        rows.iter().filter(is_it).map(|row| row.samples).sum()
    };
    let (spin, left) = (samples("callers::spin"), samples("callers::left"));
    ensure!(left > 0 && spin.abs_diff(4 * left) <= 8, "{spin} samples of spin are not four times the {left} of left");
    Ok(())
}

/// Checks that each thread of a process has samples in its program's functions, by the image of its own process.
fn check_processes(rows: &[Row]) -> Result<()> {
    let threads = [("books", "books", "ledger::"), ("sums", "sums", "short::"), ("worker", "sums", "short::")];
    for (thread, image, functions) in threads {
        let of = |row: &&Row| row.thread == thread && row.mode == ".";
        let (mut own, mut all) = (0, 0);
        for row in rows.iter().filter(of) {
            ensure!(row.image == image, "perf finds {} of {thread} in {}", row.function, row.image);
            all += row.samples;
            own += if row.function.contains(functions) { row.samples } else { 0 };
        }
        ensure!(own * 10 > all * 9, "of {all} samples of {thread}, {own} are in its functions");
    }
    ensure!(rows.iter().all(|row| row.mode == "." || row.thread == "books"), "books alone calls the kernel: {rows:?}");
    Ok(())
}

/// Checks the kernel's chains: `spin` is called by `left` three times of four or by `right`, and they by `outermost`. A sample on
/// one of the instructions that make and end its frame has no caller of its own, and there is one at most.
fn check_chains(script: &str) -> Result<()> {
    let chains: Vec<_> = script.split("\n\n").map(names).filter(|chain| !chain.is_empty()).collect();
    let called_by = |caller| chains.iter().filter(|chain| chain[..] == ["spin", caller, "outermost"]).count();
    let (spin, left, right) =
        (chains.iter().filter(|chain| chain[0] == "spin").count(), called_by("left"), called_by("right"));
    let on_frame = chains.iter().filter(|chain| chain[..] == ["spin", "outermost"]).count();
    ensure!(
        spin > 0 && on_frame <= 1 && left + right + on_frame == spin,
        "of {spin} samples, {left} were for left, {right} for right and {on_frame} amid the making of a frame"
    );
    ensure!(left.abs_diff(3 * right) <= 4, "{left} samples for left are not thrice the {right} for right");
    Ok(())
}

/// Checks the branches: of a loop with two branches, which take turns, each sample has sixteen. The newest leads to the code that
/// was sampled, and the other is at its end.
fn check_branches(script: &str) -> Result<()> {
    let samples: Vec<_> = script.lines().filter(|line| !line.trim().is_empty()).map(branches).collect::<Result<_>>()?;
    ensure!(samples.len() >= 50, "{} samples with branches are few", samples.len());
    for (address, branches) in &samples {
        ensure!(branches.len() == 16, "a sample at {address:#x} has {} branches of 16", branches.len());
        let [newest, before] = [branches[0], branches[1]];
        let is_between = newest.1 <= *address && *address <= before.0;
        ensure!(is_between, "the newest branch, to {:#x}, does not lead to {address:#x}", newest.1);
        let take_turns = branches.chunks(2).all(|pair| pair == [newest, before]);
        ensure!(take_turns && newest != before, "the branches before {address:#x} do not take turns: {branches:x?}");
    }
    Ok(())
}

/// Returns the address of a sample, and from where to where each of its branches led.
fn branches(line: &str) -> Result<(u64, Vec<(u64, u64)>)> {
    let number = |digits: &str| {
        let digits = digits.strip_prefix("0x").unwrap_or(digits);
        u64::from_str_radix(digits, 16).with_context(|| format!("{digits:?} is no address in perf's line {line:?}"))
    };
    let mut words = line.split_whitespace();
    let address = number(words.next().unwrap_or_default())?;
    let branch = |word: &str| {
        let mut parts = word.split('/');
        Ok((number(parts.next().unwrap_or_default())?, number(parts.next().unwrap_or_default())?))
    };
    Ok((address, words.map(branch).collect::<Result<_>>()?))
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

    const REPORT: &str = "# Samples: 8  of event 'cycles'\n# Samples;Command;Shared Object;Symbol\n\
        80;books;[kernel.kallsyms];[k] kernel_test::guest::callers::spin\n\
        20;books;[kernel.kallsyms];[k] kernel_test::guest::callers::left\n\
        9;books;books;[.] harness::demo::ledger::search\n5;sums;sums;[.] k::short::sort\n\
        7;worker;sums;[.] k::short::<[u8; 4]>::sort\n\n# (Tip)\n";

    #[test]
    fn rows_are_read_from_perfs_table() {
        let rows = rows(REPORT).unwrap();
        let function = "k::short::<[u8; 4]>::sort";
        assert_eq!(rows[4], Row { samples: 7, thread: "worker", image: "sums", mode: ".", function });
        assert!(check_kernel(&rows).and(check_processes(&rows)).and(check_event(REPORT, "cycles")).is_ok());
        assert!(check_event(REPORT, "instructions").is_err());
    }

    #[test]
    fn samples_in_a_wrong_image_or_mode_or_function_are_an_error() {
        let processes = |from, to| check_processes(&rows(&REPORT.replace(from, to)).unwrap());
        assert!(processes("worker;sums", "worker;books").is_err());
        assert!(processes("5;sums;sums;[.]", "5;sums;sums;[k]").is_err());
        assert!(processes("ledger::search", "callers::spin").is_err());
        let kernel = |from, to| check_kernel(&rows(&REPORT.replace(from, to)).unwrap());
        assert!(kernel("80;", "90;").is_err());
        assert!(kernel("[k]", "[.]").is_err());
        assert!(check_kernel(&[]).is_err());
    }

    #[test]
    fn branches_must_lead_to_the_sample_and_take_turns() {
        let line = |address: &str, pair: &str| format!(" {address} {}\n", pair.repeat(8));
        let (jump, back) = ("0x10/0x18/P/-/-/0 ", "0x24/0x0/-/-/-/0/COND ");
        let of = |address, pair: &str| check_branches(&line(address, pair).repeat(50));
        assert!(of("1c", &[jump, back].concat()).is_ok());
        assert!(of("4", &[back, jump].concat()).is_ok());
        assert!(of("4", &[jump, back].concat()).is_err());
        assert!(of("1c", jump).is_err());
        assert!(check_branches(&line("1c", &[jump, back].concat())).is_err(), "too few");
    }

    #[test]
    fn chains_must_name_the_callers_as_often_as_they_called() {
        let chain = |caller| format!("  1 k::spin\n  2 k::{caller}\n  3 k::outermost\n\n");
        let script = |left, right| chain("left").repeat(left) + &chain("right").repeat(right);
        assert!(check_chains(&script(30, 10)).is_ok());
        assert!(check_chains(&script(20, 20)).is_err());
        assert!(check_chains("  1 k::spin\n\n").is_err());
        assert!(check_chains("").is_err());
        let on_frame = "  1 k::spin\n  2 k::outermost\n\n";
        assert!(check_chains(&[&script(30, 10), on_frame].concat()).is_ok());
        assert!(check_chains(&[&script(30, 10), on_frame, on_frame].concat()).is_err());
    }
}
