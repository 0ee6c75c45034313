//! One unit for a hypervisor's guest, whichever processor the guest sees.

use std::collections::HashSet;

use pmu::Mode;
use pmu::arch::x86::guest::{Entry, Identity, Injection, SvmMap, Unit, VmxMap, protect_svm, protect_vmx, trapped};
use pmu::arch::x86::{CpuIdResult, Index, Msr, amd, intel, netburst, p5, p6};
use pmu::virt::{Device, Fault, Kinds, RestoreError, Unconnected, Work};

use crate::support::line::Line;

fn identities() -> impl Iterator<Item = Identity> {
    let of_intel = intel::Identity::ALL.into_iter().map(Identity::Intel);
    let of_amd = amd::Identity::ALL.into_iter().map(Identity::Amd);
    let older = [
        Identity::Netburst(netburst::Identity::ALL[0]),
        Identity::P6(p6::Identity::PENTIUM_III),
        Identity::P6(p6::Identity::PENTIUM_M),
        Identity::P5(p5::Identity::P5),
        Identity::P5(p5::Identity::P5_MMX),
    ];
    of_intel.chain(of_amd).chain(older)
}

fn unit(identity: Identity) -> Unit<Unconnected> {
    Unit::new(identity, Kinds::CLOCK, Unconnected)
}

/// Compares a unit's answers to every register with those of the family's device.
fn compare(unit: &Unit<Unconnected>, device: &impl Device<Address = Msr, Index = Index>) {
    let refused = |_: Fault| Injection::GeneralProtection;
    for at in trapped().filter_map(Msr::from_address) {
        let name = unit.identity().name();
        assert_eq!(unit.wrmsr(at.address(), 1), Some(device.try_write(at, 1).map_err(refused)), "{name}: {at:?}");
        assert_eq!(unit.rdmsr(at.address()), Some(device.try_read(at).map_err(refused)), "{name}: {at:?}");
    }
    for number in (0..32).flat_map(|number| [number, number | 1 << 30]) {
        let index = Index::from_raw(number).unwrap();
        assert_eq!(unit.rdpmc(number).is_ok(), device.try_read_counter(index).is_ok());
        assert!(unit.rdpmc(number).is_err() || unit.rdpmc(number).ok() == device.try_read_counter(index).ok());
    }
    let work = Work::instructions(Mode::Kernel, 7);
    unit.advance(&work);
    device.advance(&work);
    assert_eq!((unit.unfed(), unit.wanted()), (device.unfed(), device.wanted()));
    assert_eq!(unit.until_overflow(&work), device.until_overflow(&work));
    assert_eq!(unit.snapshot().as_bytes(), device.snapshot().as_bytes());
}

#[test]
fn a_unit_answers_as_the_device_of_its_family() {
    for identity in identities() {
        let unit = unit(identity);
        match identity {
            Identity::Intel(identity) => compare(&unit, &intel::Device::new(&identity, Kinds::CLOCK, Unconnected)),
            Identity::Amd(identity) => compare(&unit, &amd::Device::new(&identity, Kinds::CLOCK, Unconnected)),
            Identity::Netburst(identity) => {
                compare(&unit, &netburst::Device::new(&identity, Kinds::CLOCK, Unconnected))
            }
            Identity::P6(identity) => compare(&unit, &p6::Device::new(&identity, Kinds::CLOCK, Unconnected)),
            Identity::P5(identity) => compare(&unit, &p5::Device::new(&identity, Kinds::CLOCK)),
            _ => unreachable!("there are five families"),
        }
    }
}

#[test]
fn registers_that_are_not_a_units_are_the_hosts_to_answer() {
    const EFER: u32 = 0xC000_0080;
    const APIC_BASE: u32 = 0x1B;
    const MISC_ENABLE: u32 = 0x1A0;
    for unit in identities().map(unit) {
        let registers = [EFER, APIC_BASE, MISC_ENABLE, u32::MAX];
        assert_eq!(registers.map(|at| (unit.rdmsr(at), unit.wrmsr(at, 0))), [(None, None); 4]);
    }
}

#[test]
fn a_guest_of_intels_finds_a_unit_without_branch_traces_and_pebs() {
    let host = 1 | 1 << 16;
    assert_eq!(unit(Identity::Intel(intel::Identity::SKYLAKE)).misc_enable(host), host | 1 << 7 | 1 << 11 | 1 << 12);
    let pentium_4 = unit(Identity::Netburst(netburst::Identity::PENTIUM_4)).misc_enable(host);
    assert_eq!(pentium_4, host | netburst::Identity::PENTIUM_4.misc());
    assert_eq!(unit(Identity::Amd(amd::Identity::ZEN_4)).misc_enable(host), host);
}

