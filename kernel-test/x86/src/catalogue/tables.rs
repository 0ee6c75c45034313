//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use pmu::text::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");

pub(super) static ARCHITECTURAL: Table = Table::new(&const { Table::part::<177>(BYTES, 0) });
