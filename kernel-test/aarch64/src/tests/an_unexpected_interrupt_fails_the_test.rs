//! An overflow interrupt without a handler ends the kernel.

use crate::kernel::instructions::exactly;
use crate::kernel::raise_interrupt;

pub fn test() {
    raise_interrupt();
    exactly(1000);
}
