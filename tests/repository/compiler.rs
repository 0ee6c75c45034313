//! The sources use nothing of the language that is newer than the compiler that Cargo.toml declares. (Of the standard library,
//! clippy's `incompatible_msrv` says so.)

use proc_macro2::Delimiter;

use crate::layering::source::{Source, Token};

/// Everything that a user or a test compiles.
const FOLDERS: [&str; 9] = ["src", "arch", "tests", "examples", "kernel-test", "xtask", "hypervisor", "oracles", "rtl"];

/// What Rust 1.88 does not know: `let` in a guard is from 1.95, and an inferred length of an array from 1.89.
fn newer(tokens: &[Token]) -> Vec<&'static str> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Word(word) if word == "if" && is_guard_with_let(&tokens[at..]) => found.push("let in a guard"),
            Token::Group(Delimiter::Bracket, group) if has_inferred_length(group) => found.push("an inferred length"),
            _ => {}
        }
        if let Token::Group(_, group) = token {
            found.extend(newer(group));
        }
    }
    found
}

/// Whether a guard begins here, which ends at a `=>` where another condition has its block, and has `let` in it.
fn is_guard_with_let(tokens: &[Token]) -> bool {
    let ends = |token: &Token| matches!(token, Token::Group(Delimiter::Brace, _) | Token::Mark(';'));
    let condition = &tokens[..tokens.iter().position(ends).unwrap_or(tokens.len())];
    let arrow = condition.windows(2).position(|two| two == [Token::Mark('='), Token::Mark('>')]);
    arrow.is_some_and(|arrow| condition[..arrow].contains(&Token::Word("let".to_owned())))
}

fn has_inferred_length(group: &[Token]) -> bool {
    matches!(group, [.., Token::Mark(';'), Token::Word(length)] if length == "_")
}

fn newer_in(text: &str) -> Vec<&'static str> {
    newer(&Source::new("a text", text).tokens)
}

#[test]
fn the_sources_are_written_for_the_declared_compiler() {
    assert!(include_str!("../../Cargo.toml").contains("rust-version = \"1.88\""), "this is about 1.88");
    let sources = FOLDERS.into_iter().flat_map(Source::below);
    let found: Vec<_> = sources
        .flat_map(|source| newer(&source.tokens).into_iter().map(move |what| (source.file.clone(), what)))
        .collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn what_a_newer_compiler_reads_is_noticed() {
    assert_eq!(newer_in("match a { Some(b) if let Some(c) = b.d() => c, _ => e }"), ["let in a guard"]);
    assert_eq!(newer_in("match a { b if b > 1 && let Some(c) = d => c, _ => e }"), ["let in a guard"]);
    assert_eq!(newer_in("const A: [u8; 4] = [0; _];"), ["an inferred length"]);
    let older = "match a { Some(b) if b >= c => { if let Some(d) = b && d { e } } _ => [f; 2] }";
    assert!(newer_in(older).is_empty());
}
