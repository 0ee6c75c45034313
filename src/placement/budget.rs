//! The steps that a search may still take.

use super::failure::Failure;

/// The steps that a search may still take.
pub(super) struct Budget(pub(super) u32);

#[cfg(test)]
std::thread_local! {
    /// The steps that were taken since a test has set this to 0.
    pub(crate) static SPENT: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

impl Budget {
    /// Takes so many steps.
    ///
    /// # Errors
    /// [`Failure::Exhausted`] if there are no more.
    #[inline]
    pub(super) fn spend(&mut self, steps: u32) -> Result<(), Failure> {
        match self.0.checked_sub(steps) {
            Some(left) => {
                #[cfg(test)]
                SPENT.set(SPENT.get() + steps);
                self.0 = left;
                Ok(())
            }
            None => {
                self.0 = 0;
                Err(Failure::Exhausted)
            }
        }
    }
}
