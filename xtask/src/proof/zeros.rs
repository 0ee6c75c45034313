//! Checks that a static table of units takes no space in a kernel's image.
//!
//! An unclaimed unit is all zeros, so the linker puts it into `.bss`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};

/// Check that each static unit of a linked program is in a section without contents.
///
/// # Errors
/// The file cannot be read or is no ELF file; there is no static unit in it; or one has contents.
pub(super) fn check(path: &Path) -> Result<()> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file = object::File::parse(&*bytes).with_context(|| format!("{} is no ELF file", path.display()))?;
    let mut units = 0;
    for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Data) {
        let name = rustc_demangle::demangle(symbol.name()?).to_string();
        let Some(section) = symbol.section_index().filter(|_| name.ends_with("::UNIT")) else { continue };
        let kind = file.section_by_index(section)?.kind();
        ensure!(kind == SectionKind::UninitializedData, "{name} has {} bytes of contents", symbol.size());
        units += 1;
    }
    ensure!(units > 0, "the program has no static unit");
    Ok(())
}
