//! An NMI without a handler ends the guest.

use crate::guest::mischief;

pub fn test() {
    mischief::interrupt_after(0);
}
