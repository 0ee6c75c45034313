//! The control and status registers of the unit, by number.
//!
//! Sources: "The RISC-V Instruction Set Manual, volume II: Privileged Architecture", chapter "Control and Status Registers",
//! tables of the allocated addresses; its chapters "Sscofpmf", "Smcntrpmf" and "Smcdeleg and Ssccfg" for scountovf, mcyclecfg,
//! scountinhibit and the numbers in siselect. OpenSBI's include/sbi/riscv_encoding.h has the same numbers. mcounterinten and
//! mcounterof are T-Head's own: openc906, gen_rtl/pmu/rtl/aq_hpcp_top.v (MCNTINTEN, MCNTOF); OpenSBI's
//! include/thead/c9xx_encoding.h has the same numbers. Andes' mcounterinten, mcountermask and mcounterovf: OpenSBI's
//! include/andes/andes.h, with which Andes' QEMU (csr_andes.h) and HPMicro's hpm_csr_regs.h agree. scounterof of both, slie
//! and slip: torvalds/linux drivers/perf/riscv_pmu_sbi.c and include/linux/soc/andes/irq.h, with which Andes' QEMU agrees.

use core::fmt;

use crate::event::CounterId;

/// A control and status register, how it is accessed, and for an indirect one which it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Csr(u16);

/// The registers sireg and sireg2 to sireg6 that siselect's number leads to.
const REGISTER_SHIFT: u32 = 12;
const NUMBER: u16 = 0xFFF;
/// A write sets the bits of its value (CSRRS).
const SETTING: u16 = 7 << REGISTER_SHIFT;
/// A write clears the bits of its value (CSRRC).
const CLEARING: u16 = 8 << REGISTER_SHIFT;
/// The number in siselect of counter 0 (Smcdeleg: 0x40 to 0x5F).
pub(in crate::arch::riscv) const SELECT_OF_COUNTERS: u16 = 0x40;

impl Csr {
    /// The number of counters that have registers. Number 1 is the clock's, which is no counter of the unit.
    pub const COUNTERS: u8 = 32;

    /// Which interrupts are enabled in supervisor mode (sie).
    pub const SIE: Self = Self(0x104);
    /// Which counters user programs can read (scounteren).
    pub const SCOUNTEREN: Self = Self(0x106);
    /// Which counters do not count, of those that are delegated (scountinhibit; Ssccfg).
    pub const SCOUNTINHIBIT: Self = Self(0x120);
    /// Which interrupts are pending in supervisor mode (sip).
    pub const SIP: Self = Self(0x144);
    /// The number of the register that sireg shows (siselect).
    pub const SISELECT: Self = Self(0x150);
    /// Which counters have overflowed, to a supervisor of T-Head's C906 and C910 (scounterof).
    pub const SCOUNTEROF: Self = Self(0x5C5);
    /// Which interrupts of Andes' own are enabled in supervisor mode (slie).
    pub const SLIE: Self = Self(0x9C4);
    /// Which interrupts of Andes' own are pending in supervisor mode (slip).
    pub const SLIP: Self = Self(0x9C5);
    /// Which counters have overflowed, to a supervisor of Andes' 45 series (scounterovf).
    pub const SCOUNTEROVF: Self = Self(0x9D4);
    /// Which interrupts are enabled in machine mode (mie).
    pub const MIE: Self = Self(0x304);
    /// Which counters lower modes can read, or are delegated (mcounteren).
    pub const MCOUNTEREN: Self = Self(0x306);
    /// Which counters do not count (mcountinhibit).
    pub const MCOUNTINHIBIT: Self = Self(0x320);
    /// Which interrupts are pending (mip).
    pub const MIP: Self = Self(0x344);
    /// Which counters' overflows interrupt, on T-Head's C906 and C910 (mcounterinten).
    pub const MCOUNTERINTEN: Self = Self(0x7CA);
    /// Which counters have overflowed, on T-Head's C906 and C910 (mcounterof).
    pub const MCOUNTEROF: Self = Self(0x7CB);
    /// Which counters' overflows interrupt, on Andes' 45 series (mcounterinten).
    pub const MCOUNTERINTEN_OF_ANDES: Self = Self(0x7CF);
    /// Which counters do not count in machine mode, on Andes' 45 series (mcountermask_m).
    pub const MCOUNTERMASK_M: Self = Self(0x7D1);
    /// Which counters do not count in supervisor mode, on Andes' 45 series (mcountermask_s).
    pub const MCOUNTERMASK_S: Self = Self(0x7D2);
    /// Which counters do not count in user mode, on Andes' 45 series (mcountermask_u).
    pub const MCOUNTERMASK_U: Self = Self(0x7D3);
    /// Which counters have overflowed, on Andes' 45 series (mcounterovf). A bit is cleared by a write of 0; 1 leaves it.
    pub const MCOUNTEROVF: Self = Self(0x7D4);
    /// The bits OF of all counters (scountovf; Sscofpmf). Read-only.
    pub const SCOUNTOVF: Self = Self(0xDA0);
    /// The manufacturer (mvendorid).
    pub const MVENDORID: Self = Self(0xF11);
    /// The microarchitecture (marchid).
    pub const MARCHID: Self = Self(0xF12);
    /// The version (mimpid).
    pub const MIMPID: Self = Self(0xF13);

