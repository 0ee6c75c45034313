//! What a driver must not do although hardware permits it.

use pmu::arch::sparc::Asr;
use pmu::arch::sparc::niagara::Identity;
use pmu::virt::Discipline;

use crate::niagara::with;

const HOLD: u64 = 0b11 << 62;
const COUNTS: u64 = 0x2FD << 6 | 0x200 << 19 | 0x4;

fn breach(identity: &Identity, pcr: u64, at: Asr, value: u64) -> Option<&'static str> {
    with(identity, pcr, 0).check_write(at, value).err()
}

#[test]
fn pic_is_not_written_while_a_counter_counts() {
    let rule = Some("%pic is written while a counter counts");
    assert_eq!(breach(&Identity::T2, COUNTS, Asr::Pic, 0), rule);
    assert_eq!(breach(&Identity::T1, 0x4, Asr::Pic, 0), rule);
    assert_eq!(breach(&Identity::T2, COUNTS & !0x4, Asr::Pic, 0), None);
}

#[test]
fn the_event_of_a_counter_that_counts_is_not_changed() {
    let rule = Some("the event of a counter that counts is changed");
    assert_eq!(breach(&Identity::T2, COUNTS, Asr::Pcr, HOLD | 0x201 << 6 | 0x4), rule);
    assert_eq!(breach(&Identity::T2, COUNTS, Asr::Pcr, HOLD | COUNTS | 0x201 << 19), None, "the other one may begin");
    assert_eq!(breach(&Identity::T2, COUNTS, Asr::Pcr, HOLD), None, "it may stop");
}

#[test]
fn the_overflow_of_a_counter_that_counts_is_held() {
    let rule = Some("the overflow of a counter that counts may be lost");
    assert_eq!(breach(&Identity::T2, COUNTS, Asr::Pcr, 1 << 63), rule);
    assert_eq!(breach(&Identity::T2, COUNTS, Asr::Pcr, 1 << 62), None, "pic1 does not count");
}

#[test]
fn reserved_bits_and_bits_without_right_are_not_written() {
    assert_eq!(breach(&Identity::T1, 0, Asr::Pcr, HOLD), Some("bits are set that are reserved"));
    assert_eq!(breach(&Identity::T2, 0, Asr::Pcr, 1 << 32), Some("bits are set that are reserved"));
    assert_eq!(breach(&Identity::T2, 0, Asr::Pcr, 1 << 3), Some("HT is set without the right to it"));
    assert_eq!(breach(&Identity::T2_HYPERVISOR, 0, Asr::Pcr, 1 << 3), None);
}
