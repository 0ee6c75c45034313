//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-powerpc");

pub(super) static POWER4: Table = if IS_THERE { Table::new(&const { Table::part::<5855>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static PPC970: Table = if IS_THERE { Table::new(&const { Table::part::<5327>(BYTES, 5855) }) } else { Table::EMPTY };
pub(super) static PPC970MP: Table = if IS_THERE { Table::new(&const { Table::part::<5640>(BYTES, 11182) }) } else { Table::EMPTY };
pub(super) static POWER5: Table = if IS_THERE { Table::new(&const { Table::part::<11074>(BYTES, 16822) }) } else { Table::EMPTY };
pub(super) static POWER5_PLUS: Table = if IS_THERE { Table::new(&const { Table::part::<11679>(BYTES, 27896) }) } else { Table::EMPTY };
pub(super) static POWER5_PLUS_PLUS: Table = if IS_THERE { Table::new(&const { Table::part::<12194>(BYTES, 39575) }) } else { Table::EMPTY };
pub(super) static POWER6: Table = if IS_THERE { Table::new(&const { Table::part::<13639>(BYTES, 51769) }) } else { Table::EMPTY };
pub(super) static POWER7: Table = if IS_THERE { Table::new(&const { Table::part::<13152>(BYTES, 65408) }) } else { Table::EMPTY };
pub(super) static POWER8: Table = if IS_THERE { Table::new(&const { Table::part::<16268>(BYTES, 78560) }) } else { Table::EMPTY };
pub(super) static POWER9: Table = if IS_THERE { Table::new(&const { Table::part::<15108>(BYTES, 94828) }) } else { Table::EMPTY };
pub(super) static MICROWATT: Table = if IS_THERE { Table::new(&const { Table::part::<660>(BYTES, 109936) }) } else { Table::EMPTY };
pub(super) static POWER10: Table = if IS_THERE { Table::new(&const { Table::part::<12691>(BYTES, 110596) }) } else { Table::EMPTY };
