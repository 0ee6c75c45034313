//! Parses a line: words `tag:value`, in any order, and a description after a colon that begins a word.

use anyhow::{Context, Result, bail, ensure};

/// The tags of a line.
#[derive(Debug)]
pub(crate) struct Tags<'t>(Vec<(&'t str, &'t str)>);

impl<'t> Tags<'t> {
    /// Parse a line that may have these tags.
    ///
    /// # Errors
    /// A word is no tag, or one that is not known, or comes twice.
    pub(crate) fn read(line: &'t str, known: &[&str]) -> Result<Self> {
        let mut tags: Vec<(&str, &str)> = Vec::new();
        for word in line.split_whitespace().take_while(|word| !word.starts_with(':')) {
            let (tag, value) = word.split_once(':').with_context(|| format!("{word:?} is no tag with its value"))?;
            ensure!(known.contains(&tag), "the tag {tag:?} is not one of {known:?}");
            ensure!(tags.iter().all(|(other, _)| *other != tag), "the tag {tag:?} comes twice");
            tags.push((tag, value));
        }
        Ok(Self(tags))
    }

    pub(crate) fn get(&self, tag: &str) -> Option<&'t str> {
        self.0.iter().find(|(other, _)| *other == tag).map(|(_, value)| *value)
    }

    /// # Errors
    /// There is no such tag.
    pub(crate) fn need(&self, tag: &str) -> Result<&'t str> {
        self.get(tag).with_context(|| format!("the tag {tag:?} is missing"))
    }

    /// # Errors
    /// There is no such tag, or its value is no hexadecimal number.
    pub(crate) fn hexadecimal(&self, tag: &str) -> Result<u64> {
        let value = self.need(tag)?;
        hexadecimal(value).with_context(|| format!("{tag}:{value} is no hexadecimal number"))
    }

    /// # Errors
    /// There is no such tag, or its value is no name: OProfile makes file names of them.
    pub(crate) fn name(&self, tag: &str) -> Result<&'t str> {
        let name = self.need(tag)?;
        ensure!(
            !name.is_empty() && !name.contains(['/', '.']),
            "{tag}:{name} is no name: it is empty, or has / or . in it"
        );
        Ok(name)
    }
}

/// Parses a number with `0x` or `0X`.
pub(crate) fn hexadecimal(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?, 16).ok()
}

/// Calls `read` for each line that is not empty. Returns the processors that are included.
///
/// # Errors
/// The error of `read`, with the line's number.
pub(crate) fn each(text: &str, mut read: impl FnMut(&str) -> Result<()>) -> Result<Vec<String>> {
    let mut includes = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match line.strip_prefix("include:") {
            Some(name) => includes.push(name.trim().to_owned()),
            None => read(line).with_context(|| format!("line {}", number + 1))?,
        }
    }
    match includes.iter().find(|name| name.split('/').any(|part| matches!(part, "" | "." | ".."))) {
        Some(outside) => bail!("include:{outside} is no processor's name"),
        None => Ok(includes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_come_in_any_order_and_end_before_the_description() {
        let tags = Tags::read("b:2 a:1 : the tag c:3 is text", &["a", "b"]).unwrap();
        assert_eq!((tags.get("a"), tags.get("b"), tags.get("c")), (Some("1"), Some("2"), None));
        assert_eq!(Tags::read("a:1 :text right behind it", &["a"]).unwrap().get("a"), Some("1"));
    }

    #[test]
    fn a_tag_that_is_unknown_or_comes_twice_is_an_error() {
        assert!(Tags::read("c:1", &["a"]).unwrap_err().to_string().contains("\"c\" is not one of"));
        assert!(Tags::read("a:1 a:1", &["a"]).unwrap_err().to_string().contains("\"a\" comes twice"));
        assert!(Tags::read("word", &["a"]).is_err());
    }

    #[test]
    fn a_name_has_neither_slash_nor_dot() {
        let name = |text| Tags::read(text, &["name"]).unwrap().name("name").is_ok();
        assert_eq!(["name:L2_LD", "name:a/b", "name:a.b", "name:"].map(name), [true, false, false, false]);
    }

    #[test]
    fn numbers_have_their_prefix() {
        assert_eq!(["0x1f", "0X0A", "1f", "0x"].map(hexadecimal), [Some(0x1f), Some(0xa), None, None]);
    }

    #[test]
    fn what_is_included_stays_within_oprofiles_folder() {
        assert_eq!(each("include:i386/arch_perfmon\n", |_| Ok(())).unwrap(), ["i386/arch_perfmon"]);
        assert!(each("include:../../etc\n", |_| Ok(())).is_err());
        assert!(each("include:/etc/x\n", |_| Ok(())).is_err());
    }
}
