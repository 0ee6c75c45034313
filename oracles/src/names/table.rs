//! The table of `docs/names.md`: a section for each list, with a line for each of its processors.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::{Compared, Verdict};

const HEAD: &str = "\
| processor | names | known | agree | differ, with a reason | refused, with a reason | of these to be mended |
|---|---|---|---|---|---|---|
";
/// How the reason of a name begins that is still to be mended.
const OPEN: &str = "open:";

/// Names by list.
type Lists = [(&'static str, Vec<Compared>)];

/// Returns true if each name agrees or has a reason.
pub(super) fn is_good(lists: &Lists) -> bool {
    lists.iter().flat_map(|(_, names)| names).all(|name| !lacks_reason(name))
}

fn lacks_reason(name: &Compared) -> bool {
    name.verdict != Verdict::Agrees && name.reason.is_none()
}

/// Returns what is printed: the tables, and each name without a reason.
pub(super) fn show(lists: &Lists) -> String {
    let mut text = String::new();
    for (list, names) in lists {
        write!(text, "\n## {list}\n\n{}\n", rows(names)).expect("a string takes everything");
        for Compared { processor, name, verdict, .. } in names.iter().filter(|name| lacks_reason(name)) {
            writeln!(text, "without a reason: {list} {processor} {name}: {verdict:?}")
                .expect("a string takes everything");
        }
    }
    text
}

/// Returns the rows of a list.
fn rows(names: &[Compared]) -> String {
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for name in names {
        let at = match name.verdict {
            Verdict::Agrees => 0,
            Verdict::Differs(_) => 1,
            Verdict::Refused(_) | Verdict::Otherwise(_) | Verdict::Unlisted(_) => 2,
        };
        let count = counts.entry(&name.processor).or_default();
        count[at] += 1;
        count[3] += usize::from(name.reason.as_ref().is_some_and(|reason| reason.starts_with(OPEN)));
    }
    let sum = counts.values().fold([0; 4], |sum, count| std::array::from_fn(|at| sum[at] + count[at]));
    let rows: String = counts.into_iter().map(|(processor, count)| row(processor, count)).collect();
    format!("{HEAD}{rows}{}", row("all", sum))
}

fn row(processor: &str, [agree, differ, refused, open]: [usize; 4]) -> String {
    let known = agree + differ;
    format!("| {processor} | {} | {known} | {agree} | {differ} | {refused} | {open} |\n", known + refused)
}

/// Compares the tables with those of the guide, or writes them there. Returns the lists whose table is another.
///
/// # Errors
/// The guide has no section for a list.
pub(super) fn settle(lists: &Lists, writes: bool) -> Result<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/names.md");
    let guide = fs::read_to_string(&path)?;
    let (mut renewed, mut different) = (guide.clone(), String::new());
    for (list, names) in lists {
        let head = format!("## {list}\n");
        let (before, section) =
            renewed.split_once(&head).with_context(|| format!("docs/names.md has no section {list}"))?;
        let (section, after) = section.split_at(section.find("\n## ").unwrap_or(section.len()));
        let prose = section.split_once("\n| ").map_or(section.trim_end(), |(prose, _)| prose.trim_end());
        let section = format!("{before}{head}{prose}\n\n{}{after}", rows(names));
        if section != renewed {
            writeln!(different, "docs/names.md has another table of {list}: cargo xtask names --write")
                .expect("a string");
        }
        renewed = section;
    }
    if writes {
        fs::write(&path, renewed).with_context(|| format!("cannot write {}", path.display()))?;
        different.clear();
    }
    Ok(different)
}
