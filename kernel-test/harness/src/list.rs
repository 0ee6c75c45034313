//! The list of a kernel's tests, and how each is to end.

use core::fmt;

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
    /// It comes to grief, and what runs the tests survives that: the harness tests itself.
    Grief,
}

/// An outcome that was not to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmet<E> {
    /// It returned, and was to come to grief.
    Returned,
    /// It came to this grief, and was to return.
    Grief(E),
}

impl End {
    /// Is the outcome what was to be?
    ///
    /// # Errors
    /// It is not.
    pub fn meets<E>(self, outcome: Result<(), E>) -> Result<(), Unmet<E>> {
        match (self, outcome) {
            (Self::Return, Ok(())) | (Self::Grief, Err(_)) => Ok(()),
            (Self::Return, Err(grief)) => Err(Unmet::Grief(grief)),
            (Self::Grief, Ok(())) => Err(Unmet::Returned),
        }
    }
}

impl<E: fmt::Display> fmt::Display for Unmet<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Returned => f.write_str("it returned"),
            Self::Grief(grief) => grief.fmt(f),
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
        const LEFT_OUT: &[(&str, &str)] = &[$((stringify!($absent), $reason)),*];

        const _: () = assert!(
            LEFT_OUT.len() + [$($(stringify!($shared),)*)*].len() == $crate::sentences::NUMBER,
            "each sentence of the harness is shown or left out with a reason",
        );
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_returns_passes_only_if_it_is_to_return() {
        assert_eq!(End::Return.meets::<u8>(Ok(())), Ok(()));
        assert_eq!(End::Grief.meets::<u8>(Ok(())), Err(Unmet::Returned));
    }

    #[test]
    fn a_test_that_comes_to_grief_passes_only_if_it_is_to() {
        assert_eq!(End::Return.meets(Err(3)), Err(Unmet::Grief(3)));
        assert_eq!(End::Grief.meets(Err(3)), Ok(()));
    }
}
