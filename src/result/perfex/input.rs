//! What perfex' statistics are computed from, and the events that count it.
//!
//! "Graduated" is the R10000's word for retired.

use crate::contract::Plan;
use crate::event::Event;
use crate::naming::native::Native;

/// A number that statistics are computed from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum Input {
    /// Cycles.
    Cycles,
    /// Instructions retired.
    Instructions,
    /// Floating-point instructions retired.
    FloatingPoint,
    /// Loads retired.
    Loads,
    /// Stores retired.
    Stores,
    /// Branches decoded.
    Branches,
    /// Branches mispredicted.
    Mispredicted,
    /// Misses of the first-level data cache.
    L1Misses,
    /// Misses of data in the second-level cache.
    L2Misses,
    /// Quadwords (16 bytes) written back from the first level.
    L1WriteBacks,
    /// Quadwords written back from the second level.
    L2WriteBacks,
    /// The bytes in a line of the first level.
    L1LineBytes,
    /// The bytes in a line of the second level.
    L2LineBytes,
    /// The cycles spent on memory accesses, by the typical costs.
    MemoryCycles,
}

impl Input {
    /// Every input.
    pub const ALL: [Self; 14] = [
        Self::Cycles,
        Self::Instructions,
        Self::FloatingPoint,
        Self::Loads,
        Self::Stores,
        Self::Branches,
        Self::Mispredicted,
        Self::L1Misses,
        Self::L2Misses,
        Self::L1WriteBacks,
        Self::L2WriteBacks,
        Self::L1LineBytes,
        Self::L2LineBytes,
        Self::MemoryCycles,
    ];

    /// Returns the input's name, as reports print it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cycles => "cycles",
            Self::Instructions => "graduated instructions",
            Self::FloatingPoint => "graduated floating-point instructions",
            Self::Loads => "graduated loads",
            Self::Stores => "graduated stores",
            Self::Branches => "decoded branches",
            Self::Mispredicted => "mispredicted branches",
            Self::L1Misses => "primary data cache misses",
            Self::L2Misses => "secondary data cache misses",
            Self::L1WriteBacks => "quadwords written back from the primary data cache",
            Self::L2WriteBacks => "quadwords written back from the secondary cache",
            Self::L1LineBytes => "the primary line's size",
            Self::L2LineBytes => "the secondary line's size",
            Self::MemoryCycles => "cycles accessing memory",
        }
    }
}

impl Input {
    /// Returns the PAPI names of the events that count this input, the best first. None counts the sizes of lines, which
    /// are constants of the processor, quadwords, which have no PAPI name, or the cycles spent on memory, which
    /// [`Cost::cycles`] gives.
    ///
    /// [`Cost::cycles`]: crate::text::catalogue::Cost::cycles
    #[must_use]
    pub const fn presets(self) -> &'static [&'static str] {
        match self {
            Self::Cycles => &["papi_tot_cyc"],
            Self::Instructions => &["papi_tot_ins"],
            Self::FloatingPoint => &["papi_fp_ins"],
            Self::Loads => &["papi_ld_ins"],
            Self::Stores => &["papi_sr_ins"],
            // The R12000 counts conditional branches alone.
            Self::Branches => &["papi_br_ins", "papi_br_cn"],
            Self::Mispredicted => &["papi_br_msp"],
            Self::L1Misses => &["papi_l1_dcm", "papi_l1_ldm"],
            // What misses the second level refers to the third.
            Self::L2Misses => &["papi_l2_dcm", "papi_l2_tcm", "papi_l3_tca"],
            Self::L1WriteBacks | Self::L2WriteBacks | Self::L1LineBytes | Self::L2LineBytes | Self::MemoryCycles => &[],
        }
    }

    /// Returns perfex' name of the event that counts this input, if PAPI has none.
    const fn own(self) -> Option<&'static str> {
        match self {
            Self::L1WriteBacks => Some("Quadwords_written_back_from_primary_data_cache"),
            Self::L2WriteBacks => Some("Quadwords_written_back_from_scache"),
            _ => None,
        }
    }

    /// Returns the processor's event or events that count this input, or `None` if this unit has none.
    #[must_use]
    pub fn native<P: Plan>(self, driver: &P) -> Option<Native<'_, P>> {
        let preset = self.presets().iter().find_map(|name| Native::of(driver, name).ok());
        preset.or_else(|| Native::of_own(driver, self.own()?).ok())
    }

    /// Computes the input from the counts of the processor's events, or returns `None` if one is missing.
    pub(super) fn counted<P: Plan>(self, driver: &P, count: &mut impl FnMut(Event) -> Option<u64>) -> Option<u64> {
        let native = self.native(driver)?;
        let mut counts = [0; MOST_TERMS];
        let mut terms = 0;
        for term in native.terms() {
            *counts.get_mut(terms)? = count(term.event)?;
            terms += 1;
        }
        native.value(counts.get(..terms)?)
    }
}

/// The most events that an input is made of.
const MOST_TERMS: usize = 8;
