//! Any bytes, as a guest of AMD's unit; the same guest runs with noise in `tests/amd_device`.

#![no_main]

#[path = "../../tests/x86_units/beneath.rs"]
mod beneath;
#[path = "../../tests/hostile/mod.rs"]
mod hostile;
#[path = "../../tests/amd_device/oracle.rs"]
mod oracle;

libfuzzer_sys::fuzz_target!(|guest: &[u8]| {
    hostile::run::<oracle::Oracle>(guest);
});
