//! Finds the name that a misspelt word was meant to be.

use core::array;

use crate::event::catalogue::EventName;

/// The longest word that is compared with names.
const LONGEST: usize = 64;

impl EventName {
    /// Returns the name that the fewest letters must be changed, left out or put in to get from a word. At least two thirds
    /// of the word must be right, and all of its digits: with another digit a name is of another cache or port. If names begin
    /// with the word, and what follows is a unit mask's, it is the first of these. Case does not matter.
    #[cold]
    #[must_use]
    pub fn nearest(word: &[u8], names: impl Iterator<Item = Self>) -> Option<Self> {
        let most = word.len() / 3;
        if word.len() > LONGEST {
            return None;
        }
        let wrong = names.filter_map(|name| {
            let text = name.text();
            let text = text.as_bytes();
            if lacks_mask(word, text) {
                return Some((0, name));
            }
            let is_alike = text.len().abs_diff(word.len()) <= most && digits(text).eq(digits(word));
            is_alike.then(|| (distance(word, text), name)).filter(|&(wrong, _)| wrong <= most)
        });
        wrong.min_by_key(|&(wrong, _)| wrong).map(|(_, name)| name)
    }
}

/// Returns true if the word is the name up to its unit mask.
fn lacks_mask(word: &[u8], name: &[u8]) -> bool {
    let begins = name.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    begins && !word.is_empty() && matches!(name.get(word.len()), Some(b'.' | b':'))
}

fn digits(text: &[u8]) -> impl Iterator<Item = &u8> {
    text.iter().filter(|byte| byte.is_ascii_digit())
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
        let nearest = |word: &str| EventName::nearest(word.as_bytes(), NAMES.into_iter().map(EventName::new));
        assert_eq!(
            [nearest("branchs"), nearest("branch_mises")],
            [Some("BRANCHES".into()), Some("BRANCH_MISSES".into())]
        );
        assert_eq!([nearest("br"), nearest("instructions"), nearest(&"CYCLES".repeat(11))], [None; 3]);
    }

    #[test]
    fn a_name_of_another_level_or_port_is_not_near_and_one_with_a_unit_mask_is() {
        const NAMES: [&str; 4] = ["FP_ASSIST.ANY", "FP_ASSISTS", "L1D_READ_REFILL", "UOPS_DISPATCHED_PORT.PORT_0"];
        let nearest = |word: &str| EventName::nearest(word.as_bytes(), NAMES.into_iter().map(EventName::new));
        assert_eq!([nearest("L2D_READ_REFILL"), nearest("UOPS_DISPATCHED_PORT.PORT_1")], [None; 2]);
        assert_eq!(nearest("fp_assist"), Some("FP_ASSIST.ANY".into()));
        assert_eq!(nearest("L1D_READ_REFIL"), Some("L1D_READ_REFILL".into()));
    }
}
