//! What a driver must not do although hardware permits it.

use pmu::arch::sparc::Asr;
use pmu::arch::sparc::ultrasparc::Identity;
use pmu::virt::Discipline;

use crate::ultrasparc::with;

/// pic0 counts instructions, and pic1 is parked on SW_count_1.
const COUNTS: u64 = 1 << 4 | 0x1C << 11 | 0x4;

fn breach(identity: &Identity, pcr: u64, at: Asr, value: u64) -> Option<&'static str> {
    with(identity, pcr, 0).check_write(at, value).err()
}

#[test]
fn pic_is_not_written_while_a_counter_counts() {
    let rule = Some("%pic is written while a counter counts");
    assert_eq!(breach(&Identity::III, COUNTS, Asr::Pic, 0), rule);
    assert_eq!(breach(&Identity::II, 0x4, Asr::Pic, 0), rule);
    assert_eq!(breach(&Identity::III, COUNTS & !0x4, Asr::Pic, 0), None);
    assert_eq!(breach(&Identity::III, 0x14 << 4 | 0x1C << 11 | 0x4, Asr::Pic, 0), None, "both are parked");
}

#[test]
fn the_event_of_a_counter_that_counts_is_not_changed() {
    let rule = Some("the event of a counter that counts is changed");
    assert_eq!(breach(&Identity::III, COUNTS, Asr::Pcr, 0x2 << 4 | 0x1C << 11 | 0x4), rule);
    assert_eq!(breach(&Identity::III, COUNTS, Asr::Pcr, 1 << 4 | 1 << 11 | 0x4), None, "the other one may begin");
    assert_eq!(breach(&Identity::III, COUNTS, Asr::Pcr, 0x14 << 4 | 1 << 11 | 0x4), None, "it may be parked");
    assert_eq!(breach(&Identity::III, COUNTS, Asr::Pcr, 0x2 << 4), None, "it may stop");
    assert_eq!(breach(&Identity::II, 1 << 4 | 0x4, Asr::Pcr, 0x2 << 4 | 0x4), rule);
}

#[test]
fn reserved_bits_are_not_written() {
    let rule = Some("bits are set that are reserved");
    assert_eq!(breach(&Identity::II, 0, Asr::Pcr, 0x14 << 4), rule);
    assert_eq!(breach(&Identity::III, 0, Asr::Pcr, 1 << 3), rule);
    assert_eq!(breach(&Identity::III, 0, Asr::Pcr, 0x14 << 4), None);
}
