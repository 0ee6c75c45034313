//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-intel");

pub(super) static PRO: Table = if IS_THERE { Table::new(&const { Table::part::<1360>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static II: Table = if IS_THERE { Table::new(&const { Table::part::<1733>(BYTES, 1360) }) } else { Table::EMPTY };
pub(super) static III: Table = if IS_THERE { Table::new(&const { Table::part::<1899>(BYTES, 3093) }) } else { Table::EMPTY };
pub(super) static M: Table = if IS_THERE { Table::new(&const { Table::part::<2677>(BYTES, 4992) }) } else { Table::EMPTY };
