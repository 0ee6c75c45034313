//! The list of a kernel's tests, what each needs, and how it is to end.

use core::fmt;

use crate::Words;
use crate::need::Need;
use crate::report::Report;

/// The tests that are expected to fail, each with words of the failure that is expected. What runs the tests survives it: the
/// harness tests itself.
const EXPECTED_FAILURES: [(&str, &str); 5] = [
    ("a_halt_fails_the_test", "halted"),
    ("a_panic_fails_the_test", "to order"),
    ("a_triple_fault_fails_the_test", "triple fault"),
    ("an_unexpected_exception_fails_the_test", "exception "),
    ("an_unexpected_interrupt_fails_the_test", "that the test does not expect"),
];

/// A test of one kernel.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// What is true if it passes.
    pub name: &'static str,
    /// What runs: it returns if the name is true, and panics if not.
    pub body: fn(),
    /// What it needs.
    pub needs: &'static [Need],
    /// What the kernel [lacks](crate::Kernel::lacks).
    pub lacks: fn(Need) -> Option<&'static str>,
}

/// An outcome that was not to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmet<E> {
    /// It returned, and was expected to fail.
    Returned,
    /// It failed like this, and was expected to return or to fail otherwise.
    Failed(E),
}

impl Test {
    /// Returns why it is not shown on the presented processor; `None` if it is.
    pub fn left_out(&self) -> Option<&'static str> {
        self.needs.iter().find_map(|&need| match need {
            Need::Own(lacks) => lacks(),
            need => (self.lacks)(need),
        })
    }

    /// Returns on how many processors of the machine its body runs at once.
    pub fn processors(&self) -> usize {
        let asked = |need: &Need| if let Need::Processors(asked) = *need { Some(asked) } else { None };
        self.needs.iter().find_map(asked).unwrap_or(1)
    }

    /// Is this the outcome that was to be?
    ///
    /// # Errors
    /// It is not.
    pub fn meets<E: fmt::Display>(&self, outcome: Result<(), E>) -> Result<(), Unmet<E>> {
        let expected = EXPECTED_FAILURES.iter().find(|(name, _)| *name == self.name);
        match (expected, outcome) {
            (None, Ok(())) => Ok(()),
            (Some((_, words)), Err(failure)) if is_told(words, &failure) => Ok(()),
            (Some(_), Ok(())) => Err(Unmet::Returned),
            (_, Err(failure)) => Err(Unmet::Failed(failure)),
        }
    }
}

/// Does the failure say these words?
fn is_told(words: &str, failure: &impl fmt::Display) -> bool {
    Words::from(format_args!("{failure}")).as_str().contains(words)
}

impl<E: fmt::Display> fmt::Display for Unmet<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Returned => f.write_str("it returned"),
            Self::Failed(failure) => failure.fmt(f),
        }
    }
}

/// Runs each of these tests whose name contains `filter`, and reports how it ended, or why it is left out.
pub fn run_each<E: fmt::Display>(
    tests: impl Iterator<Item = &'static Test>,
    filter: &str,
    report: &mut Report<impl fmt::Write>,
    mut run: impl FnMut(&Test) -> Result<(), E>,
) {
    for test in tests.filter(|test| test.name.contains(filter)) {
        match test.left_out() {
            Some(reason) => report.left_out(test.name, reason),
            None => report.ended(test.name, test.meets(run(test))),
        }
    }
}

/// Makes `all`, the list of a kernel's tests: its own, each a module with a `pub fn test()` and under what it needs, and then
/// the harness's [`sentences`](crate::sentences).
///
/// `tests! { Here: [] { a_loop_counts_exactly } [Interrupt] { the_nth_event_interrupts the_line_masks_itself } }`
#[macro_export]
macro_rules! tests {
    ($kernel:ident: $($needs:tt { $($name:ident)* })*) => {
        $($(mod $name;)*)*

        /// Returns every test: this kernel's own, and the harness's sentences.
        pub fn all() -> impl Iterator<Item = &'static $crate::Test> {
            const OWN: &[$crate::Test] = &[$($($crate::Test {
                name: stringify!($name),
                body: $name::test,
                needs: &$needs,
                lacks: <$kernel as $crate::Kernel>::lacks,
            },)*)*];
            OWN.iter().chain($crate::sentences::of::<$kernel>())
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: Test = Test { name: "no_such_test", body: || (), needs: &[], lacks: |_| None };
    const HALT: Test = Test { name: "a_halt_fails_the_test", ..TEST };

    #[test]
    fn a_test_that_returns_passes_only_if_it_is_to_return() {
        assert_eq!(TEST.meets::<u8>(Ok(())), Ok(()));
        assert_eq!(HALT.meets::<u8>(Ok(())), Err(Unmet::Returned));
    }

    #[test]
    fn a_test_that_comes_to_grief_passes_only_if_it_is_to_come_to_this_one() {
        let (halted, lost) = ("the kernel halted", "exception 6");
        assert_eq!(HALT.meets(Err(halted)), Ok(()));
        assert_eq!(HALT.meets(Err(lost)), Err(Unmet::Failed(lost)));
        assert_eq!(TEST.meets(Err(halted)), Err(Unmet::Failed(halted)));
    }

    #[test]
    fn a_test_is_left_out_for_the_first_of_its_needs_that_is_lacking() {
        let lacks = |need: Need| matches!(need, Need::Late | Need::Pair).then_some("the kernel lacks it");
        let of = |needs: &'static [Need]| Test { needs, lacks, ..TEST }.left_out();
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[Need::Interrupt, Need::Own(|| None)]), None);
        assert_eq!(of(&[Need::Interrupt, Need::Pair, Need::Own(|| Some("its own"))]), Some("the kernel lacks it"));
        assert_eq!(of(&[Need::Own(|| Some("its own")), Need::Late]), Some("its own"));
    }

    #[test]
    fn a_test_runs_on_one_processor_unless_it_needs_several() {
        assert_eq!(TEST.processors(), 1);
        assert_eq!(Test { needs: &[Need::Orders, Need::Processors(4)], ..TEST }.processors(), 4);
    }

    #[test]
    fn each_test_that_is_chosen_runs_or_is_left_out_with_its_reason() {
        const TESTS: &[Test] = &[
            Test { name: "it_works", ..TEST },
            Test { name: "it_interrupts", needs: &[Need::Own(|| Some("nothing does"))], ..TEST },
            Test { name: "another", ..TEST },
        ];
        let mut words = Words::default();
        let mut report = Report::new(&mut words);
        run_each(TESTS.iter(), "it_", &mut report, |_| Ok::<_, &str>(()));
        report.conclude();
        let told = "test it_works ... ok left out it_interrupts: nothing does kernel: 1 passed, 0 failed ";
        assert_eq!(words.as_str(), told);
    }
}
