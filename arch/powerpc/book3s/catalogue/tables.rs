//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-powerpc");

pub(super) static POWER4: Table = if IS_THERE { Table::new(&const { Table::part::<5855>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static PPC970: Table = if IS_THERE { Table::new(&const { Table::part::<5327>(BYTES, 5855) }) } else { Table::EMPTY };
pub(super) static PPC970MP: Table = if IS_THERE { Table::new(&const { Table::part::<5640>(BYTES, 11182) }) } else { Table::EMPTY };
pub(super) static POWER5: Table = if IS_THERE { Table::new(&const { Table::part::<10720>(BYTES, 16822) }) } else { Table::EMPTY };
pub(super) static POWER5_PLUS: Table = if IS_THERE { Table::new(&const { Table::part::<10911>(BYTES, 27542) }) } else { Table::EMPTY };
pub(super) static POWER6: Table = if IS_THERE { Table::new(&const { Table::part::<13639>(BYTES, 38453) }) } else { Table::EMPTY };
pub(super) static POWER7: Table = if IS_THERE { Table::new(&const { Table::part::<13152>(BYTES, 52092) }) } else { Table::EMPTY };
pub(super) static POWER8: Table = if IS_THERE { Table::new(&const { Table::part::<16268>(BYTES, 65244) }) } else { Table::EMPTY };
pub(super) static POWER9: Table = if IS_THERE { Table::new(&const { Table::part::<15108>(BYTES, 81512) }) } else { Table::EMPTY };
pub(super) static POWER10: Table = if IS_THERE { Table::new(&const { Table::part::<12691>(BYTES, 96620) }) } else { Table::EMPTY };
