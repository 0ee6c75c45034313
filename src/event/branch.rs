//! Branches as a processor records them: one branch, its kind, which of them are recorded, and a list.

use core::fmt;
use core::ops::Deref;

use super::Modes;

/// A branch, as the processor recorded it. If the filter lets every branch through, the code between two branches that follow
/// each other in a list ran straight on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Branch {
    /// The address of the branch instruction, or where a trap came. 0 if it was in a mode that is not recorded.
    pub from: u64,
    /// The address of the next instruction. 0 if it is in a mode that is not recorded.
    pub to: u64,
    /// The kind; `None` if the processor does not record it.
    pub kind: Option<BranchKind>,
    /// Whether the target or the direction was mispredicted; `None` if the processor does not record it.
    pub is_mispredicted: Option<bool>,
    /// The processor's cycles since the branch that was recorded before; `None` if the processor did not count them.
    pub cycles: Option<u32>,
}

impl Branch {
    /// Creates a branch of which no more is known.
    #[inline(always)]
    #[must_use]
    pub const fn new(from: u64, to: u64) -> Self {
        Self { from, to, kind: None, is_mispredicted: None, cycles: None }
    }

    /// Sets the kind.
    #[inline(always)]
    #[must_use]
    pub const fn of_kind(mut self, kind: BranchKind) -> Self {
        self.kind = Some(kind);
        self
    }
}

/// Prints the addresses and what is known besides: `0x80000010 -> 0x80000040 call, mispredicted`.
impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, kind, is_mispredicted, cycles } = self;
        write!(f, "{from:#x} -> {to:#x}")?;
        kind.iter().try_for_each(|kind| write!(f, " {kind}"))?;
        if *is_mispredicted == Some(true) {
            f.write_str(", mispredicted")?;
        }
        cycles.iter().try_for_each(|cycles| write!(f, ", {cycles} cycles"))
    }
}

/// The kind of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum BranchKind {
    /// A conditional branch that was taken.
    Conditional = 0,
    /// A conditional branch that was not taken. It is recorded only if a filter names it ([`BranchFilter::only`]).
    NotTaken = 1,
    /// A jump whose target is in the instruction.
    Jump = 2,
    /// A jump to an address in a register or in memory.
    IndirectJump = 3,
    /// A call whose target is in the instruction.
    Call = 4,
    /// A call of an address in a register or in memory.
    IndirectCall = 5,
    /// The return from a call.
    Return = 6,
    /// A return and a call in one, by which coroutines change over.
    CoroutineSwap = 7,
    /// An exception, a system call among them.
    Exception = 8,
    /// An interrupt.
    Interrupt = 9,
    /// The return from an exception or an interrupt.
    TrapReturn = 10,
}

impl BranchKind {
    /// All kinds, in the order of their numbers.
    pub(crate) const ALL: [Self; 11] = [
        Self::Conditional,
        Self::NotTaken,
        Self::Jump,
        Self::IndirectJump,
        Self::Call,
        Self::IndirectCall,
        Self::Return,
        Self::CoroutineSwap,
        Self::Exception,
        Self::Interrupt,
        Self::TrapReturn,
    ];

    /// Returns the kind with this number.
    pub(crate) fn of_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    const fn bit(self) -> u16 {
        1 << self as u8
    }
}

impl fmt::Display for BranchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conditional => "branch",
            Self::NotTaken => "branch not taken",
            Self::Jump => "jump",
            Self::IndirectJump => "indirect jump",
            Self::Call => "call",
            Self::IndirectCall => "indirect call",
            Self::Return => "return",
            Self::CoroutineSwap => "coroutine swap",
            Self::Exception => "exception",
            Self::Interrupt => "interrupt",
            Self::TrapReturn => "return from trap",
        })
    }
}

/// Which branches are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BranchFilter {
    modes: Modes,
    kinds: u16,
    freezes: bool,
}

impl BranchFilter {
    /// Every branch that is taken in these modes, traps and returns from traps among them.
    #[must_use]
    pub const fn new(modes: Modes) -> Self {
        let all = (1 << BranchKind::ALL.len()) - 1;
        Self { modes, kinds: all & !BranchKind::NotTaken.bit(), freezes: false }
    }

