//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-sparc");

pub(super) static T1: Table = if IS_THERE { Table::new(&const { Table::part::<220>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static T2: Table = if IS_THERE { Table::new(&const { Table::part::<1171>(BYTES, 220) }) } else { Table::EMPTY };
pub(super) static T3: Table = if IS_THERE { Table::new(&const { Table::part::<1176>(BYTES, 1391) }) } else { Table::EMPTY };
