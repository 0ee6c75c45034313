//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-riscv");

pub(super) static OTHER: Table = if IS_THERE { Table::new(&const { Table::part::<105>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static INDEXED: Table = if IS_THERE { Table::new(&const { Table::part::<1072>(BYTES, 105) }) } else { Table::EMPTY };
pub(super) static QEMU: Table = if IS_THERE { Table::new(&const { Table::part::<325>(BYTES, 1177) }) } else { Table::EMPTY };
pub(super) static SBI: Table = if IS_THERE { Table::new(&const { Table::part::<1419>(BYTES, 1502) }) } else { Table::EMPTY };
pub(super) static U74: Table = if IS_THERE { Table::new(&const { Table::part::<1072>(BYTES, 2921) }) } else { Table::EMPTY };
pub(super) static BULLET07: Table = if IS_THERE { Table::new(&const { Table::part::<1210>(BYTES, 3993) }) } else { Table::EMPTY };
pub(super) static BULLET0D: Table = if IS_THERE { Table::new(&const { Table::part::<1266>(BYTES, 5203) }) } else { Table::EMPTY };
pub(super) static C910: Table = if IS_THERE { Table::new(&const { Table::part::<873>(BYTES, 6469) }) } else { Table::EMPTY };
pub(super) static C906: Table = if IS_THERE { Table::new(&const { Table::part::<342>(BYTES, 7342) }) } else { Table::EMPTY };
pub(super) static D1: Table = if IS_THERE { Table::new(&const { Table::part::<606>(BYTES, 7684) }) } else { Table::EMPTY };
pub(super) static P550: Table = if IS_THERE { Table::new(&const { Table::part::<968>(BYTES, 8290) }) } else { Table::EMPTY };
pub(super) static P650: Table = if IS_THERE { Table::new(&const { Table::part::<1287>(BYTES, 9258) }) } else { Table::EMPTY };
pub(super) static AX45: Table = if IS_THERE { Table::new(&const { Table::part::<1182>(BYTES, 10545) }) } else { Table::EMPTY };
pub(super) static DUBHE80: Table = if IS_THERE { Table::new(&const { Table::part::<781>(BYTES, 11727) }) } else { Table::EMPTY };
pub(super) static CVA6: Table = if IS_THERE { Table::new(&const { Table::part::<681>(BYTES, 12508) }) } else { Table::EMPTY };
pub(super) static CV32E40P: Table = if IS_THERE { Table::new(&const { Table::part::<272>(BYTES, 13189) }) } else { Table::EMPTY };
pub(super) static IBEX: Table = if IS_THERE { Table::new(&const { Table::part::<490>(BYTES, 13461) }) } else { Table::EMPTY };
