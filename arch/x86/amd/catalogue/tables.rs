//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-amd");

pub(super) static K7: Table = if IS_THERE { Table::new(&const { Table::part::<679>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static HAMMER: Table = if IS_THERE { Table::new(&const { Table::part::<3626>(BYTES, 679) }) } else { Table::EMPTY };
pub(super) static FAMILY_11H: Table = if IS_THERE { Table::new(&const { Table::part::<3860>(BYTES, 4305) }) } else { Table::EMPTY };
pub(super) static FAMILY_10H: Table = if IS_THERE { Table::new(&const { Table::part::<5319>(BYTES, 8165) }) } else { Table::EMPTY };
pub(super) static FAMILY_12H: Table = if IS_THERE { Table::new(&const { Table::part::<4442>(BYTES, 13484) }) } else { Table::EMPTY };
pub(super) static FAMILY_14H: Table = if IS_THERE { Table::new(&const { Table::part::<3717>(BYTES, 17926) }) } else { Table::EMPTY };
pub(super) static FAMILY_15H: Table = if IS_THERE { Table::new(&const { Table::part::<8879>(BYTES, 21643) }) } else { Table::EMPTY };
pub(super) static FAMILY_16H: Table = if IS_THERE { Table::new(&const { Table::part::<5214>(BYTES, 30522) }) } else { Table::EMPTY };
pub(super) static ZEN_1: Table = if IS_THERE { Table::new(&const { Table::part::<3888>(BYTES, 35736) }) } else { Table::EMPTY };
pub(super) static ZEN_2: Table = if IS_THERE { Table::new(&const { Table::part::<4348>(BYTES, 39624) }) } else { Table::EMPTY };
pub(super) static ZEN_3: Table = if IS_THERE { Table::new(&const { Table::part::<5087>(BYTES, 43972) }) } else { Table::EMPTY };
pub(super) static ZEN_4: Table = if IS_THERE { Table::new(&const { Table::part::<6658>(BYTES, 49059) }) } else { Table::EMPTY };
pub(super) static ZEN_5: Table = if IS_THERE { Table::new(&const { Table::part::<6996>(BYTES, 55717) }) } else { Table::EMPTY };
pub(super) static LIBPFM_FAMILY_10H: Table = if IS_THERE { Table::new(&const { Table::part::<6238>(BYTES, 62713) }) } else { Table::EMPTY };
pub(super) static LIBPFM_FAMILY_11H: Table = if IS_THERE { Table::new(&const { Table::part::<2616>(BYTES, 68951) }) } else { Table::EMPTY };
pub(super) static LIBPFM_FAMILY_12H: Table = if IS_THERE { Table::new(&const { Table::part::<4608>(BYTES, 71567) }) } else { Table::EMPTY };
pub(super) static LIBPFM_FAMILY_14H: Table = if IS_THERE { Table::new(&const { Table::part::<3661>(BYTES, 76175) }) } else { Table::EMPTY };
pub(super) static LIBPFM_FAMILY_15H: Table = if IS_THERE { Table::new(&const { Table::part::<3156>(BYTES, 79836) }) } else { Table::EMPTY };
pub(super) static LIBPFM_HAMMER: Table = if IS_THERE { Table::new(&const { Table::part::<2784>(BYTES, 82992) }) } else { Table::EMPTY };
pub(super) static LIBPFM_K7: Table = if IS_THERE { Table::new(&const { Table::part::<692>(BYTES, 85776) }) } else { Table::EMPTY };
pub(super) static LIBPFM_ZEN_1: Table = if IS_THERE { Table::new(&const { Table::part::<4320>(BYTES, 86468) }) } else { Table::EMPTY };
pub(super) static LIBPFM_ZEN_2: Table = if IS_THERE { Table::new(&const { Table::part::<3433>(BYTES, 90788) }) } else { Table::EMPTY };
pub(super) static LIBPFM_ZEN_3: Table = if IS_THERE { Table::new(&const { Table::part::<3735>(BYTES, 94221) }) } else { Table::EMPTY };
pub(super) static LIBPFM_ZEN_4: Table = if IS_THERE { Table::new(&const { Table::part::<5901>(BYTES, 97956) }) } else { Table::EMPTY };
pub(super) static LIBPFM_ZEN_5: Table = if IS_THERE { Table::new(&const { Table::part::<6557>(BYTES, 103857) }) } else { Table::EMPTY };
