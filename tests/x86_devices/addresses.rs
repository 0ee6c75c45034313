//! Which registers a processor has, and which counters RDPMC reads: those that its oracle says.

use pmu::CounterId;
use pmu::arch::x86::{Index, Msr};
use pmu::virt::Device as _;

use super::oracle::Oracle;
use crate::support::hostile::{Register, Subject as _};

/// Enough choices for every processor of a family.
fn oracles() -> impl Iterator<Item = Oracle> {
    (0..64).map(Oracle::chosen)
}

#[test]
fn every_address_is_there_or_not_as_the_manual_says() {
    let addresses = (0..0x2000).chain(0xC000_0000..0xC000_2000).chain(0xC001_0000..0xC001_2000);
    for oracle in oracles() {
        let unit = oracle.unit();
        for msr in addresses.clone().filter_map(Msr::from_address) {
            let register = oracle.register(msr.address());
            assert_eq!(unit.try_read(msr).is_ok(), register != Register::Absent, "{msr:?}");
            assert_eq!(unit.try_write(msr, 0), register.write(0), "{msr:?}");
        }
    }
}

#[test]
fn rdpmc_reads_the_counters_that_there_are() {
    for oracle in oracles() {
        let unit = oracle.unit();
        let readable = (0..64).filter_map(CounterId::new).filter(|&id| unit.try_read_counter(Index::of(id)).is_ok());
        assert_eq!(readable.map(|id| 1 << id.number()).sum::<u64>(), oracle.counters());
    }
}