    /// Returns a counter as machine mode accesses it: mcycle, minstret, mhpmcounter3 and so on. `None` if there is no such
    /// register.
    #[must_use]
    pub const fn counter(counter: u8) -> Option<Self> {
        if is_counter(counter) { Some(Self(0xB00 + counter as u16)) } else { None }
    }

    /// Returns a counter as other modes read it: cycle, instret, hpmcounter3 and so on. `None` if there is no such register.
    #[must_use]
    pub const fn user_counter(counter: u8) -> Option<Self> {
        if is_counter(counter) { Some(Self(0xC00 + counter as u16)) } else { None }
    }

    /// Returns what a counter counts, and where: mcyclecfg, minstretcfg, mhpmevent3 and so on. `None` if there is no such
    /// register.
    #[must_use]
    pub const fn select(counter: u8) -> Option<Self> {
        if is_counter(counter) { Some(Self(select_number(counter))) } else { None }
    }

    /// Returns a counter that is delegated to the supervisor (siselect and sireg). `None` if there is no such register.
    #[must_use]
    pub const fn delegated_counter(counter: u8) -> Option<Self> {
        if is_counter(counter) { Some(Self::indirect(1, SELECT_OF_COUNTERS + counter as u16)) } else { None }
    }

    /// Returns what a counter counts that is delegated to the supervisor (siselect and sireg2). `None` if there is no such
    /// register.
    #[must_use]
    pub const fn delegated_select(counter: u8) -> Option<Self> {
        if is_counter(counter) { Some(Self::indirect(2, SELECT_OF_COUNTERS + counter as u16)) } else { None }
    }

    /// Returns the register of a unit with this number. For hypervisors, whose guests use any number.
    #[must_use]
    pub const fn from_number(number: u16) -> Option<Self> {
        let is_of_unit = match number {
            0xB01 | 0xB81 | 0xC01 | 0xC81 => false,
            0xB00..=0xB1F | 0xB80..=0xB9F | 0xC00..=0xC1F | 0xC80..=0xC9F => true,
            0x320..=0x33F | 0x721..=0x73F => true,
            0x104 | 0x106 | 0x120 | 0x144 | 0x150..=0x153 | 0x155..=0x157 => true,
            0x304 | 0x306 | 0x344 | 0x7CA | 0x7CB | 0x7CF | 0x7D1..=0x7D4 | 0xDA0 | 0xF11..=0xF13 => true,
            0x5C5 | 0x9C4 | 0x9C5 | 0x9D4 => true,
            _ => false,
        };
        if is_of_unit { Some(Self(number)) } else { None }
    }

    const fn indirect(register: u16, select: u16) -> Self {
        Self(register << REGISTER_SHIFT | select)
    }

    /// Returns the upper half of a register of 64 bits, where registers have 32.
    #[inline(always)]
    #[must_use]
    pub const fn high(self) -> Self {
        match self.0 >> REGISTER_SHIFT {
            0 if self.0 >= 0xB00 => Self(self.0 | 0x80),
            0 => Self(self.0 | 0x400),
            _ => Self(self.0 + (3 << REGISTER_SHIFT)),
        }
    }

