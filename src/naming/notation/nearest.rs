//! Finds the name that a misspelt word was meant to be.

use core::array;

use crate::event::catalogue::EventName;

/// The longest word that is compared with names.
const LONGEST: usize = 64;

/// Returns the name that the fewest letters must be changed, left out or put in to get from a word. At least two thirds
/// of the word must be right. Case does not matter.
#[cold]
pub(super) fn nearest(word: &[u8], names: impl Iterator<Item = EventName>) -> Option<EventName> {
    let most = word.len() / 3;
    let is_short = word.len() <= LONGEST;
    let unpacked = names.map(|name| (name, name.text()));
    let alike = unpacked.filter(|(_, text)| is_short && text.len().abs_diff(word.len()) <= most);
    let wrong = alike.map(|(name, text)| (distance(word, text.as_bytes()), name));
    let (wrong, name) = wrong.min_by_key(|&(wrong, _)| wrong)?;
    (wrong <= most).then_some(name)
}

/// Returns how many letters differ between a word and a name (V. I. Levenshtein's distance).
fn distance(word: &[u8], name: &[u8]) -> usize {
    // The distances of what was seen of the name from each beginning of the word, but for the empty one.
    let mut distances: [usize; LONGEST] = array::from_fn(|letters| letters + 1);
    let mut last = word.len();
    for (seen, letter) in name.iter().enumerate() {
        let (mut diagonal, mut left) = (seen, seen + 1);
        for (distance, other) in distances.iter_mut().zip(word) {
            let changed = diagonal + usize::from(!letter.eq_ignore_ascii_case(other));
            diagonal = *distance;
            *distance = changed.min(diagonal.min(left) + 1);
            left = *distance;
        }
        last = left;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_are_wrong_missing_or_too_many_are_counted() {
        let count = |word: &str, name: &str| distance(word.as_bytes(), name.as_bytes());
        assert_eq!([count("cycles", "CYCLES"), count("cykles", "cycles"), count("ccles", "cycles")], [0, 1, 1]);
        assert_eq!([count("cyycles", "cycles"), count("", "abc"), count("abc", "")], [1, 3, 3]);
        assert_eq!(count("kitten", "sitting"), 3);
    }

    #[test]
    fn the_nearest_name_is_found_if_most_of_the_word_is_right() {
        const NAMES: [&str; 3] = ["BRANCHES", "BRANCH_MISSES", "CYCLES"];
        let nearest = |word: &str| nearest(word.as_bytes(), NAMES.into_iter().map(EventName::new));
        assert_eq!(
            [nearest("branchs"), nearest("branch_mises")],
            [Some("BRANCHES".into()), Some("BRANCH_MISSES".into())]
        );
        assert_eq!([nearest("br"), nearest("instructions"), nearest(&"CYCLES".repeat(11))], [None; 3]);
    }
}
