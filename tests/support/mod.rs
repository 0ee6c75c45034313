//! What several suites have alike: processors on the host, registers that keep what is written to them, and guests that do
//! anything at all. The fuzz targets and the oracles read this folder too.

#![allow(dead_code, unused_imports, unused_macros, reason = "each suite uses a part of it")]

pub(crate) mod bare;
pub(crate) mod chance;
pub(crate) mod choices;
pub(crate) mod effort;
pub(crate) mod families;
pub(crate) mod file;
pub(crate) mod hostile;
pub(crate) mod line;
pub(crate) mod machine;
pub(crate) mod memory;
pub(crate) mod put;
pub(crate) mod registers;
pub(crate) mod rules;
pub(crate) mod work;
