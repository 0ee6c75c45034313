//! `cargo xtask api`: the library's public paths, and what the names mean that recur in them, compared with
//! `docs/public-api.txt`.
//!
//! A path is what a user can write: a name that is exported twice is two of them. rustdoc lists the items, as docs.rs
//! builds it, with the instructions of every architecture and with what is `#[doc(hidden)]`. Associated items are no paths;
//! their constants are counted. The list is that of x86-64: `pmu::arch` itself has the driver of the host's processor.

mod recurring;
mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::tally::Tally;
use crate::toolchain::host_cargo;
use crate::{place, process};
use walk::Api;

/// Prints the public paths and how they differ from the file, or writes the file.
///
/// # Errors
/// rustdoc fails, or its answer cannot be read. A difference is an exit code.
pub(crate) fn run(writes: bool) -> Result<ExitCode> {
    let api = read()?;
    let list = list(&api)?;
    print!("{list}{}", counts(&api));
    if writes {
        let path = place::public_api();
        fs::write(&path, &list).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let difference = difference(&listed()?, &list);
    print!("{difference}");
    Ok(if difference.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compares the public paths with the file. The tally has a failure if they differ.
///
/// # Errors
/// rustdoc fails, or its answer cannot be read.
pub(crate) fn check() -> Result<Tally> {
    let difference = difference(&listed()?, &list(&read()?)?);
    if difference.is_empty() {
        return Ok(Tally::pass());
    }
    print!("{difference}");
    Ok(Tally::failure("public paths: cargo xtask api --write".to_owned()))
}

/// Asks rustdoc for the items.
fn read() -> Result<Api> {
    let mut cargo = host_cargo();
    cargo.current_dir(place::root()).env("RUSTC_BOOTSTRAP", "1");
    cargo.args(["rustdoc", "-p", "pmu", "--lib", "--", "-Zunstable-options", "--output-format=json", "--cfg=docsrs"]);
    cargo.arg("--document-hidden-items");
    let outcome = process::run(&mut cargo)?;
    ensure!(outcome.succeeded, "rustdoc fails:\n{}", outcome.complaint());
    let path = place::target().join("doc/pmu.json");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Api::of(&serde_json::from_str(&text)?)
}

fn listed() -> Result<String> {
    let path = place::public_api();
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// Returns the lines that only one of two texts has, each with a sign.
fn difference(listed: &str, found: &str) -> String {
    let [listed, found] = [listed, found].map(|text| text.lines().collect::<BTreeSet<_>>());
    let gone = listed.difference(&found).map(|line| format!("- {line}\n"));
    gone.chain(found.difference(&listed).map(|line| format!("+ {line}\n"))).collect()
}

/// Returns what the file has: the public paths, and the names that recur among them.
fn list(api: &Api) -> Result<String> {
    Ok(format!("{}\n{}", api.lines(), recurring::lines(api, recurring::MEANINGS)?))
}

/// Returns how many paths there are, by kind.
fn counts(api: &Api) -> String {
    let mut kinds = BTreeMap::<_, usize>::new();
    api.paths.iter().for_each(|(_, kind)| *kinds.entry(kind).or_default() += 1);
    let kinds: Vec<_> = kinds.into_iter().map(|(kind, number)| format!("{kind} {number}")).collect();
    format!(
        "{} paths ({}), beside them {} associated constants\n",
        api.paths.len(),
        kinds.join(", "),
        api.associated_constants
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_says_what_is_gone_and_what_is_new() {
        assert_eq!(difference("a struct\nb enum\n", "b enum\nc trait\n"), "- a struct\n+ c trait\n");
        assert_eq!(difference("a struct\n", "a struct\n"), "");
    }

    fn api() -> Api {
        let paths = [("pmu::Line", "struct"), ("pmu::arch::Line", "enum"), ("pmu::line", "function")];
        Api { paths: paths.map(|(path, kind)| (path.to_owned(), kind.to_owned())).into(), associated_constants: 2 }
    }

    #[test]
    fn a_name_that_recurs_is_listed_with_its_paths_and_what_it_means() {
        let lines = recurring::lines(&api(), &[("Line", "a line")]).unwrap();
        assert_eq!(lines, "Line is 2 paths: a line\n");
        assert_eq!(counts(&api()), "3 paths (enum 1, function 1, struct 1), beside them 2 associated constants\n");
    }

    #[test]
    fn a_name_that_recurs_without_a_meaning_and_a_meaning_without_a_name_are_refused() {
        let refusal = |meanings: &[(&str, &str)]| recurring::lines(&api(), meanings).unwrap_err().to_string();
        assert!(refusal(&[]).starts_with("2 public paths end in Line: "));
        assert!(refusal(&[("Line", "a line"), ("Page", "a page")]).contains(" says what Page means, "));
    }
}
