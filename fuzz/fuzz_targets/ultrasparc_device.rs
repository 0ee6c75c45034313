//! Any bytes, as a guest of the unit of UltraSPARC I to IV+; the same guest runs with noise in `tests/ultrasparc_device`.

#![no_main]

#[path = "../../tests/sparc_units/guest.rs"]
mod guest;
#[path = "../../tests/ultrasparc_device/oracle.rs"]
mod oracle;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    guest::run::<oracle::Oracle>(bytes);
});
