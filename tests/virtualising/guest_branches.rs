//! A guest's recorder of branches beside its unit: what it is told, what its driver finds, and what a host answers.

use pmu::arch::x86::guest::{Entry, Identity, Injection, Unit};
use pmu::arch::x86::lbr::{self, Lbr};
use pmu::arch::x86::{CpuIdResult, Index, Msr, amd, intel, p6};
use pmu::branches::{Branch, BranchFilter, BranchKind, Branches};
use pmu::driver::Registers;
use pmu::virt::{Kinds, Unconnected};
use pmu::{Mode, Modes};

use crate::support::registers::without_clock;

/// The identities whose processors record branches, and how many.
const RECORDING: [(Identity, usize); 6] = [
    (Identity::Intel(intel::Identity::CORE_2), 4),
    (Identity::Intel(intel::Identity::NEHALEM), 16),
    (Identity::Intel(intel::Identity::SKYLAKE), 32),
    (Identity::Intel(intel::Identity::SAPPHIRE_RAPIDS), 32),
    (Identity::Intel(intel::Identity::LION_COVE), 32),
    (Identity::Amd(amd::Identity::ZEN_4), 16),
];
const NOTHING: CpuIdResult = CpuIdResult { eax: 0, ebx: 0, ecx: 0, edx: 0 };

/// The guest's instructions: every access is an exit.
#[derive(Clone, Copy)]
struct Guest<'u>(&'u Unit<Unconnected>);

impl Registers for Guest<'_> {
    type Address = Msr;
    type Index = Index;
    without_clock!();

    fn read(&self, at: Msr) -> u64 {
        match at.address() {
            0x1D9 => self.0.debug_control(0),
            register => self.0.rdmsr(register).unwrap().unwrap(),
        }
    }

    fn write(&self, at: Msr, value: u64) {
        match at.address() {
            0x1D9 => self.0.set_debug_control(value),
            register => self.0.wrmsr(register, value).unwrap().unwrap(),
        }
    }

    fn read_counter(&self, at: Index) -> u64 {
        self.0.rdpmc(at.raw()).unwrap()
    }
}

fn unit(identity: Identity) -> Unit<Unconnected> {
    Unit::new(identity, Kinds::CLOCK, Unconnected)
}

fn detect(unit: &Unit<Unconnected>) -> Option<Lbr<Guest<'_>>> {
    Lbr::detect(&|leaf, subleaf| unit.cpuid(leaf, subleaf, &|_, _| NOTHING), Guest(unit))
}

fn jump(unit: &Unit<Unconnected>, from: u64) {
    let branch = Branch::new(from, from + 8).of_kind(BranchKind::Jump);
    unit.branches().unwrap().transfer(branch, [Mode::Kernel; 2]);
}

#[test]
fn a_guest_finds_its_processors_recorder_and_its_branches() {
    for (identity, depth) in RECORDING {
        assert!(detect(&unit(identity)).is_none(), "{}: it was not asked for", identity.name());
        let unit = unit(identity).with_branches();
        let recorder = detect(&unit).unwrap_or_else(|| panic!("{}", identity.name()));
        recorder.record(&BranchFilter::new(Modes::ALL).frozen_by_overflows()).unwrap();
        (0..40).for_each(|number| jump(&unit, 0x100 * number));
        let mut entry = Entry::from_bits(0x400);
        assert_eq!(unit.interrupt(&mut entry), Some(Injection::Nmi));
        jump(&unit, 0x1_0000);
        let recording = recorder.halt();
        let found = recorder.kept::<32>();
        assert_eq!((found.len(), found[0].from, found[depth - 1].from), (depth, 0x2700, 0x100 * (40 - depth as u64)));
        recorder.resume(recording);
        jump(&unit, 0x2_0000);
        assert_eq!(recorder.last::<1>()[0].from, 0x2_0000, "{}", identity.name());
    }
}

#[test]
fn a_processor_without_a_recorder_shows_none() {
    let others = [Identity::Intel(intel::Identity::CORE_DUO), Identity::P6(p6::Identity::PENTIUM_M), Identity::NoUnit];
    let amds = [amd::Identity::K8, amd::Identity::FAMILY_15H, amd::Identity::ZEN_3].map(Identity::Amd);
    for identity in others.into_iter().chain(amds) {
        let unit = unit(identity).with_branches();
        assert!(unit.branches().is_none() && detect(&unit).is_none(), "{}", identity.name());
        let registers = [0x40, 0x1C9, 0x680, 0x1500, 0xC001_0300];
        assert!(registers.into_iter().all(|at| unit.rdmsr(at) == Some(Err(Injection::GeneralProtection))));
    }
}

#[test]
fn the_status_is_one_register_of_counters_and_branches() {
    const FROZEN: u64 = 1 << 58;
    for (identity, [status, reset, set]) in
        [(RECORDING[2].0, [0x38E, 0x390, 0x391]), (RECORDING[5].0, [0xC000_0300, 0xC000_0302, 0xC000_0303])]
    {
        let unit = unit(identity).with_branches();
        assert_eq!(unit.wrmsr(set, FROZEN | 0b11), Some(Ok(())));
        assert_eq!(unit.rdmsr(status), Some(Ok(FROZEN | 0b11)));
        assert_eq!(unit.wrmsr(reset, FROZEN | 0b01), Some(Ok(())));
        assert_eq!(unit.rdmsr(status), Some(Ok(0b10)), "{}", identity.name());
    }
}

#[test]
fn a_reset_and_a_move_are_the_recorders_too() {
    let unit = unit(RECORDING[2].0).with_branches();
    let branches: &lbr::Device = unit.branches().unwrap();
    let fresh = branches.snapshot();
    unit.set_debug_control(1);
    jump(&unit, 0x10);
    let other = self::unit(RECORDING[2].0).with_branches();
    other.branches().unwrap().restore(branches.snapshot().as_bytes()).unwrap();
    assert_eq!(detect(&other).unwrap().last::<32>()[0].from, 0x10);
    unit.reset();
    assert_eq!(branches.snapshot(), fresh);
}
