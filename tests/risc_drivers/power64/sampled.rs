//! The sampled instruction.

use pmu::arch::powerpc::Pvr;
use pmu::arch::powerpc::book3s::{Capture, Model, Privilege, SampledInstruction};
use pmu::driver::Plan;
use pmu::{Event, Mode};

use crate::power64::{Bench, pvr};

const SIER: u16 = 784;
const MMCRA: u16 = 786;
const SIAR: u16 = 796;
const SDAR: u16 = 797;

/// What a processor says if this register holds that.
fn sampled_by(pvr: Pvr, privilege: Privilege, register: u16, value: u64) -> SampledInstruction {
    let bench = Bench::of_processor(pvr, privilege);
    bench.set(SIAR, 0x1000);
    bench.set(SDAR, 0x2000);
    bench.set(register, value);
    bench.driver.sampled()
}

fn sampled(model: Model, register: u16, value: u64) -> SampledInstruction {
    sampled_by(pvr(model), Privilege::Supervisor, register, value)
}

fn mode(model: Model, register: u16, value: u64) -> Option<Mode> {
    sampled(model, register, value).mode
}

#[test]
fn power8_says_in_sier_whether_an_address_is_valid() {
    let both = sampled(Model::Power8, SIER, 1 << 22 | 1 << 21);
    assert_eq!((both.address, both.datum, both.mode), (Some(0x1000), Some(0x2000), Some(Mode::Kernel)));
    let neither = sampled(Model::Power8, SIER, 0);
    assert_eq!((neither.address, neither.datum), (None, None));
}

#[test]
fn the_state_is_in_sier_from_power8_on_and_in_mmcra_before() {
    let modes = |model, register, problem: u64, hypervisor: u64| {
        [0, problem, hypervisor, problem | hypervisor].map(|value| mode(model, register, value))
    };
    let expected = [Mode::Kernel, Mode::User, Mode::Hypervisor, Mode::User].map(Some);
    assert_eq!(modes(Model::Power9, SIER, 0x200_0000, 0x100_0000), expected);
    assert_eq!(modes(Model::Power7, MMCRA, 0x200_0000_0000, 0x400_0000_0000), expected);
    assert_eq!(modes(Model::Power5, MMCRA, 0x800_0000, 0x1000_0000), expected);
}

#[test]
fn a_kernel_that_is_its_own_hypervisor_is_the_kernel() {
    let of = |privilege| sampled_by(pvr(Model::Power9), privilege, SIER, 0x100_0000).mode;
    assert_eq!(of(Privilege::Hypervisor), Some(Mode::Kernel));
    assert_eq!(of(Privilege::Supervisor), Some(Mode::Hypervisor));
}

#[test]
fn the_state_that_power10_notes_is_not_believed() {
    assert_eq!(mode(Model::Power10, SIER, 0x200_0000), None);
}

#[test]
fn power7_plus_was_first_to_say_whether_an_address_is_valid() {
    let plus = Pvr::from_bits(0x004A_0201);
    let address = |pvr, mmcra| sampled_by(pvr, Privilege::Supervisor, MMCRA, mmcra).address;
    assert_eq!([address(plus, 0), address(plus, 1 << 28)], [None, Some(0x1000)]);
    assert_eq!(address(pvr(Model::Power7), 0), Some(0x1000));
}

/// OProfile's groups of these events, and Linux' `power5_marked_instr_event` and those of its neighbours.
#[test]
fn an_event_of_marked_groups_or_of_their_threshold_enables_marking_by_name() {
    use Model::{Power4, Power5, Power5Plus, Power6, Power7, Ppc970};
    let marking = |model, name| {
        let catalogue = Bench::new(model).driver.catalogue();
        catalogue.named(name).map(|named| named.auxiliary)
    };
    let thresholds = [Power4, Ppc970, Power5, Power5Plus, Power6, Power7].map(|of| marking(of, "PM_THRESH_TIMEO"));
    assert_eq!(thresholds, [Some(1); 6]);
    let groups = [Power4, Ppc970, Power5, Power5Plus, Power7].map(|of| marking(of, "PM_GRP_MRK"));
    assert_eq!((groups, marking(Power7, "PM_GRP_MRK_CYC")), ([Some(1); 5], Some(1)));
}

#[test]
fn the_970_samples_marked_instructions_alone() {
    assert_eq!(sampled(Model::Ppc970, MMCRA, 0x2000).address, None);
    let marked = sampled(Model::Ppc970, MMCRA, 0x2001);
    assert_eq!((marked.address, marked.mode), (Some(0x1000), None));
}

#[test]
fn before_power5_no_unit_samples_continuously_and_from_then_on_each_does() {
    let alone = |model| Bench::new(model).driver.capabilities().samples_only_marked();
    assert!(Model::ALL.into_iter().all(|model| alone(model) == (model < Model::Power5)));
}

#[test]
fn a_sample_says_whether_it_is_of_the_overflow_or_of_a_marked_instruction() {
    for model in Model::ALL {
        let capture = |mmcra| sampled(model, MMCRA, mmcra).capture;
        assert_eq!([capture(0x2000), capture(0x2001)], [Capture::Overflowing, Capture::Marked], "{model:?}");
    }
}

/// An event with auxiliary value 1 is one of marked instructions: the unit then records their addresses.
#[test]
fn an_event_of_marked_instructions_has_its_samples_addresses_noted_by_a_970() {
    let address = |auxiliary| {
        let bench = Bench::new(Model::Ppc970);
        bench.open([Event::raw_with(0x01, auxiliary)]).unwrap();
        bench.run_all();
        bench.set(SIAR, 0x1000);
        bench.driver.sampled().address
    };
    assert_eq!([address(0), address(1)], [None, Some(0x1000)]);
}

#[test]
fn power5_notes_the_place_in_a_group_of_a_marked_instruction() {
    let address = |mmcra| sampled(Model::Power5, MMCRA, mmcra).address;
    assert_eq!(address(3 << 24 | 1), Some(0x1008));
    assert_eq!([address(1 << 24 | 1), address(3 << 24)], [Some(0x1000); 2]);
}
