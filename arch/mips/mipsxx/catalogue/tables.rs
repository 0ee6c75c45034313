//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-mips");

pub(super) static R10000_V2: Table = if IS_THERE { Table::new(&const { Table::part::<1000>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static R10000: Table = if IS_THERE { Table::new(&const { Table::part::<997>(BYTES, 1000) }) } else { Table::EMPTY };
pub(super) static R12000: Table = if IS_THERE { Table::new(&const { Table::part::<1105>(BYTES, 1997) }) } else { Table::EMPTY };
pub(super) static M5K: Table = if IS_THERE { Table::new(&const { Table::part::<537>(BYTES, 3102) }) } else { Table::EMPTY };
pub(super) static M20K: Table = if IS_THERE { Table::new(&const { Table::part::<421>(BYTES, 3639) }) } else { Table::EMPTY };
pub(super) static M24K: Table = if IS_THERE { Table::new(&const { Table::part::<1874>(BYTES, 4060) }) } else { Table::EMPTY };
pub(super) static M34K: Table = if IS_THERE { Table::new(&const { Table::part::<2035>(BYTES, 5934) }) } else { Table::EMPTY };
pub(super) static M74K: Table = if IS_THERE { Table::new(&const { Table::part::<2766>(BYTES, 7969) }) } else { Table::EMPTY };
pub(super) static M1004K: Table = if IS_THERE { Table::new(&const { Table::part::<2388>(BYTES, 10735) }) } else { Table::EMPTY };
pub(super) static OCTEON: Table = if IS_THERE { Table::new(&const { Table::part::<644>(BYTES, 13123) }) } else { Table::EMPTY };
pub(super) static OCTEON_II: Table = if IS_THERE { Table::new(&const { Table::part::<682>(BYTES, 13767) }) } else { Table::EMPTY };
