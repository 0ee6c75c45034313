//! Any bytes, as a guest of the P6 family's unit; the same guest runs with noise in `tests/x86_devices`.

#[path = "../../../tests/x86_devices/p6/oracle.rs"]
mod oracle;

use crate::support::hostile;

pub(crate) fn run(bytes: &[u8]) {
    hostile::run::<oracle::Oracle>(bytes);
}
