//! The strings of cputrack, cpustat and libpfm, as their users type them.

use pmu::arch::sparc::niagara::Identity;
use pmu::text::{notation::Cpc, notation::Error, notation::Perfmon, notation::Processor};
use pmu::{Event, Modes, Set};

use crate::niagara::driver;

fn read<const N: usize>(
    identity: &Identity,
    parse: impl Fn(Processor) -> Result<Set<N>, Error>,
) -> Vec<(Event, Modes)> {
    let driver = driver(identity);
    let set = parse(Processor::of(&driver)).expect("it is read");
    set.requests().iter().map(|request| (request.event, request.modes)).collect()
}

fn of_cpc(identity: &Identity, text: &str) -> Vec<(Event, Modes)> {
    read::<2>(identity, |here| Cpc::parse(text, here))
}

fn of_libpfm(text: &str) -> Vec<(Event, Modes)> {
    read::<2>(&Identity::T2, |here| Perfmon::parse(text, here))
}

fn user(code: u64) -> (Event, Modes) {
    (Event::raw(code), Modes::USER)
}

#[test]
fn solaris_strings_for_t1_work_as_typed() {
    assert_eq!(of_cpc(&Identity::T1, "pic0=DC_miss,pic1=Instr_cnt"), [user(3), user(0x100)]);
    assert_eq!(of_cpc(&Identity::T1, "SB_full,Instr_cnt,sys"), [0, 0x100].map(|code| (Event::raw(code), Modes::ALL)));
    let first_version = read::<2>(&Identity::T1, |here| Cpc::parse_ultrasparc("pic0=IC_miss,pic1=Instr_cnt", here));
    assert_eq!(first_version, [user(2), user(0x100)]);
}

#[test]
fn solaris_strings_for_t2_work_as_typed() {
    assert_eq!(of_cpc(&Identity::T2, "pic0=L2_dmiss_ld,pic1=Instr_cnt"), [user(0x320), user(0x2FD)]);
    assert_eq!(of_cpc(&Identity::T2, "pic0=MD5_SHA-1_SHA-256_op,pic1=RC4_busy_cycle"), [user(0x608), user(0x704)]);
    assert_eq!(of_cpc(&Identity::T3, "pic0=Kasumi_op,pic1=Idle_strands"), [user(0x604), user(0)]);
    assert_eq!(of_cpc(&Identity::T2, "PAPI_tlb_tm,PAPI_ld_ins"), [user(0xB0C), user(0x208)]);
}

#[test]
fn emask_adds_bits_to_the_events_mask() {
    assert_eq!(of_cpc(&Identity::T2, "pic0=Br_completed,emask0=0x2,pic1=Instr_cnt"), [user(0x203), user(0x2FD)]);
    assert_eq!(of_cpc(&Identity::T2, "pic0=IC_miss,emask=0x12"), [user(0x313)]);
}

#[test]
fn hpriv_counts_in_the_hypervisor_too() {
    let modes = Modes::ALL.and(Modes::HYPERVISOR);
    assert_eq!(of_cpc(&Identity::T2, "pic0=Instr_cnt,hpriv,sys"), [(Event::raw(0x2FD), modes)]);
}

#[test]
fn libpfms_masks_are_combined() {
    assert_eq!(of_libpfm("Instr_cnt:branches:taken_branches:u"), [user(0x203)]);
    assert_eq!(of_libpfm("niagara2::mem:cpu_store:mmu_load:u"), [user(0x530)]);
    assert_eq!(of_libpfm("All_strands_idle:u"), [user(0)]);
}

#[test]
fn a_misspelt_name_is_answered_with_the_nearest_one() {
    let driver = driver(&Identity::T2);
    let here = Processor::of(&driver);
    let error = Cpc::parse::<2>("pic0=DTLB_mis", here).unwrap_err();
    assert_eq!(error.nearest, Some("DTLB_miss".into()));
}
