//! A guest cannot misuse the Pentium 4's unit in software. Its other rules are in `tests/netburst_driver`.

#[path = "../hostile/mod.rs"]
#[allow(dead_code, reason = "each suite uses a part of it")]
mod hostile;

#[path = "../x86_units/guests.rs"]
mod guests;
mod oracle;
