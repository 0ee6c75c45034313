//! Finds the mirror from which this machine's apt fetches Debian.
//!
//! Both formats are parsed: the one-line one (`*.list`) and the one in paragraphs (`*.sources`); sources.list(5)
//! describes them.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Debian 12's name among the suites.
const RELEASE: &str = "bookworm";

/// A source of packages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Source {
    pub(crate) address: String,
    pub(crate) suites: Vec<String>,
    pub(crate) components: Vec<String>,
    /// The key, by its file or as text over several lines; apt takes either in the same place.
    pub(crate) signed_by: Option<String>,
}

impl Source {
    pub(crate) fn has_suite(&self, suite: &str) -> bool {
        self.suites.iter().any(|other| other == suite)
    }

    /// Other archives call their suites bookworm too; Debian's mirrors end in `debian`.
    fn is_debian_itself(&self) -> bool {
        let name = self.address.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        name == "debian" || name == "debian.list"
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Types: deb\nURIs: {}", self.address)?;
        writeln!(f, "Suites: {}\nComponents: {}", self.suites.join(" "), self.components.join(" "))?;
        self.signed_by.iter().try_for_each(|key| writeln!(f, "Signed-By: {key}"))
    }
}

/// Returns the source that has Debian 12's component `main`.
pub(crate) fn debian_archive(sources: &[Source]) -> Option<&Source> {
    let has_main = |source: &&Source| source.has_suite(RELEASE) && source.components.iter().any(|part| part == "main");
    let candidates = || sources.iter().filter(has_main);
    candidates().find(|source| source.is_debian_itself()).or_else(|| candidates().next())
}

/// Returns all sources of this machine.
pub(crate) fn of_this_machine() -> Vec<Source> {
    files().iter().flat_map(|file| from_file(file)).collect()
}

fn files() -> Vec<PathBuf> {
    let parts = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten().map(|entry| entry.path());
    parts.chain([PathBuf::from("/etc/apt/sources.list")]).collect()
}

fn from_file(file: &Path) -> Vec<Source> {
    let text = fs::read_to_string(file).unwrap_or_default();
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("list") => text.lines().filter_map(from_line).collect(),
        Some("sources") => from_deb822(&text),
        _ => Vec::new(),
    }
}

/// `deb [signed-by=key] address suite component...`
fn from_line(line: &str) -> Option<Source> {
    let rest = line.trim().strip_prefix("deb ")?.trim_start();
    let (options, rest) = match rest.strip_prefix('[') {
        Some(bracketed) => bracketed.split_once(']')?,
        None => ("", rest),
    };
    let mut words = rest.split('#').next()?.split_whitespace().map(str::to_owned);
    Some(Source {
        address: words.next()?,
        suites: vec![words.next()?],
        components: words.collect(),
        signed_by: options.split_whitespace().find_map(|option| option.strip_prefix("signed-by=")).map(str::to_owned),
    })
}

/// Paragraphs of `Field: value` lines, separated by empty lines.
pub(crate) fn from_deb822(text: &str) -> Vec<Source> {
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    lines.split(|line| line.trim().is_empty()).filter_map(from_paragraph).collect()
}

fn from_paragraph(lines: &[&str]) -> Option<Source> {
    let words = |name| field(lines, name).map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    let is_disabled = field(lines, "Enabled").is_some_and(|text| text.eq_ignore_ascii_case("no"));
    if is_disabled || !words("Types")?.iter().any(|kind| kind == "deb") {
        return None;
    }
    Some(Source {
        address: words("URIs")?.into_iter().next()?,
        suites: words("Suites")?,
        components: words("Components").unwrap_or_default(),
        signed_by: field(lines, "Signed-By"),
    })
}

/// Returns a field's value, with the indented lines that continue it.
fn field(lines: &[&str], name: &str) -> Option<String> {
    let is_named = |line: &&str| line.split_once(':').is_some_and(|(field, _)| field.eq_ignore_ascii_case(name));
    let first = lines.iter().position(is_named)?;
    let value = lines[first].split_once(':')?.1.trim();
    let continued = lines[first + 1..].iter().take_while(|line| line.starts_with([' ', '\t']));
    Some(continued.fold(value.to_owned(), |value, line| value + "\n" + line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_with_its_key() {
        let source =
            from_line("deb [arch=amd64 signed-by=/keys/a.gpg] file:/mirror/debian bookworm main contrib").unwrap();
        assert_eq!(source.address, "file:/mirror/debian");
        assert_eq!(
            (source.suites, source.components),
            (vec!["bookworm".into()], vec!["main".into(), "contrib".into()])
        );
        assert_eq!(source.signed_by.as_deref(), Some("/keys/a.gpg"));
    }

    #[test]
    fn source_packages_and_comments_are_no_archive() {
        assert_eq!(from_line("deb-src file:/mirror/debian bookworm main"), None);
        assert_eq!(from_line("# deb file:/mirror/debian bookworm main"), None);
    }

    #[test]
    fn paragraphs_are_read_without_their_comments() {
        let text = "# kept by hand\nTypes: deb deb-src\nURIs: file:/a/debian\n# an older one\nSuites: bookworm x\nComponents: main\n\
                    \nTypes: deb\nEnabled: no\nURIs: file:/b\nSuites: bookworm\n";
        let sources = from_deb822(text);
        assert_eq!(sources.len(), 1);
        assert_eq!(sources[0].suites, ["bookworm", "x"]);
    }

    #[test]
    fn a_key_written_into_the_source_is_kept_whole() {
        let text = "Types: deb\nURIs: file:/a\nSuites: bookworm\nSigned-By:\n -----BEGIN KEY-----\n .\n mQ\n";
        assert_eq!(from_deb822(text)[0].signed_by.as_deref(), Some("\n -----BEGIN KEY-----\n .\n mQ"));
    }

    #[test]
    fn debians_own_archive_is_preferred_to_others_of_that_suite() {
        let lines = ["deb file:/tools bookworm main", "deb file:/mirror/debian/ bookworm main"];
        let sources: Vec<_> = lines.into_iter().filter_map(from_line).collect();
        assert_eq!(debian_archive(&sources).unwrap().address, "file:/mirror/debian/");
    }

    #[test]
    fn the_security_archive_is_not_taken_for_the_main_one() {
        let sources = [from_line("deb file:/mirror/debian-security bookworm-security main").unwrap()];
        assert_eq!(debian_archive(&sources), None);
    }
}
