//! The unit once more, one instruction at a time: written down from the architecture's sentences with its own
//! bit numbers, and nothing in it shared with the library.

use pmu::Mode;
use pmu::arch::powerpc::book3s::Identity;
use pmu::virt::Fault;

use super::{
    CC56RUN, EBE, FC, FC1_4, FC1_4WAIT, FC5_6, FCECE, FCH, FCM0, FCM1, FCP, FCPC, FCS, PMAE, PMAO, PMC1CE, PMCC,
    PMCJCE, TRIGGER,
};

/// The processors, in the order of their making.
pub(crate) const POWER4: usize = 0;
pub(crate) const PPC970: usize = 1;
pub(crate) const POWER5: usize = 2;
pub(crate) const POWER6: usize = 4;
pub(crate) const POWER7: usize = 5;
pub(crate) const POWER8: usize = 6;
pub(crate) const POWER9: usize = 7;
pub(crate) const MICROWATT: usize = 8;
pub(crate) const POWER10: usize = 9;

/// What one instruction does; it takes one cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Doing {
    pub(crate) mode: Mode,
    pub(crate) branches: bool,
}

/// Every register, by SPR number as far as they are kept whole.
#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    pub(crate) processor: usize,
    pub(crate) pmc: [u32; 8],
    pub(crate) mmcr: [u64; 4],
    pub(crate) mmcra: u64,
    pub(crate) siar: u64,
    pub(crate) sdar: u64,
    pub(crate) sier: [u64; 3],
    pub(crate) marked: bool,
    pub(crate) run: bool,
    pub(crate) address: u64,
    pub(crate) datum: Option<u64>,
    pub(crate) rises: u64,
}

impl Oracle {
    pub(crate) fn new(processor: usize) -> Self {
        Self {
            processor,
            pmc: [0; 8],
            mmcr: [FC, 0, 0, 0],
            mmcra: 0,
            siar: 0,
            sdar: 0,
            sier: [0; 3],
            marked: false,
            run: true,
            address: 0,
            datum: None,
            rises: 0,
        }
    }

    pub(crate) fn identity(&self) -> Identity {
        Identity::ALL[self.processor]
    }

    pub(crate) fn counters(&self) -> usize {
        if self.processor <= PPC970 { 8 } else { 6 }
    }

    fn has(&self, bits: u64) -> bool {
        self.mmcr[0] & bits == bits
    }

    /// The bits that a register keeps; `None` if this processor has no such register.
    pub(crate) fn bits(&self, number: u16) -> Option<u64> {
        let since = |processor, bits| (self.processor >= processor).then_some(bits);
        match number | 16 {
            787..=794 => (usize::from((number | 16) - 787) < self.counters()).then_some(0xFFFF_FFFF),
            795 => Some(match self.processor {
                POWER4 | PPC970 => 0xFFC0_FFBF,
                POWER5..=POWER6 => 0xFFC0_E093,
                POWER7 => 0xFFC0_E1B3,
                MICROWATT => 0xFFCC_F1B3,
                _ => 0xFFFC_F1B3,
            }),
            786 if self.processor == MICROWATT => Some(!1),
            798 | 786 | 796 | 797 => Some(u64::MAX),
            // Six times seven bits of nine; the other two of each are reserved.
            785 => since(POWER8, (0..6).fold(0, |bits, n| bits | 0b1_1111_1100 << (55 - 9 * n))),
            784 => since(POWER8, u64::MAX),
            752 | 753 => since(POWER10, u64::MAX),
            754 => since(POWER10, u64::MAX >> 4),
            _ => None,
        }
    }

    fn slot(&mut self, number: u16) -> Option<&mut u64> {
        Some(match number | 16 {
            795 => &mut self.mmcr[0],
            798 => &mut self.mmcr[1],
            785 => &mut self.mmcr[2],
            754 => &mut self.mmcr[3],
            786 => &mut self.mmcra,
            796 => &mut self.siar,
            797 => &mut self.sdar,
            784 => &mut self.sier[0],
            number @ 752..=753 => &mut self.sier[usize::from(number - 751)],
            _ => return None,
        })
    }

    pub(crate) fn read(&mut self, number: u16) -> Result<u64, Fault> {
        self.bits(number).ok_or(Fault::Absent)?;
        match number | 16 {
            number @ 787..=794 => Ok(self.pmc[usize::from(number - 787)].into()),
            number => Ok(*self.slot(number).expect("it has bits")),
        }
    }

    pub(crate) fn write(&mut self, number: u16, value: u64) -> Result<(), Fault> {
        self.bits(number).ok_or(Fault::Absent)?;
        if number & 16 == 0 && self.processor < POWER8 {
            return Err(Fault::ReadOnly);
        }
        self.put(number, value, Mode::Kernel);
        Ok(())
    }

