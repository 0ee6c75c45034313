//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:
//! edit those.

use crate::event::catalogue::Table;

const BYTES: &[u8] = include_bytes!("tables.bin");
const IS_THERE: bool = cfg!(feature = "events-arm");

pub(super) static ANY: Table = if IS_THERE { Table::new(&const { Table::part::<2467>(BYTES, 0) }) } else { Table::EMPTY };
pub(super) static CORTEX_A32: Table = if IS_THERE { Table::new(&const { Table::part::<1012>(BYTES, 2467) }) } else { Table::EMPTY };
pub(super) static CORTEX_A34: Table = if IS_THERE { Table::new(&const { Table::part::<1000>(BYTES, 3479) }) } else { Table::EMPTY };
pub(super) static CORTEX_A35: Table = if IS_THERE { Table::new(&const { Table::part::<1102>(BYTES, 4479) }) } else { Table::EMPTY };
pub(super) static CORTEX_A53: Table = if IS_THERE { Table::new(&const { Table::part::<1041>(BYTES, 5581) }) } else { Table::EMPTY };
pub(super) static CORTEX_A55: Table = if IS_THERE { Table::new(&const { Table::part::<1775>(BYTES, 6622) }) } else { Table::EMPTY };
pub(super) static CORTEX_A57: Table = if IS_THERE { Table::new(&const { Table::part::<1303>(BYTES, 8397) }) } else { Table::EMPTY };
pub(super) static CORTEX_A73: Table = if IS_THERE { Table::new(&const { Table::part::<1328>(BYTES, 9700) }) } else { Table::EMPTY };
pub(super) static CORTEX_A75: Table = if IS_THERE { Table::new(&const { Table::part::<1645>(BYTES, 11028) }) } else { Table::EMPTY };
pub(super) static CORTEX_A76: Table = if IS_THERE { Table::new(&const { Table::part::<1631>(BYTES, 12673) }) } else { Table::EMPTY };
pub(super) static CORTEX_A78: Table = if IS_THERE { Table::new(&const { Table::part::<1773>(BYTES, 14304) }) } else { Table::EMPTY };
pub(super) static CORTEX_X1: Table = if IS_THERE { Table::new(&const { Table::part::<1831>(BYTES, 16077) }) } else { Table::EMPTY };
pub(super) static CORTEX_A510: Table = if IS_THERE { Table::new(&const { Table::part::<2198>(BYTES, 17908) }) } else { Table::EMPTY };
pub(super) static CORTEX_A710: Table = if IS_THERE { Table::new(&const { Table::part::<2312>(BYTES, 20106) }) } else { Table::EMPTY };
pub(super) static CORTEX_A65: Table = if IS_THERE { Table::new(&const { Table::part::<2188>(BYTES, 22418) }) } else { Table::EMPTY };
pub(super) static CORTEX_A520: Table = if IS_THERE { Table::new(&const { Table::part::<2800>(BYTES, 24606) }) } else { Table::EMPTY };
pub(super) static CORTEX_A715: Table = if IS_THERE { Table::new(&const { Table::part::<2318>(BYTES, 27406) }) } else { Table::EMPTY };
pub(super) static CORTEX_A720: Table = if IS_THERE { Table::new(&const { Table::part::<2960>(BYTES, 29724) }) } else { Table::EMPTY };
pub(super) static CORTEX_A725: Table = if IS_THERE { Table::new(&const { Table::part::<2987>(BYTES, 32684) }) } else { Table::EMPTY };
pub(super) static CORTEX_X3: Table = if IS_THERE { Table::new(&const { Table::part::<2377>(BYTES, 35671) }) } else { Table::EMPTY };
pub(super) static CORTEX_X4: Table = if IS_THERE { Table::new(&const { Table::part::<3750>(BYTES, 38048) }) } else { Table::EMPTY };
pub(super) static CORTEX_X925: Table = if IS_THERE { Table::new(&const { Table::part::<3674>(BYTES, 41798) }) } else { Table::EMPTY };
pub(super) static CORTEX_R82: Table = if IS_THERE { Table::new(&const { Table::part::<3295>(BYTES, 45472) }) } else { Table::EMPTY };
pub(super) static RAINIER: Table = if IS_THERE { Table::new(&const { Table::part::<2421>(BYTES, 48767) }) } else { Table::EMPTY };
pub(super) static NEOVERSE_N3: Table = if IS_THERE { Table::new(&const { Table::part::<3064>(BYTES, 51188) }) } else { Table::EMPTY };
pub(super) static NEOVERSE_V3: Table = if IS_THERE { Table::new(&const { Table::part::<3534>(BYTES, 54252) }) } else { Table::EMPTY };
pub(super) static NEOVERSE_N1: Table = if IS_THERE { Table::new(&const { Table::part::<1659>(BYTES, 57786) }) } else { Table::EMPTY };
pub(super) static NEOVERSE_V1: Table = if IS_THERE { Table::new(&const { Table::part::<2059>(BYTES, 59445) }) } else { Table::EMPTY };
pub(super) static A64FX: Table = if IS_THERE { Table::new(&const { Table::part::<3215>(BYTES, 61504) }) } else { Table::EMPTY };
pub(super) static AMPERE_ONE: Table = if IS_THERE { Table::new(&const { Table::part::<3679>(BYTES, 64719) }) } else { Table::EMPTY };
pub(super) static AMPERE_ONE_X: Table = if IS_THERE { Table::new(&const { Table::part::<4649>(BYTES, 68398) }) } else { Table::EMPTY };
pub(super) static EMAG: Table = if IS_THERE { Table::new(&const { Table::part::<1729>(BYTES, 73047) }) } else { Table::EMPTY };
pub(super) static MONAKA: Table = if IS_THERE { Table::new(&const { Table::part::<7858>(BYTES, 74776) }) } else { Table::EMPTY };
pub(super) static OLYMPUS: Table = if IS_THERE { Table::new(&const { Table::part::<7604>(BYTES, 82634) }) } else { Table::EMPTY };
pub(super) static THUNDER_X2: Table = if IS_THERE { Table::new(&const { Table::part::<2505>(BYTES, 90238) }) } else { Table::EMPTY };
pub(super) static TSV110: Table = if IS_THERE { Table::new(&const { Table::part::<1887>(BYTES, 92743) }) } else { Table::EMPTY };
pub(super) static LIBPFM_A64FX: Table = if IS_THERE { Table::new(&const { Table::part::<104>(BYTES, 94630) }) } else { Table::EMPTY };
pub(super) static LIBPFM_CORTEX_A53: Table = if IS_THERE { Table::new(&const { Table::part::<331>(BYTES, 94734) }) } else { Table::EMPTY };
pub(super) static LIBPFM_CORTEX_A55: Table = if IS_THERE { Table::new(&const { Table::part::<96>(BYTES, 95065) }) } else { Table::EMPTY };
pub(super) static LIBPFM_CORTEX_A57: Table = if IS_THERE { Table::new(&const { Table::part::<1212>(BYTES, 95161) }) } else { Table::EMPTY };
pub(super) static LIBPFM_CORTEX_A76: Table = if IS_THERE { Table::new(&const { Table::part::<72>(BYTES, 96373) }) } else { Table::EMPTY };
pub(super) static LIBPFM_CORTEX_X4: Table = if IS_THERE { Table::new(&const { Table::part::<99>(BYTES, 96445) }) } else { Table::EMPTY };
pub(super) static LIBPFM_NEOVERSE_N1: Table = if IS_THERE { Table::new(&const { Table::part::<220>(BYTES, 96544) }) } else { Table::EMPTY };
pub(super) static LIBPFM_NEOVERSE_N2: Table = if IS_THERE { Table::new(&const { Table::part::<290>(BYTES, 96764) }) } else { Table::EMPTY };
pub(super) static LIBPFM_NEOVERSE_V1: Table = if IS_THERE { Table::new(&const { Table::part::<224>(BYTES, 97054) }) } else { Table::EMPTY };
pub(super) static LIBPFM_NEOVERSE_V2: Table = if IS_THERE { Table::new(&const { Table::part::<270>(BYTES, 97278) }) } else { Table::EMPTY };
pub(super) static LIBPFM_XGENE: Table = if IS_THERE { Table::new(&const { Table::part::<1373>(BYTES, 97548) }) } else { Table::EMPTY };
