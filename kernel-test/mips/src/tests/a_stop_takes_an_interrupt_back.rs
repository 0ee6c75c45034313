//! [`harness::a_stop_takes_an_interrupt_back`].

use crate::guest::Here;

pub fn test() {
    harness::a_stop_takes_an_interrupt_back::<Here>();
}
