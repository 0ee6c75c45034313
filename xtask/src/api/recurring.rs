//! The names by which several public paths end, each with the one thing that it is called by.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result, bail};

use super::walk::Api;

/// What each of these names means wherever it is.
pub(super) const MEANINGS: &[(&str, &str)] = &[
    ("Announced", "what is told of a unit before it is tried: by a device tree, or by PMCEID"),
    ("Call", "a call: of a function, or of the firmware"),
    ("Capabilities", "what a family's unit has"),
    ("Detected", "the driver of whichever family an instruction set's processor has"),
    ("Device", "a family's unit in software, and the trait of all of them"),
    ("Embedded", "the embedded PowerPC cores' unit: its driver, and the instructions that reach it"),
    ("Error", "why something is refused; of notations, where in the text"),
    ("Half", "one of two halves: of a register, of %pic, of a group's counters"),
    ("Handler", "the handler of an instruction set's overflow interrupt"),
    ("Hardware", "this CPU's unit over its instructions"),
    ("Identity", "the registers by which a device says which processor it is"),
    ("Index", "the number by which a counter is read"),
    ("Kind", "a kind of units, which have the same events, or of work, which the same events count"),
    ("Line", "how an overflow reaches the CPU's interrupts"),
    ("Microarchitecture", "what several of CPUID's models have alike, which the manuals call so"),
    ("Miscount", "how an erratum miscounts an event"),
    ("Mmcr0", "MMCR0, which classic and Book3S units have with other bits"),
    ("Model", "which processor of a family it is, of those that count alike"),
    ("Pcr", "%pcr, which UltraSPARC's and Niagara's units have with other bits"),
    ("Privilege", "the mode, state or level that the driver runs in"),
    ("Record", "what is known of one thing: a sampled instruction, or what a report writes as a line"),
    ("Records", "records of hardware: a hart's of branches over its instructions, or a ring of a sampler's"),
    ("Register", "a register: its address, or as a resource that requests share"),
    ("Select", "the selection of one counter: its event and modes"),
    ("Share", "the counters of a unit that one driver uses"),
    ("Unit", "a unit as its owner keeps it: a kernel's CPU, or a hypervisor's guest"),
    ("User", "counters as a program reads them without a system call"),
    ("View", "a way to see the same counters: by memory, or the independent bank alone"),
];

/// Returns a line for each name by which several paths end at a type or a trait: how many they are, and what it means.
///
/// # Errors
/// A name has no meaning in the list, or the list has one that does not recur.
pub(super) fn lines(api: &Api, meanings: &[(&str, &str)]) -> Result<String> {
    let mut paths = BTreeMap::<_, usize>::new();
    for (path, _) in api.paths.iter().filter(|(_, kind)| ["struct", "enum", "trait"].contains(&kind.as_str())) {
        *paths.entry(path.rsplit("::").next().unwrap_or(path)).or_default() += 1;
    }
    paths.retain(|_, number| *number > 1);
    if let Some((name, _)) = meanings.iter().find(|(name, _)| !paths.contains_key(name)) {
        bail!("{} says what {name} means, which is no name of several public paths", file!());
    }
    let mut text = String::new();
    for (name, number) in paths {
        let meaning = meanings.iter().find(|(of, _)| *of == name);
        let (_, meaning) = meaning.with_context(|| {
            format!("{number} public paths end in {name}: say in {} what all of them are, or rename them", file!())
        })?;
        writeln!(text, "{name} is {number} paths: {meaning}")?;
    }
    Ok(text)
}
