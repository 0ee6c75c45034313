//! Any bytes, as a guest of the unit of a MIPS processor; the same guest runs with noise in `tests/mips_guests`.

#![no_main]

#[path = "../../tests/mips_guests/guest.rs"]
mod guest;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    guest::run(bytes);
});
