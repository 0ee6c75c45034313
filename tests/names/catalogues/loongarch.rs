//! LoongArch's table.

use pmu::arch::loongarch::la64::{Device, Identity, La64};
use pmu::text::catalogue::Catalogue;
use pmu::virt::{Kinds, Unconnected};

#[test]
fn loongarchs_events_are_counted_and_come_back() {
    for identity in &Identity::ALL {
        let device = Device::new(identity, Kinds::CLOCK, Unconnected);
        crate::catalogues::check(&La64::new(device, identity.capabilities()));
    }
}

/// torvalds/linux arch/loongarch/kernel/perf_event.c, `loongson_event_map` and `loongson_cache_map`: the numbers of all
/// their cells.
#[test]
fn loongarch_has_the_events_of_linuxs_two_maps_and_no_others() {
    let mut codes: Vec<_> = Catalogue::LA64.events.iter().map(|event| event.code).collect();
    codes.sort_unstable();
    let expected = [0, 1, 2, 3, 4, 6, 7, 8, 9, 0xC, 0xD, 0x3B, 0x3C, 0xA9, 0xAA];
    assert_eq!(codes, expected);
    let code = |name| Catalogue::LA64.named(name).map(|event| event.code);
    assert_eq!(["L1D_PREFETCH_MISSES", "ITLB_MISSES", "LLC_ACCESSES"].map(code), [Some(0xA9), Some(0x3B), Some(0xC)]);
}
