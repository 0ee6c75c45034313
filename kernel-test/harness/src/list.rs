//! The list of a kernel's tests, and how each is to end.

use core::fmt;

use crate::Words;
use crate::report::Report;

/// The tests that are expected to fail, each with words of the failure that is expected.
const EXPECTED_FAILURES: [(&str, &str); 5] = [
    ("a_halt_fails_the_test", "halted"),
    ("a_panic_fails_the_test", "to order"),
    ("a_triple_fault_fails_the_test", "triple fault"),
    ("an_unexpected_exception_fails_the_test", "exception "),
    ("an_unexpected_interrupt_fails_the_test", "that the test does not expect"),
];

/// A test; `G` is the group in which it is listed.
#[derive(Clone, Copy, Debug)]
pub struct Test<G = End> {
    /// What is true if it passes.
    pub name: &'static str,
    /// What runs: it returns if the name is true, and panics if not.
    pub body: fn(),
    /// Its group.
    pub group: G,
}

/// How a test's body is to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It returns.
    Return,
    /// It is expected to fail, and what runs the tests survives that: the harness tests itself.
    ExpectedFailure,
}

/// An outcome that was not to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmet<E> {
    /// It returned, and was expected to fail.
    Returned,
    /// It failed like this, and was expected to return or to fail otherwise.
    Failed(E),
}

/// In which tests are listed that are shown on the same processors and end alike.
pub trait Group: Copy + 'static {
    /// Returns how the body of such a test is to end.
    fn end(self) -> End;

    /// Returns why such a test is not shown on the presented processor; `None` if it is.
    fn left_out(self) -> Option<&'static str> {
        None
    }

    /// Returns on how many processors of the machine the body of such a test runs at once.
    fn processors(self) -> usize {
        1
    }
}

impl Group for End {
    fn end(self) -> End {
        self
    }
}

/// Says which of the harness's sentences a kernel leaves out, and why.
pub fn tell_left_out(left_out: &[(&str, &str)], filter: &str, report: &mut Report<impl fmt::Write>) {
    left_out.iter().filter(|(name, _)| name.contains(filter)).for_each(|(name, reason)| report.left_out(name, reason));
}

impl<G> Test<G> {
    /// Is the outcome what was to be, if the test is to end so?
    ///
    /// # Errors
    /// It is not.
    pub fn meets<E: fmt::Display>(&self, end: End, outcome: Result<(), E>) -> Result<(), Unmet<E>> {
        match (end, outcome) {
            (End::Return, Ok(())) => Ok(()),
            (End::ExpectedFailure, Err(failure)) if self.is_its(&failure) => Ok(()),
            (End::ExpectedFailure, Ok(())) => Err(Unmet::Returned),
            (_, Err(failure)) => Err(Unmet::Failed(failure)),
        }
    }

    /// Returns true if this is the failure that the test is expected to have.
    fn is_its(&self, failure: &impl fmt::Display) -> bool {
        let told = Words::from(format_args!("{failure}"));
        EXPECTED_FAILURES.iter().any(|(name, words)| *name == self.name && told.as_str().contains(words))
    }
}

impl<E: fmt::Display> fmt::Display for Unmet<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Returned => f.write_str("it returned"),
            Self::Failed(failure) => failure.fmt(f),
        }
    }
}

/// Makes `ALL`, the list of a kernel's tests: its own, each a module with a `pub fn test()`, and those of the harness's
/// [`sentences`](crate::sentences) that are true of it. For each of the others it says why not.
///
/// `tests! { End: own { Return { a_loop_counts_exactly } } of Here { Return { a_panic_fails_the_test } } without { .. } }`
#[macro_export]
macro_rules! tests {
    (
        $groups:ident:
        own { $($group:ident { $($name:ident)* })* }
        of $kernel:ident { $($shared_group:ident { $($shared:ident)* })* }
        without { $($absent:ident: $reason:literal)* }
    ) => {
        $($(mod $name;)*)*

        /// Every test.
        pub const ALL: &[$crate::Test<$groups>] = &[
            $($($crate::Test { name: stringify!($name), body: $name::test, group: $groups::$group },)*)*
            $($($crate::Test {
                name: stringify!($shared),
                body: $crate::sentences::$shared::test::<$kernel>,
                group: $groups::$shared_group,
            },)*)*
        ];

        /// Those of the harness that this kernel leaves out, and why.
        pub const LEFT_OUT: &[(&str, &str)] = &[$((stringify!($absent), $reason)),*];

        const _: () = assert!(
            LEFT_OUT.len() + [$($(stringify!($shared),)*)*].len() == $crate::sentences::NUMBER,
            "each sentence of the harness is shown or left out with a reason",
        );
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALT: Test = Test { name: "a_halt_fails_the_test", body: || (), group: End::ExpectedFailure };

    #[test]
    fn a_test_that_returns_passes_only_if_it_is_to_return() {
        assert_eq!(HALT.meets::<u8>(End::Return, Ok(())), Ok(()));
        assert_eq!(HALT.meets::<u8>(End::ExpectedFailure, Ok(())), Err(Unmet::Returned));
    }

    #[test]
    fn a_test_that_comes_to_grief_passes_only_if_it_is_to_come_to_this_one() {
        let (halted, lost) = ("the kernel halted", "exception 6");
        assert_eq!(HALT.meets(End::ExpectedFailure, Err(halted)), Ok(()));
        assert_eq!(HALT.meets(End::ExpectedFailure, Err(lost)), Err(Unmet::Failed(lost)));
        assert_eq!(HALT.meets(End::Return, Err(halted)), Err(Unmet::Failed(halted)));
        let other = Test { name: "no_such_test", ..HALT };
        assert_eq!(other.meets(End::ExpectedFailure, Err(halted)), Err(Unmet::Failed(halted)));
    }
}
