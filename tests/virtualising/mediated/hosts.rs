//! What a host has beside its guest: counters of its own, work of its own, an older processor.

use std::iter;

use pmu::arch::x86::amd::Svm;
use pmu::arch::x86::{Block, Msr, Unattached, amd};
use pmu::virt::Mediated;
use pmu::virt::{Device as _, Kind, Work};
use pmu::{CounterId, Error, Event, Mode};

use super::families::{Cpu, Family};
use crate::mediated::{ALL, Line, OfAmd, claim};

pub(super) fn while_a_guest_runs_its_counters_count_alone_and_until_it_runs_again_none_does<F: Family>() {
    let cpu = Cpu::<F>::new(0);
    let open = |event| iter::from_fn(move || cpu.pmu.open([event]).ok());
    let mut sessions: Vec<_> = open(Event::INSTRUCTIONS).chain(open(Event::CYCLES)).collect();
    sessions.iter_mut().for_each(|session| session.start().unwrap());
    cpu.machine.work(10);
    assert_eq!(cpu.counting().len(), sessions.len());
    let mut guest = cpu.guest(1000);
    for round in 1..4 {
        guest.enter().unwrap();
        F::runs(&cpu.machine.device, true);
        assert_eq!(cpu.counting(), [CounterId::ZERO]);
        cpu.guest_works(7);
        guest.exit().unwrap();
        assert_eq!(cpu.counting(), []);
        cpu.machine.work(50);
        assert_eq!(guest.guest().map(F::value), Ok(7 * round - 1000));
    }
    guest.release().unwrap();
    assert!(sessions.iter().all(|session| session.read() == Ok([10])));
}

pub(super) fn a_hosts_session_rests_while_the_unit_is_a_guests_and_goes_on_afterwards<F: Family>() {
    let cpu = Cpu::<F>::new(0);
    let mut session = cpu.session();
    cpu.machine.work(10);
    let mut guest = cpu.guest(1000);
    guest.enter().unwrap();
    cpu.guest_works(300);
    assert_eq!((session.stop(), session.read()), (Err(Error::GuestIn), Ok([10])));
    guest.exit().unwrap();
    cpu.machine.work(5000);
    guest.release().unwrap();
    cpu.machine.work(7);
    session.stop().unwrap();
    assert_eq!((session.read(), guest.guest().map(F::value)), (Ok([17]), Ok(300 - 1000)));
}

/// A pair of AMD's: the event of the odd counter is FFFH, "Merge".
#[test]
fn a_merged_pair_carries_into_its_upper_counter_in_the_real_unit() {
    let new = || OfAmd::new(&amd::Identity::ZEN_4, ALL, Line::default());
    let processor: &'static OfAmd = Box::leak(Box::new(new()));
    let guest = new();
    for (register, value) in [
        (Msr::core_select(Block::Core, 2), 0x0043_00C0),
        (Msr::core_select(Block::Core, 3), 0xF_0040_00FF),
        (Msr::core_counter(Block::Core, 2), (1 << 48) - 3),
    ] {
        guest.try_write(register.unwrap(), value).unwrap();
    }
    guest.try_write(Msr::CORE_CONTROL, 0b1100).unwrap();
    let pmu = claim(amd::Amd::<_, _>::detect(&amd::Identity::ZEN_4, processor, Unattached));
    let mut mediated = Mediated::new(pmu, guest).unwrap();
    for _ in 0..2 {
        mediated.enter().unwrap();
        processor.set_svm(Svm::Guest);
        processor.advance(&Work::instructions(Mode::User, 10).with(Kind::Branches, 2));
        processor.set_svm(Svm::Off);
        mediated.exit().unwrap();
        processor.advance(&Work::instructions(Mode::Kernel, 1000));
        mediated.guest().unwrap();
    }
    assert_eq!(mediated.guest().unwrap().state().counters[2..4], [17, 1]);
}

#[test]
fn a_host_without_a_control_of_all_counters_passes_none_through() {
    for identity in [amd::Identity::ZEN_2, amd::Identity::FAMILY_15H, amd::Identity::K8] {
        let new = || OfAmd::new(&identity, ALL, Line::default());
        let processor: &'static OfAmd = Box::leak(Box::new(new()));
        let pmu = claim(amd::Amd::<_, _>::detect(&identity, processor, Unattached));
        assert!(matches!(Mediated::new(pmu, new()), Err(Error::NoPassThrough { .. })), "{}", identity.name());
    }
}
