//! Decodes a trapped MRS or MSR: from the syndrome to a register of the unit, and back.
//!
//! A hypervisor that traps its guest's unit (MDCR_EL2.TPM) finds exception class 18H in ESR_EL2, and
//! the register, the direction and the general register in its ISS. [`TrappedAccess::from_syndrome`] decodes
//! them, and the family's device answers. If the access is refused at EL1, the guest's kernel must find
//! [`TrappedAccess::syndrome`] in ESR_EL1.
//!
//! Source: DDI 0487, ESR_ELx: the table of EC, and "ISS encoding for an exception from MSR, MRS, or
//! System instruction execution in AArch64 state".
//!
//! ```
//! use pmu::arch::aarch64::{Direction, SystemRegister, TrappedAccess};
//!
//! let access = TrappedAccess::from_syndrome(0x6230_E479).expect("PMCR_EL0 is the unit's"); // mrs x3, pmcr_el0
//! assert_eq!((access.register(), access.direction()), (SystemRegister::CONTROL, Direction::Read));
//!
//! let mut general = [0; 31];
//! access.store(&mut general, 0x4101_3000);
//! assert_eq!(general[3], 0x4101_3000);
//! ```

use core::fmt;

use super::SystemRegister;
use crate::event::Mode;
use crate::virt::Fault;

/// EC: a trapped MSR, MRS or System instruction in AArch64 state.
const CLASS: u32 = 0x18;
/// The lowest bit of EC, which has six.
const CLASS_BIT: u32 = 26;
/// IL: the instruction has 32 bits, as every A64 instruction.
const LONG: u64 = 1 << 25;
/// The bits of the ISS that this class uses. The others are RES0.
const SYNDROME: u64 = 0x3F_FFFF;
/// The number of XZR among the general registers.
const ZERO: u8 = 31;

/// ESR_ELx of an UNDEFINED instruction: EC 0.
const UNDEFINED: u64 = LONG;

/// An exception that a host raises in its guest: it writes ESR_ELx, ELR_ELx and SPSR_ELx of the level, and enters its vector
/// for synchronous exceptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exception {
    /// The level that takes it.
    pub level: Mode,
    /// ESR_ELx of that level.
    pub syndrome: u64,
}

/// The direction of a trapped access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Direction {
    /// MSR: from a general register to the unit.
    Write = 0,
    /// MRS: from the unit to a general register.
    Read = 1,
}

/// A trapped access to a register of the unit.
///
/// It is kept in the syndrome's layout and decoded when it is asked, because a hypervisor asks only a few things
/// about each of many accesses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TrappedAccess(u32);

impl TrappedAccess {
    /// Creates an access; `general` is X0 to X30, and `None` or a larger number is XZR.
    #[must_use]
    pub const fn new(register: SystemRegister, direction: Direction, general: Option<u8>) -> Self {
        let number = register.number() as u32;
        let (op0, op1, op2) = (number >> 14, number >> 11 & 7, number & 7);
        let (crn, crm) = (number >> 7 & 15, number >> 3 & 15);
        let general = match general {
            Some(general @ 0..ZERO) => general as u32,
            _ => ZERO as u32,
        };
        Self(op0 << 20 | op2 << 17 | op1 << 14 | crn << 10 | general << 5 | crm << 1 | direction as u32)
    }

    /// Decodes ESR_EL2. Returns `None` if the exception was no MRS or MSR, or of a register that does not belong to
    /// the unit. Bits that this class reserves are ignored.
    #[inline(always)]
    #[must_use]
    pub const fn from_syndrome(syndrome: u64) -> Option<Self> {
        let access = Self((syndrome & SYNDROME) as u32);
        let is_access = syndrome as u32 >> CLASS_BIT == CLASS && SystemRegister::from_number(access.number()).is_some();
        if is_access { Some(access) } else { None }
    }

