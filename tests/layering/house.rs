//! What rooms does the house have, and which names lead from one to another?

use std::collections::{BTreeMap, BTreeSet};

use crate::paths::{Mention, Path, mentions};
use crate::source::Source;

/// All sources of the library, and what must be known of all to judge one.
pub(crate) struct House {
    pub(crate) sources: Vec<Source>,
    /// A name that a module imports, and so may export: the path that it stands for.
    names: BTreeMap<Path, Path>,
}

impl House {
    pub(crate) fn open() -> Self {
        let sources = [Source::below("src"), Source::below("arch")].into_iter().flatten().collect::<Vec<_>>();
        let imports = sources.iter().flat_map(mentions).filter(|mention| mention.is_import);
        Self { names: imports.filter_map(name).collect(), sources }
    }

    /// The families of an instruction set: its folders.
    pub(crate) fn families(&self, isa: &str) -> impl Iterator<Item = String> {
        let folder = |source: &Source| match source.words()[..] {
            ["arch", set, family, _, ..] if set == isa => Some(family.to_owned()),
            _ => None,
        };
        self.sources.iter().filter_map(folder).collect::<BTreeSet<_>>().into_iter()
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

/// The name that an import gives to a path, unless they are the same or the name leads to itself.
fn name(import: Mention) -> Option<(Path, Path)> {
    let own = import.within.iter().chain(import.path.last()).cloned().collect::<Path>();
    (!import.path.starts_with(&own)).then_some((own, import.path))
}
