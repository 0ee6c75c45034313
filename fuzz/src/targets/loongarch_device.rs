//! Any bytes, as a guest of the unit of a LoongArch processor; the same guest runs with noise in `tests/risc_devices`.

#[path = "../../../tests/risc_devices/loongarch_guests/guest.rs"]
mod guest;

pub(crate) fn run(bytes: &[u8]) {
    guest::run(bytes);
}
