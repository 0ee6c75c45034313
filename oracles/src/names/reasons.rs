//! Why names of other lists are refused, or mean something else: `reasons.txt`.

use anyhow::{Context, Result, ensure};

use super::Verdict;

/// The reasons, one a line: `list | processors | kind | names | why`. Several words stand in one field with blanks between
/// them. A `*` at the end of a word stands for every end. The kind is `differs`; `otherwise`, if the name is refused and
/// another one is read for the same event; `unlisted`, if it is refused and no name has the list's number; or `refused`, for
/// whatever is refused.
const TEXT: &str = include_str!("reasons.txt");

struct Reason {
    fields: [&'static str; 5],
    is_used: bool,
}

/// All reasons.
pub(super) struct Reasons(Vec<Reason>);

impl Reasons {
    /// # Errors
    /// A line does not have five fields.
    pub(super) fn read() -> Result<Self> {
        Self::of(TEXT)
    }

    pub(super) fn of(text: &'static str) -> Result<Self> {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let reasons = lines.map(|line| {
            let fields: Vec<_> = line.split(" | ").map(str::trim).collect();
            let fields: [_; 5] = fields.try_into().ok().with_context(|| format!("not five fields: {line}"))?;
            ensure!(["refused", "otherwise", "unlisted", "differs"].contains(&fields[2]), "no kind: {line}");
            Ok(Reason { fields, is_used: false })
        });
        reasons.collect::<Result<_>>().map(Self)
    }

    /// Returns why a name does not agree, if that is known.
    pub(super) fn find(&mut self, list: &str, processor: &str, name: &str, verdict: &Verdict) -> Option<String> {
        let kind = match verdict {
            Verdict::Agrees => return None,
            Verdict::Differs(_) => "differs",
            Verdict::Refused(_) => "refused",
            Verdict::Otherwise(_) => "refused otherwise",
            Verdict::Unlisted(_) => "refused unlisted",
        };
        let is_meant = |reason: &&mut Reason| {
            let [lists, processors, one, names, _] = reason.fields;
            [(lists, list), (processors, processor), (kind, one), (names, name)]
                .iter()
                .all(|(words, it)| is_one(words, it))
        };
        let reason = self.0.iter_mut().find(is_meant)?;
        reason.is_used = true;
        Some(reason.fields[4].to_owned())
    }

    /// Returns the reasons for names of these lists that no name has any more, one a line.
    pub(super) fn stale(&self, lists: &[&str]) -> String {
        let stale =
            self.0.iter().filter(|reason| !reason.is_used && lists.iter().any(|list| is_one(reason.fields[0], list)));
        stale.map(|reason| format!("no name needs this reason any more: {}\n", reason.fields.join(" | "))).collect()
    }
}

/// Returns true if it is one of the words, or begins with one that ends in `*`.
fn is_one(words: &str, it: &str) -> bool {
    words.split(' ').any(|word| word.strip_suffix('*').map_or(word == it, |begin| it.starts_with(begin)))
}
