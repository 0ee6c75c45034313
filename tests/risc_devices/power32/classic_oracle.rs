//! A classic unit once more, one instruction at a time: written down from the manuals' sentences with its
//! own bit numbers, and nothing in it shared with the library.

use pmu::Mode;
use pmu::arch::powerpc::classic::Identity;
use pmu::virt::Fault;

use super::classic::{FC, FCECE, FCM0, FCM1, FCP, FCS, PMC, PMC1CE, PMCJCE, PMXE, TRIGGER};

/// The processors, in the order of their making.
pub(crate) const P604: usize = 0;
pub(crate) const P604E: usize = 1;
pub(crate) const P750: usize = 2;
pub(crate) const P7400: usize = 3;
pub(crate) const P7450: usize = 4;

/// Every register.
#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    pub(crate) processor: usize,
    pub(crate) pmc: [u32; 6],
    pub(crate) mmcr: [u64; 3],
    pub(crate) sia: u64,
    pub(crate) sda: u64,
    pub(crate) marked: bool,
    pub(crate) address: u32,
    pub(crate) datum: Option<u32>,
    pub(crate) rises: u64,
}

impl Oracle {
    pub(crate) fn new(processor: usize) -> Self {
        let (address, datum) = (0, None);
        Self { processor, pmc: [0; 6], mmcr: [0; 3], sia: 0, sda: 0, marked: false, address, datum, rises: 0 }
    }

    pub(crate) fn identity(&self) -> Identity {
        Identity::ALL[self.processor]
    }

    pub(crate) fn counters(&self) -> usize {
        [2, 4, 4, 4, 6][self.processor]
    }

    fn has(&self, bits: u64) -> bool {
        self.mmcr[0] & bits == bits
    }

    /// The bits that a register keeps; `None` if this processor has no such register.
    fn bits(&self, number: u16) -> Option<u64> {
        let is_copy = number & 16 == 0;
        let number = number | 16;
        if is_copy && self.processor < P750 {
            return None;
        }
        if let Some(n) = PMC.iter().position(|&pmc| pmc == number) {
            return (n < self.counters()).then_some(0xFFFF_FFFF);
        }
        match (number, self.processor) {
            (952 | 955, _) => Some(0xFFFF_FFFF),
            (956, P604E..=P7400) => Some(0xFFC0_0000),
            (956, P7450) => Some(0xFFFF_F800),
            (944, P7400) => Some(0xE000_0000),
            (944, P7450) => Some(0x8000_0000),
            (959, P604 | P604E) => Some(0xFFFF_FFFF),
            (959, _) => Some(0),
            _ => None,
        }
    }

    pub(crate) fn read(&self, number: u16) -> Result<u64, Fault> {
        self.bits(number).ok_or(Fault::Absent)?;
        let number = number | 16;
        Ok(match number {
            952 => self.mmcr[0],
            956 => self.mmcr[1],
            944 => self.mmcr[2],
            955 => self.sia,
            959 => self.sda,
            _ => self.pmc[PMC.iter().position(|&pmc| pmc == number).expect("it has bits")].into(),
        })
    }

    pub(crate) fn write(&mut self, number: u16, value: u64) -> Result<(), Fault> {
        let value = value & self.bits(number).ok_or(Fault::Absent)?;
        if number & 16 == 0 {
            return Err(Fault::ReadOnly);
        }
        match number {
            952 => self.mmcr[0] = value,
            956 => self.mmcr[1] = value,
            944 => self.mmcr[2] = value,
            955 => self.sia = value,
            959 => self.sda = value,
            _ => self.pmc[PMC.iter().position(|&pmc| pmc == number).expect("it has bits")] = value as u32,
        }
        self.settle();
        Ok(())
    }

    fn is_negative(&self, n: usize) -> bool {
        self.pmc[n] >= 1 << 31
    }

    fn condition(&self) -> bool {
        let others = (1..self.counters()).any(|n| self.is_negative(n));
        self.has(PMC1CE) && self.is_negative(0) || self.has(PMCJCE) && others
    }

    /// Cycles without instructions, until nothing more changes.
    fn settle(&mut self) {
        loop {
            let (before, condition) = (self.mmcr[0], self.condition());
            let signals = condition && self.has(PMXE);
            if signals {
                self.mmcr[0] &= !PMXE;
                self.rises += 1;
                if before & FC == 0 {
                    self.sia = self.address.into();
                    self.sda = if self.processor < P750 { self.datum.unwrap_or(0).into() } else { 0 };
                }
            }
            let freezes = if self.processor < P7400 { signals } else { condition };
            if before & TRIGGER != 0 {
                if condition || self.is_negative(0) {
                    self.mmcr[0] &= !TRIGGER;
                }
            } else if freezes && before & FCECE != 0 {
                self.mmcr[0] |= FC;
            }
            if self.mmcr[0] == before {
                return;
            }
        }
    }

    /// One instruction, one cycle; `branches` says that it is a branch that was mispredicted.
    pub(crate) fn step(&mut self, mode: Mode, branches: bool) {
        let counted: Vec<_> = (0..self.counters()).filter(|&n| self.counts(n, mode, branches)).collect();
        for n in counted {
            self.pmc[n] = self.pmc[n].wrapping_add(1);
        }
        self.settle();
    }

    fn counts(&self, n: usize, mode: Mode, branches: bool) -> bool {
        let by_mode = if mode == Mode::User { self.has(FCP) } else { self.has(FCS) };
        let by_mark = self.has(FCM1) && self.marked || self.has(FCM0) && !self.marked;
        let waits = n > 0 && self.has(TRIGGER);
        !(self.has(FC) || by_mode || by_mark || waits) && self.happens(n, branches)
    }

    fn happens(&self, n: usize, branches: bool) -> bool {
        let select = match n {
            0 => self.mmcr[0] >> 6 & 0x7F,
            1 => self.mmcr[0] & 0x3F,
            2 => self.mmcr[1] >> 27 & 0x1F,
            3 => self.mmcr[1] >> 22 & 0x1F,
            4 => self.mmcr[1] >> 17 & 0x1F,
            _ => self.mmcr[1] >> 11 & 0x3F,
        };
        match (self.processor, n, select) {
            (_, _, 1) | (_, 0..=3, 2) => true,
            (P604 | P604E, 0, 7) | (P750, 3, 8) | (P7400, 3, 5) | (P7450, 3, 0x1C) => branches,
            (P604 | P604E, 1, 8) | (P7450, 0, 0x22) => branches,
            _ => false,
        }
    }
}
