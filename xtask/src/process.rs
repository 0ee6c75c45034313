//! Runs programs and returns their output.

use std::fmt;
use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result};

use crate::cost;

/// The output of a finished program, and whether it succeeded.
pub(crate) struct Outcome {
    /// Whether it ended with status 0.
    pub(crate) succeeded: bool,
    /// Its standard output.
    pub(crate) output: String,
    /// Its standard error.
    pub(crate) errors: String,
}

impl Outcome {
    /// Returns its standard error from the first error on, without earlier warnings and messages; all of it if there is no
    /// error.
    pub(crate) fn complaint(&self) -> &str {
        let first = self.errors.match_indices("error").map(|(at, _)| at).find(|at| self.begins_a_line(*at));
        &self.errors[first.unwrap_or(0)..]
    }

    fn begins_a_line(&self, at: usize) -> bool {
        at == 0 || self.errors[..at].ends_with('\n')
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.output, self.errors)
    }
}

/// Run a program to its end without input.
///
/// # Errors
/// The program cannot be started. A program that fails is an outcome and not an error.
pub(crate) fn run(command: &mut Command) -> Result<Outcome> {
    let name = command.get_program().to_string_lossy().into_owned();
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {name}"))?;
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let errors = thread::spawn(|| text(errors));
    let output = text(output).with_context(|| format!("cannot read the output of {name}"))?;
    let errors = errors.join().expect("to read does not panic")?;
    let status = cost::wait(&mut child).with_context(|| format!("cannot wait for {name}"))?;
    Ok(Outcome { succeeded: status.success(), output, errors })
}

/// Returns all of a stream.
fn text(stream: Option<impl Read>) -> io::Result<String> {
    let mut bytes = Vec::new();
    stream.map_or(Ok(0), |mut stream| stream.read_to_end(&mut bytes))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns what a program prints, or `None` if it does not exist or fails.
pub(crate) fn answer(program: &str, arguments: &[&str]) -> Option<String> {
    let outcome = run(Command::new(program).args(arguments)).ok()?;
    outcome.succeeded.then(|| outcome.output.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_program_gives_no_answer() {
        assert_eq!(answer("no-program-has-this-name", &[]), None);
    }

    #[test]
    fn a_complaint_begins_with_the_first_error() {
        let errors = "Compiling an error type\nwarning: a\nerror: b\n --> c\n".to_owned();
        let outcome = Outcome { succeeded: false, output: String::new(), errors };
        assert_eq!(outcome.complaint(), "error: b\n --> c\n");
    }

    #[test]
    fn both_streams_are_read_at_the_same_time() {
        let fill = "head -c 1000000 /dev/zero >&2; head -c 1000000 /dev/zero";
        let outcome = run(Command::new("sh").args(["-c", fill])).unwrap();
        assert_eq!((outcome.output.len(), outcome.errors.len()), (1_000_000, 1_000_000));
    }

    #[test]
    fn a_failing_program_is_an_outcome() {
        assert!(!run(&mut Command::new("false")).unwrap().succeeded);
    }
}
