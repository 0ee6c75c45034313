//! Prints packed tables as Rust.

use std::fmt::Write as _;

use super::Table;

/// The widest line of bytes.
const WIDTH: usize = 110;

/// Returns the file with these tables, where `library` is the path of the library. If there is a feature, the tables have no
/// events without it.
pub(super) fn tables_in_rust(library: &str, feature: Option<&str>, tables: &[Table]) -> String {
    let (condition, otherwise) = feature.map_or_else(Default::default, |feature| {
        (format!("if cfg!(not(feature = \"{feature}\")) {{ Table::EMPTY }} else {{ "), " }")
    });
    let mut text = format!(
        "//! The tables of events as bytes. `cargo xtask events generate` writes them from the text files: edit those.\n\n\
         use {library}::catalogue::Table;\n"
    );
    for Table { name, bytes } in tables {
        write!(text, "\npub(super) static {name}: Table = {condition}Table::new(\n    b\"")
            .expect("a string takes everything");
        print_bytes(&mut text, bytes);
        write!(text, "\",\n){otherwise};\n").expect("a string takes everything");
    }
    text
}

/// Prints bytes as the inside of a literal. A line that ends with a backslash goes on with the next one's first byte.
fn print_bytes(text: &mut String, bytes: &[u8]) {
    let mut width = 0;
    for byte in bytes {
        let byte = match byte {
            // A blank would be left out at the beginning of a line.
            b' ' => "\\x20".to_owned(),
            byte => byte.escape_ascii().to_string(),
        };
        if width + byte.len() > WIDTH {
            *text += "\\\n      ";
            width = 0;
        }
        width += byte.len();
        *text += &byte;
    }
}