    /// Limits it to these kinds.
    #[must_use]
    pub const fn only(mut self, kinds: &[BranchKind]) -> Self {
        self.kinds = 0;
        let mut rest = kinds;
        while let [kind, others @ ..] = rest {
            self.kinds |= kind.bit();
            rest = others;
        }
        self
    }

    /// Freezes the records at each overflow interrupt, before any branch of the handler is recorded. They stay frozen until
    /// [`Unit::on_overflow_with_branches`](crate::Unit::on_overflow_with_branches) has read them: a kernel whose handler is
    /// another MUST NOT ask for it.
    #[must_use]
    pub const fn frozen_by_overflows(mut self) -> Self {
        self.freezes = true;
        self
    }

    /// Returns the modes.
    #[must_use]
    pub const fn modes(&self) -> Modes {
        self.modes
    }

    /// Returns true if branches of this kind are recorded.
    #[must_use]
    pub const fn has(&self, kind: BranchKind) -> bool {
        self.kinds & kind.bit() != 0
    }

    /// Returns true if the records freeze at an overflow interrupt.
    #[must_use]
    pub const fn freezes(&self) -> bool {
        self.freezes
    }
}

/// Up to `N` branches, the newest first. It dereferences to a slice.
#[derive(Clone, Copy)]
pub struct BranchList<const N: usize> {
    branches: [Branch; N],
    length: usize,
}

impl<const N: usize> BranchList<N> {
    /// Creates an empty list.
    #[must_use]
    pub const fn new() -> Self {
        const NOTHING: Branch = Branch::new(0, 0);
        Self { branches: [NOTHING; N], length: 0 }
    }

    /// Adds an older branch. Returns false if there is no room.
    pub fn push(&mut self, branch: Branch) -> bool {
        let place = self.branches.get_mut(self.length);
        let has_room = place.is_some();
        place.into_iter().for_each(|place| *place = branch);
        self.length += usize::from(has_room);
        has_room
    }
}

impl<const N: usize> Default for BranchList<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Deref for BranchList<N> {
    type Target = [Branch];

    fn deref(&self) -> &[Branch] {
        self.branches.get(..self.length).unwrap_or(&self.branches)
    }
}

/// Compares the branches that are there.
impl<const N: usize> PartialEq for BranchList<N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<const N: usize> Eq for BranchList<N> {}

impl<const N: usize> fmt::Debug for BranchList<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Prints a branch a line.
impl<const N: usize> fmt::Display for BranchList<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|branch| writeln!(f, "{branch}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_has_what_is_taken_unless_it_is_told_otherwise() {
        let [all, calls] = [&[][..], &[BranchKind::Call, BranchKind::NotTaken]].map(|kinds| match kinds {
            [] => BranchFilter::new(Modes::ALL),
            kinds => BranchFilter::new(Modes::ALL).only(kinds),
        });
        let of = |filter: BranchFilter| BranchKind::ALL.into_iter().filter(move |&kind| filter.has(kind));
        assert!(of(all).eq(BranchKind::ALL.into_iter().filter(|&kind| kind != BranchKind::NotTaken)));
        assert!(of(calls).eq([BranchKind::NotTaken, BranchKind::Call]));
    }

    #[test]
    fn every_kind_is_found_by_its_number() {
        let numbers = (0..=u8::MAX).filter_map(BranchKind::of_number).map(|kind| kind as u8);
        assert!(numbers.eq(0..BranchKind::ALL.len() as u8));
    }

    #[test]
    fn a_full_list_keeps_the_newest_branches() {
        let mut list = BranchList::<2>::new();
        let pushed = [1, 2, 3].map(|from| list.push(Branch::new(from, 0)));
        assert_eq!((pushed, list.len(), list[1].from), ([true, true, false], 2, 2));
    }

    #[test]
    fn a_branch_prints_what_is_known_of_it() {
        let mut branch = Branch::new(0x10, 0x40);
        assert_eq!(branch.to_string(), "0x10 -> 0x40");
        (branch.is_mispredicted, branch.cycles) = (Some(true), Some(12));
        assert_eq!(branch.of_kind(BranchKind::Call).to_string(), "0x10 -> 0x40 call, mispredicted, 12 cycles");
    }
}
