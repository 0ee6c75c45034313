//! The walk over the public paths, in rustdoc's JSON.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// What a user of the library can name.
pub(super) struct Api {
    /// Each path with its kind, sorted.
    pub(super) paths: BTreeSet<(String, String)>,
    /// The associated constants of the types that have a path.
    pub(super) associated_constants: usize,
}

impl Api {
    /// Reads rustdoc's answer.
    pub(super) fn of(json: &Value) -> Result<Self> {
        let mut walk = Walk { index: &json["index"], paths: BTreeSet::new(), named: BTreeSet::new() };
        walk.module("pmu", &json["root"], &mut Vec::new())?;
        let associated_constants = walk.named.iter().map(|id| walk.constants_of(id)).sum();
        Ok(Self { paths: walk.paths, associated_constants })
    }

    /// Returns a line for each path.
    pub(super) fn lines(&self) -> String {
        self.paths.iter().map(|(path, kind)| format!("{path} {kind}\n")).collect()
    }
}

struct Walk<'a> {
    index: &'a Value,
    paths: BTreeSet<(String, String)>,
    /// The items that have a path, each once.
    named: BTreeSet<String>,
}

impl<'a> Walk<'a> {
    /// Adds what is in a module. `above` are the modules that it is in, so that one that exports another that it is in ends.
    fn module(&mut self, path: &str, id: &Value, above: &mut Vec<String>) -> Result<()> {
        above.push(id.to_string());
        let items = self.item(id)?["inner"]["module"]["items"].as_array().context("a module has no items")?;
        for id in items {
            self.entry(path, id, above)?;
        }
        above.pop();
        Ok(())
    }

    fn entry(&mut self, path: &str, id: &Value, above: &mut Vec<String>) -> Result<()> {
        let item = self.item(id)?;
        if item["visibility"] != "public" {
            return Ok(());
        }
        let (kind, inner) = kind(item)?;
        if kind != "use" {
            return self.named(path, &item["name"], id, above);
        }
        ensure!(inner["is_glob"] == false, "{path} exports all of {}: name what is exported", inner["source"]);
        self.named(path, &inner["name"], &inner["id"], above)
    }

    /// Adds an item by a name, and what is in it if it is a module.
    fn named(&mut self, path: &str, name: &Value, id: &Value, above: &mut Vec<String>) -> Result<()> {
        let path = format!("{path}::{}", name.as_str().context("an item has no name")?);
        let Ok(item) = self.item(id) else {
            self.paths.insert((path, "of another crate".to_owned()));
            return Ok(());
        };
        let (kind, _) = kind(item)?;
        self.named.insert(id.to_string());
        if kind == "module" && !above.contains(&id.to_string()) {
            self.module(&path, id, above)?;
        }
        self.paths.insert((path, kind.to_owned()));
        Ok(())
    }

    /// Counts the public constants that a type has itself, flags among them.
    fn constants_of(&self, id: &str) -> usize {
        let inner = &self.index[id]["inner"];
        let implementations = ["struct", "enum", "union"].iter().filter_map(|kind| inner[kind]["impls"].as_array());
        let items = implementations.flatten().filter_map(|id| self.own_items(id)).flatten();
        items.filter(|id| self.item(id).is_ok_and(is_public_constant)).count()
    }

    /// Returns what an implementation contains that is not a trait's.
    fn own_items(&self, id: &Value) -> Option<&'a Vec<Value>> {
        let implementation = &self.item(id).ok()?["inner"]["impl"];
        if implementation["trait"].is_null() { implementation["items"].as_array() } else { None }
    }

    fn item(&self, id: &Value) -> Result<&'a Value> {
        self.index.get(id.to_string()).with_context(|| format!("there is no item {id}"))
    }
}

/// Returns what an item is, and what rustdoc says of it.
fn kind(item: &Value) -> Result<(&str, &Value)> {
    let inner = item["inner"].as_object().and_then(|inner| inner.iter().next());
    inner.map(|(kind, inner)| (kind.as_str(), inner)).context("an item is nothing")
}

fn is_public_constant(item: &Value) -> bool {
    item["visibility"] == "public" && item["inner"].get("assoc_const").is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn item(name: &str, visibility: &str, inner: &Value) -> Value {
        json!({ "name": name, "visibility": visibility, "inner": inner })
    }

    /// The root with a public module that has a type, a private one with another, and what is exported of them.
    fn library(exported: &Value) -> Value {
        json!({ "root": 0, "index": {
            "0": item("pmu", "public", &json!({ "module": { "items": [1, 2, 5] } })),
            "1": item("open", "public", &json!({ "module": { "items": [3] } })),
            "2": item("closed", "crate", &json!({ "module": { "items": [4] } })),
            "3": item("Seen", "public", &json!({ "struct": { "impls": [6] } })),
            "4": item("Hidden", "public", &json!({ "enum": { "impls": [] } })),
            "5": item("", "public", &json!({ "use": exported })),
            "6": item("", "default", &json!({ "impl": { "trait": null, "items": [7, 8] } })),
            "7": item("LEAST", "public", &json!({ "assoc_const": {} })),
            "8": item("INNER", "crate", &json!({ "assoc_const": {} })),
        } })
    }

    #[test]
    fn a_type_of_a_private_module_has_the_path_that_it_is_exported_by() {
        let exported = json!({ "source": "closed::Hidden", "name": "Other", "id": 4, "is_glob": false });
        let api = Api::of(&library(&exported)).unwrap();
        assert_eq!(api.lines(), "pmu::Other enum\npmu::open module\npmu::open::Seen struct\n");
        assert_eq!(api.associated_constants, 1);
    }

    #[test]
    fn a_module_that_is_exported_again_is_walked_again() {
        let exported = json!({ "source": "open", "name": "again", "id": 1, "is_glob": false });
        let api = Api::of(&library(&exported)).unwrap();
        let found = "pmu::again module\npmu::again::Seen struct\npmu::open module\npmu::open::Seen struct\n";
        assert_eq!(api.lines(), found);
    }

    #[test]
    fn what_is_exported_of_another_crate_is_listed() {
        let exported = json!({ "source": "raw_cpuid::CpuIdResult", "name": "CpuIdResult", "id": 99, "is_glob": false });
        let api = Api::of(&library(&exported)).unwrap();
        assert!(api.lines().starts_with("pmu::CpuIdResult of another crate\n"));
    }

    #[test]
    fn a_glob_is_refused() {
        let exported = json!({ "source": "closed", "name": "closed", "id": 2, "is_glob": true });
        assert!(Api::of(&library(&exported)).is_err());
    }
}
