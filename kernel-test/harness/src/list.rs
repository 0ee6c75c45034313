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

/// Makes `ALL`, the list of tests, each a module of its own with a `pub fn test()`.
///
/// `tests! { End: Return { a_loop_counts_exactly } }` has one test, in the group `End::Return`.
#[macro_export]
macro_rules! tests {
    ($groups:ident: $($group:ident { $($name:ident)* })*) => {
        $($(mod $name;)*)*

        /// Every test.
        pub const ALL: &[$crate::Test<$groups>] = &[$($(
            $crate::Test { name: stringify!($name), body: $name::test, group: $groups::$group }
        ),*),*];
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
