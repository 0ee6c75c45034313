//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-powerpc");

pub(super) static E300: Table = if IS_THERE { Table::new(&const { Table::part::<820>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static E500: Table = if IS_THERE { Table::new(&const { Table::part::<1886>(BYTES, 820) }) } else { Table::EMPTY };
pub(super) static E500MC: Table = if IS_THERE { Table::new(&const { Table::part::<2423>(BYTES, 2706) }) } else { Table::EMPTY };
