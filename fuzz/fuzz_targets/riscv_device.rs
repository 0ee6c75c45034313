//! Any bytes, as a guest of the unit of a RISC-V processor, or of its firmware; the same guest runs with noise in
//! `tests/riscv_guests`.

#![no_main]

#[path = "../../tests/riscv_guests/guest.rs"]
mod guest;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    guest::run(bytes);
});