#[test]
fn what_is_injected_has_the_layout_of_svm_and_of_vmx() {
    let events = [Injection::GeneralProtection, Injection::InvalidOpcode, Injection::Nmi, Injection::Interrupt(0xE1)];
    assert_eq!(events.map(Injection::vmx), [0x8000_0B0D, 0x8000_0306, 0x8000_0202, 0x8000_00E1]);
    assert_eq!(events.map(Injection::svm), events.map(|event| event.vmx().into()), "the error code is 0");
}

/// LVTPC is 10000H after a reset, and a guest may write any value there.
#[test]
fn an_entry_holds_whatever_the_guest_writes_and_says_what_it_raises() {
    let raised = |bits: u32| {
        let mut entry = Entry::from_bits(bits);
        let event = unit(Identity::Amd(amd::Identity::ZEN_4)).interrupt(&mut entry);
        assert_eq!(entry.bits(), bits, "AMD's does not mask itself");
        event
    };
    assert_eq!([Entry::RESET.bits(), 0x1_0400, 0x1_00E1].map(raised), [None; 3], "they are masked");
    assert_eq!([0x0400, 0x04FF, 0xFFFE_1400].map(raised), [Some(Injection::Nmi); 3], "NMIs have no vector");
    assert_eq!(
        [0x10, 0x1F, 0x20, 0x10FE].map(raised),
        [0x10, 0x1F, 0x20, 0xFE].map(|vector| Some(Injection::Interrupt(vector)))
    );
    assert_eq!([0, 0xF].map(raised), [None; 2], "these vectors are illegal");
    assert_eq!([0x0220, 0x0520, 0x0720].map(raised), [None; 3], "SMI, INIT and ExtINT are the host's");
}

#[test]
fn an_entry_that_raises_nothing_is_not_masked() {
    let mut entry = Entry::from_bits(0x0F);
    assert_eq!((unit(Identity::Intel(intel::Identity::SKYLAKE)).interrupt(&mut entry), entry.bits()), (None, 0x0F));
}

#[test]
fn the_entry_is_masked_as_the_processor_masks_it() {
    for unit in identities().map(unit) {
        let mut entry = Entry::from_bits(0x400);
        assert_eq!(unit.interrupt(&mut entry), Some(Injection::Nmi));
        let masks = match unit.identity().name() {
            "Pentium III" => false,
            _ => !matches!(unit.identity(), Identity::Amd(_) | Identity::P5(_)),
        };
        assert_eq!(entry.is_masked(), masks, "{}", unit.identity().name());
        assert_eq!(unit.interrupt(&mut entry).is_none(), masks, "a masked entry delivers nothing");
    }
}

#[test]
fn the_trigger_is_called_at_the_overflow_of_either_vendor() {
    for (identity, select, counter) in [
        (Identity::Intel(intel::Identity::SKYLAKE), 0x186, 0x4C1),
        (Identity::Amd(amd::Identity::ZEN_4), 0xC001_0200, 0xC001_0201),
    ] {
        let heard = Line::default();
        let unit = Unit::new(identity, Kinds::CLOCK, &heard);
        assert_eq!(unit.wrmsr(counter, (1 << 48) - 3), Some(Ok(())));
        assert_eq!(unit.wrmsr(select, 0x0053_00C0), Some(Ok(())));
        let step = Work::instructions(Mode::User, 1);
        assert!(unit.wrmsr(0x38F, 1).is_some());
        assert_eq!(unit.until_overflow(&step), Some(3));
        (0..3).for_each(|_| unit.advance(&step));
        assert_eq!(unit.trigger().rises(), 1);
        unit.reset();
        assert_eq!(unit.until_overflow(&step), None);
    }
}

#[test]
fn a_processor_without_rdpmc_says_that_there_is_no_such_instruction() {
    for number in [0, 1, 2, 64, 0x4000_0000, 0x8000_0000, u32::MAX] {
        let answer = unit(Identity::P5(p5::Identity::P5)).rdpmc(number);
        assert_eq!(answer, Err(Injection::InvalidOpcode), "whatever is in ECX: {number:#x}");
    }
    assert_eq!(unit(Identity::P5(p5::Identity::P5_MMX)).rdpmc(0), Ok(0));
    assert_eq!(unit(Identity::P5(p5::Identity::P5_MMX)).rdpmc(2), Err(Injection::GeneralProtection));
}

#[test]
fn a_guests_registers_move_to_a_unit_of_the_same_processor_alone() {
    let units: Vec<_> = identities().map(unit).collect();
    for (number, from) in units.iter().enumerate() {
        let _ = from.wrmsr(0x186, 0x0053_00C0);
        for (other, to) in units.iter().enumerate() {
            let moved = to.restore(from.snapshot().as_bytes());
            assert_eq!(moved.is_ok(), number == other, "{} to {}", from.identity().name(), to.identity().name());
            assert!(number == other || matches!(moved, Err(RestoreError::Family { .. } | RestoreError::Identity)));
        }
    }
}

