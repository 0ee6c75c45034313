//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-intel");

pub(super) static PENTIUM: Table = if IS_THERE { Table::new(&const { Table::part::<1025>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static WITH_MMX: Table = if IS_THERE { Table::new(&const { Table::part::<2247>(BYTES, 1025) }) } else { Table::EMPTY };
