//! The word on a figure beside its target.

/// Whether a figure reaches its target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Verdict {
    /// It has none.
    None,
    Reached,
    /// It misses it by at most a tenth, which counts as met.
    Within,
    Missed,
}

impl Verdict {
    pub(super) fn of(value: u64, target: u64) -> Self {
        match value {
            _ if value <= target => Self::Reached,
            _ if value * 10 <= target * 11 => Self::Within,
            _ => Self::Missed,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Reached => "reached",
            Self::Within => "within",
            Self::Missed => "MISSED",
        }
    }
}
