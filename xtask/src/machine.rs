//! How does a kernel image run in QEMU?
//!
//! QEMU emulates AMD's SVM, in which the kernel's host runs its guest, and with `-icount shift=0` its clock advances by
//! one nanosecond an instruction: the run is exact, and the same every time.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// How long a boot may take unless somebody says otherwise.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(240);

const EMULATOR: &str = "qemu-system-x86_64";
const ARGUMENTS: &str = "-accel tcg -machine q35 -cpu qemu64,+svm -icount shift=0,sleep=off -m 64 -nodefaults \
    -display none -serial stdio -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=1";
/// isa-debug-exit ends QEMU with twice the written byte plus one; the kernel writes 0x10 when it is content.
const CONTENT: i32 = 0x10 << 1 | 1;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// The kernel says that all is well.
    Content,
    /// The kernel or QEMU ended with this status; a signal has none.
    Failed(Option<i32>),
    /// It ran longer than allowed and was stopped.
    OutOfTime(Duration),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Content => write!(f, "ended well"),
            Self::Failed(Some(status)) => write!(f, "ended with status {status} instead of {CONTENT}"),
            Self::Failed(None) => write!(f, "was ended by a signal"),
            Self::OutOfTime(limit) => write!(f, "was stopped after {} s, the limit of a run", limit.as_secs()),
        }
    }
}

/// Boot an image and hand on each line of its serial port.
///
/// # Errors
/// QEMU cannot be started or waited for. A kernel that fails is an ending and not an error.
pub(crate) fn run(image: &Path, append: &str, limit: Duration, mut on_line: impl FnMut(&str)) -> Result<Ending> {
    let mut child = start(image, append)?;
    let lines = lines_of(child.stdout.take().context("QEMU has no standard output")?);
    let ending = match hand_on(&lines, limit, &mut on_line) {
        Serial::Closed => Ending::from(child.wait().context("cannot wait for QEMU")?),
        Serial::StillOpen => stop(&mut child, limit)?,
    };
    Ok(ending)
}

fn start(image: &Path, append: &str) -> Result<Child> {
    Command::new(EMULATOR)
        .args(ARGUMENTS.split_whitespace())
        .arg("-kernel")
        .arg(image)
        .args(["-append", append])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {EMULATOR}"))
}

fn stop(child: &mut Child, limit: Duration) -> Result<Ending> {
    child.kill().context("cannot stop QEMU")?;
    child.wait().context("cannot wait for QEMU")?;
    Ok(Ending::OutOfTime(limit))
}

enum Serial {
    Closed,
    StillOpen,
}

fn hand_on(lines: &Receiver<String>, limit: Duration, on_line: &mut impl FnMut(&str)) -> Serial {
    let end = Instant::now() + limit;
    loop {
        match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) => on_line(&line),
            Err(RecvTimeoutError::Disconnected) => return Serial::Closed,
            Err(RecvTimeoutError::Timeout) => return Serial::StillOpen,
        }
    }
}

/// A thread of its own reads, so that a silent kernel cannot outlast its limit.
fn lines_of(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
        lines.try_for_each(|line| sender.send(String::from_utf8_lossy(&line).trim_end().to_owned()))
    });
    receiver
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Self {
        if status.code() == Some(CONTENT) { Self::Content } else { Self::Failed(status.code()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_kernel_is_out_of_time() {
        let (_sender, lines) = mpsc::channel();
        assert!(matches!(hand_on(&lines, Duration::from_millis(1), &mut |_| ()), Serial::StillOpen));
    }

    #[test]
    fn every_line_is_handed_on_before_the_end() {
        let (sender, lines) = mpsc::channel();
        ["one", "two"].into_iter().for_each(|line| sender.send(line.to_owned()).unwrap());
        drop(sender);
        let mut heard = Vec::new();
        let serial = hand_on(&lines, Duration::from_secs(1), &mut |line| heard.push(line.to_owned()));
        assert!(matches!(serial, Serial::Closed));
        assert_eq!(heard, ["one", "two"]);
    }
}
