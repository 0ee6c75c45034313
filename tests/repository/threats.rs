//! The threat model names a test for each threat, and the tests exist.

use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

/// Returns the sources beneath a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

#[test]
fn each_threat_has_a_test_that_exists() {
    let model = fs::read_to_string(root().join("src/virt.rs")).unwrap();
    let rows = model.lines().filter_map(|line| line.strip_prefix("//! | ")).skip(1);
    let tests: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    assert_eq!(tests.len(), model.lines().filter(|line| line.starts_with("//! | ")).count() - 1);
    let files = sources(&root().join("tests"));
    let files = files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let text: String = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    for test in tests {
        assert!(text.contains(&format!("#[test]\nfn {test}()")), "{test}");
    }
}
