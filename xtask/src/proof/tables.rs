//! Proves which tables of events a program has: none if constants name its events, one processor's if its catalogue does.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::events;

/// Check that a linked program has these tables of the library and no other.
///
/// # Errors
/// The file or a text of the tables cannot be read, or the program has other tables.
pub(super) fn check(path: &Path, expected: &[&str]) -> Result<()> {
    let program = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut found = events::packed()?;
    found.retain(|(_, table)| program.windows(table.len()).any(|bytes| bytes == table));
    let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
    ensure!(names == expected, "it has the tables {names:?}");
    Ok(())
}
