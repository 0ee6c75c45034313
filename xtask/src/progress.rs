//! Shows the progress of long steps.
//!
//! On a terminal this is a spinner with the elapsed time, elsewhere one line when the step begins. Both go to standard
//! error and end with one line with the result of the step. Results go to standard output.

use std::io::{IsTerminal, stderr};
use std::sync::{LazyLock, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::cost;

/// Steps may run in parallel; each has its own line.
static STEPS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// What is expected of the whole run, if that is known.
static PLAN: Mutex<Option<Plan>> = Mutex::new(None);

/// How far a run is.
#[derive(Clone, Copy, Debug, Default)]
struct Plan {
    /// What it costs as expected.
    expected: Duration,
    /// What the parts that have ended cost as expected, and in fact.
    ended: Duration,
    spent: Duration,
    /// What set-up has cost, which is no part.
    set_up: Duration,
}

impl Plan {
    /// Returns the percentage that is done if programs have cost this much. The parts under way are as far as what they have
    /// spent, on a machine that is as slow as the parts that have ended say; but not done before they end.
    fn percent(&self, cost: Duration) -> u32 {
        let slowness = if self.ended.is_zero() { 1.0 } else { self.spent.div_duration_f64(self.ended).max(1.0) };
        let under_way = cost.saturating_sub(self.spent + self.set_up).div_f64(slowness);
        let left = self.expected.saturating_sub(self.ended).mul_f64(0.99);
        (100.0 * (self.ended + under_way.min(left)).div_duration_f64(self.expected)) as u32
    }
}

/// Says what the whole run costs, as expected: from here on each result is printed with the share that is done.
pub(crate) fn expect(cost: Duration) {
    *plan() = Some(Plan { expected: cost, ..Plan::default() });
}

/// Says what set-up has cost.
pub(crate) fn end_set_up(spent: Duration) {
    if let Some(plan) = plan().as_mut() {
        plan.set_up += spent;
    }
}

/// Says that a part has ended, what it was expected to cost, and what it did.
pub(crate) fn end_part(expected: Duration, spent: Duration) {
    if let Some(plan) = plan().as_mut() {
        plan.ended += expected;
        plan.spent += spent;
    }
}

fn plan() -> MutexGuard<'static, Option<Plan>> {
    PLAN.lock().expect("an addition does not panic")
}

/// Returns the share that is done, to be put before a line.
fn share() -> String {
    plan().map(|plan| format!("[{:3} %] ", plan.percent(cost::of_programs()))).unwrap_or_default()
}

/// A step under way.
pub(crate) struct Step {
    title: String,
    begun: Instant,
    cost: Duration,
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
        Self { title, begun: Instant::now(), cost: cost::of_thread(), spinner }
    }

    /// Show its result.
    pub(crate) fn end(self, result: &str) {
        if let Some(spinner) = self.spinner {
            spinner.finish_and_clear();
        }
        let seconds = self.begun.elapsed().as_secs_f32();
        let cost = (cost::of_thread() - self.cost).as_secs_f32();
        let share = share();
        STEPS.suspend(|| eprintln!("{share}{}: {result} ({seconds:.1} s, {cost:.1} CPU s)", self.title));
    }
}

fn spinner(title: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} ... {elapsed}").expect("the template is constant");
    let spinner = STEPS.add(ProgressBar::new_spinner()).with_style(style).with_message(title.to_owned());
    spinner.enable_steady_tick(Duration::from_millis(120));
    spinner
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    const PLAN: Plan = Plan { expected: seconds(200), ended: seconds(50), spent: seconds(80), set_up: seconds(10) };

    #[test]
    fn a_part_that_ended_counts_as_was_expected() {
        assert_eq!(PLAN.percent(seconds(10 + 80)), 25);
    }

    #[test]
    fn a_part_under_way_counts_by_what_it_has_spent_on_a_machine_this_slow() {
        assert_eq!(PLAN.percent(seconds(10 + 80 + 80)), 50);
        let fast = Plan { spent: seconds(20), ..PLAN };
        assert_eq!(fast.percent(seconds(10 + 20 + 50)), 50);
    }

    #[test]
    fn a_run_is_not_done_before_its_parts_have_ended() {
        assert_eq!(PLAN.percent(seconds(10_000)), 99);
        assert_eq!(Plan { ended: seconds(200), ..PLAN }.percent(seconds(10_000)), 100);
    }
}
