//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-powerpc");

pub(super) static P604: Table = if IS_THERE { Table::new(&const { Table::part::<1304>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static P604E: Table = if IS_THERE { Table::new(&const { Table::part::<2501>(BYTES, 1304) }) } else { Table::EMPTY };
pub(super) static P750: Table = if IS_THERE { Table::new(&const { Table::part::<1240>(BYTES, 3805) }) } else { Table::EMPTY };
pub(super) static P7400: Table = if IS_THERE { Table::new(&const { Table::part::<1372>(BYTES, 5045) }) } else { Table::EMPTY };
pub(super) static P745X: Table = if IS_THERE { Table::new(&const { Table::part::<959>(BYTES, 6417) }) } else { Table::EMPTY };
