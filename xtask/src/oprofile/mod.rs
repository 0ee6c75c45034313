//! Reads OProfile's text files for a processor.
//!
//! A folder (`/usr/share/oprofile/i386/core_2`, or one in OProfile's sources) has `events`, `unit_masks`, and on POWER
//! `event_mappings`. A file may include another processor's. The checks are OProfile's and two more:
//! every unit mask that an event names must exist, and every event must have a mapping if there are any.
//! `cargo xtask events convert` prints what is read, and the oracles compare it.

pub(crate) mod events;
mod line;
pub(crate) mod mappings;
pub(crate) mod masks;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use self::events::Event;
use self::mappings::Mapping;
use self::masks::UnitMasks;

/// A processor's events, as OProfile knows them.
#[derive(Debug)]
pub(crate) struct Processor {
    /// OProfile's name for it: the last two folders.
    pub(crate) name: String,
    pub(crate) events: Vec<Event>,
    pub(crate) masks: Vec<UnitMasks>,
    pub(crate) mappings: Vec<Mapping>,
}

impl Processor {
    /// Reads a folder.
    ///
    /// # Errors
    /// The folder is not one of OProfile's, or a file is wrong; the error names file, line and word.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let folder = folder.canonicalize().with_context(|| format!("there is no folder {}", folder.display()))?;
        let root =
            folder.parent().and_then(Path::parent).context("OProfile's folders lie two below that of all events")?;
        let name = folder.strip_prefix(root)?.display().to_string();
        let mut processor = Self {
            name,
            events: Vec::new(),
            masks: Vec::new(),
            mappings: mappings::read(&optional(&folder, "event_mappings")?)?,
        };
        read_with_includes(root, &folder, "events", &mut |text| events::read(text, &mut processor.events))?;
        read_with_includes(root, &folder, "unit_masks", &mut |text| masks::read(text, &mut processor.masks))?;
        processor.check()?;
        Ok(processor)
    }

    /// Returns the unit masks of this name.
    pub(crate) fn mask(&self, name: &str) -> Option<&UnitMasks> {
        self.masks.iter().find(|masks| masks.name == name)
    }

    /// Returns the registers of the event with this code.
    pub(crate) fn mapping(&self, code: u64) -> Option<&Mapping> {
        self.mappings.iter().find(|mapping| mapping.code == code)
    }

    /// Checks that every event has its unit masks, all of one kind, and its mapping.
    fn check(&self) -> Result<()> {
        for event in &self.events {
            let named = event.masks.iter().map(|name| {
                self.mask(name).with_context(|| {
                    format!("the event {} names the unit masks {name}, which are not there", event.name)
                })
            });
            let masks = named.collect::<Result<Vec<_>>>()?;
            let is_one_kind = masks.windows(2).all(|pair| pair[0].kind == pair[1].kind);
            ensure!(
                is_one_kind,
                "the unit masks of the event {} are of different kinds and cannot be merged",
                event.name
            );
            let is_mapped = self.mappings.is_empty() || self.mapping(event.code).is_some();
            ensure!(is_mapped, "the event {} ({:#x}) has no mapping, and others have", event.name, event.code);
        }
        Ok(())
    }
}

/// Read a file, and the files that it includes at their places.
fn read_with_includes(
    root: &Path,
    folder: &Path,
    file: &str,
    read: &mut dyn FnMut(&str) -> Result<Vec<String>>,
) -> Result<()> {
    let mut waiting = vec![folder.to_owned()];
    let mut known: Vec<PathBuf> = Vec::new();
    while let Some(folder) = waiting.pop() {
        let path = folder.join(file);
        if known.contains(&path) {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let includes = read(&text).with_context(|| format!("in {}", path.display()))?;
        waiting.extend(includes.iter().rev().map(|name| root.join(name)));
        known.push(path);
    }
    Ok(())
}

/// Reads a file that not every processor has.
fn optional(folder: &Path, file: &str) -> Result<String> {
    let path = folder.join(file);
    if path.exists() {
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    } else {
        Ok(String::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: &str = "# a comment\n\
        event:0x79 counters:0,1 um:zero minimum:6000 name:CPU_CLK_UNHALTED : clocks\n\
        event:0x28 counters:0,1 um:mesi minimum:500 name:L2_IFETCH : fetches\n";
    const MASKS: &str = "name:zero type:mandatory default:0x0\n\t0x0 nothing\n\
        name:mesi type:bitmask default:0x0f\n\t0x08 modified\n\t0x04 exclusive\n\t0x02 shared\n\t0x01 invalid\n";

    /// OProfile's folders, for two processors of one vendor.
    fn folders(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn read(files: &[(&str, &str)]) -> Result<Processor> {
        Processor::read(&folders(files).path().join("i386/one"))
    }

    #[test]
    fn a_processor_is_its_two_files() {
        let processor = read(&[("i386/one/events", EVENTS), ("i386/one/unit_masks", MASKS)]).unwrap();
        assert_eq!((processor.name.as_str(), processor.events.len(), processor.masks.len()), ("i386/one", 2, 2));
    }

    #[test]
    fn an_included_processors_events_come_too_and_once() {
        let including = format!("include:i386/two\n{EVENTS}include:i386/two\n");
        let other =
            "include:i386/one\nevent:0xc0 counters:cpuid um:zero minimum:6000 name:INST_RETIRED : instructions\n";
        let files = [("i386/one/events", &*including), ("i386/two/events", other), ("i386/one/unit_masks", MASKS)];
        let processor = read(&files).unwrap();
        let names: Vec<_> = processor.events.iter().map(|event| event.name.as_str()).collect();
        assert_eq!(names, ["CPU_CLK_UNHALTED", "L2_IFETCH", "INST_RETIRED"]);
    }

    #[test]
    fn unit_masks_that_are_not_there_are_named() {
        let error = read(&[("i386/one/events", EVENTS), ("i386/one/unit_masks", "")]).unwrap_err();
        assert_eq!(error.to_string(), "the event CPU_CLK_UNHALTED names the unit masks zero, which are not there");
    }

    #[test]
    fn unit_masks_of_different_kinds_cannot_be_merged() {
        let merged = "event:0x28 counters:0 um:zero,mesi minimum:500 name:L2_IFETCH : fetches\n";
        let error = read(&[("i386/one/events", merged), ("i386/one/unit_masks", MASKS)]).unwrap_err();
        assert!(error.to_string().contains("L2_IFETCH are of different kinds"), "{error}");
    }

    #[test]
    fn an_event_without_its_mapping_is_named_if_others_have_theirs() {
        let mapping = "event:0x79 mmcr0:0x0 mmcr1:0x0A02121E mmcra:0x0\n";
        let files = [("i386/one/events", EVENTS), ("i386/one/unit_masks", MASKS), ("i386/one/event_mappings", mapping)];
        let error = read(&files).unwrap_err();
        assert_eq!(error.to_string(), "the event L2_IFETCH (0x28) has no mapping, and others have");
    }

    #[test]
    fn an_error_says_in_which_file_and_line_it_is() {
        let files = [("i386/one/events", "\n# two lines\nevent:79\n"), ("i386/one/unit_masks", MASKS)];
        let error = format!("{:#}", read(&files).unwrap_err());
        assert!(error.contains("i386/one/events: line 3: event:79 is no hexadecimal number"), "{error}");
    }
}