    /// Returns the register accessed so that a write sets the bits of its value (CSRRS), and no others.
    #[inline(always)]
    #[must_use]
    pub const fn setting(self) -> Self {
        Self(self.number() | SETTING)
    }

    /// Returns the register accessed so that a write clears the bits of its value (CSRRC), and no others.
    #[inline(always)]
    #[must_use]
    pub const fn clearing(self) -> Self {
        Self(self.number() | CLEARING)
    }

    /// Returns the number; of an indirect register its number in siselect.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0 & NUMBER
    }

    /// Returns how it is accessed.
    #[inline(always)]
    pub(in crate::arch::riscv) const fn form(self) -> Form {
        match self.0 & !NUMBER {
            0 => Form::Whole,
            SETTING => Form::Setting,
            CLEARING => Form::Clearing,
            register => Form::Indirect((register >> REGISTER_SHIFT) as u8),
        }
    }

    /// Returns which of sireg and sireg2 to sireg6 shows it, if it is an indirect register.
    pub(in crate::arch::riscv) const fn register(self) -> Option<u8> {
        match self.form() {
            Form::Indirect(register) => Some(register),
            _ => None,
        }
    }

    /// Returns true if the register cannot be written, by its number.
    pub(in crate::arch::riscv) const fn is_read_only(self) -> bool {
        self.register().is_none() && self.number() >= 0xC00
    }

    /// Returns what a write of `value` leaves in a register, which `read` returns.
    pub(in crate::arch::riscv) fn written<E>(
        self,
        value: u64,
        read: impl FnOnce() -> Result<u64, E>,
    ) -> Result<u64, E> {
        Ok(match self.form() {
            Form::Setting => read()? | value,
            Form::Clearing => read()? & !value,
            _ => value,
        })
    }

    /// Returns a counter as machine mode accesses it.
    #[inline(always)]
    pub(in crate::arch::riscv) const fn counter_of(counter: CounterId) -> Self {
        Self(0xB00 + (counter.number() & 31) as u16)
    }

    /// Returns a counter as modes other than the machine's read it.
    #[inline(always)]
    pub(in crate::arch::riscv) const fn user_counter_of(counter: CounterId) -> Self {
        Self(0xC00 + (counter.number() & 31) as u16)
    }

    /// Returns what a counter counts.
    #[inline(always)]
    pub(in crate::arch::riscv) const fn select_of(counter: CounterId) -> Self {
        Self(select_number(counter.number() & 31))
    }

    /// Returns a delegated counter.
    #[inline(always)]
    pub(in crate::arch::riscv) const fn delegated_counter_of(counter: CounterId) -> Self {
        Self::indirect(1, SELECT_OF_COUNTERS + (counter.number() & 31) as u16)
    }

    /// Returns what a delegated counter counts.
    #[inline(always)]
    pub(in crate::arch::riscv) const fn delegated_select_of(counter: CounterId) -> Self {
        Self::indirect(2, SELECT_OF_COUNTERS + (counter.number() & 31) as u16)
    }
}

/// How a register is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::arch::riscv) enum Form {
    /// CSRRW and CSRRS with x0: the whole register.
    Whole,
    /// CSRRS: a write sets bits.
    Setting,
    /// CSRRC: a write clears bits.
    Clearing,
    /// By siselect, and sireg (1) or sireg2 to sireg6.
    Indirect(u8),
}

const fn is_counter(counter: u8) -> bool {
    counter < Csr::COUNTERS && counter != 1
}

/// Counter 0 has mcyclecfg, counter 2 minstretcfg, and the others have mhpmevent.
const fn select_number(counter: u8) -> u16 {
    if counter == 0 { 0x321 } else { 0x320 + counter as u16 }
}

