//! Checks that modules import only from lower layers, and other rules for the sources.
//!
//! A rule that checks nothing would always hold. So every rule has a negative control: given a source that breaks it, the
//! rule must complain.

mod circles;
mod paths;
mod rules;
pub(crate) mod source;
mod tree;

use std::fs;
use std::sync::LazyLock;

use source::Source;
use tree::Tree;

use crate::root;

/// Shared by all tests, so that the sources are read once.
static SOURCES: LazyLock<Vec<Source>> =
    LazyLock::new(|| [Source::below("src"), Source::below("arch")].into_iter().flatten().collect());
static TREE: LazyLock<Tree> = LazyLock::new(|| Tree::of(&SOURCES));

/// Returns the rule's complaints about the sources.
fn complaints(rule: rules::Rule) -> Vec<String> {
    SOURCES.iter().flat_map(|source| rule(&TREE, source)).collect()
}

/// Returns true if the rule complains about this text as the contents of that file.
fn objects(rule: rules::Rule, file: &str, text: &str) -> bool {
    !rule(&TREE, &Source::new(file, text)).is_empty()
}

fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn the_portable_half_names_no_instruction_set() {
    assert_none(&complaints(rules::src_names_no_instruction_set));
}

#[test]
fn a_register_of_one_processor_in_the_portable_half_is_noticed() {
    let objects = |text| objects(rules::src_names_no_instruction_set, "src/measure/session.rs", text);
    assert!(objects("fn read_msr() {}"));
    assert!(objects("struct IntelCounter;"));
    assert!(objects("const MSR_COUNT: u8 = 3;"));
    assert!(objects("use crate::arch::Anything;"));
    assert!(!objects("/// As on x86.\nfn arm() {}"));
}

#[test]
fn processors_know_the_vocabulary_and_the_contracts_only() {
    assert_none(&complaints(rules::arch_knows_vocabulary_and_contracts));
}

#[test]
fn a_driver_that_knows_the_session_is_noticed() {
    let objects = |text| objects(rules::arch_knows_vocabulary_and_contracts, "arch/x86/intel/driver.rs", text);
    assert!(objects("use crate::measure::Session;"));
    assert!(objects("use crate::{CounterId, Unit};"));
    assert!(objects("fn f() { super::super::super::super::unit::Unit::new(); }"));
    assert!(!objects("use crate::event::{CounterId, CounterSet}; use crate::Error;"));
    assert!(!objects("#[cfg(test)] mod tests { use crate::measure::Session; }"));
}

#[test]
fn a_family_knows_itself_and_its_instruction_set_only() {
    assert_none(&complaints(rules::family_knows_no_other_family));
}

#[test]
fn a_family_that_borrows_from_another_is_noticed() {
    let knows_intel = |file| objects(rules::family_knows_no_other_family, file, "use crate::arch::x86::intel::Intel;");
    assert!(knows_intel("arch/x86/amd/driver.rs") && !knows_intel("arch/x86/access/door.rs"));
    let objects = |text| objects(rules::family_knows_no_other_family, "arch/x86/newcomer/driver.rs", text);
    assert!(objects("use super::super::intel::Select;"));
    assert!(objects("use crate::arch::{self, x86::intel};"));
    assert!(objects("use crate::arch::aarch64::SystemRegister;"));
    assert!(!objects("use crate::arch::x86::{Msr, newcomer::Select};"));
}

#[test]
fn driver_and_device_do_not_know_each_other() {
    assert_none(&complaints(rules::driver_and_device_do_not_import_each_other));
}

#[test]
fn a_driver_that_knows_its_device_is_noticed() {
    let objects = |file, text| objects(rules::driver_and_device_do_not_import_each_other, file, text);
    assert!(objects("arch/x86/intel/driver.rs", "use super::device::Device;"));
    assert!(objects("arch/x86/intel/driver.rs", "use super::Device;"));
    assert!(objects("arch/x86/intel/device/place.rs", "use crate::arch::x86::intel::Intel;"));
    assert!(!objects("arch/x86/intel/device/place.rs", "use super::Device; use crate::virt::Device as _;"));
}

