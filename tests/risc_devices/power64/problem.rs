//! The access of problem state, by MMCR0's PMCC.

use pmu::Mode;
use pmu::arch::powerpc::book3s::Identity;
use pmu::virt::{Device as _, Fault};

use super::{FC, PMAE, PMAO, PMC1CE, Unit, at, pmc, read, unit, write};

const KERNEL: Fault = Fault::Trapped(Mode::Kernel);
const HYPERVISOR: Fault = Fault::Trapped(Mode::Hypervisor);
/// UPMC1, UPMC5, UMMCR0, UMMCRA; USIAR, USIER, UMMCR1.
const GROUP_A: [u16; 4] = [771, 775, 779, 770];
const GROUP_B: [u16; 3] = [780, 768, 782];

fn with_pmcc(pmcc: u64) -> Unit {
    let unit = unit(&Identity::POWER9);
    write(&unit, at(795), FC | pmcc << 18);
    unit
}

fn reads<const N: usize>(unit: &Unit, numbers: [u16; N]) -> [Option<Fault>; N] {
    numbers.map(|number| unit.read_from(Mode::User, at(number)).err())
}

fn writes<const N: usize>(unit: &Unit, numbers: [u16; N]) -> [Option<Fault>; N] {
    numbers.map(|number| unit.write_from(Mode::User, at(number), FC).err())
}

#[test]
fn nothing_is_written_by_default_and_all_is_read() {
    let unit = with_pmcc(0);
    assert_eq!((reads(&unit, GROUP_A), reads(&unit, GROUP_B)), ([None; 4], [None; 3]));
    assert_eq!((writes(&unit, GROUP_A), writes(&unit, GROUP_B)), ([Some(HYPERVISOR); 4], [Some(HYPERVISOR); 3]));
}

#[test]
fn the_facility_is_unavailable_where_it_is_closed() {
    let unit = with_pmcc(1);
    assert_eq!((reads(&unit, GROUP_A), reads(&unit, GROUP_B)), ([Some(KERNEL); 4], [Some(KERNEL); 3]));
    assert_eq!((writes(&unit, GROUP_A), writes(&unit, GROUP_B)), ([Some(KERNEL); 4], [Some(KERNEL); 3]));
}

#[test]
fn counters_are_written_where_they_are_lent() {
    let unit = with_pmcc(2);
    assert_eq!((reads(&unit, GROUP_A), writes(&unit, GROUP_A)), ([None; 4], [None; 4]));
    assert_eq!((reads(&unit, GROUP_B), writes(&unit, GROUP_B)), ([None; 3], [Some(HYPERVISOR); 3]));
}

#[test]
fn the_last_two_can_be_kept_back() {
    let unit = with_pmcc(3);
    assert_eq!(writes(&unit, GROUP_A), [None, Some(KERNEL), None, None]);
    assert_eq!(reads(&unit, [775, 776, 774]), [Some(KERNEL), Some(KERNEL), None]);
}

#[test]
fn the_kernels_own_numbers_are_the_kernels() {
    assert_eq!(reads(&with_pmcc(2), [787, 795, 784]), [Some(KERNEL); 3]);
}

#[test]
fn problem_state_sees_and_changes_three_bits_of_mmcr0() {
    let unit = with_pmcc(2);
    write(&unit, at(795), FC | PMC1CE | 2 << 18);
    assert_eq!(unit.read_from(Mode::User, at(779)), Ok(FC));
    unit.write_from(Mode::User, at(779), PMAE | PMC1CE << 1).unwrap();
    assert_eq!(read(&unit, at(795)), PMAE | PMC1CE | 2 << 18);
    unit.write_from(Mode::User, at(779), PMAO).unwrap();
    assert!(unit.trigger().is_high());
}

#[test]
fn before_power8_copies_are_read_and_never_written() {
    let unit = unit(&Identity::POWER7);
    write(&unit, pmc(1), 42);
    write(&unit, at(795), FC | PMC1CE);
    assert_eq!(unit.read_from(Mode::User, at(771)), Ok(42));
    assert_eq!(unit.read_from(Mode::User, at(779)), Ok(FC | PMC1CE), "whole");
    assert_eq!(unit.write_from(Mode::User, at(771), 0), Err(Fault::ReadOnly));
    assert_eq!(unit.try_write(at(771), 0), Err(Fault::ReadOnly), "to the kernel too");
    assert_eq!(unit.read_from(Mode::User, at(769)), Err(Fault::Absent));
}
