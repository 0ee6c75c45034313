//! An exception that the test has no handler for fails it.

use crate::guest::mischief;

pub fn test() {
    mischief::interrupt_after(0);
}