#[test]
fn a_host_finds_its_own_processor_of_either_vendor() {
    for identity in [Identity::Intel(intel::Identity::SKYLAKE), Identity::Amd(amd::Identity::ZEN_4)] {
        let nothing = |_: u32, _: u32| CpuIdResult { eax: 0, ebx: 0, ecx: 0, edx: 0 };
        let native = |leaf, subleaf| identity.cpuid(leaf, subleaf, &nothing);
        let host = Identity::of_host(&native, || 1 << 13).unwrap();
        assert!(matches!(
            (identity, host),
            (Identity::Intel(_), Identity::Intel(_)) | (Identity::Amd(_), Identity::Amd(_))
        ));
        assert_eq!(unit(host).rdmsr(0x38F), unit(identity).rdmsr(0x38F));
    }
}

#[test]
fn no_register_of_any_unit_is_open_to_a_guest() {
    let (mut svm, mut vmx): (SvmMap, VmxMap) = ([0; 0x2000], [0; 0x1000]);
    protect_svm(&mut svm);
    protect_vmx(&mut vmx);
    let all = (0..0x2000).chain(0xC000_0000..0xC000_2000).chain(0xC001_0000..0xC001_2000_u32);
    let trapped: HashSet<u32> = trapped().collect();
    // What counts, or reloads a counter, beside the units: PERF_METRICS, a general and a fixed counter's reload, IRPERF, the
    // last counters of the data fabric and of memory controllers, PTSC.
    let beside = [0x329, 0x1902, 0x1983, 0xC000_00E9, 0xC001_025F, 0xC001_0800, 0xC001_0280];
    // What samples, and where to: PEBS' records, buffer and reloads, IBS' second controls, lightweight profiling.
    let sampling = [0x3F2, 0x3F4, 0x3F5, 0x1309, 0x14C1, 0xC001_103E, 0xC001_103F, 0xC000_0105];
    // What an event counts of memory (OMR, SNOOP_RSP), and the processor trace.
    let others = [0x3E0, 0x3E3, 0x1328, 0x1329, 0x560, 0x570, 0x587];
    // What records branches: the first and the last of each recorder's entries, and what starts it.
    let branches = [
        0x40,
        0x67,
        0x680,
        0x6DF,
        0xDDF,
        0x1C8,
        0x1C9,
        0x1D9,
        0x1200,
        0x14CE,
        0x14CF,
        0x161F,
        0xC000_010F,
        0xC001_031F,
    ];
    let missing = [beside.as_slice(), &sampling, &others, &branches]
        .concat()
        .into_iter()
        .find(|register| !trapped.contains(register));
    assert_eq!(missing.map(|register| format!("{register:#x}")), None);
    for register in all {
        let must = trapped.contains(&register);
        assert!(must || Msr::from_address(register).is_none(), "{register:#x}");
        let bit = 2 * (register as usize & 0x1FFF)
            + 8 * match register >> 16 {
                0 => 0,
                0xC000 => 0x800,
                _ => 0x1000,
            };
        assert_eq!(svm[bit / 8] >> (bit % 8) & 0b11, if must { 0b11 } else { 0 }, "{register:#x}");
        if register < 0xC001_0000 {
            let bit = (register as usize & 0x1FFF) + if register < 0x2000 { 0 } else { 8 * 0x400 };
            let bits = [bit, bit + 8 * 0x800].map(|bit| vmx[bit / 8] >> (bit % 8) & 1);
            assert_eq!(bits, [u8::from(must); 2], "{register:#x}");
        }
    }
}

#[test]
fn the_maps_have_the_bits_where_the_manuals_have_them() {
    let (mut svm, mut vmx): (SvmMap, VmxMap) = ([0; 0x2000], [0; 0x1000]);
    protect_svm(&mut svm);
    protect_vmx(&mut vmx);
    assert_eq!(svm[0x30] >> 2 & 0b11, 0b11, "IA32_PMC0: C1H / 4, its second pair of bits");
    assert_eq!(svm[0x1080] & 0b11, 0b11, "PERF_CTL0 (C0010200H)");
    assert_eq!([vmx[0x71], vmx[0x871]].map(|byte| byte >> 7), [1; 2], "IA32_PERF_GLOBAL_CTRL (38FH)");
    assert_eq!(vmx[0x400 + 0x60] & 0b111, 0b111, "AMD's global registers (C0000300H) are high ones");
    assert_eq!((svm[0x820], svm[0x1800..].iter().all(|&byte| byte == 0)), (0, true), "EFER is the host's matter");
}
