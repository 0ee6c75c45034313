//! Finds the modules that a source mentions.
//!
//! Every path that begins with `crate`, `self` or `super`, in a `use` or in an expression, is resolved from the crate's
//! root; so is what a `use` names without them. Modules for tests are left out: tests may know everything.

use std::iter::Peekable;
use std::slice::Iter;

use proc_macro2::Delimiter;

use crate::layering::source::{Source, Token};

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
    Reader { module: source.module(), mentions: &mut mentions }.read(&source.without_tests);
    mentions
}

type Tokens<'s> = Peekable<Iter<'s, Token>>;

struct Reader<'a> {
    module: Path,
    mentions: &'a mut Vec<Mention>,
}

impl Reader<'_> {
    fn read(&mut self, tokens: &[Token]) {
        let mut tokens = tokens.iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                Token::Group(_, group) => self.read(group),
                Token::Word(word) => self.read_from(word, &mut tokens),
                Token::Mark(_) | Token::Literal => (),
            }
        }
    }

    fn read_from(&mut self, word: &str, tokens: &mut Tokens<'_>) {
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

    fn inner_module(&mut self, tokens: &mut Tokens<'_>) {
        let Some(Token::Word(name)) = tokens.next() else { return };
        if let Some(Token::Group(_, body)) = tokens.next_if(|token| matches!(token, Token::Group(..))) {
            self.module.push(name.clone());
            self.read(body);
            self.module.pop();
        }
    }

    /// One branch of a `use`: words, and perhaps a group of branches.
    fn tree(&mut self, tokens: &mut Tokens<'_>, base: &Path, is_import: bool) {
        match tokens.next() {
            Some(Token::Word(word)) => {
                let base = self.from(base, word);
                self.rest(tokens, base, is_import);
            }
            Some(Token::Group(Delimiter::Brace, branches)) => self.branches(branches, base),
            Some(Token::Group(_, group)) => self.read(group),
            _ => self.mention(base.clone(), is_import),
        }
    }

    fn rest(&mut self, tokens: &mut Tokens<'_>, base: Path, is_import: bool) {
        if is_path_separator(tokens) {
            tokens.next();
            tokens.next();
            self.tree(tokens, &base, is_import);
        } else {
            self.mention(base, is_import);
        }
    }

    fn branches(&mut self, branches: &[Token], base: &Path) {
        let branches = branches.split(|token| *token == Token::Mark(','));
        for branch in branches.filter(|branch| !branch.is_empty()) {
            self.tree(&mut branch.iter().peekable(), base, true);
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

fn is_path_separator(tokens: &Tokens<'_>) -> bool {
    tokens.clone().take(2).filter(|token| **token == Token::Mark(':')).count() == 2
}
