//! The rules that every source must keep.

use std::fs;
use std::sync::LazyLock;

use proc_macro2::Delimiter;

use crate::layering::paths::Path;
use crate::layering::source::{Source, Token, words};
use crate::layering::tree::Tree;
use crate::root;

/// A rule returns its complaints about a source.
pub(crate) type Rule = fn(&Tree, &Source) -> Vec<String>;

/// Names of instruction sets and their registers, beside the folders of `arch`. (`arm` and `power` are English too.)
const INSTRUCTION_SETS: [&str; 14] =
    ["x64", "amd64", "i386", "intel", "amd", "armv7", "armv8", "ppc", "msr", "rdmsr", "wrmsr", "rdpmc", "cpuid", "spr"];
/// The folders of `arch`: a target's name begins by one.
static FOLDERS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folders = fs::read_dir(root().join("arch")).expect("the processors are there");
    let folders = folders.map(|folder| folder.expect("it can be read")).filter(|folder| folder.path().is_dir());
    folders.map(|folder| folder.file_name().into_string().expect("it is ASCII")).collect()
});
/// The portable modules from the lowest layer to the highest.
pub(crate) const LAYERS: [&str; 12] = [
    "event",
    "sync",
    "contract",
    "placement",
    "family",
    "sample",
    "unit",
    "stats",
    "measure",
    "virt",
    "naming",
    "result",
];
/// The modules that processors may import.
const KNOWN_TO_PROCESSORS: [&str; 6] = ["event", "sync", "contract", "placement", "family", "virt"];
/// What entries may also name: the module of what was interrupted, and their own macros.
const KNOWN_TO_ENTRY: [&str; 5] = ["sample", "event_entry", "irq_entry", "nmi_entry", "pmi_entry"];
const DANGER: [&str; 2] = ["access", "entry"];
/// What a processor's unit has, what its device holds, and what its device is told.
const GROWING: [&str; 5] = ["Capabilities", "State", "HostState", "Context", "ProcessorState"];
/// Locks, heap types and floats.
const NOT_IN_A_KERNEL: [&str; 13] = [
    "Mutex",
    "SpinMutex",
    "TicketMutex",
    "RwLock",
    "Lazy",
    "Barrier",
    "alloc",
    "Box",
    "Vec",
    "String",
    "Arc",
    "f32",
    "f64",
];

pub(crate) fn src_names_no_instruction_set(tree: &Tree, source: &Source) -> Vec<String> {
    if !source.is_portable() {
        return Vec::new();
    }
    let is_name = |word: &&str| parts(word).any(|part| is_instruction_set(&part));
    let words = words(&source.without_tests).into_iter().filter(is_name).map(str::to_owned);
    let paths = tree.mentioned(source).into_iter().filter(|(target, _)| target.first().is_some_and(|it| it == "arch"));
    let names = words.chain(paths.map(|(_, written)| written.join("::")));
    names.map(|name| format!("{} names {name}", source.file)).collect()
}

pub(crate) fn arch_knows_vocabulary_and_contracts(tree: &Tree, source: &Source) -> Vec<String> {
    let is_known = |target: &Path| match target.first().map(String::as_str) {
        None | Some("arch") => true,
        Some(module) => {
            KNOWN_TO_PROCESSORS.contains(&module) || KNOWN_TO_ENTRY.contains(&module) && source.stem() == "entry"
        }
    };
    complain(tree, source, |target| source.is_portable() || is_known(target))
}

/// `access` and `entry` are the instruction set's own, which knows its families.
pub(crate) fn family_knows_no_other_family(tree: &Tree, source: &Source) -> Vec<String> {
    let ["arch", isa, family, _, ..] = source.words()[..] else { return Vec::new() };
    if DANGER.contains(&family) {
        return Vec::new();
    }
    let is_own = |target: &Path| match target.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["arch", other, name, ..] => other == isa && (name == family || !tree.families(isa).any(|it| it == name)),
        ["arch", other] => other == isa,
        _ => true,
    };
    complain(tree, source, is_own)
}

pub(crate) fn driver_and_device_do_not_import_each_other(tree: &Tree, source: &Source) -> Vec<String> {
    let ["arch", isa, family, part, ..] = source.words()[..] else { return Vec::new() };
    let other_part = match part {
        "driver" => "device",
        "device" => "driver",
        _ => return Vec::new(),
    };
    complain(tree, source, |target| !target.starts_with(&["arch", isa, family, other_part].map(str::to_owned)))
}

pub(crate) fn danger_is_in_access_and_entry(_: &Tree, source: &Source) -> Vec<String> {
    if !source.is_portable() && source.words().iter().any(|word| DANGER.contains(word)) {
        return Vec::new();
    }
    let dangers = words(&source.tokens).into_iter().filter(|word| *word == "unsafe" || word.ends_with("asm"));
    dangers.map(|word| format!("{} has {word}", source.file)).collect()
}

