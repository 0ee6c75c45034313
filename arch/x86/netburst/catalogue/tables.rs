//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-intel");

pub(super) static EARLY: Table = if IS_THERE { Table::new(&const { Table::part::<3103>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static PRESCOTT: Table = if IS_THERE { Table::new(&const { Table::part::<3106>(BYTES, 3103) }) } else { Table::EMPTY };
pub(super) static EARLY_THREAD: Table = if IS_THERE { Table::new(&const { Table::part::<3103>(BYTES, 6209) }) } else { Table::EMPTY };
pub(super) static PRESCOTT_THREAD: Table = if IS_THERE { Table::new(&const { Table::part::<3106>(BYTES, 9312) }) } else { Table::EMPTY };