    fn put(&mut self, number: u16, value: u64, mode: Mode) {
        let value = value & self.bits(number).expect("it is there");
        let line = self.line();
        match number | 16 {
            number @ 787..=794 => self.pmc[usize::from(number - 787)] = value as u32,
            number => *self.slot(number).expect("it has bits") = value,
        }
        self.rises += u64::from(!line && self.line());
        self.settle(mode);
    }

    /// As problem state: by the user's numbers, and as PMCC allows.
    pub(crate) fn problem_read(&mut self, number: u16) -> Result<u64, Fault> {
        self.reach(number)?;
        let seen = self.seen(number);
        self.read(number).map(|value| value & seen)
    }

    pub(crate) fn problem_write(&mut self, number: u16, value: u64) -> Result<(), Fault> {
        self.reach(number)?;
        if self.processor < POWER8 {
            return Err(Fault::ReadOnly);
        }
        let group_a = matches!(number, 769..=779);
        if !group_a || self.mmcr[0] & PMCC == 0 {
            return Err(Fault::Trapped(Mode::Hypervisor));
        }
        let (seen, before) = (self.seen(number), self.read(number)?);
        self.put(number, before & !seen | value & seen, Mode::User);
        Ok(())
    }

    fn seen(&self, number: u16) -> u64 {
        match number {
            779 if self.processor >= POWER8 => FC | PMAE | PMAO,
            // FC1P0 to FC6P0.
            769 => (0..6).fold(0, |bits, n| bits | 1 << (62 - 9 * n)),
            _ => u64::MAX,
        }
    }

    fn reach(&self, number: u16) -> Result<(), Fault> {
        if number & 16 != 0 {
            return Err(Fault::Trapped(Mode::Kernel));
        }
        self.bits(number).ok_or(Fault::Absent)?;
        let pmcc = if self.processor >= POWER8 { (self.mmcr[0] & PMCC) >> 18 } else { 0 };
        let last_two = matches!(number, 775 | 776);
        if pmcc == 1 || pmcc == 3 && last_two { Err(Fault::Trapped(Mode::Kernel)) } else { Ok(()) }
    }

    /// PMC5 or PMC6, numbered from 1, where MMCR0 has nothing to say of them.
    fn is_apart(&self, n: usize) -> bool {
        let apart = (POWER5..=POWER6).contains(&self.processor) || self.processor >= POWER8 && self.has(PMCC);
        n >= 5 && apart && self.counters() == 6
    }

    fn line(&self) -> bool {
        self.has(PMAO) && !(self.processor >= POWER8 && self.has(EBE))
    }

    fn is_negative(&self, n: usize) -> bool {
        n <= self.counters() && self.pmc[n - 1] >> 31 == 1
    }

    fn condition(&self) -> bool {
        let first = self.has(PMC1CE) && self.is_negative(1);
        let others = (2..=8).any(|n| self.is_negative(n) && !self.is_apart(n));
        first || self.has(PMCJCE) && others
    }

    /// Cycles without instructions, until nothing more changes.
    fn settle(&mut self, mode: Mode) {
        loop {
            let (before, line, condition) = (self.mmcr[0], self.line(), self.condition());
            if condition && self.has(PMAE) {
                self.mmcr[0] = self.mmcr[0] & !PMAE | PMAO;
                self.capture(mode);
            }
            if before & TRIGGER != 0 {
                if condition || self.is_negative(1) {
                    self.mmcr[0] &= !TRIGGER;
                }
            } else if condition && before & FCECE != 0 {
                self.mmcr[0] |= FC;
            }
            self.rises += u64::from(!line && self.line());
            if self.mmcr[0] == before {
                return;
            }
        }
    }

    fn capture(&mut self, mode: Mode) {
        // Before POWER5 there is no continuous sampling: SAMPLE_ENABLE is MMCRA's bit 63.
        if self.processor <= PPC970 && self.mmcra & 1 == 0 {
            return;
        }
        (self.siar, self.sdar) = (self.address, self.datum.unwrap_or(0));
        let (pr, hv) = (u64::from(mode == Mode::User), u64::from(mode == Mode::Hypervisor));
        match self.processor {
            POWER4 | PPC970 => {}
            POWER5..POWER6 => self.mmcra = self.mmcra & !0x1800_0000 | hv << 28 | pr << 27,
            POWER6 | POWER7 => self.mmcra = self.mmcra & !(0b11 << 41) | hv << 42 | pr << 41,
            // SAMPPR is bit 38, SAMPHV 39, SIARV 41, SDARV 42.
            _ => {
                let datum = u64::from(self.datum.is_some());
                self.sier[0] = pr << (63 - 38) | hv << (63 - 39) | 1 << (63 - 41) | datum << (63 - 42);
            }
        }
    }