pub(crate) fn nothing_locks_allocates_or_floats(_: &Tree, source: &Source) -> Vec<String> {
    let found = words(&source.without_tests).into_iter().filter(|word| NOT_IN_A_KERNEL.contains(word));
    found.map(|word| format!("{} has {word}", source.file)).collect()
}

/// Atomics must come from the crate's `sync`, which replaces them in tests of interleavings.
pub(crate) fn atomics_come_from_one_module(_: &Tree, source: &Source) -> Vec<String> {
    if !source.is_portable() || source.file == "src/sync/atomic.rs" {
        return Vec::new();
    }
    let is_foreign = |words: &&[&str]| words[1] == "sync" && !["crate", "mod", "use"].contains(&words[0]);
    words(&source.without_tests)
        .windows(2)
        .filter(is_foreign)
        .map(|words| format!("{} has {}::sync", source.file, words[0]))
        .collect()
}

/// A module imports only from lower layers, so that the modules can be read in order.
pub(crate) fn layers_import_downwards(tree: &Tree, source: &Source) -> Vec<String> {
    let Some(own) = layer(&source.module()) else { return Vec::new() };
    complain(tree, source, |target| layer(target).is_none_or(|other| other <= own))
}

/// Returns the layer of the module that a path leads to.
fn layer(path: &Path) -> Option<usize> {
    LAYERS.iter().position(|room| path.first().is_some_and(|first| first == room))
}

pub(crate) fn architecture_is_switched_at_the_mounts(_: &Tree, source: &Source) -> Vec<String> {
    if source.file == "arch/mod.rs" {
        return Vec::new();
    }
    let switches = words(&source.tokens).iter().filter(|word| **word == "target_arch").count();
    let mounts = if source.is_portable() { 0 } else { mounts(&source.tokens) };
    let elsewhere = (switches > mounts).then(|| format!("{} switches the architecture elsewhere", source.file));
    elsewhere.into_iter().collect()
}

/// A later processor has more registers and more features: a kernel that writes a literal of these would no longer build.
pub(crate) fn what_later_processors_add_to_is_non_exhaustive(_: &Tree, source: &Source) -> Vec<String> {
    if source.is_portable() {
        return Vec::new();
    }
    let structs = (0..source.tokens.len()).filter_map(|at| growing(source.tokens.split_at(at)));
    structs.map(|name| format!("{} has a {name} that is not non_exhaustive", source.file)).collect()
}

/// Returns the name if a public struct begins between these tokens that can grow and has no attribute that says so.
fn growing<'t>((before, after): (&'t [Token], &'t [Token])) -> Option<&'t str> {
    let [Token::Word(public), Token::Word(keyword), Token::Word(name), ..] = after else { return None };
    let attributes = before.rsplit(|token| !matches!(token, Token::Mark('#') | Token::Group(Delimiter::Bracket, _)));
    let is_marked = attributes.take(1).any(|attributes| words(attributes).contains(&"non_exhaustive"));
    let grows = public == "pub" && keyword == "struct" && GROWING.contains(&name.as_str());
    (grows && !is_marked).then_some(name)
}

/// Returns how many architectures the conditions name under which `access` and `entry` are mounted.
fn mounts(tokens: &[Token]) -> usize {
    let mounts = (0..tokens.len()).filter_map(|at| mount(&tokens[at..]));
    mounts.map(|condition| words(condition).iter().filter(|word| **word == "target_arch").count()).sum()
}

/// Returns the condition if an item begins here that mounts `access` or `entry` under one.
fn mount(tokens: &[Token]) -> Option<&[Token]> {
    let [Token::Mark('#'), Token::Group(Delimiter::Bracket, condition), item @ ..] = tokens else { return None };
    let item = item.strip_prefix(&[Token::Word("pub".to_owned())][..]).unwrap_or(item);
    match item {
        [Token::Word(keyword), Token::Word(name), Token::Mark(';'), ..] => {
            (keyword == "mod" && DANGER.contains(&name.as_str())).then_some(condition)
        }
        _ => None,
    }
}

fn complain(tree: &Tree, source: &Source, is_allowed: impl Fn(&Path) -> bool) -> Vec<String> {
    let offences = tree.mentioned(source).into_iter().filter(|(target, _)| !is_allowed(target));
    offences.map(|(target, _)| format!("{} speaks of {}", source.file, target.join("::"))).collect()
}

/// A name's words: `read_msr` is `read` and `msr`, `IntelCounter` is `intel` and `counter`, `X86_MSR` is `x86` and `msr`.
fn parts(name: &str) -> impl Iterator<Item = String> {
    let is_constant = !name.contains(char::is_lowercase);
    let spaced: String = name
        .chars()
        .flat_map(|letter| [(letter.is_uppercase() && !is_constant).then_some('_'), Some(letter.to_ascii_lowercase())])
        .flatten()
        .collect();
    spaced.split('_').map(str::to_owned).collect::<Vec<_>>().into_iter()
}

fn is_instruction_set(word: &str) -> bool {
    INSTRUCTION_SETS.contains(&word) || FOLDERS.iter().any(|folder| word.starts_with(folder.as_str()))
}
