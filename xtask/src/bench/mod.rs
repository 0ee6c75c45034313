//! What does the driver cost, and what is that compared with?
//!
//! The kernel measures itself in its own instructions and prints
//! ```text
//! figure <name> <value> <unit> <how>
//! ```
//! where how says in what way the code was reached: inline, called, interrupted. What is weighed instead, in bytes, is
//! linked here. Each figure is printed beside what it shall reach and what it is compared with, whether it does or not.

mod known;
mod text;

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::identity::Identity;
use crate::kernel::{self, Image, Kernel};
use crate::table::{Align, Table};
use known::Known;

/// One figure, as it was measured.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Figure {
    name: String,
    value: u64,
    unit: String,
    how: String,
}

/// Run the bench and print its figures in columns, one `figure` a line.
///
/// # Errors
/// The bench does not measure this processor's driver; the kernel or a program that is weighed cannot be built; the kernel fails, or prints no figure.
pub(crate) fn run(identity: Identity) -> Result<ExitCode> {
    ensure!(
        identity.is_measured(),
        "of x86's drivers the bench measures Intel's; choose one of Intel's processors, not {identity}"
    );
    let mut figures = Vec::new();
    kernel::have(identity)?.hear(identity, "run=bench", |line| hear(line, &mut figures))?;
    ensure!(!figures.is_empty(), "the kernel printed no figure");
    if identity.kernel() == Kernel::X86 {
        figures.extend(text::figures()?);
    }
    figures.sort_by_key(|figure| known::rank(&figure.name));
    print!("{}\n{}", table(&figures), summary(&figures));
    Ok(ExitCode::SUCCESS)
}

/// Boot this image's bench: does it measure what the kernel can?
///
/// # Errors
/// It does not.
pub(crate) fn prove(image: &Image, identity: Identity) -> Result<()> {
    let mut figures = Vec::new();
    image.hear(identity, "run=bench", |line| hear(line, &mut figures))?;
    ensure!(!figures.is_empty(), "the kernel printed no figure");
    Ok(())
}

fn hear(line: &str, figures: &mut Vec<Figure>) {
    match figure(line) {
        Some(figure) => figures.push(figure),
        None => eprintln!("kernel: {line}"),
    }
}

fn figure(line: &str) -> Option<Figure> {
    let mut words = line.split_whitespace();
    words.next().filter(|word| *word == "figure")?;
    let (name, value) = (words.next()?.to_owned(), words.next()?.parse().ok()?);
    Some(Figure { name, value, unit: words.next()?.to_owned(), how: words.next()?.to_owned() })
}

fn table(figures: &[Figure]) -> Table {
    let mut table = Table::new([
        ("", Align::Left),
        ("name", Align::Left),
        ("value", Align::Right),
        ("unit", Align::Left),
        ("how", Align::Left),
        ("target", Align::Right),
        ("", Align::Left),
        ("compared with", Align::Left),
    ]);
    for figure in figures {
        let known = Known::of(&figure.name);
        let target = known.target.map_or_else(|| "-".into(), |target| target.to_string());
        let cells = [figure.name.clone(), figure.value.to_string(), figure.unit.clone(), figure.how.clone()];
        let [name, value, unit, how] = cells;
        let verdict = verdict(figure).to_owned();
        table.row(["figure".into(), name, value, unit, how, target, verdict, known.beside(figure.value)]);
    }
    table
}

/// Does it reach its target?
fn verdict(figure: &Figure) -> &'static str {
    match Known::of(&figure.name).target {
        Some(target) if figure.value <= target => "reached",
        Some(_) => "MISSED",
        None => "",
    }
}

fn summary(figures: &[Figure]) -> String {
    let number = |wanted: &str| figures.iter().filter(|figure| verdict(figure) == wanted).count();
    let is_measured = |name: &str| figures.iter().any(|figure| figure.name == name);
    let is_another_kernels = |name: &str| !figures.iter().any(|figure| family(&figure.name) == family(name));
    let unmeasured: Vec<_> = known::names().filter(|name| !is_measured(name) && !is_another_kernels(name)).collect();
    let mut text = format!("{} targets reached, {} missed", number("reached"), number("MISSED"));
    if !unmeasured.is_empty() {
        text += &format!(", {} not measured: {}", unmeasured.len(), unmeasured.join(", "));
    }
    text + "\n"
}

/// What a figure's name begins with.
fn family(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Figure {
        figure(line).unwrap()
    }

    #[test]
    fn a_figure_is_read() {
        let figure = read("figure x86.read.narrow.1 6 instructions inline");
        assert_eq!((figure.name.as_str(), figure.value, figure.how.as_str()), ("x86.read.narrow.1", 6, "inline"));
    }

    #[test]
    fn other_lines_are_no_figure() {
        assert_eq!(figure("unit Intel"), None);
        assert_eq!(figure("figure x86.read.narrow.1 many instructions inline"), None);
    }

    #[test]
    fn a_figure_that_misses_its_target_is_shown_as_it_is() {
        let figures = [read("figure x86.read.narrow.1 6 i inline"), read("figure x86.read.narrow.4 33 i inline")];
        let text = table(&figures).to_string();
        assert!(text.contains("6  i     inline       8  reached"), "{text}");
        assert!(text.contains("33  i     inline      32  MISSED"), "{text}");
    }

    #[test]
    fn what_was_not_measured_is_named() {
        let text = summary(&[read("figure x86.read.narrow.1 6 i inline")]);
        assert!(text.starts_with("1 targets reached, 0 missed, "), "{text}");
        assert!(text.contains("x86.text.sampling") && !text.contains("x86.read.narrow.1"), "{text}");
        assert!(!text.contains("aarch64"), "another kernel's is not missing: {text}");
    }
}