    /// One instruction, one cycle.
    pub(crate) fn step(&mut self, doing: Doing) {
        let adds: Vec<_> = (1..=self.counters()).map(|n| self.adds(n, doing)).collect();
        for (counter, add) in self.pmc.iter_mut().zip(adds) {
            *counter = counter.wrapping_add(u32::from(add));
        }
        self.settle(doing.mode);
    }

    fn adds(&self, n: usize, doing: Doing) -> bool {
        if self.is_apart(n) {
            return self.run || self.processor == POWER5 && n == 5;
        }
        let frozen = self.freezes_all(doing.mode)
            || self.freezes_kind(n)
            || self.processor >= POWER8 && self.freezes_one(n, doing.mode)
            || n > 1 && self.has(TRIGGER);
        !frozen && self.happens(n, doing)
    }

    fn freezes_all(&self, mode: Mode) -> bool {
        let by_mode = match mode {
            Mode::User if self.processor >= POWER8 && self.has(FCPC) => !self.has(FCP),
            Mode::User => self.has(FCP),
            Mode::Kernel => self.has(FCS),
            Mode::Hypervisor => self.has(FCH),
        };
        self.has(FC) || by_mode || self.has(FCM1) && self.marked || self.has(FCM0) && !self.marked
    }

    fn freezes_kind(&self, n: usize) -> bool {
        if self.processor <= PPC970 {
            return false;
        }
        let waits = self.has(FC1_4WAIT) && !self.run;
        let overrides = n == 1 && self.mmcr[1] >> 24 & 0xFF == 0xF0;
        let waiting = if self.processor >= POWER8 { waits && n <= 4 && !overrides } else { waits };
        waiting || self.has(if n <= 4 { FC1_4 } else { FC5_6 })
    }

    fn freezes_one(&self, n: usize, mode: Mode) -> bool {
        let bit = |position: usize| self.mmcr[2] >> (63 - 9 * (n - 1) - position) & 1 == 1;
        let by_mode = match mode {
            Mode::Kernel => bit(0),
            Mode::User => bit(1),
            Mode::Hypervisor => bit(6),
        };
        // Microwatt's pmu.vhdl tests neither of the last two.
        let others = self.processor != MICROWATT && (bit(4) && !self.marked || bit(5) && !self.run);
        by_mode || bit(3) && self.marked || others
    }

    /// Does what this counter counts happen?
    fn happens(&self, n: usize, doing: Doing) -> bool {
        let selected = |shift: usize, width: u32| self.mmcr[1] >> shift & ((1 << width) - 1);
        let (always, runs) = (true, self.run);
        match (self.processor, n) {
            (POWER5.., 5 | 6) => runs || self.has(CC56RUN) && self.processor >= POWER7,
            (POWER4 | PPC970, _) => {
                let select = match n {
                    1 => self.mmcr[0] >> 8 & 0x1F,
                    2 => self.mmcr[0] >> 1 & 0x1F,
                    _ => selected(27 - 5 * (n - 3), 5),
                };
                match (self.processor, n, select) {
                    (POWER4, _, 7) | (PPC970, _, 15 | 9) | (POWER4, 1 | 4 | 6..=8, 9) => always,
                    (POWER4, 1, 13) | (PPC970, 1, 5) => runs,
                    _ => false,
                }
            }
            (POWER5..POWER6, _) => match (n, selected(25 - 8 * (n - 1), 7)) {
                (_, 0xF) | (1 | 2, 9) => always,
                (1, 5) => runs,
                _ => false,
            },
            _ => self.happens_since_power6(n, selected(24 - 8 * (n - 1), 8), doing, runs),
        }
    }

    fn happens_since_power6(&self, n: usize, select: u64, doing: Doing, runs: bool) -> bool {
        if self.processor == MICROWATT {
            return match (n, select) {
                (1, 0xF0 | 0xF2 | 0xFE) => true,
                (1, 0xFA) | (2 | 3, 0xF4) | (4, 0xF4 | 0xFA) => runs,
                _ => false,
            };
        }
        let unit = if self.processor >= POWER8 { self.mmcr[1] >> (60 - 4 * (n - 1)) & 0xF } else { 0 };
        let combines = match self.processor {
            POWER8 => self.mmcr[1] >> (35 - (n - 1)) & 1,
            POWER9.. => self.mmcr[1] >> (38 - 2 * (n - 1)) & 3,
            _ => 0,
        };
        if combines != 0 {
            return false;
        }
        match (self.processor, unit, n, select) {
            (_, 0, _, 0x1E | 0x02) | (POWER8.., 0, 1, 0xF0 | 0xFE) => true,
            (_, 0, 2, 0xF4) | (POWER6, 0, 1, 0x0A) | (POWER7.., 0, 4, 0xFA) => runs,
            (POWER7.., 0, 1, 0x68) | (POWER8, 0, 4, 0x60) | (POWER9.., 0xD, 4, 0x5E) => doing.branches,
            _ => false,
        }
    }
}