    /// Decodes an instruction, if it is an MRS or MSR of a register of the unit. This is for hosts whose processor
    /// does not have a register that they show to their guest. The instruction is UNDEFINED there and never traps
    /// to EL2; the guest's kernel, or a host that it calls, finds it at ELR_EL1 (DDI 0487, "MRS",
    /// "MSR (register)": L in bit 21, op0 to op2 in bits 5 to 20, Rt in bits 0 to 4).
    #[must_use]
    pub const fn from_instruction(instruction: u32) -> Option<Self> {
        let direction = match instruction >> 20 {
            0xD51 => Direction::Write,
            0xD53 => Direction::Read,
            _ => return None,
        };
        match SystemRegister::from_number((instruction >> 5) as u16) {
            Some(register) => Some(Self::new(register, direction, Some(instruction as u8 & 31))),
            None => None,
        }
    }

    /// Returns ESR_ELx for a trap of this access.
    #[must_use]
    pub const fn syndrome(self) -> u64 {
        (CLASS as u64) << CLASS_BIT | LONG | self.0 as u64
    }

    /// Returns the exception that a refusal of this access causes, which came from `mode`: UNDEFINED at EL1, or at EL2 if it
    /// came from there, unless the unit traps the access to a level, which finds the access in its syndrome.
    #[must_use]
    pub const fn exception(self, fault: Fault, mode: Mode) -> Exception {
        match fault {
            Fault::Trapped(level) => Exception { level, syndrome: self.syndrome() },
            _ if matches!(mode, Mode::Hypervisor) => Exception { level: Mode::Hypervisor, syndrome: UNDEFINED },
            _ => Exception { level: Mode::Kernel, syndrome: UNDEFINED },
        }
    }

    /// Returns the register of the unit.
    #[inline(always)]
    #[must_use]
    pub const fn register(self) -> SystemRegister {
        SystemRegister::of_the_unit(self.number())
    }

    /// Returns the direction.
    #[inline(always)]
    #[must_use]
    pub const fn direction(self) -> Direction {
        if self.0 & 1 == 0 { Direction::Write } else { Direction::Read }
    }

    /// Returns the general register, 0 to 30 for X0 to X30, or `None` for XZR, which reads as 0 and ignores writes.
    #[must_use]
    pub const fn general(self) -> Option<u8> {
        let general = (self.0 >> 5) as u8 & 31;
        if general < ZERO { Some(general) } else { None }
    }

    /// Returns the value that an MSR writes, given X0 to X30.
    #[inline(always)]
    #[must_use]
    pub fn value(self, general: &[u64; 31]) -> u64 {
        general.get((self.0 >> 5) as usize & 31).copied().unwrap_or(0)
    }

    /// Stores the value that an MRS has read in its general register.
    #[inline(always)]
    pub fn store(self, general: &mut [u64; 31], value: u64) {
        general.get_mut((self.0 >> 5) as usize & 31).into_iter().for_each(|place| *place = value);
    }

    /// Returns the system register's number. The ISS has its parts in another order: op0, op1 with CRn, CRm, op2.
    #[inline(always)]
    const fn number(self) -> u16 {
        let iss = self.0;
        (iss >> 6 & 0xC000 | iss >> 3 & 0x3F80 | iss << 2 & 0x78 | iss >> 17 & 7) as u16
    }
}

