//! An embedded core's unit once more, one instruction at a time: written down from the manuals' sentences
//! with its own bit numbers, and nothing in it shared with the library.

use pmu::Mode;
use pmu::arch::powerpc::embedded::Identity;
use pmu::virt::Fault;

use super::embedded::{CE, FAC, FC, FCECE, FCGS0, FCGS1, FCM0, FCM1, FCS, FCU, PMIE};

/// The cores, in the order of their making.
const E300: usize = 0;
const E500_V1: usize = 1;
const E500MC: usize = 3;

/// Every register.
#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    pub(crate) core: usize,
    pub(crate) pmc: [u32; 4],
    pub(crate) a: [u64; 4],
    pub(crate) b: [u64; 4],
    pub(crate) pmgc: u64,
    pub(crate) marked: bool,
    pub(crate) guest: bool,
    pub(crate) rises: u64,
}

impl Oracle {
    pub(crate) fn new(core: usize) -> Self {
        Self { core, pmc: [0; 4], a: [0; 4], b: [0; 4], pmgc: 0, marked: false, guest: false, rises: 0 }
    }

    pub(crate) fn identity(&self) -> Identity {
        Identity::ALL[self.core]
    }

    /// The bits that a register keeps; `None` if this core has no such register.
    fn bits(&self, number: u16) -> Option<u64> {
        match number | 16 {
            16..=19 => Some(0xFFFF_FFFF),
            144..=147 => Some(if self.core == E500MC { 0xFCFF_0003 } else { 0xFC7F_0000 }),
            272..=275 => (self.core != E300).then_some(0x73F),
            // TBSEL and TBEE came with e500v2; e300 has them.
            400 => Some(if self.core == E500_V1 { 0xE000_0000 } else { 0xE000_1900 }),
            _ => None,
        }
    }

    pub(crate) fn read(&self, number: u16) -> Result<u64, Fault> {
        self.bits(number).ok_or(Fault::Absent)?;
        let n = usize::from(number & 3);
        Ok(match number | 16 {
            16..=19 => self.pmc[n].into(),
            144..=147 => self.a[n],
            272..=275 => self.b[n],
            _ => self.pmgc,
        })
    }

    pub(crate) fn write(&mut self, number: u16, value: u64) -> Result<(), Fault> {
        let value = value & self.bits(number).ok_or(Fault::Absent)?;
        if number & 16 == 0 {
            return Err(Fault::ReadOnly);
        }
        let (n, before) = (usize::from(number & 3), self.line());
        match number {
            16..=19 => self.pmc[n] = value as u32,
            144..=147 => self.a[n] = value,
            272..=275 => self.b[n] = value,
            _ => self.pmgc = value,
        }
        self.settle(before);
        Ok(())
    }

    pub(crate) fn interrupted(&mut self) {
        self.pmgc &= !PMIE;
    }

    fn condition(&self) -> bool {
        (0..4).any(|n| self.pmc[n] >= 1 << 31 && self.a[n] & CE != 0)
    }

    pub(crate) fn line(&self) -> bool {
        self.pmgc & PMIE != 0 && self.condition()
    }

    fn settle(&mut self, before: bool) {
        if self.condition() && self.pmgc & FCECE != 0 {
            self.pmgc |= FAC;
        }
        self.rises += u64::from(!before && self.line());
    }

    /// One instruction, one cycle; `branches` says that it is a branch that was mispredicted.
    pub(crate) fn step(&mut self, mode: Mode, branches: bool) {
        let before = self.line();
        let counted: Vec<_> = (0..4).filter(|&n| self.counts(n, mode, branches)).collect();
        for n in counted {
            self.pmc[n] = self.pmc[n].wrapping_add(1);
        }
        self.settle(before);
    }

    fn counts(&self, n: usize, mode: Mode, branches: bool) -> bool {
        let has = |bit| self.a[n] & bit != 0;
        let by_mode = if mode == Mode::User { has(FCU) } else { has(FCS) };
        let by_mark = if self.marked { has(FCM1) } else { has(FCM0) };
        let by_guest = if self.guest { has(FCGS1) } else { has(FCGS0) };
        let frozen = self.pmgc & FAC != 0 || has(FC) || by_mode || by_mark || by_guest;
        !frozen
            && match self.a[n] >> 16 & 0xFF {
                1 | 2 => true,
                8 | 15 => branches,
                _ => false,
            }
    }
}
