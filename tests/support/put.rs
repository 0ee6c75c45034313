//! Contents that a test puts into a unit, as a snapshot brings them.

use pmu::virt::{Device, Fault, RestoreError, Snapshot};

/// Restores these contents, from a snapshot that is in order but for them.
pub(crate) fn put<D: Device>(device: &D, contents: &D::State) -> Result<(), Fault> {
    let snapshot = Snapshot::new(device.fingerprint(), contents);
    device.restore(snapshot.as_bytes()).map_err(|error| match error {
        RestoreError::Contents(fault) => fault,
        other => panic!("{other}"),
    })
}
