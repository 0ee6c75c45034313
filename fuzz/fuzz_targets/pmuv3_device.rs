//! Any bytes, as a guest of Arm's unit and as what its host finds in a syndrome; the same guests run
//! with noise in `tests/aarch64_device`.

#![no_main]

#[path = "../../tests/aarch64_device/guest.rs"]
mod guest;
#[path = "../../tests/aarch64_device/line.rs"]
mod line;
#[path = "../../tests/aarch64_device/model/mod.rs"]
mod model;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    guest::run(bytes);
    guest::trap(bytes);
});