impl fmt::Debug for TrappedAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (register, direction) = (self.register(), self.direction());
        f.debug_struct("TrappedAccess")
            .field("register", &register)
            .field("direction", &direction)
            .field("general", &self.general())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The syndrome of an access, put together field by field as the manual's figure has them.
    fn written(number: u16, general: u64, read: u64) -> u64 {
        let field = |from: u32, bits: u32| u64::from(number) >> from & ((1 << bits) - 1);
        let (op0, op1, crn, crm, op2) = (field(14, 2), field(11, 3), field(7, 4), field(3, 4), field(0, 3));
        0x6200_0000 | op0 << 20 | op2 << 17 | op1 << 14 | crn << 10 | general << 5 | crm << 1 | read
    }

    #[test]
    fn every_encoding_is_the_units_register_or_somebody_elses() {
        for number in 0..=u16::MAX {
            let register = SystemRegister::from_number(number);
            for (general, read) in [(0, 0), (30, 1), (31, 0)] {
                let access = TrappedAccess::from_syndrome(written(number, general, read));
                assert_eq!(access.map(TrappedAccess::register), register, "{number:#x}");
                assert_eq!(access.map(TrappedAccess::syndrome), register.map(|_| written(number, general, read)));
            }
        }
    }

    #[test]
    fn every_syndrome_of_the_class_comes_back_without_its_reserved_bits() {
        let class = 0x6000_0000;
        let accesses = (0..1 << 22).filter_map(|iss| TrappedAccess::from_syndrome(class | iss));
        let back = accesses.map(|access| (access, access.syndrome())).collect::<Vec<_>>();
        assert_eq!(back.len() % 64, 0, "each register, with 32 general ones, in two directions");
        assert!(
            !back.is_empty() && back.iter().all(|&(access, esr)| TrappedAccess::from_syndrome(esr) == Some(access))
        );
        for &(access, esr) in &back {
            assert_eq!(TrappedAccess::from_syndrome(esr | 0x01C0_0000 | u64::MAX << 32), Some(access), "reserved bits");
            assert_eq!(TrappedAccess::from_syndrome(esr & !(1 << 25)), Some(access), "IL");
        }
    }

    #[test]
    fn an_instruction_is_the_access_that_it_makes() {
        let of = TrappedAccess::from_instruction;
        let reads = TrappedAccess::new(SystemRegister::INSTRUCTIONS, Direction::Read, Some(4));
        assert_eq!(of(0xD53B_9404), Some(reads), "mrs x4, s3_3_c9_c4_0");
        let writes = TrappedAccess::new(SystemRegister::USER_ACCESS, Direction::Write, None);
        assert_eq!(of(0xD518_9E9F), Some(writes), "msr s3_0_c9_c14_4, xzr");
        let others = [0xD503_3FDF, 0xD538_4240, 0xD65F_03C0, 0xD521_9404, 0, u32::MAX];
        assert_eq!(
            others.map(of),
            [None, Some(TrappedAccess::new(SystemRegister::LEVEL, Direction::Read, Some(0))), None, None, None, None]
        );
    }

    #[test]
    fn other_exceptions_are_somebody_elses() {
        let of_class = |class: u64| TrappedAccess::from_syndrome(class << 26 | written(0xDCE0, 0, 1) & 0x03FF_FFFF);
        assert!((0..64).filter(|&class| class != 0x18).all(|class| of_class(class).is_none()));
        assert_eq!(of_class(0x18).map(TrappedAccess::register), Some(SystemRegister::CONTROL));
    }

    #[test]
    fn the_zero_register_reads_as_zero_and_keeps_nothing() {
        let access = TrappedAccess::from_syndrome(written(0xDCE0, 31, 0)).unwrap();
        let mut general = [7; 31];
        assert_eq!((access.general(), access.value(&general)), (None, 0));
        access.store(&mut general, 1);
        assert_eq!(general, [7; 31]);
    }

    #[test]
    fn a_general_register_gives_and_takes_the_value() {
        for number in 0..31 {
            let access = TrappedAccess::from_syndrome(written(0xDCE0, number, 1)).unwrap();
            let mut general = core::array::from_fn(|place| place as u64);
            assert_eq!(access.value(&general), number);
            access.store(&mut general, 99);
            assert_eq!(general.iter().position(|&value| value == 99), Some(number as usize));
        }
    }

    #[test]
    fn a_general_register_that_there_is_not_is_the_zero_register() {
        let access = |general| TrappedAccess::new(SystemRegister::CONTROL, Direction::Read, general);
        assert!([Some(31), Some(32), Some(200)].iter().all(|&general| access(general) == access(None)));
        let mut general = [7; 31];
        access(Some(200)).store(&mut general, 1);
        assert_eq!((access(Some(200)).value(&general), general), (0, [7; 31]));
    }

    #[test]
    fn an_access_prints_as_its_parts() {
        let access = TrappedAccess::new(SystemRegister::CYCLES, Direction::Write, Some(4));
        let parts = "TrappedAccess { register: PMCCNTR_EL0, direction: Write, general: Some(4) }";
        assert_eq!(format!("{access:?}"), parts);
    }
}
