//! Any bytes, as a guest of Intel's unit; the same guest runs with noise in `tests/intel_device`.

#![no_main]

#[path = "../../tests/x86_units/beneath.rs"]
mod beneath;
#[path = "../../tests/hostile/mod.rs"]
mod hostile;
#[path = "../../tests/intel_device/oracle.rs"]
mod oracle;

libfuzzer_sys::fuzz_target!(|guest: &[u8]| {
    hostile::run::<oracle::Oracle>(guest);
});
