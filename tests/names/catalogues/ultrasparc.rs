//! The tables of UltraSPARC I to IV+, each by a processor that has it.

use pmu::arch::sparc::ultrasparc::{Device, Identity, UltraSparc};
use pmu::driver::Plan;
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterSet, Event};

fn driver(identity: &Identity) -> UltraSparc<Device<Unconnected>> {
    UltraSparc::new(Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

#[test]
fn their_events_are_counted_and_come_back() {
    for identity in &Identity::ALL {
        crate::catalogues::check(&driver(identity));
    }
}

/// The numbers of names that libcpc lists (illumos-gate, us234_pcbe.c), without those that both counters have counted
/// twice.
#[test]
fn every_event_of_libcpc_has_its_name() {
    let names = |identity: &Identity| {
        let events = driver(identity).catalogue().events;
        [0b01, 0b10].map(|counter| {
            events.iter().filter(|named| !named.counters.and(CounterSet::from_bits(counter)).is_empty()).count()
        })
    };
    assert_eq!(names(&Identity::II), [12, 12]);
    assert_eq!(names(&Identity::III), [29, 39]);
    assert_eq!(names(&Identity::III_PLUS), [32, 41]);
    assert_eq!(names(&Identity::III_I), [29, 37]);
    assert_eq!(names(&Identity::IV_PLUS), [51, 54]);
}

/// Each counter's selectors, where the processors differ or the two sources do.
#[test]
fn names_have_libcpcs_selectors() {
    let check = |identity: &Identity, names: &[(&str, u64)]| {
        for &(name, code) in names {
            let catalogue = driver(identity).catalogue();
            let event = catalogue.named(name).map(|named| catalogue.event(named));
            assert_eq!(event, Some(Event::raw(code)), "{name} of {}", identity.name());
        }
    };
    check(&Identity::II, &[("EC_ref", 0x10C), ("EC_hit", 0x20C), ("EC_rd_hit", 0x10F), ("Load_use_RAW", 0x20B)]);
    let of_iii = [("Dispatch_rs_mispred", 0x117), ("FM_pipe_completion", 0x227), ("PC_MS_misses", 0x21F)];
    check(&Identity::III, &of_iii);
    check(&Identity::III, &[("Re_endian_miss", 0x204), ("MC_stalls_2", 0x125)]);
    check(&Identity::III_PLUS, &[("Re_DC_missovhd", 0x204), ("EC_miss_mtag_remote", 0x28_031B)]);
    check(&Identity::III_I, &[("MC_open_bank_cmds", 0x220), ("MC_reads", 0x221), ("MC_page_close_stall", 0x223)]);
    let of_iv_plus = [("IU_stat_br_count_untaken", 0x116), ("IU_stat_br_count_taken", 0x21E), ("DC_wr", 0x203)];
    check(&Identity::IV_PLUS, &of_iv_plus);
    check(
        &Identity::IV_PLUS,
        &[("SSM_L3_miss_mtag_remote", 0x28_031B), ("SW_count_NOP", 0x1C_0314), ("L3_miss", 0x231)],
    );
}
