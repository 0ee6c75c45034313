//! Any bytes, as a guest of the unit of UltraSPARC I to IV+; the same guest runs with noise in `tests/risc_devices`.

#[path = "../../../tests/risc_devices/ultrasparc/oracle.rs"]
mod oracle;

use crate::sparc_guest;

pub(crate) fn run(bytes: &[u8]) {
    sparc_guest::run::<oracle::Oracle>(bytes);
}
