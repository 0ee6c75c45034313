//! Runs a machine in QEMU.

use std::ffi::OsStr;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::cost;
use crate::silence::Waits;

/// How long a kernel may be silent, by default: the longest test that prints nothing until its end took 50 s on a quiet
/// machine of two processors.
pub(crate) const SILENCE: Duration = Duration::from_secs(300);

/// A kernel that prints more lines has lost its way: the longest run prints some thousands.
const LINES: usize = 1_000_000;

/// How often a silent kernel is looked at.
const TICK: Duration = Duration::from_secs(1);

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
    /// It was stopped because it had printed nothing for this long.
    Silent(Duration),
    /// It was stopped because it had printed this many lines.
    Endless(usize),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Success => write!(f, "succeeded"),
            Self::Failed(Some(status)) => write!(f, "ended with status {status}, a failure"),
            Self::Failed(None) => write!(f, "was ended by a signal"),
            Self::Silent(limit) => {
                let seconds = limit.as_secs();
                write!(f, "was stopped after {seconds} s without a line (QEMU's waits for a processor not counted)")
            }
            Self::Endless(lines) => write!(f, "was stopped after {lines} lines"),
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

    /// Boot, and pass on each line of the serial port. Stops the kernel if it prints no line for this long: time in which
    /// QEMU waits for a processor does not count, so that other programs cannot end it.
    ///
    /// # Errors
    /// QEMU cannot be started or waited for. A kernel that fails is an ending and not an error.
    pub(crate) fn run(mut self, silence: Duration, mut on_line: impl FnMut(&str)) -> Result<Ending> {
        let mut child = self.start()?;
        let lines = lines_of(child.stdout.take().context("QEMU has no standard output")?);
        let mut waits = Waits::of(child.id());
        let stopped = hand_on(&lines, silence, TICK, || waits.since(), &mut on_line);
        if stopped.is_some() {
            child.kill().context("cannot stop QEMU")?;
            lines.iter().for_each(|rest| on_line(&rest));
        }
        let status = cost::wait(&mut child).context("cannot wait for QEMU")?;
        Ok(stopped.unwrap_or_else(|| self.ending(status.code())))
    }

    fn start(&mut self) -> Result<Child> {
        let command = self.command.stdin(Stdio::null()).stdout(Stdio::piped());
        command.spawn().with_context(|| format!("cannot start {}", self.emulator))
    }

    fn ending(&self, status: Option<i32>) -> Ending {
        if status == Some(self.success) { Ending::Success } else { Ending::Failed(status) }
    }
}

/// Hands on each line. Returns why the kernel must be stopped, or `None` if it ended.
fn hand_on(
    lines: &Receiver<String>,
    limit: Duration,
    tick: Duration,
    mut waited: impl FnMut() -> Duration,
    on_line: &mut impl FnMut(&str),
) -> Option<Ending> {
    let (mut heard, mut silent, mut waiting) = (0, Duration::ZERO, Duration::ZERO);
    while heard < LINES {
        match lines.recv_timeout(tick) {
            Ok(line) => {
                on_line(&line);
                (heard, silent, waiting) = (heard + 1, Duration::ZERO, Duration::ZERO);
            }
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => (silent, waiting) = (silent + tick, waiting + waited()),
        }
        if silent.saturating_sub(waiting) >= limit {
            return Some(Ending::Silent(limit));
        }
    }
    Some(Ending::Endless(LINES))
}

/// Reads lines in a separate thread, so that a silent kernel can be stopped.
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

    const MOMENT: Duration = Duration::from_millis(1);

    #[test]
    fn a_silent_kernel_is_stopped() {
        let (_sender, lines) = mpsc::channel();
        let stopped = hand_on(&lines, 3 * MOMENT, MOMENT, || Duration::ZERO, &mut |_| ());
        assert_eq!(stopped, Some(Ending::Silent(3 * MOMENT)));
    }

    #[test]
    fn a_kernel_whose_qemu_waits_for_a_processor_is_not_silent() {
        let (_sender, lines) = mpsc::channel();
        let mut ticks = 0;
        let waited = || {
            ticks += 1;
            if ticks <= 10 { MOMENT } else { Duration::ZERO }
        };
        assert!(hand_on(&lines, 3 * MOMENT, MOMENT, waited, &mut |_| ()).is_some());
        assert_eq!(ticks, 13);
    }

    #[test]
    fn a_line_ends_a_silence() {
        let (sender, lines) = mpsc::channel();
        let mut ticks = 0;
        let waited = || {
            ticks += 1;
            if ticks == 2 {
                sender.send("still here".to_owned()).unwrap();
            }
            Duration::ZERO
        };
        assert!(hand_on(&lines, 3 * MOMENT, MOMENT, waited, &mut |_| ()).is_some());
        assert_eq!(ticks, 5);
    }

    #[test]
    fn a_kernel_that_never_stops_to_print_is_stopped() {
        let (sender, lines) = mpsc::channel();
        (0..=LINES).for_each(|_| sender.send(String::new()).unwrap());
        let stopped = hand_on(&lines, SILENCE, TICK, || Duration::ZERO, &mut |_| ());
        assert_eq!(stopped, Some(Ending::Endless(LINES)));
    }

    #[test]
    fn every_line_is_handed_on_before_the_end() {
        let (sender, lines) = mpsc::channel();
        ["one", "two"].into_iter().for_each(|line| sender.send(line.to_owned()).unwrap());
        drop(sender);
        let mut heard = Vec::new();
        let stopped = hand_on(&lines, SILENCE, TICK, || Duration::ZERO, &mut |line| heard.push(line.to_owned()));
        assert_eq!(stopped, None);
        assert_eq!(heard, ["one", "two"]);
    }

    #[test]
    fn a_silent_machine_is_stopped_and_its_unfinished_line_is_handed_on() {
        let machine = Machine::new("sh", 0).with(["-c", "echo a line; printf unfinished; exec sleep 1000"]);
        let mut heard = Vec::new();
        let ending = machine.run(Duration::from_secs(1), |line| heard.push(line.to_owned())).unwrap();
        assert_eq!(ending, Ending::Silent(Duration::from_secs(1)));
        assert_eq!(heard, ["a line", "unfinished"]);
    }

    #[test]
    fn only_one_status_is_a_success() {
        let machine = Machine::new("qemu", 33);
        assert_eq!(machine.ending(Some(33)), Ending::Success);
        assert_eq!(machine.ending(Some(0)), Ending::Failed(Some(0)));
        assert_eq!(machine.ending(None), Ending::Failed(None));
    }
}
