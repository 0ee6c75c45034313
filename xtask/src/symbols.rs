//! Finds the function at an address, by the symbol table of the ELF file that runs.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use object::{Object, ObjectSymbol, SymbolKind};

/// The functions of a program, by address.
#[derive(Default)]
pub(crate) struct Symbols {
    functions: Vec<Function>,
}

/// A function's name and where its code begins.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Function {
    pub(crate) address: u64,
    pub(crate) name: String,
}

impl Symbols {
    /// Read the symbols of an ELF file.
    ///
    /// # Errors
    /// The file cannot be read or is no ELF file.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = object::File::parse(&*bytes).with_context(|| format!("{} is no ELF file", path.display()))?;
        Ok(Self::of(&file))
    }

    /// Parse the symbols of an ELF file in memory.
    pub(crate) fn of(file: &object::File) -> Self {
        Self::from_iter(file.symbols().filter(is_code).filter_map(|symbol| {
            let name = symbol.name().ok().filter(|name| !name.is_empty())?;
            Some(Function { address: symbol.address(), name: readable(name) })
        }))
    }

    /// Returns the function of an address: the last one that begins at or before it.
    pub(crate) fn at(&self, address: u64) -> Option<&Function> {
        let after = self.functions.partition_point(|function| function.address <= address);
        after.checked_sub(1).map(|before| &self.functions[before])
    }

    /// Returns the functions whose names are selected.
    pub(crate) fn named(&self, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(move |function| is_wanted(&function.name))
    }
}

impl FromIterator<Function> for Symbols {
    fn from_iter<T: IntoIterator<Item = Function>>(functions: T) -> Self {
        let mut functions: Vec<_> = functions.into_iter().collect();
        functions.sort();
        Self { functions }
    }
}

/// Returns true for functions, and for labels of assembly in sections of code, which have no type.
fn is_code<'data>(symbol: &impl ObjectSymbol<'data>) -> bool {
    symbol.is_definition() && symbol.kind() == SymbolKind::Text || is_label(symbol)
}

fn is_label<'data>(symbol: &impl ObjectSymbol<'data>) -> bool {
    symbol.is_global() && symbol.kind() == SymbolKind::Label
}

/// Returns the name in the source, without the hash.
fn readable(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols() -> Symbols {
        [(0x20, "b"), (0x10, "a")].map(|(address, name)| Function { address, name: name.into() }).into_iter().collect()
    }

    #[test]
    fn an_address_belongs_to_the_function_that_begins_before_it() {
        let names = [0x10, 0x1f, 0x20, 0x999].map(|address| symbols().at(address).unwrap().name.clone());
        assert_eq!(names, ["a", "a", "b", "b"]);
    }

    #[test]
    fn an_address_before_all_functions_has_no_name() {
        assert_eq!(symbols().at(0xf), None);
    }

    #[test]
    fn names_are_shown_as_the_source_has_them() {
        assert_eq!(readable("_ZN4core9panicking5panic17h0123456789abcdefE"), "core::panicking::panic");
    }
}
