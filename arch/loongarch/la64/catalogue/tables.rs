//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-loongarch");

pub(super) static LA64: Table = if IS_THERE { Table::new(&const { Table::part::<307>(BYTES, 0) }) } else { Table::EMPTY };
