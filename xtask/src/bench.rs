//! What does the driver cost, and what is that compared with?
//!
//! The kernel measures itself in its own instructions and prints
//! ```text
//! figure <name> <value> <unit> <peer...>
//! ```
//! where the peer, to the line's end, is what the figure is compared with.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::identity::Identity;
use crate::kernel;
use crate::table::{Align, Table};

/// Run the bench and print its figures in columns, still one `figure` a line.
///
/// # Errors
/// The kernel cannot be built or booted, fails, or prints no figure.
pub(crate) fn run(identity: Identity) -> Result<ExitCode> {
    let mut figures = Vec::new();
    kernel::hear(&format!("run=bench identity={identity}"), |line| match figure(line) {
        Some(figure) => figures.push(figure),
        None => eprintln!("kernel: {line}"),
    })?;
    if figures.is_empty() {
        bail!("the kernel printed no figure");
    }
    print!("{}", table(figures));
    Ok(ExitCode::SUCCESS)
}

fn table(figures: Vec<[String; 5]>) -> Table {
    let mut table = Table::new([
        ("", Align::Left),
        ("name", Align::Left),
        ("value", Align::Right),
        ("unit", Align::Left),
        ("compared with", Align::Left),
    ]);
    figures.into_iter().for_each(|figure| table.row(figure));
    table
}

fn figure(line: &str) -> Option<[String; 5]> {
    let mut words = line.splitn(5, ' ');
    let keyword = words.next().filter(|word| *word == "figure")?;
    let cells = [keyword, words.next()?, words.next()?, words.next()?, words.next().unwrap_or("")];
    Some(cells.map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_keeps_its_peer_whole() {
        let cells = figure("figure read-two 14 instructions two bare rdpmc: 6").unwrap();
        assert_eq!(cells[1..4], ["read-two", "14", "instructions"]);
        assert_eq!(cells[4], "two bare rdpmc: 6");
    }

    #[test]
    fn other_lines_are_no_figure() {
        assert_eq!(figure("unit Intel"), None);
    }
}