/// The manual's name. An access of bits has the instruction before it.
impl fmt::Debug for Csr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form() {
            Form::Whole => {}
            Form::Setting => f.write_str("csrs ")?,
            Form::Clearing => f.write_str("csrc ")?,
            Form::Indirect(1) => return write!(f, "sireg[{:#x}]", self.number()),
            Form::Indirect(register) => return write!(f, "sireg{register}[{:#x}]", self.number()),
        }
        let number = self.number();
        let mut of_counter = |name, half: &str| match number & 0x1F {
            0 => write!(f, "{}cycle{half}", name),
            2 => write!(f, "{}instret{half}", name),
            counter => write!(f, "{}hpmcounter{counter}{half}", name),
        };
        let fixed = match number {
            0xB00..=0xB1F => return of_counter("m", ""),
            0xB80..=0xB9F => return of_counter("m", "h"),
            0xC00..=0xC1F => return of_counter("", ""),
            0xC80..=0xC9F => return of_counter("", "h"),
            0x323..=0x33F => return write!(f, "mhpmevent{}", number - 0x320),
            0x723..=0x73F => return write!(f, "mhpmevent{}h", number - 0x720),
            0x104 => "sie",
            0x106 => "scounteren",
            0x120 => "scountinhibit",
            0x144 => "sip",
            0x150 => "siselect",
            0x151 => "sireg",
            0x152 => "sireg2",
            0x153 => "sireg3",
            0x155 => "sireg4",
            0x156 => "sireg5",
            0x157 => "sireg6",
            0x304 => "mie",
            0x306 => "mcounteren",
            0x320 => "mcountinhibit",
            0x321 => "mcyclecfg",
            0x322 => "minstretcfg",
            0x344 => "mip",
            0x721 => "mcyclecfgh",
            0x722 => "minstretcfgh",
            0x7CA | 0x7CF => "mcounterinten",
            0x7CB => "mcounterof",
            0x7D1 => "mcountermask_m",
            0x7D2 => "mcountermask_s",
            0x7D3 => "mcountermask_u",
            0x7D4 => "mcounterovf",
            0x5C5 => "scounterof",
            0x9C4 => "slie",
            0x9C5 => "slip",
            0x9D4 => "scounterovf",
            0xDA0 => "scountovf",
            0xF11 => "mvendorid",
            0xF12 => "marchid",
            0xF13 => "mimpid",
            _ => "csr",
        };
        f.write_str(fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(at: Option<Csr>) -> String {
        at.map_or_else(String::new, |at| format!("{at:?}"))
    }

    #[test]
    fn each_counter_has_its_registers_and_the_clock_has_none() {
        let all = |of: fn(u8) -> Option<Csr>| [0, 1, 2, 3, 31, 32].map(|counter| printed(of(counter)));
        assert_eq!(all(Csr::counter), ["mcycle", "", "minstret", "mhpmcounter3", "mhpmcounter31", ""]);
        assert_eq!(all(Csr::user_counter), ["cycle", "", "instret", "hpmcounter3", "hpmcounter31", ""]);
        assert_eq!(all(Csr::select), ["mcyclecfg", "", "minstretcfg", "mhpmevent3", "mhpmevent31", ""]);
        assert_eq!(all(Csr::delegated_select)[..3], ["sireg2[0x40]", "", "sireg2[0x42]"]);
    }

    #[test]
    fn every_register_of_64_bits_has_an_upper_half() {
        let of = [Csr::counter(0), Csr::counter(31), Csr::user_counter(3), Csr::select(0), Csr::select(3)];
        let expected = ["mcycleh", "mhpmcounter31h", "hpmcounter3h", "mcyclecfgh", "mhpmevent3h"];
        assert_eq!(of.map(|at| printed(at.map(Csr::high))), expected);
        let delegated = [Csr::delegated_counter(3), Csr::delegated_select(3)];
        assert_eq!(delegated.map(|at| printed(at.map(Csr::high))), ["sireg4[0x43]", "sireg5[0x43]"]);
    }

    #[test]
    fn registers_of_other_units_have_no_address() {
        assert_eq!([0x300, 0x305, 0xC01, 0xB81, 0x720, 0x154, 0xB20].map(Csr::from_number), [None; 7]);
        assert_eq!(Csr::from_number(0x323), Csr::select(3));
    }

    #[test]
    fn an_access_of_bits_says_so() {
        assert_eq!([Csr::MIP.setting(), Csr::MIP.clearing()].map(|at| printed(Some(at))), ["csrs mip", "csrc mip"]);
    }
}
