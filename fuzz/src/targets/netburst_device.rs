//! Any bytes, as a guest of the Pentium 4's unit; the same guest runs with noise in `tests/x86_devices`.

#[path = "../../../tests/x86_devices/netburst/oracle.rs"]
mod oracle;

use crate::support::hostile;

pub(crate) fn run(bytes: &[u8]) {
    hostile::run::<oracle::Oracle>(bytes);
}
