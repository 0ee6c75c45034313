//! The registers of the unit, and the bits of each.

use super::{ESCRS, MANY};
use crate::arch::x86::Msr;
use crate::arch::x86::netburst::{Capabilities, Cccr, Escr, Misc, PebsEnable, Share};
use crate::event::CounterSet;

/// A register of the unit, with its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// A counter.
    Counter(usize),
    /// A CCCR.
    Cccr(usize),
    /// An ESCR, in the order of their addresses.
    Escr(usize),
    /// IA32_PEBS_ENABLE or MSR_PEBS_MATRIX_VERT.
    Replay(usize),
    /// IA32_MISC_ENABLE.
    Misc,
}

impl Place {
    /// Returns the counters whose selection is in this register. An ESCR is used by those that are joined to it.
    #[inline(always)]
    pub(super) const fn decides(self) -> CounterSet {
        match self {
            Self::Cccr(number) => CounterSet::from_bits(1 << (number & 31)),
            Self::Escr(_) => CounterSet::ALL,
            _ => CounterSet::EMPTY,
        }
    }

    /// Returns the register at an address, or `None` if it is not the unit's (SDM vol. 4, "MSRs in the Pentium 4 and Intel
    /// Xeon Processors").
    #[inline(always)]
    pub(super) const fn of(at: Msr) -> Option<Self> {
        let address = at.address() as usize;
        match address {
            0x300..=0x311 => Some(Self::Counter(address - 0x300)),
            0x360..=0x371 => Some(Self::Cccr(address - 0x360)),
            0x3A0..=0x3BE => Some(Self::Escr(address - 0x3A0)),
            0x3C0..=0x3C5 => Some(Self::Escr(address - 0x3C0 + 31)),
            0x3C8..=0x3CD => Some(Self::Escr(address - 0x3C8 + 37)),
            0x3E0..=0x3E1 => Some(Self::Escr(address - 0x3E0 + 43)),
            0x3F1..=0x3F2 => Some(Self::Replay(address - 0x3F1)),
            0x1A0 => Some(Self::Misc),
            _ => None,
        }
    }
}

/// The numbers of MSR_IQ_ESCR0 and MSR_IQ_ESCR1.
const EARLY: [usize; 2] = [26, 27];

/// The bits that exist, and what belongs to this thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    is_early: bool,
    replay: bool,
    share: Share,
    has_second_thread: bool,
}

impl Limits {
    pub(super) const fn of(capabilities: &Capabilities) -> Self {
        Self {
            is_early: !capabilities.is_prescott(),
            replay: capabilities.replay,
            share: capabilities.share,
            has_second_thread: capabilities.hyper_threading,
        }
    }

    /// Returns the bits of a counter.
    #[inline(always)]
    pub(super) const fn mask(&self) -> u64 {
        Capabilities::WIDTH.mask()
    }

    /// Returns true if the processor has a second thread.
    pub(super) const fn has_second_thread(&self) -> bool {
        self.has_second_thread
    }

    /// Returns the bits of this thread in an ESCR: outside ring 0 and in it.
    pub(super) const fn modes(&self) -> [Escr; 2] {
        match self.share {
            Share::Thread1 => [Escr::T1_USER, Escr::T1_KERNEL],
            _ => [Escr::T0_USER, Escr::T0_KERNEL],
        }
    }

    /// Returns the bit of a CCCR that interrupts this thread.
    pub(super) const fn interrupt(&self) -> Cccr {
        match self.share {
            Share::Thread1 => Cccr::INTERRUPT_T1,
            _ => Cccr::INTERRUPT_T0,
        }
    }

    /// Returns true if a counter with this CCCR counts while this thread is the one that is active (SDM vol. 3,
    /// ACTIVE_THREAD: 0 neither thread is, 1 either alone, 2 both, 3 any). Without hyper-threading it "should always be set
    /// to 11B".
    pub(super) const fn is_active(&self, cccr: Cccr) -> bool {
        let threads = cccr.active_thread();
        threads == 3 || self.has_second_thread && threads == 1
    }

    /// Returns IA32_MISC_ENABLE.
    pub(super) const fn misc(&self) -> u64 {
        if self.replay { Misc::MONITORING.bits() } else { Misc::MONITORING.union(Misc::NO_PEBS).bits() }
    }

    /// Returns the bits of a register, or `None` if there is no such register.
    #[inline(always)]
    pub(super) fn bits(&self, place: Place) -> Option<u64> {
        let is_there = match place {
            Place::Counter(number) | Place::Cccr(number) => number < MANY,
            Place::Escr(number) => number < ESCRS && (self.is_early || !EARLY.contains(&number)),
            Place::Replay(_) | Place::Misc => true,
        };
        let bits = match place {
            Place::Counter(_) => self.mask(),
            Place::Cccr(_) => Cccr::all().bits() & !self.dropped(place),
            Place::Escr(_) => Escr::all().bits() & !self.dropped(place),
            Place::Replay(0) => PebsEnable::all().bits(),
            Place::Replay(_) => 0x1F,
            Place::Misc => self.misc(),
        };
        is_there.then_some(bits)
    }

    /// Returns the bits of a register that are dropped when it is written: those of a counter beyond its width, and those of
    /// a second thread that is not there.
    pub(super) const fn dropped(&self, place: Place) -> u64 {
        match place {
            Place::Counter(_) => !Capabilities::WIDTH.mask(),
            Place::Cccr(_) if !self.has_second_thread => Cccr::INTERRUPT_T1.bits(),
            Place::Escr(_) if !self.has_second_thread => Escr::T1_USER.union(Escr::T1_KERNEL).bits(),
            _ => 0,
        }
    }
}
