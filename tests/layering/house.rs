//! What rooms does the house have, and which names lead from one to another?

use std::collections::{BTreeMap, BTreeSet};

use crate::paths::{Mention, Path, mentions};
use crate::source::Source;

/// What must be known of all sources of the library to judge one.
pub(crate) struct House {
    /// The families, each behind its instruction set.
    families: BTreeSet<[String; 2]>,
    /// A name that a module imports, and so may export: the path that it stands for.
    names: BTreeMap<Path, Path>,
}

impl House {
    pub(crate) fn of(sources: &[Source]) -> Self {
        let imports = sources.iter().flat_map(mentions).filter(|mention| mention.is_import);
        Self { families: sources.iter().filter_map(family).collect(), names: imports.filter_map(name).collect() }
    }

    /// The families of an instruction set: its folders with a driver.
    pub(crate) fn families(&self, isa: &str) -> impl Iterator<Item = &str> {
        self.families.iter().filter(move |[set, _]| set == isa).map(|[_, family]| family.as_str())
    }

    /// Where a path really leads, if names on the way stand for something else.
    pub(crate) fn resolve(&self, path: &Path) -> Path {
        for length in (1..=path.len()).rev() {
            if let Some(target) = self.names.get(&path[..length]) {
                return self.resolve(&target.iter().chain(&path[length..]).cloned().collect());
            }
        }
        path.clone()
    }

    /// What a source speaks of, each path as it is written and where it leads.
    pub(crate) fn mentioned(&self, source: &Source) -> Vec<(Path, Path)> {
        mentions(source).into_iter().map(|mention| (self.resolve(&mention.path), mention.path)).collect()
    }
}

/// The family whose driver a source is, and its instruction set.
fn family(source: &Source) -> Option<[String; 2]> {
    match source.words()[..] {
        ["arch", set, family, "driver"] => Some([set, family].map(str::to_owned)),
        _ => None,
    }
}

/// The name that an import gives to a path, unless they are the same or the name leads to itself.
fn name(import: Mention) -> Option<(Path, Path)> {
    let own = import.within.iter().chain(import.path.last()).cloned().collect::<Path>();
    (!import.path.starts_with(&own)).then_some((own, import.path))
}
