//! Any bytes, as a guest of Arm's unit and as what its host finds in a syndrome; the same guests run with noise in
//! `tests/risc_devices`.

#[path = "../../../tests/risc_devices/aarch64/guest.rs"]
mod guest;
#[path = "../../../tests/risc_devices/aarch64/model/mod.rs"]
mod model;

pub(crate) fn run(bytes: &[u8]) {
    guest::run(bytes);
    guest::trap(bytes);
}
