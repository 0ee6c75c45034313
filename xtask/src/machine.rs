//! Runs a machine in QEMU.

use std::ffi::OsStr;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::cost;

/// The default time limit of a boot.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(600);

/// An emulated machine, ready to be started; its serial port is QEMU's standard output.
#[derive(Debug)]
pub(crate) struct Machine {
    emulator: &'static str,
    command: Command,
    success: i32,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// The kernel succeeded.
    Success,
    /// The kernel or QEMU ended with this status; a signal has none.
    Failed(Option<i32>),
    /// It ran longer than allowed and was stopped.
    OutOfTime(Duration),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Success => write!(f, "succeeded"),
            Self::Failed(Some(status)) => write!(f, "ended with status {status}, a failure"),
            Self::Failed(None) => write!(f, "was ended by a signal"),
            Self::OutOfTime(limit) => write!(f, "was stopped after {} s, the limit of a run", limit.as_secs()),
        }
    }
}

impl Machine {
    /// Creates a machine of this emulator, which ends with the status `success` if its kernel succeeds.
    pub(crate) fn new(emulator: &'static str, success: i32) -> Self {
        Self { emulator, command: Command::new(emulator), success }
    }

    /// Adds arguments.
    pub(crate) fn with<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Boot, and pass on each line of the serial port.
    ///
    /// # Errors
    /// QEMU cannot be started or waited for. A kernel that fails is an ending and not an error.
    pub(crate) fn run(mut self, limit: Duration, mut on_line: impl FnMut(&str)) -> Result<Ending> {
        let mut child = self.start()?;
        let lines = lines_of(child.stdout.take().context("QEMU has no standard output")?);
        match hand_on(&lines, limit, &mut on_line) {
            Serial::Closed => Ok(self.ending(cost::wait(&mut child).context("cannot wait for QEMU")?.code())),
            Serial::StillOpen => stop(&mut child, limit),
        }
    }

    fn start(&mut self) -> Result<Child> {
        let command = self.command.stdin(Stdio::null()).stdout(Stdio::piped());
        command.spawn().with_context(|| format!("cannot start {}", self.emulator))
    }

    fn ending(&self, status: Option<i32>) -> Ending {
        if status == Some(self.success) { Ending::Success } else { Ending::Failed(status) }
    }
}

fn stop(child: &mut Child, limit: Duration) -> Result<Ending> {
    child.kill().context("cannot stop QEMU")?;
    cost::wait(child).context("cannot wait for QEMU")?;
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

/// Reads lines in a separate thread, so that a silent kernel cannot exceed its time limit.
fn lines_of(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
        lines.try_for_each(|line| sender.send(String::from_utf8_lossy(&line).trim_end().to_owned()))
    });
    receiver
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

    #[test]
    fn only_one_status_is_a_success() {
        let machine = Machine::new("qemu", 33);
        assert_eq!(machine.ending(Some(33)), Ending::Success);
        assert_eq!(machine.ending(Some(0)), Ending::Failed(Some(0)));
        assert_eq!(machine.ending(None), Ending::Failed(None));
    }
}
