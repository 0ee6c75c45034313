//! Any bytes, as a guest of the unit of UltraSPARC T1 to SPARC T3; the same guest runs with noise in `tests/niagara_device`.

#![no_main]

#[path = "../../tests/sparc_units/guest.rs"]
mod guest;
#[path = "../../tests/niagara_device/oracle.rs"]
mod oracle;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    guest::run::<oracle::Oracle>(bytes);
});
