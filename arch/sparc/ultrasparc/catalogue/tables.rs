//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-sparc");

pub(super) static ULTRA_12: Table = if IS_THERE { Table::new(&const { Table::part::<419>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static ULTRA_3: Table = if IS_THERE { Table::new(&const { Table::part::<1134>(BYTES, 419) }) } else { Table::EMPTY };
pub(super) static ULTRA_3_PLUS: Table = if IS_THERE { Table::new(&const { Table::part::<1195>(BYTES, 1553) }) } else { Table::EMPTY };
pub(super) static ULTRA_3I: Table = if IS_THERE { Table::new(&const { Table::part::<1181>(BYTES, 2748) }) } else { Table::EMPTY };
pub(super) static ULTRA_4_PLUS: Table = if IS_THERE { Table::new(&const { Table::part::<1825>(BYTES, 3929) }) } else { Table::EMPTY };
