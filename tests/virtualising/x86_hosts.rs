//! What a guest of an x86 host finds: less than the identity that it is shown has, where its host has less, or no unit.

use pmu::arch::x86::guest::{Entry, Identity, Injection, Unit, trapped};
use pmu::arch::x86::intel::DebugControl;
use pmu::arch::x86::{CpuIdReader, CpuIdResult, Msr, amd, intel, p5, p6};
use pmu::virt::{Device as _, Kinds, RestoreError, Unconnected, Work};
use pmu::{CounterSet, Mode};

fn intels() -> impl Iterator<Item = intel::Identity> {
    let few = |identity: intel::Identity| identity.with_general_counters(2).with_fixed_counters(1);
    let no_slots = intel::Identity::LION_COVE.without_events(intel::Architectural::SLOTS);
    intel::Identity::ALL.into_iter().chain(intel::Identity::ALL.map(few)).chain([intel::Identity::SKYMONT, no_slots])
}

fn covers(all: CounterSet, some: CounterSet) -> bool {
    some.without(all).is_empty()
}

#[test]
fn within_an_intel_host_nothing_is_announced_that_the_host_or_the_identity_does_not_have() {
    for (identity, host) in intels().flat_map(|identity| intels().map(move |host| (identity, host))) {
        let (guest, whole) = (identity.within(&host).capabilities(), identity.capabilities());
        for most in [whole, host.capabilities()] {
            assert!(guest.version <= most.version, "{} within {}", identity.name(), host.name());
            assert!(covers(most.general, guest.general) && covers(most.fixed, guest.fixed));
            assert!(most.events.contains(guest.events), "{} within {}", identity.name(), host.name());
            let written = |of: intel::Capabilities| of.perf_capabilities.unwrap_or_default();
            assert!(written(most).contains(written(guest)));
        }
        assert_eq!(guest.general.len(), whole.general.len().min(host.capabilities().general.len()));
        assert_eq!(intel::Device::new(&identity.within(&host), Kinds::CLOCK, Unconnected).state().general.len(), 10);
    }
}

#[test]
fn within_an_amd_host_nothing_is_announced_that_the_host_or_the_identity_does_not_have() {
    for (identity, host) in amd::Identity::ALL.iter().flat_map(|it| amd::Identity::ALL.map(|host| (it, host))) {
        let (guest, whole) = (identity.within(&host).capabilities(), identity.capabilities());
        for most in [whole, host.capabilities()] {
            assert!(guest.version <= most.version && covers(most.counters, guest.counters), "{}", identity.name());
        }
    }
    let with = |counters| amd::Identity::ZEN_4.with_counters(counters);
    let counters = [(4, 2), (2, 4)].map(|(own, most)| with(own).within(&with(most)).capabilities().counters.len());
    assert_eq!(counters, [2, 2]);
}

#[test]
fn an_identity_within_itself_is_the_same_unit() {
    for identity in intels().map(Identity::Intel).chain(amd::Identity::ALL.map(Identity::Amd)) {
        let [whole, within] = [identity, identity.within(&identity)].map(|it| Unit::new(it, Kinds::CLOCK, Unconnected));
        assert_eq!(within.fingerprint(), whole.fingerprint(), "{}", identity.name());
    }
}

#[test]
fn a_guest_of_another_vendors_processor_has_no_unit_within_its_host() {
    let zen = Identity::Amd(amd::Identity::ZEN_4);
    assert!(matches!(Identity::Intel(intel::Identity::SKYLAKE).within(&zen), Identity::NoUnit));
    assert!(matches!(Identity::P5(p5::Identity::P5).within(&zen), Identity::NoUnit));
}

#[test]
fn a_guest_is_told_of_the_events_that_its_host_observes_where_a_processor_announces_events() {
    let Identity::Intel(fed) = Identity::Intel(intel::Identity::SKYLAKE).fed_by(Kinds::CLOCK) else { unreachable!() };
    assert!(!fed.capabilities().events.contains(intel::Architectural::BRANCHES));
    for identity in [Identity::Amd(amd::Identity::ZEN_4), Identity::P6(p6::Identity::PENTIUM_III)] {
        assert_eq!(identity.fed_by(Kinds::CLOCK).name(), identity.name());
        assert!(matches!(identity.fed_by(Kinds::NONE), Identity::NoUnit), "nothing would count");
    }
}

