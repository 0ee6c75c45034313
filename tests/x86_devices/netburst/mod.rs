//! A guest cannot misuse the Pentium 4's unit in software. Its other rules are in `tests/x86_drivers/netburst`.

#[path = "../guests.rs"]
mod guests;
mod oracle;
