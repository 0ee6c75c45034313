//! Which accesses fault, and which values lose bits instead.

use pmu::CounterId;
use pmu::arch::x86::p5::Identity;
use pmu::arch::x86::{Index, Msr};
use pmu::virt::{Device as _, Fault};

use super::{counter, device};

/// SDM vol. 4, "MSRs in Pentium Processors": CESR, CTR0 and CTR1 are 11H to 13H.
#[test]
fn the_three_registers_have_the_manuals_addresses_and_names() {
    assert_eq!([Msr::CESR, counter(0), counter(1)].map(Msr::address), [0x11, 0x12, 0x13]);
    assert_eq!(Msr::p5_counter(2), None);
    assert_eq!(format!("{:?} {:?}", Msr::CESR, counter(1)), "CESR CTR1");
}

#[test]
fn bits_that_a_register_does_not_have_are_dropped() {
    for identity in Identity::ALL {
        let device = device(&identity);
        let kept = [Msr::CESR, counter(0), counter(1)].map(|at| {
            device.try_write(at, u64::MAX).unwrap();
            device.try_read(at)
        });
        assert_eq!(kept, [Ok(0x03FF_03FF), Ok(0xFF_FFFF_FFFF), Ok(0xFF_FFFF_FFFF)]);
    }
}

/// SDM vol. 2, "RDPMC": "introduced in the Pentium Pro and the Pentium with MMX".
#[test]
fn rdpmc_reads_two_counters_with_mmx_and_faults_without() {
    let readable = |identity| {
        let device = device(&identity);
        let all = (0..64).filter_map(CounterId::new);
        all.filter(|&id| device.try_read_counter(Index::of(id)).is_ok()).collect::<Vec<_>>().len()
    };
    assert_eq!(Identity::ALL.map(readable), [0, 2]);
    let device = device(&Identity::P5_MMX);
    device.try_write(counter(1), 42).unwrap();
    assert_eq!(device.try_read_counter(Index::from_raw(1).unwrap()), Ok(42));
    assert_eq!(super::device(&Identity::P5).try_read_counter(Index::from_raw(1).unwrap()), Err(Fault::Absent));
}
