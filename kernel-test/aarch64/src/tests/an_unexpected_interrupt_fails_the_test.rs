//! An overflow interrupt without a handler ends the kernel.

use crate::kernel::instructions::exactly;
use crate::{gic, system};

pub fn test() {
    gic::raise(system::cpu());
    exactly(1000);
}
