//! Any bytes, as a guest of the Pentium 4's unit; the same guest runs with noise in `tests/netburst_device`.

#![no_main]

#[path = "../../tests/hostile/mod.rs"]
#[allow(dead_code, reason = "each suite uses a part of it")]
mod hostile;
#[path = "../../tests/netburst_device/oracle.rs"]
mod oracle;

libfuzzer_sys::fuzz_target!(|guest: &[u8]| {
    hostile::run::<oracle::Oracle>(guest);
});
