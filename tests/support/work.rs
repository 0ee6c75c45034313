//! Work that a host reports.

use pmu::Mode;
use pmu::virt::{Kind, Work};

/// So many instructions of a user program.
pub(crate) const fn instructions(count: u64) -> Work {
    Work::instructions(Mode::User, count)
}

/// One event of the first kind, two of the second, and so on.
pub(crate) fn one_of_each_kind(mode: Mode) -> Work {
    (1..).zip(Kind::ALL).fold(Work::none(mode), |work, (count, kind)| work.with(kind, count))
}

/// How many events of a kind that is.
pub(crate) fn of(kind: Kind) -> u64 {
    one_of_each_kind(Mode::User).of(kind)
}
