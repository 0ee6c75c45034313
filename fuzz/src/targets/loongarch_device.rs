//! Any bytes, as a guest of the unit of a LoongArch processor; the same guest runs with noise in `tests/loongarch`.

#[path = "../../../tests/loongarch/device/guest.rs"]
mod guest;

pub(crate) fn run(bytes: &[u8]) {
    guest::run(bytes);
}
