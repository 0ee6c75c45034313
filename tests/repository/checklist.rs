//! What a new family edits is in a checklist of CONTRIBUTING.md. It names the files that name LoongArch, which is the last
//! family that was added by it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::root;

/// The family's names, in small letters.
const NAMES: [&str; 3] = ["loongarch", "la64", "loongson"];
/// Its own folders and files have this in their paths.
const OWN: &str = "loongarch";
/// The checklist itself and this test.
const APART: [&str; 2] = ["CONTRIBUTING.md", "tests/repository/checklist.rs"];
/// The most files that a new family edits by hand.
const MOST: usize = 15;

/// Returns the paths between backquotes of the item that begins with `title`.
fn listed(title: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let (_, item) = text.split_once(&format!("    - {title}")).expect("the checklist has the item");
    let item = item.split("\n    - ").next().unwrap_or_default();
    let quoted = item.split('`').skip(1).step_by(2);
    quoted.filter(|quoted| root().join(quoted).is_file()).map(str::to_owned).collect()
}

/// Adds the files beneath a folder that name the family and are not its own.
fn naming(folder: &Path, into: &mut BTreeSet<String>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.strip_prefix(root()).unwrap().to_str().expect("paths are ASCII").to_owned();
        if name.contains(OWN) || name.ends_with("target") || name.starts_with(".git") || APART.contains(&name.as_str())
        {
            continue;
        }
        if path.is_dir() {
            naming(&path, into);
        } else if let Ok(text) = fs::read_to_string(&path)
            && NAMES.iter().any(|name| text.to_ascii_lowercase().contains(name))
        {
            into.insert(name);
        }
    }
}

#[test]
fn the_checklist_has_the_files_that_a_new_family_edits() {
    let mut found = BTreeSet::new();
    naming(root(), &mut found);
    let by_hand = listed("By hand");
    assert!((1..=MOST).contains(&by_hand.len()), "{by_hand:?}");
    let others = [listed("Written by commands"), listed("Where there is something to say")].into_iter().flatten();
    let listed: BTreeSet<_> = by_hand.into_iter().chain(others).collect();
    let missing: Vec<_> = found.difference(&listed).collect();
    assert!(missing.is_empty(), "not in the checklist: {missing:?}");
    // A family that programs can read is in these instead.
    let others = ["src/measure/user.rs", "tests/lending/families.rs"];
    let needless: Vec<_> = listed.difference(&found).filter(|name| !others.contains(&name.as_str())).collect();
    assert!(needless.is_empty(), "in the checklist, and they name no family: {needless:?}");
}
