//! Finds the modules that a source mentions.
//!
//! Every path that begins with `crate`, `self` or `super`, in a `use` or in an expression, is resolved from the crate's
//! root; so is what a `use` names without them. Modules for tests are left out: tests may know everything.

use std::iter::Peekable;
use std::vec::IntoIter;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::source::Source;

/// A path from the crate's root, without the word `crate`.
pub(crate) type Path = Vec<String>;

/// A path, and the module that names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mention {
    pub(crate) within: Path,
    pub(crate) path: Path,
    /// Whether a `use` imports it; otherwise it is part of an expression.
    pub(crate) is_import: bool,
}

/// Returns all mentions in a source.
pub(crate) fn mentions(source: &Source) -> Vec<Mention> {
    let mut mentions = Vec::new();
    Reader { module: source.module(), mentions: &mut mentions }.read(source.without_tests());
    mentions
}

type Tokens = Peekable<IntoIter<TokenTree>>;

struct Reader<'a> {
    module: Path,
    mentions: &'a mut Vec<Mention>,
}

impl Reader<'_> {
    fn read(&mut self, tokens: TokenStream) {
        let mut tokens = peekable(tokens);
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.read(group.stream()),
                TokenTree::Ident(word) => self.read_from(&word.to_string(), &mut tokens),
                _ => (),
            }
        }
    }

    fn read_from(&mut self, word: &str, tokens: &mut Tokens) {
        match word {
            "mod" => self.inner_module(tokens),
            "use" => self.tree(tokens, &self.module.clone(), true),
            "crate" | "self" | "super" if is_path_separator(tokens) => {
                let base = self.from(&self.module, word);
                self.rest(tokens, base, false);
            }
            _ => (),
        }
    }

    fn inner_module(&mut self, tokens: &mut Tokens) {
        let Some(TokenTree::Ident(name)) = tokens.next() else { return };
        if let Some(TokenTree::Group(body)) = tokens.next_if(|token| matches!(token, TokenTree::Group(_))) {
            self.module.push(name.to_string());
            self.read(body.stream());
            self.module.pop();
        }
    }

    /// One branch of a `use`: words, and perhaps a group of branches.
    fn tree(&mut self, tokens: &mut Tokens, base: &Path, is_import: bool) {
        match tokens.next() {
            Some(TokenTree::Ident(word)) => {
                let base = self.from(base, &word.to_string());
                self.rest(tokens, base, is_import);
            }
            Some(TokenTree::Group(group)) => self.branches(&group, base),
            _ => self.mention(base.clone(), is_import),
        }
    }

    fn rest(&mut self, tokens: &mut Tokens, base: Path, is_import: bool) {
        if is_path_separator(tokens) {
            tokens.next();
            tokens.next();
            self.tree(tokens, &base, is_import);
        } else {
            self.mention(base, is_import);
        }
    }

    fn branches(&mut self, group: &Group, base: &Path) {
        if group.delimiter() != Delimiter::Brace {
            return self.read(group.stream());
        }
        let all: Vec<_> = group.stream().into_iter().collect();
        let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
        for branch in all.split(is_comma).filter(|branch| !branch.is_empty()) {
            self.tree(&mut Vec::from(branch).into_iter().peekable(), base, true);
        }
    }

    fn from(&self, base: &Path, word: &str) -> Path {
        match word {
            "crate" => Path::new(),
            "self" => base.clone(),
            "super" => base[..base.len().saturating_sub(1)].to_vec(),
            name => base.iter().cloned().chain([name.to_owned()]).collect(),
        }
    }

    fn mention(&mut self, path: Path, is_import: bool) {
        self.mentions.push(Mention { within: self.module.clone(), path, is_import });
    }
}

fn peekable(tokens: TokenStream) -> Tokens {
    tokens.into_iter().collect::<Vec<_>>().into_iter().peekable()
}

fn is_path_separator(tokens: &mut Tokens) -> bool {
    matches!(tokens.peek(), Some(TokenTree::Punct(mark)) if mark.as_char() == ':')
        && tokens.clone().nth(1).is_some_and(|next| matches!(next, TokenTree::Punct(mark) if mark.as_char() == ':'))
}
