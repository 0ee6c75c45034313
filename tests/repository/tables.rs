//! The rows of the tables of events are those that were compared with their sources.
//!
//! A wrong code or counter in a row counts something else, or nothing, and no device says so. `tables.txt` has a fingerprint of
//! each file with rows: a row that changes is noticed, and is to be compared with the source that the file names.

use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

/// The folders of the library's families, and of a kernel's own tables.
const FOLDERS: [&str; 2] = ["arch", "kernel-test/x86/src"];

/// Returns the files with rows below a folder: those in a folder `catalogue`, text and Rust.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    all.filter(|path| has_rows(path)).collect()
}

fn has_rows(path: &Path) -> bool {
    let is_of_a_catalogue = path.components().any(|part| part.as_os_str() == "catalogue");
    let only_names_files = path.file_name().is_some_and(|name| name == "tables.rs" || name == "presets.rs");
    is_of_a_catalogue && !only_names_files && path.extension().is_some_and(|it| it == "txt" || it == "rs")
}

/// Returns FNV-1a's 64 bits of a file's words. Comments and columns do not count.
fn fingerprint(text: &str) -> u64 {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with(['#', '/']));
    let bytes = lines.flat_map(str::split_whitespace).flat_map(|word| word.bytes().chain([b' ']));
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// Each file by its path in the repository, with its text, sorted.
fn all() -> Vec<(PathBuf, String)> {
    let paths = FOLDERS.iter().flat_map(|folder| files(&root().join(folder)));
    let mut all: Vec<_> = paths.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect();
    all.iter_mut().for_each(|(path, _)| *path = path.strip_prefix(root()).unwrap().to_owned());
    all.sort();
    all
}

#[test]
fn each_row_of_a_table_of_events_is_the_one_that_was_compared_with_its_source() {
    let list = root().join("tests/repository/tables.txt");
    let compared = fs::read_to_string(&list).unwrap_or_default();
    let lines = all().into_iter().map(|(path, text)| format!("{} {:016x}\n", path.display(), fingerprint(&text)));
    let lines: Vec<_> = lines.collect();
    let renewed = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables.txt");
    fs::write(&renewed, lines.concat()).unwrap();
    let changed: String =
        lines.iter().filter(|line| !compared.lines().any(|known| known == line.trim_end())).cloned().collect();
    let (renewed, list) = (renewed.display(), list.display());
    assert!(
        changed.is_empty(),
        "compare these with the sources that they name, then copy {renewed} to {list}:\n{changed}"
    );
    assert_eq!(lines.len(), compared.lines().count(), "a file is gone: copy {renewed} to {list}");
}

#[test]
fn a_row_with_another_code_or_counter_is_noticed_and_one_with_another_comment_is_not() {
    let row = fingerprint("# perfmon\nLLC_MISSES 0x412E 0-3\n");
    assert_ne!(row, fingerprint("# perfmon\nLLC_MISSES 0x412F 0-3\n"));
    assert_ne!(row, fingerprint("# perfmon\nLLC_MISSES 0x412E 0-1\n"));
    assert_eq!(row, fingerprint("# intel/perfmon\nLLC_MISSES  0x412E  0-3\n"));
}
