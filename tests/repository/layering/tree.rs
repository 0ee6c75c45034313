//! The module tree: the families of processors, and the names that modules import.

use std::collections::{BTreeMap, BTreeSet};

use crate::layering::paths::{Mention, Path, mentions};
use crate::layering::source::Source;

/// What the rules need to know of all sources of the library.
pub(crate) struct Tree {
    /// The families, each after its instruction set.
    families: BTreeSet<[String; 2]>,
    /// The names that modules import and may export, with the paths that they stand for.
    names: BTreeMap<Path, Path>,
}

impl Tree {
    pub(crate) fn of(sources: &[Source]) -> Self {
        let imports = sources.iter().flat_map(mentions).filter(|mention| mention.is_import);
        Self { families: sources.iter().filter_map(family).collect(), names: imports.filter_map(name).collect() }
    }

    /// Returns the families of an instruction set: its folders with a driver.
    pub(crate) fn families(&self, isa: &str) -> impl Iterator<Item = &str> {
        self.families.iter().filter(move |[set, _]| set == isa).map(|[_, family]| family.as_str())
    }

    /// Resolves the imported names in a path.
    pub(crate) fn resolve(&self, path: &Path) -> Path {
        for length in (1..=path.len()).rev() {
            if let Some(target) = self.names.get(&path[..length]) {
                return self.resolve(&target.iter().chain(&path[length..]).cloned().collect());
            }
        }
        path.clone()
    }

    /// Returns the paths that a source mentions, each resolved and as it is written.
    pub(crate) fn mentioned(&self, source: &Source) -> Vec<(Path, Path)> {
        mentions(source).into_iter().map(|mention| (self.resolve(&mention.path), mention.path)).collect()
    }
}

/// Returns the family whose driver a source is, and its instruction set.
fn family(source: &Source) -> Option<[String; 2]> {
    match source.words()[..] {
        ["arch", set, family, "driver"] => Some([set, family].map(str::to_owned)),
        _ => None,
    }
}

/// Returns the name that an import gives to a path, unless they are the same or the name leads to itself.
fn name(import: Mention) -> Option<(Path, Path)> {
    let own = import.within.iter().chain(import.path.last()).cloned().collect::<Path>();
    (!import.path.starts_with(&own)).then_some((own, import.path))
}
