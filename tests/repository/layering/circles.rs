//! Finds modules that import each other in a circle, so that none can be read before the others.
//!
//! A module and its submodules are one module here.

use std::collections::{BTreeMap, BTreeSet};

use crate::layering::paths::{Path, mentions};
use crate::layering::source::Source;

/// The imports between sibling modules.
type Graph = BTreeMap<Path, BTreeSet<Path>>;

/// Returns the modules that are in circles or between two of them, each with those that it mentions.
pub(crate) fn circles(sources: &[Source]) -> Vec<String> {
    let mut graph = graph(sources);
    while let Some(leaf) = graph.iter().find(|(_, spoken)| spoken.is_empty()).map(|(module, _)| module.clone()) {
        graph.remove(&leaf);
        graph.values_mut().for_each(|spoken| _ = spoken.remove(&leaf));
    }
    graph.iter().map(|(module, spoken)| format!("{}: {}", module.join("::"), names(spoken))).collect()
}

fn names(modules: &BTreeSet<Path>) -> String {
    modules.iter().map(|module| module.join("::")).collect::<Vec<_>>().join(", ")
}

fn graph(sources: &[Source]) -> Graph {
    let modules: BTreeSet<Path> = sources.iter().map(Source::module).collect();
    let mut graph = Graph::new();
    for mention in sources.iter().flat_map(mentions) {
        if let Some((from, to)) = neighbours(&mention.within, module_of(&modules, &mention.path)) {
            graph.entry(to.clone()).or_default();
            graph.entry(from).or_default().insert(to);
        }
    }
    graph
}

/// Returns the module in which this path ends.
fn module_of<'p>(modules: &BTreeSet<Path>, path: &'p Path) -> &'p [String] {
    let lengths = (0..=path.len()).rev();
    lengths.map(|length| &path[..length]).find(|prefix| modules.contains(*prefix)).unwrap_or_default()
}

/// Returns the siblings in which two modules are; none if one is in the other.
fn neighbours(from: &[String], to: &[String]) -> Option<(Path, Path)> {
    let common = from.iter().zip(to).take_while(|(one, other)| one == other).count();
    let is_apart = from.len() > common && to.len() > common;
    is_apart.then(|| (from[..=common].to_vec(), to[..=common].to_vec()))
}
