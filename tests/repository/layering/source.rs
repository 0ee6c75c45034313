//! A source file without its comments.

use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A file of the library, as tokens: comments are gone, and documentation is a literal that no rule reads.
pub(crate) struct Source {
    /// Its path from the repository's root, with slashes.
    pub(crate) file: String,
    pub(crate) tokens: Vec<Token>,
    /// The tokens of what is compiled into the library.
    pub(crate) without_tests: Vec<Token>,
}

/// A token, which all threads may read.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Word(String),
    Mark(char),
    Literal,
    Group(Delimiter, Vec<Token>),
}

impl Token {
    /// The word that it is, or those of a group.
    fn words(&self) -> Vec<&str> {
        match self {
            Self::Word(word) => vec![word],
            Self::Group(_, group) => words(group),
            Self::Mark(_) | Self::Literal => Vec::new(),
        }
    }
}

impl Source {
    pub(crate) fn new(file: &str, text: &str) -> Self {
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{file} has no tokens: {error}"));
        let tokens = read(tokens);
        Self { file: file.to_owned(), without_tests: without_tests(&tokens), tokens }
    }

    /// All sources below a folder of the repository, but for what a build has put there.
    pub(crate) fn below(folder: &str) -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut sources = Vec::new();
        let mut folders = vec![root.join(folder)];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() && !path.ends_with("target") {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let file = path.strip_prefix(root).unwrap().to_str().unwrap();
                    sources.push(Self::new(file, &fs::read_to_string(&path).unwrap()));
                }
            }
        }
        sources
    }

    /// The file's path in words: `["arch", "x86", "intel", "driver"]`.
    pub(crate) fn words(&self) -> Vec<&str> {
        self.file.trim_end_matches(".rs").split('/').collect()
    }

    pub(crate) fn is_portable(&self) -> bool {
        self.file.starts_with("src/")
    }

    pub(crate) fn stem(&self) -> &str {
        self.words().last().copied().unwrap_or_default()
    }

    /// The module that the file is: `["arch", "x86", "intel", "driver"]`; empty for the crate's root.
    pub(crate) fn module(&self) -> Vec<String> {
        let words = self.words().into_iter().filter(|word| !["src", "lib", "mod"].contains(word));
        words.map(str::to_owned).collect()
    }
}

fn read(tokens: TokenStream) -> Vec<Token> {
    let read = |token| match token {
        TokenTree::Ident(word) => Token::Word(word.to_string()),
        TokenTree::Punct(mark) => Token::Mark(mark.as_char()),
        TokenTree::Literal(_) => Token::Literal,
        TokenTree::Group(group) => Token::Group(group.delimiter(), read(group.stream())),
    };
    tokens.into_iter().map(read).collect()
}

/// Removes the items marked `#[cfg(test)]`.
fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut tokens = tokens.iter();
    let mut kept = Vec::new();
    while let Some(token) = tokens.next() {
        match token {
            Token::Group(Delimiter::Bracket, condition) if is_test(condition) => {
                kept.pop(); // the # before it
                let _ = tokens.find(|token| ends_item(token));
            }
            Token::Group(delimiter, group) => kept.push(Token::Group(*delimiter, without_tests(group))),
            token => kept.push(token.clone()),
        }
    }
    kept
}

/// Whether an attribute is `cfg(test)`.
fn is_test(attribute: &[Token]) -> bool {
    match attribute {
        [Token::Word(cfg), Token::Group(_, condition)] if cfg == "cfg" => {
            matches!(&condition[..], [Token::Word(test)] if test == "test")
        }
        _ => false,
    }
}

fn ends_item(token: &Token) -> bool {
    matches!(token, Token::Group(Delimiter::Brace, _) | Token::Mark(';'))
}

/// The words at every depth.
pub(crate) fn words(tokens: &[Token]) -> Vec<&str> {
    tokens.iter().flat_map(Token::words).collect()
}
