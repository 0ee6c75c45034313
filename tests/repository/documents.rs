//! The documents lead to files that exist, and neither they nor the sources are too long to be read.

use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

const DOCUMENTS: [&str; 8] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/verification.md",
    "docs/figures.md",
    "docs/tables.md",
    "rtl/README.md",
];
/// Folders with sources, and none that a build has written.
const SOURCES: [&str; 11] =
    ["src", "arch", "tests", "xtask", "kernel-test", "examples", "hypervisor", "fuzz", "benches", "oracles", "rtl"];

/// Returns the targets of a text's links to files.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://"))
}

/// Returns the Rust sources beneath a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let entries = entries.filter(|path| !path.ends_with("target"));
    let is_source = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).filter(is_source).collect()
}

#[test]
fn the_links_of_the_documents_lead_to_files() {
    for name in DOCUMENTS {
        let document = root().join(name);
        let text = fs::read_to_string(&document).unwrap();
        for target in links(&text) {
            assert!(document.parent().unwrap().join(target).exists(), "{name} leads to {target}");
        }
    }
    assert_eq!(links("[a](b.md) [c](https://d) [e](#f) [g](h.md#i)").collect::<Vec<_>>(), ["b.md", "h.md"]);
}

#[test]
fn the_readme_is_read_in_one_sitting() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(
        text.lines().count() <= 200 && text.len() <= 12_000,
        "{} lines, {} bytes",
        text.lines().count(),
        text.len()
    );
}

#[test]
fn a_source_that_people_edit_has_at_most_400_lines() {
    let files: Vec<_> = SOURCES.iter().flat_map(|folder| sources(&root().join(folder))).collect();
    assert!(files.len() > 1000, "{} sources were found", files.len());
    for file in &files {
        let lines = fs::read_to_string(file).unwrap().lines().count();
        assert!(lines <= 400, "{} has {lines} lines", file.display());
    }
}
