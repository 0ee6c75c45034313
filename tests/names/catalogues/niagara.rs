//! The tables of UltraSPARC T1 to SPARC T3, each by a processor that has it.

use pmu::Event;
use pmu::arch::sparc::niagara::{Device, Identity, Niagara};
use pmu::driver::Plan;
use pmu::virt::{Kinds, Unconnected};

fn driver(identity: &Identity) -> Niagara<Device<Unconnected>> {
    Niagara::new(Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

#[test]
fn their_events_are_counted_and_come_back() {
    for identity in &Identity::ALL {
        crate::catalogues::check(&driver(identity));
    }
}

/// The numbers of names in illumos-gate's lists (niagara_pcbe.c, niagara2_pcbe.c), and six of libpfm4's groups.
#[test]
fn every_event_of_libcpc_has_its_name() {
    let names = |identity: &Identity| driver(identity).catalogue().events.len();
    assert_eq!(names(&Identity::T1), 9);
    assert_eq!([&Identity::T2, &Identity::T2_PLUS, &Identity::T3].map(names), [39 + 5; 3]);
}

/// illumos-gate's codes, event by event (niagara2_pcbe.c, ni2_events).
#[test]
fn names_have_libcpcs_codes() {
    let codes = [
        ("Idle_strands", 0x000),
        ("Br_completed", 0x201),
        ("Br_taken", 0x202),
        ("Instr_FGU_arithmetic", 0x204),
        ("Instr_ld", 0x208),
        ("Instr_st", 0x210),
        ("Instr_sw", 0x220),
        ("Instr_other", 0x240),
        ("Atomics", 0x280),
        ("Instr_cnt", 0x2FD),
        ("IC_miss", 0x301),
        ("DC_miss", 0x302),
        ("L2_imiss", 0x310),
        ("L2_dmiss_ld", 0x320),
        ("ITLB_HWTW_ref_L2", 0x404),
        ("DTLB_HWTW_ref_L2", 0x408),
        ("ITLB_HWTW_miss_L2", 0x410),
        ("DTLB_HWTW_miss_L2", 0x420),
        ("Stream_ld_to_PCX", 0x501),
        ("Stream_st_to_PCX", 0x502),
        ("CPU_ld_to_PCX", 0x504),
        ("CPU_ifetch_to_PCX", 0x508),
        ("CPU_st_to_PCX", 0x510),
        ("MMU_ld_to_PCX", 0x520),
        ("DES_3DES_op", 0x601),
        ("AES_op", 0x602),
        ("RC4_op", 0x604),
        ("MD5_SHA-1_SHA-256_op", 0x608),
        ("MA_op", 0x610),
        ("CRC_TCPIP_cksum", 0x620),
        ("DES_3DES_busy_cycle", 0x701),
        ("AES_busy_cycle", 0x702),
        ("RC4_busy_cycle", 0x704),
        ("MD5_SHA-1_SHA-256_busy_cycle", 0x708),
        ("MA_busy_cycle", 0x710),
        ("CRC_MPA_cksum", 0x720),
        ("ITLB_miss", 0xB04),
        ("DTLB_miss", 0xB08),
        ("TLB_miss", 0xB0C),
    ];
    let catalogue = driver(&Identity::T2).catalogue();
    for (name, code) in codes {
        let event = catalogue.named(name).map(|named| catalogue.event(named));
        assert_eq!(event, Some(Event::raw(code)), "{name}");
    }
}
