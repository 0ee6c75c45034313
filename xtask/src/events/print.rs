//! Prints where each packed table lies, as Rust.

use std::fmt::Write as _;

use super::Table;

/// Returns the file that names these tables, where `library` is the path of the library. If there is a feature, the tables have
/// no events without it.
pub(super) fn tables_in_rust(library: &str, feature: Option<&str>, tables: &[Table]) -> String {
    let mut text = format!(
        "//! Where each table of events lies in `tables.bin`. `cargo xtask events generate` writes both files from the text files:\n\
         //! edit those.\n\n\
         use {library}::catalogue::Table;\n\n\
         const BYTES: &[u8] = include_bytes!(\"tables.bin\");\n"
    );
    let (mut condition, mut otherwise) = ("", "");
    if let Some(feature) = feature {
        writeln!(text, "const IS_THERE: bool = cfg!(feature = \"{feature}\");").expect("a string takes everything");
        (condition, otherwise) = ("if IS_THERE { ", " } else { Table::EMPTY }");
    }
    let mut at = 0;
    for Table { name, bytes } in tables {
        let length = bytes.len();
        write!(
            text,
            "\npub(super) static {name}: Table = {condition}Table::new(&const {{ Table::part::<{length}>(BYTES, {at}) }}){otherwise};"
        )
        .expect("a string takes everything");
        at += length;
    }
    text + "\n"
}