/// A processor that announces every unit there is.
#[derive(Clone)]
struct Full;

impl CpuIdReader for Full {
    fn cpuid2(&self, leaf: u32, _: u32) -> CpuIdResult {
        let named = |last| CpuIdResult { eax: last, ebx: 0x756E_6547, ecx: 0x6C65_746E, edx: 0x4965_6E69 };
        match leaf {
            0 => named(0x23),
            0x8000_0000 => named(0x8000_0022),
            1 => CpuIdResult { eax: 0x0005_06E3, ebx: !0, ecx: !0, edx: !0 },
            _ => CpuIdResult { eax: !0, ebx: !0, ecx: !0, edx: !0 },
        }
    }
}

#[test]
fn a_guest_without_a_unit_is_told_of_none_and_every_register_of_one_faults() {
    let unit = Unit::new(Identity::NoUnit, Kinds::CLOCK, Unconnected);
    let told = |leaf: u32| unit.cpuid(leaf, 0, &Full);
    assert_eq!([told(0x0A), told(0x23), told(0x8000_0022)], [CpuIdResult { eax: 0, ebx: 0, ecx: 0, edx: 0 }; 3]);
    assert_eq!((told(1).ecx >> 15 & 1, told(0x8000_0001).ecx >> 23 & 1, told(1).eax), (0, 0, 0x0005_06E3));
    assert_eq!(unit.misc_enable(1 | 1 << 7), 1 | 1 << 11 | 1 << 12);
    let fault = Injection::GeneralProtection;
    for at in trapped().filter(|at| Msr::from_address(*at).is_some()) {
        assert_eq!((unit.rdmsr(at), unit.wrmsr(at, 0)), (Some(Err(fault)), Some(Err(fault))), "{at:#x}");
    }
    assert_eq!((unit.rdmsr(0xC000_0080), unit.rdpmc(0), unit.rdpmc(1 << 30)), (None, Err(fault), Err(fault)));
}

#[test]
fn a_guest_without_a_unit_counts_nothing_and_moves_to_a_host_where_it_has_none() {
    let unit = |identity| Unit::new(identity, Kinds::CLOCK, Unconnected);
    let (none, skylake) = (unit(Identity::NoUnit), unit(Identity::Intel(intel::Identity::SKYLAKE)));
    let step = Work::instructions(Mode::User, 1000);
    none.advance(&step);
    none.reset();
    assert_eq!((none.until_overflow(&step), none.wanted(), none.unfed()), (None, Kinds::NONE, CounterSet::EMPTY));
    let mut entry = Entry::RESET;
    assert_eq!(none.interrupt(&mut entry), None);
    let stored = none.snapshot();
    assert_eq!(unit(Identity::NoUnit).restore(stored.as_bytes()), Ok(()));
    assert!(matches!(skylake.restore(stored.as_bytes()), Err(RestoreError::Family { .. })));
    assert!(none.restore(skylake.snapshot().as_bytes()).is_err());
}

#[test]
fn work_in_system_management_mode_is_counted_unless_the_guest_froze_its_counters() {
    let counted = |identity, debug_control| {
        let unit = Unit::new(identity, Kinds::CLOCK, Unconnected);
        let (select, counter) =
            if let Identity::Amd(_) = identity { (0xC001_0200, 0xC001_0201) } else { (0x186, 0xC1) };
        unit.set_debug_control(debug_control);
        let _ = (unit.wrmsr(select, 0x0043_00C0), unit.wrmsr(0x38F, 1));
        unit.advance_in_smm(&Work::instructions(Mode::Kernel, 20));
        unit.rdmsr(counter)
    };
    let freezing = Identity::Intel(intel::Identity::SKYLAKE.with_freezing_in_smm());
    let freeze = DebugControl::FREEZE_IN_SMM.bits();
    assert_eq!([0, freeze].map(|control| counted(freezing, control)), [Some(Ok(20)), Some(Ok(0))]);
    assert_eq!(counted(Identity::Amd(amd::Identity::ZEN_2), freeze), Some(Ok(20)));
}
