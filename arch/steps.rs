//! No family takes more steps to place requests than it was given, whatever is requested: random sets of its own events, sets
//! of one event, and sets that are larger than the unit.

use super::aarch64::pmuv3::{self, Pmuv3};
use super::mips::mipsxx::{self, Mipsxx};
use super::powerpc::book3s::{self, Book3s};
use super::powerpc::classic::{self, Classic};
use super::powerpc::embedded::{self, Embedded};
use super::riscv::hpm::{self, Hpm};
use super::sparc::niagara::{self, Niagara};
use super::sparc::ultrasparc::{self, UltraSparc};
use super::x86::Unattached;
use super::x86::amd::{self, Amd};
use super::x86::intel::{self, Intel};
use super::x86::netburst::{self, Netburst};
use super::x86::p5::{self, P5};
use super::x86::p6::{self, P6};
use crate::contract::{Driver, Image, Slot, Steps};
use crate::event::{Contention, Mode};
use crate::placement::SPENT;
use crate::virt::{Kinds, Unconnected};

/// So many sets of each size are drawn.
const SETS: usize = 60;
/// What a switch and an open have, and limits that end a search and an explanation amid their work.
const LIMITS: [Steps; 5] = [Steps::SWITCH, Steps::OPEN, Steps::new(40, 40), Steps::new(7, 0), Steps::new(0, 0)];

/// Random numbers that are the same in every run (xorshift64; Marsaglia, "Xorshift RNGs", 2003).
fn below(random: &mut u64, limit: usize) -> usize {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    (*random % limit as u64) as usize
}

/// Places these demands within each limit. Returns true if one of the limits did not suffice.
fn keeps_to_its_steps<D: Driver>(driver: &D, demands: &[D::Demand]) -> bool {
    let beside = D::Image::BLANK.occupancy();
    let ends = LIMITS.map(|limit| {
        SPENT.set(0);
        let result = driver.place(&beside, demands, limit, &mut vec![Slot::EMPTY; demands.len()]);
        let most = limit.search() + limit.explain();
        assert!(SPENT.get() <= most, "{} requests: {} steps of {most}", demands.len(), SPENT.get());
        result.is_err_and(|conflict| conflict.over == Contention::Effort)
    });
    ends.contains(&true)
}

/// Returns for how many sets a limit did not suffice.
fn check<D: Driver>(driver: &D) -> usize {
    let (catalogue, mut random) = (driver.catalogue(), 0x2545_F491_4F6C_DD1D);
    let demands: Vec<_> =
        catalogue.events.iter().filter_map(|named| driver.encode(&catalogue.request(named)).ok()).collect();
    let most = driver.description().counters().count() + 2;
    let mut sets: Vec<Vec<_>> = demands.iter().take(200).map(|&demand| vec![demand; most]).collect();
    for size in 2..=most {
        let draw = |random: &mut u64| (0..size).map(|_| demands[below(random, demands.len())]).collect();
        sets.extend((0..SETS).map(|_| draw(&mut random)));
    }
    sets.iter().filter(|set| keeps_to_its_steps(driver, set)).count()
}

/// A test for each family: all its identities.
macro_rules! families {
    ($($name:ident: $identity:ident in $all:expr => $driver:expr;)*) => { $(
        #[test]
        fn $name() {
            let ended: usize = $all.iter().map(|$identity| check(&$driver)).sum();
            println!("{ended} searches ended at a limit");
        }
    )* };
}

families! {
    intel_keeps_to_its_steps: identity in intel::Identity::ALL =>
        Intel::new(intel::Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, identity.capabilities());
    amd_keeps_to_its_steps: identity in amd::Identity::ALL =>
        Amd::new(amd::Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, identity.capabilities());
    the_pentium_4_keeps_to_its_steps: identity in [netburst::Identity::PENTIUM_4, netburst::Identity::PRESCOTT] => {
        let mut capabilities = identity.capabilities();
        capabilities.view = netburst::View::All;
        Netburst::new(netburst::Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, capabilities)
    };
    the_p6_family_keeps_to_its_steps: identity in p6::Identity::ALL =>
        P6::new(p6::Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, identity.capabilities());
    the_pentium_keeps_to_its_steps: identity in p5::Identity::ALL =>
        P5::new(p5::Device::new(identity, Kinds::CLOCK), identity.capabilities());
    power_keeps_to_its_steps: identity in book3s::Identity::ALL =>
        Book3s::new(book3s::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities());
    the_classic_processors_keep_to_their_steps: identity in classic::Identity::ALL =>
        Classic::new(classic::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities());
    the_embedded_cores_keep_to_their_steps: identity in embedded::Identity::ALL =>
        Embedded::new(embedded::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities());
    ultrasparc_keeps_to_its_steps: identity in ultrasparc::Identity::ALL =>
        UltraSparc::new(ultrasparc::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities());
    niagara_keeps_to_its_steps: identity in niagara::Identity::ALL =>
        Niagara::new(niagara::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities());
    mips_keeps_to_its_steps: identity in mipsxx::Identity::ALL =>
        Mipsxx::new(mipsxx::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities());
    risc_v_keeps_to_its_steps: identity in [hpm::Identity::RV64, hpm::Identity::U74, hpm::Identity::C910] =>
        Hpm::new(hpm::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities());
    arm_keeps_to_its_steps: identity in [pmuv3::Identity::CORTEX_A57, pmuv3::Identity::NEOVERSE_N2] =>
        Pmuv3::detect(pmuv3::Device::new(identity, Kinds::CLOCK, Unconnected).driven_from(Mode::Kernel)).expect("it has a unit");
}
