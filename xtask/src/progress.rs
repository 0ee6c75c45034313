//! Shows the progress of long steps.
//!
//! On a terminal this is a spinner with the elapsed time, elsewhere one line when the step begins. Both go to standard
//! error and end with one line with the result of the step. Results go to standard output.

use std::io::{IsTerminal, stderr};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// Steps may run in parallel; each has its own line.
static STEPS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// A step under way.
pub(crate) struct Step {
    title: String,
    begun: Instant,
    spinner: Option<ProgressBar>,
}

impl Step {
    /// Show that a step begins.
    pub(crate) fn begin(title: impl Into<String>) -> Self {
        let title = title.into();
        let spinner = stderr().is_terminal().then(|| spinner(&title));
        if spinner.is_none() {
            eprintln!("{title} ...");
        }
        Self { title, begun: Instant::now(), spinner }
    }

    /// Show its result.
    pub(crate) fn end(self, result: &str) {
        if let Some(spinner) = self.spinner {
            spinner.finish_and_clear();
        }
        let seconds = self.begun.elapsed().as_secs_f32();
        STEPS.suspend(|| eprintln!("{}: {result} ({seconds:.1} s)", self.title));
    }
}

fn spinner(title: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} ... {elapsed}").expect("the template is constant");
    let spinner = STEPS.add(ProgressBar::new_spinner()).with_style(style).with_message(title.to_owned());
    spinner.enable_steady_tick(Duration::from_millis(120));
    spinner
}