#[test]
fn unsafe_and_assembly_are_in_access_and_entry_only() {
    assert_none(&complaints(rules::danger_is_in_access_and_entry));
}

#[test]
fn unsafe_and_assembly_elsewhere_are_noticed() {
    let objects = |file, text| objects(rules::danger_is_in_access_and_entry, file, text);
    assert!(objects("src/measure/session.rs", "fn f() { unsafe { g() } }"));
    assert!(objects("arch/x86/lapic.rs", r#"fn f() { core::arch::asm!("nop") }"#));
    assert!(objects("src/access.rs", "unsafe fn f() {}"));
    assert!(!objects("arch/x86/access.rs", r#"fn f() { unsafe { asm!("nop") } }"#));
    assert!(!objects("arch/x86/access/one.rs", r#"fn f() { unsafe { asm!("nop") } }"#));
    assert!(!objects("src/measure/session.rs", "/// No unsafe, no asm! here.\nfn f() {}"));
}

#[test]
fn no_source_takes_a_lock_needs_a_heap_or_counts_in_floats() {
    assert_none(&complaints(rules::nothing_locks_allocates_or_floats));
}

#[test]
fn a_lock_in_a_driver_is_noticed() {
    let objects = |text| objects(rules::nothing_locks_allocates_or_floats, "arch/x86/intel/driver.rs", text);
    assert!(objects("static LOCK: spin::Mutex<()> = spin::Mutex::new(());"));
    assert!(objects("extern crate alloc;"));
    assert!(objects("fn rate(events: u64) -> f64 { events as f64 }"));
    assert!(!objects("use spin::Once; #[cfg(test)] mod tests { fn all() -> Vec<u8> { Vec::new() } }"));
}

#[test]
fn atomics_are_those_whose_interleavings_are_tried() {
    assert_none(&complaints(rules::atomics_come_from_one_module));
}

#[test]
fn an_atomic_from_elsewhere_is_noticed() {
    let objects = |file, text| objects(rules::atomics_come_from_one_module, file, text);
    assert!(objects("src/measure/session.rs", "use core::sync::atomic::AtomicU64;"));
    assert!(objects("src/measure/session.rs", "use core::{fmt, sync::atomic::AtomicU64};"));
    assert!(!objects("src/measure/session.rs", "use crate::sync::atomic::AtomicU64;"));
}

#[test]
fn layers_import_downwards_only() {
    assert_none(&complaints(rules::layers_import_downwards));
    for room in rules::LAYERS {
        assert!(SOURCES.iter().any(|source| source.module() == [room]), "{room} is no room");
    }
}

#[test]
fn a_room_that_imports_from_one_above_it_is_noticed() {
    let objects = |text| objects(rules::layers_import_downwards, "src/sample/ring.rs", text);
    assert!(objects("use crate::stats::Fixed;"));
    assert!(objects("fn f() { crate::Timer::<0>::new(); }"));
    assert!(!objects("use crate::event::CounterId; use super::Sample; use crate::chain::Chain;"));
    assert!(!objects("#[cfg(test)] mod tests { use crate::result::profile::Profile; }"));
}

#[test]
fn architectures_are_switched_where_they_are_mounted() {
    assert_none(&complaints(rules::architecture_is_switched_at_the_mounts));
}

#[test]
fn an_architecture_switched_elsewhere_is_noticed() {
    let objects = |file, text| objects(rules::architecture_is_switched_at_the_mounts, file, text);
    assert!(objects("src/measure/session.rs", r#"#[cfg(target_arch = "x86_64")] mod fast;"#));
    assert!(objects("arch/x86/mod.rs", r#"#[cfg(target_arch = "x86_64")] mod lapic;"#));
    assert!(objects("arch/x86/lapic.rs", r#"const FAST: bool = cfg!(target_arch = "x86_64");"#));
    assert!(objects("arch/x86/mod.rs", r#"#[cfg(any(target_arch = "x86_64", docsrs))] mod lapic;"#));
    assert!(!objects("arch/x86/mod.rs", r#"#[cfg(target_arch = "x86_64")] pub mod access;"#));
    assert!(!objects("arch/x86/mod.rs", r#"#[cfg(any(target_arch = "x86_64", docsrs))] pub mod access;"#));
    assert!(!objects("arch/x86/mod.rs", r#"#[cfg(any(target_arch = "x86", target_arch = "x86_64"))] pub mod access;"#));
    assert!(!objects("arch/mod.rs", r#"#[cfg(target_arch = "x86_64")] mod anything;"#));
}

#[test]
fn what_later_processors_add_to_can_grow_without_breaking_a_kernel() {
    assert_none(&complaints(rules::what_later_processors_add_to_is_non_exhaustive));
}

#[test]
fn capabilities_that_a_kernel_could_write_as_a_literal_are_noticed() {
    let objects = |text| objects(rules::what_later_processors_add_to_is_non_exhaustive, "arch/x86/p6/device.rs", text);
    assert!(objects("pub struct Capabilities { pub width: u8 }"));
    assert!(objects("#[non_exhaustive] pub enum Model { Two } #[derive(Debug)] pub struct State { pub control: u64 }"));
    assert!(!objects("/// Words.\n#[derive(Debug)] #[non_exhaustive] pub struct State { pub control: u64 }"));
    assert!(!objects("pub struct Half { pub escr: u8 } pub(super) struct State { pub control: u64 }"));
}

#[test]
fn the_rules_have_sources_to_read() {
    assert!(SOURCES.len() > 20);
    assert!(TREE.families("x86").any(|family| family == "intel"));
}

/// The sources of a crate, as if it were the repository's root.
fn crate_in(folder: &str) -> Vec<Source> {
    let mut sources = Source::below(&format!("{folder}/src"));
    sources.iter_mut().for_each(|source| source.file = source.file[folder.len() + 1..].to_owned());
    sources
}

#[test]
fn the_processors_modules_are_in_no_circle() {
    assert_none(&circles::circles(&Source::below("arch")));
}

#[test]
fn the_test_kernels_modules_are_in_no_circle() {
    let folders = fs::read_dir(root().join("kernel-test")).expect("the kernels are there");
    let names = folders.filter_map(|folder| folder.ok()?.file_name().into_string().ok());
    // `metal` is for machines apart from each other. RISC-V's board and identities import each other.
    for kernel in names.filter(|name| !["README.md", "metal", "riscv"].contains(&name.as_str())) {
        let sources = crate_in(&format!("kernel-test/{kernel}"));
        assert!(sources.len() > 10, "{kernel}");
        assert_none(&circles::circles(&sources));
    }
}

#[test]
fn the_tools_modules_are_in_no_circle() {
    let sources = crate_in("xtask");
    assert!(sources.len() > 10);
    assert_none(&circles::circles(&sources));
}

#[test]
fn modules_that_import_each_other_are_noticed() {
    let circles = |files: [(&str, &str); 3]| circles::circles(&files.map(|(file, text)| Source::new(file, text)));
    let main = ("src/main.rs", "mod guest; mod trap;");
    let guest = ("src/guest/unit.rs", "use crate::trap::Frame;");
    assert_eq!(circles([main, guest, ("src/trap.rs", "fn f() { crate::guest::unit::on_trap() }")]).len(), 2);
    assert_eq!(circles([main, guest, ("src/trap.rs", "use core::fmt;")]).len(), 0);
    let below = ("src/guest/mod.rs", "use unit::Unit;");
    assert_eq!(circles([main, below, ("src/guest/unit.rs", "use super::Handler;")]).len(), 0, "a folder and its file");
}
