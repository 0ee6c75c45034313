//! The mode that the driver runs in, which decides the registers that it has.

use crate::arch::riscv::Csr;
use crate::event::CounterId;

/// The mode that the driver runs in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Privilege {
    /// Machine mode: the registers themselves. A request for the kernel counts machine mode and supervisor mode.
    Machine,
    /// Supervisor mode, with the counters that are delegated to it (Smcdeleg and Ssccfg). Machine mode has to have set
    /// menvcfg\[CDE\] (bit 60) and the bits of mcounteren, and where there is mstateen0 its bit 60 (a write where there is
    /// none is an exception). The interrupt arrives in supervisor mode if bit 13 of mideleg is set.
    Supervisor,
}

impl Privilege {
    /// Returns the register of a counter.
    #[inline(always)]
    pub(super) const fn counter(self, counter: CounterId) -> Csr {
        match self {
            Self::Machine => Csr::counter_of(counter),
            Self::Supervisor => Csr::delegated_counter_of(counter),
        }
    }

    /// Returns the register by which a counter is read while it counts.
    #[inline(always)]
    pub(super) const fn fast_counter(self, counter: CounterId) -> Csr {
        match self {
            Self::Machine => Csr::counter_of(counter),
            Self::Supervisor => Csr::user_counter_of(counter),
        }
    }

    /// Returns what a counter counts.
    #[inline(always)]
    pub(super) const fn select(self, counter: CounterId) -> Csr {
        match self {
            Self::Machine => Csr::select_of(counter),
            Self::Supervisor => Csr::delegated_select_of(counter),
        }
    }

    /// Returns which counters do not count.
    #[inline(always)]
    pub(super) const fn inhibit(self) -> Csr {
        match self {
            Self::Machine => Csr::MCOUNTINHIBIT,
            Self::Supervisor => Csr::SCOUNTINHIBIT,
        }
    }

    /// Returns which interrupts are pending.
    #[inline(always)]
    pub(super) const fn pending(self) -> Csr {
        match self {
            Self::Machine => Csr::MIP,
            Self::Supervisor => Csr::SIP,
        }
    }

    /// Returns which interrupts are enabled.
    pub(super) const fn enable(self) -> Csr {
        match self {
            Self::Machine => Csr::MIE,
            Self::Supervisor => Csr::SIE,
        }
    }

    /// Returns which counters the mode below can read.
    pub(super) const fn readable(self) -> Csr {
        match self {
            Self::Machine => Csr::MCOUNTEREN,
            Self::Supervisor => Csr::SCOUNTEREN,
        }
    }
}
