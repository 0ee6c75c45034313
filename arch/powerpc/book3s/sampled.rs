//! Returns what the unit recorded of the sampled instruction at an alert: SIAR, SDAR, and the state.
//!
//! The interrupt waits for MSR\[EE\], so it may come long after the counter overflowed. SIAR
//! holds the address of the overflow until counting continues: the handler calls
//! [`Book3s::sampled`] before [`Unit::on_overflow`](crate::Unit::on_overflow).
//!
//! ```
//! use pmu::arch::powerpc::Spr;
//! use pmu::arch::powerpc::book3s::Book3s;
//! use pmu::{Interrupted, Mode};
//! use pmu::driver::Registers;
//!
//! fn where_it_was<R>(driver: &Book3s<R>, entry: Interrupted) -> Interrupted
//! where
//!     R: Registers<Address = Spr, Index = Spr>,
//! {
//!     let sampled = driver.sampled();
//!     Interrupted::new(sampled.address.unwrap_or(entry.address), sampled.mode.unwrap_or(entry.mode))
//! }
//! ```
//!
//! Sources: Power ISA 2.07B Book III-S, "Sampled Instruction Address Register" and "Sampled
//! Instruction Event Register"; for MMCRA before POWER8 the names of its bits in torvalds/linux
//! arch/powerpc/include/asm/reg.h. That
//! POWER4 and the 970 have no continuous sampling, and do not say the state: torvalds/linux commit
//! 1ce447b90f3e, "powerpc/perf: Fix instruction address sampling on 970 and Power4".

use super::capabilities::{Capabilities, Privilege};
use super::driver::Book3s;
use super::model::Model;
use super::registers::Sampled;
use crate::arch::powerpc::Spr;
use crate::contract::Registers;
use crate::event::Mode;

/// The instruction that a unit samples.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Capture {
    /// The one that was about to complete when a counter overflowed: continuous sampling.
    #[default]
    Overflowing,
    /// The last one that was marked, on which the counter need not have overflowed: random sampling,
    /// while an event of marked instructions counts (MMCRA, SAMPLE_ENABLE).
    Marked,
}

/// The sampled instruction, as far as the unit recorded it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct SampledInstruction {
    /// Which instruction it is.
    pub capture: Capture,
    /// Its address.
    pub address: Option<u64>,
    /// The address of its data.
    pub datum: Option<u64>,
    /// The mode that it ran in.
    pub mode: Option<Mode>,
}

impl<R: Registers<Address = Spr, Index = Spr>> Book3s<R> {
    /// Returns what the unit recorded at the alert. POWER4 and the 970 record only marked instructions
    /// ([`Capabilities::samples_only_marked`]): for other events use the interrupt's own address.
    /// On POWER10 the mode is `None`, because the state in SIER is not reliable: derive it from the address.
    /// On Microwatt the address of the data is `None`: its core never marks it as valid.
    ///
    /// Changes no register, cannot panic, and may be called in the interrupt.
    #[must_use]
    pub fn sampled(&self) -> SampledInstruction {
        let marks = self.registers.read(Spr::MMCRA);
        let state = if self.capabilities.has_freezes() { self.registers.read(Spr::SIER) } else { marks };
        let properties = Properties::new(&self.capabilities, state);
        let read = |at: Spr, is_valid: bool| is_valid.then(|| self.registers.read(at));
        SampledInstruction {
            capture: if marks & SAMPLE_ENABLE == 0 { Capture::Overflowing } else { Capture::Marked },
            address: read(Spr::SIAR, properties.has_address).map(|address| address.wrapping_add(properties.offset)),
            datum: read(Spr::SDAR, properties.has_datum),
            mode: properties.mode,
        }
    }
}

/// The properties of the sample in SIER, or before POWER8 in MMCRA.
struct Properties {
    has_address: bool,
    has_datum: bool,
    /// The distance of the instruction from the first of the group that SIAR points to.
    offset: u64,
    mode: Option<Mode>,
}

impl Properties {
    const fn new(capabilities: &Capabilities, register: u64) -> Self {
        match capabilities.model {
            Model::Power4 | Model::Ppc970 => Self::of_marked(register),
            Model::Power5 | Model::Power5Plus => Self::of_power5(capabilities, register),
            Model::Power6 => Self::always(state(capabilities, register, 1 << 41, 1 << 42)),
            Model::Power7 if capabilities.pvr.version() == POWER7_PLUS => Self {
                has_address: register & 1 << 28 != 0,
                has_datum: register & 1 << 27 != 0,
                ..Self::always(state(capabilities, register, 1 << 41, 1 << 42))
            },
            Model::Power7 => Self::always(state(capabilities, register, 1 << 41, 1 << 42)),
            Model::Power8 | Model::Power9 | Model::Microwatt | Model::Power10 => Self::of_sier(capabilities, register),
        }
    }

    const fn always(mode: Option<Mode>) -> Self {
        Self { has_address: true, has_datum: true, offset: 0, mode }
    }

    /// SIAR and SDAR are valid only with SAMPLE_ENABLE.
    const fn of_marked(mmcra: u64) -> Self {
        let marks = mmcra & SAMPLE_ENABLE != 0;
        Self { has_address: marks, has_datum: marks, offset: 0, mode: None }
    }

    /// For marked instructions SIAR has the address of the group, and SLOT the position in it, from 1.
    const fn of_power5(capabilities: &Capabilities, mmcra: u64) -> Self {
        let slot = mmcra >> 24 & 7;
        let is_later = mmcra & SAMPLE_ENABLE != 0 && slot > 1;
        let offset = if is_later { 4 * (slot - 1) } else { 0 };
        Self { offset, ..Self::always(state(capabilities, mmcra, 1 << 27, 1 << 28)) }
    }

    const fn of_sier(capabilities: &Capabilities, sier: u64) -> Self {
        let bits = Sampled::from_bits_retain(sier);
        let says = !matches!(capabilities.model, Model::Power10);
        Self {
            has_address: bits.contains(Sampled::ADDRESS_VALID),
            has_datum: bits.contains(Sampled::DATUM_VALID),
            offset: 0,
            mode: if says {
                state(capabilities, sier, Sampled::PROBLEM.bits(), Sampled::HYPERVISOR.bits())
            } else {
                None
            },
        }
    }
}

/// Marks instructions (MMCRA, the lowest bit on every processor).
const SAMPLE_ENABLE: u64 = 1;

/// The version of POWER7+, the first to say whether SIAR and SDAR are valid.
const POWER7_PLUS: u16 = 0x004A;

/// Returns the mode. Problem state takes precedence. Hypervisor state is the kernel's own if it has no hypervisor.
const fn state(capabilities: &Capabilities, register: u64, problem: u64, hypervisor: u64) -> Option<Mode> {
    if register & problem != 0 {
        Some(Mode::User)
    } else if register & hypervisor != 0 && matches!(capabilities.privilege, Privilege::Supervisor) {
        Some(Mode::Hypervisor)
    } else {
        Some(Mode::Kernel)
    }
}
