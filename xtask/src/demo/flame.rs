//! Draws a kernel's samples as a flame graph. The kernel writes folded stacks to the serial port, without names; here
//! they get the names of its ELF file, and `inferno` draws them.

use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use inferno::flamegraph::{self, Options};

use crate::identity::Identity;
use crate::kernel::Image;
use crate::place;
use crate::symbols::Symbols;

/// Boot the kernel, draw its samples as an SVG, and return its path.
///
/// # Errors
/// The kernel cannot be booted, or fails; the file cannot be written.
pub(super) fn draw(image: &Image, identity: Identity) -> Result<PathBuf> {
    write(&stacks(image, identity)?)
}

/// Boot the kernel, draw its samples, and check that each thread ran its function, and that the callers are those of
/// the program.
///
/// # Errors
/// They are not.
pub(super) fn prove(image: &Image, identity: Identity) -> Result<()> {
    let stacks = stacks(image, identity)?;
    write(&stacks)?;
    check(&stacks)
}

fn write(stacks: &[String]) -> Result<PathBuf> {
    let path = place::flame_graph();
    let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut options = Options::default();
    options.title = "The demo's program, its threads, and callers".to_owned();
    options.count_name = "samples".to_owned();
    flamegraph::from_lines(&mut options, stacks.iter().map(String::as_str), file).context("cannot draw the stacks")?;
    Ok(path)
}

fn stacks(image: &Image, identity: Identity) -> Result<Vec<String>> {
    let symbols = Symbols::read(&image.path)?;
    let mut stacks = Vec::new();
    image.hear(identity, "run=demo show=flame", |line| stacks.push(named(line, &symbols)))?;
    Ok(stacks)
}

/// Returns a folded stack with names in place of addresses, which the kernel prints as `0x0000000000101234 ?`.
fn named(stack: &str, symbols: &Symbols) -> String {
    let frames = stack.split(';').map(|frame| {
        let digits = frame.strip_prefix("0x").and_then(|rest| rest.split_once(" ?"));
        let found = digits.and_then(|(digits, count)| {
            let function = symbols.at(u64::from_str_radix(digits, 16).ok()?)?;
            Some(function.name.replace(';', ":") + count)
        });
        found.unwrap_or_else(|| frame.to_owned())
    });
    frames.collect::<Vec<_>>().join(";")
}

/// The demo's functions, in the order of the threads that run them.
const FUNCTIONS: [&str; 5] = ["sieve", "multiply", "search", "sort", "hash"];

/// Checks that most samples of each thread are in its function, and those of `spin` three to one for `left` and `right`.
fn check(stacks: &[String]) -> Result<()> {
    let count = |beginning: &str, end: &str| {
        stacks.iter().filter(|stack| stack.starts_with(beginning) && stack.ends_with(end)).count()
    };
    for (thread, function) in FUNCTIONS.into_iter().enumerate() {
        for root in [format!("thread {thread};"), "program;".to_owned()] {
            ensure!(count(&root, &format!("::{function} 1")) > 0, "no stack of {function} begins with {root}");
        }
        let root = format!("thread {thread};");
        let (inside, all) = (count(&root, &format!("::{function} 1")), count(&root, " 1"));
        ensure!(inside * 2 > all, "of {all} samples of thread {thread}, {inside} are in {function}");
    }
    let of = |caller: &str| {
        stacks.iter().filter(|stack| is_call(stack, &["callers", "outermost", caller, "spin 1"])).count()
    };
    let (left, right) = (of("left"), of("right"));
    ensure!(right > 0 && left.abs_diff(3 * right) <= 4, "{left} samples for left are not thrice the {right} for right");
    Ok(())
}

/// Returns true if a stack has these frames, whose names may have a path before them.
fn is_call(stack: &str, frames: &[&str]) -> bool {
    stack.split(';').map(|frame| frame.rsplit("::").next().unwrap_or(frame)).eq(frames.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::Function;

    #[test]
    fn addresses_get_names_and_the_rest_of_a_stack_stays() {
        let functions = [(0x10, "a::outer"), (0x20, "<[u8; 4] as b::B>::inner")];
        let symbols =
            functions.map(|(address, name)| Function { address, name: name.into() }).into_iter().collect::<Symbols>();
        let stack = "thread 0;[cut];0x0000000000000012 ?;0x0000000000000020 ? 1";
        assert_eq!(named(stack, &symbols), "thread 0;[cut];a::outer;<[u8: 4] as b::B>::inner 1");
        assert_eq!(named("thread 0;0x0000000000000001 ? 1", &symbols), "thread 0;0x0000000000000001 ? 1");
    }

    /// So many stacks of `spin` for each caller, beside those of all functions.
    fn stacks(left: usize, right: usize, function_of: impl Fn(usize) -> usize) -> Vec<String> {
        let parts = (0..5).flat_map(|thread| {
            let function = FUNCTIONS[function_of(thread)];
            [format!("program;k::{function} 1"), format!("thread {thread};k::{function} 1")]
        });
        let call = |caller| format!("callers;k::outermost;k::{caller};k::spin 1");
        parts.chain(vec![call("left"); left]).chain(vec![call("right"); right]).collect()
    }

    #[test]
    fn each_thread_must_be_in_its_function_and_the_callers_be_as_often_as_they_called() {
        assert!(check(&stacks(30, 10, |thread| thread)).is_ok());
        assert!(check(&stacks(20, 20, |thread| thread)).is_err());
        assert!(check(&stacks(0, 0, |thread| thread)).is_err());
        assert!(check(&stacks(30, 10, |thread| 4 - thread)).is_err());
    }
}
