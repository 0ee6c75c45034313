//! A source file without its comments.

use std::path::Path;
use std::{fs, iter};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A file of the library, as tokens: comments are gone, and documentation is a literal that no rule reads.
pub(crate) struct Source {
    /// Its path from the repository's root, with slashes.
    pub(crate) file: String,
    pub(crate) tokens: TokenStream,
}

impl Source {
    pub(crate) fn new(file: &str, text: &str) -> Self {
        let tokens = text.parse().unwrap_or_else(|error| panic!("{file} has no tokens: {error}"));
        Self { file: file.to_owned(), tokens }
    }

    /// All sources below a folder of the repository.
    pub(crate) fn below(folder: &str) -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut sources = Vec::new();
        let mut folders = vec![root.join(folder)];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let file = path.strip_prefix(root).unwrap().to_str().unwrap();
                    sources.push(Self::new(file, &fs::read_to_string(&path).unwrap()));
                }
            }
        }
        sources
    }

    /// The tokens of what is compiled into the library.
    pub(crate) fn without_tests(&self) -> TokenStream {
        without_tests(self.tokens.clone())
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

/// Removes the items marked `#[cfg(test)]`.
fn without_tests(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter();
    let mut kept = Vec::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) if is_test_attribute(&group) => {
                kept.pop(); // the # before it
                let _ = tokens.find(ends_item);
            }
            TokenTree::Group(group) => kept.push(Group::new(group.delimiter(), without_tests(group.stream())).into()),
            token => kept.push(token),
        }
    }
    kept.into_iter().collect()
}

fn is_test_attribute(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket && group.stream().to_string().replace(' ', "") == "cfg(test)"
}

fn ends_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(mark) => mark.as_char() == ';',
        _ => false,
    }
}

/// All tokens at every depth, groups themselves left out.
pub(crate) fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Group(group) => flat(group.stream()),
            token => iter::once(token).collect(),
        })
        .collect()
}
