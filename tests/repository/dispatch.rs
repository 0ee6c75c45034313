//! A driver that is one of several is all of that driver: a function with a default would otherwise be left at its default.

const TRAITS: &str = include_str!("../../src/contract/driver.rs");
const DISPATCH: &str = include_str!("../../src/contract/one_of.rs");

/// The functions and constants that the driver's three traits declare.
fn declared(text: &str) -> Vec<&str> {
    let (_, traits) = text.split_once("pub trait Plan {").expect("the first of them");
    let (traits, _) = traits.split_once("\npub trait Driver").expect("the one that is all three");
    let lines = traits.lines().filter_map(|line| line.strip_prefix("    fn ").or(line.strip_prefix("    const ")));
    lines.filter_map(|rest| rest.split(['(', ':']).next()).collect()
}

/// Returns true if the macro defines it.
fn is_passed_on(name: &str) -> bool {
    [format!("fn {name}("), format!("const {name}:")].iter().any(|start| DISPATCH.contains(start))
}

#[test]
fn a_driver_that_is_one_of_several_passes_on_every_function() {
    let declared = declared(TRAITS);
    assert!(declared.len() >= 28, "{declared:?}");
    let missing: Vec<_> = declared.into_iter().filter(|name| !is_passed_on(name)).collect();
    assert_eq!(missing, [""; 0]);
    assert!(!is_passed_on("another"));
}
