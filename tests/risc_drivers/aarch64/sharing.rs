//! A hypervisor and its guests, each with a share of the counters.

use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Capabilities, HypervisorControl, Privilege, Share};
use pmu::driver::{Control, Counters, Plan};
use pmu::request::Refusal;
use pmu::{CounterSet, Event, Request};

use crate::aarch64::{Bench, counter, of_64_bits, plain, with};

fn hypervisor() -> Capabilities {
    with(plain(), |it| (it.privilege, it.has_hypervisor) = (Privilege::El2, true))
}

/// What guests have: counters 0 to 3, the cycle counter, PMCR_EL0 and PMUSERENR_EL0.
fn lending_four() -> Bench {
    let share = Share::beside_guests(&hypervisor(), 4).unwrap();
    let bench = Bench::sharing(hypervisor(), share);
    let file = bench.file();
    file.set(SystemRegister::CONTROL, 1);
    file.set(SystemRegister::USER_ENABLE, 0b1000);
    file.set(SystemRegister::ENABLE_SET, 0x8000_000F);
    file.set(SystemRegister::INTERRUPT_SET, 0x8000_0003);
    file.set(SystemRegister::OVERFLOW_SET, 0x8000_0001);
    bench
}

fn guests(bench: &Bench) -> [u64; 5] {
    let at = [
        SystemRegister::CONTROL,
        SystemRegister::USER_ENABLE,
        SystemRegister::ENABLE_SET,
        SystemRegister::INTERRUPT_SET,
        SystemRegister::OVERFLOW_SET,
    ];
    at.map(|at| bench.file().get(at) & 0x8000_000F)
}

#[test]
fn a_hypervisors_share_leaves_its_guests_alone() {
    let bench = lending_four();
    let before = guests(&bench);
    let saved = bench.claim();
    let [slot] = bench.open([Event::INSTRUCTIONS]).unwrap();
    bench.start(slot.counter.only(), 100);
    assert_eq!(bench.file().get(SystemRegister::ENABLE_SET), 0x8000_002F);
    bench.file().count(slot.counter, 100);
    assert_eq!(bench.overflowed(slot.counter.only()), slot.counter.only());
    bench.driver.acknowledge(&bench.image, slot.counter.only());
    bench.driver.run(&bench.image, CounterSet::EMPTY);
    bench.driver.release(&bench.image, slot.occupies());
    assert_eq!(guests(&bench), before);
    bench.driver.restore(&saved);
    assert_eq!((guests(&bench), bench.file().get(SystemRegister::HYPERVISOR_CONTROL)), (before, 0));
}

#[test]
fn a_guests_counter_is_none_of_the_hypervisors() {
    let bench = lending_four();
    let pinned = |number| bench.encode(Request::new(Event::INSTRUCTIONS).pinned_to(counter(number)));
    assert_eq!(pinned(3), Err(Refusal::NoSuchCounter(counter(3))));
    assert_eq!(pinned(31), Err(Refusal::NoSuchCounter(counter(31))));
    assert!(pinned(4).is_ok());
    assert_eq!(bench.counters([Event::CYCLES]), Ok([5]), "the cycle counter is the guests'");
}

/// A driver that is told to add to all counters, or to open all of them, means its own.
#[test]
fn a_guests_counter_is_neither_incremented_nor_opened_by_the_hypervisor() {
    let capabilities = with(hypervisor(), |it| it.version = 9);
    let bench = Bench::sharing(capabilities, Share::beside_guests(&capabilities, 4).unwrap());
    bench.driver.increment(capabilities.counters());
    bench.driver.open_user_reads(capabilities.counters()).unwrap();
    let own = CounterSet::from_bits(0b11_0000).bits();
    assert_eq!(
        [SystemRegister::SOFTWARE_INCREMENT, SystemRegister::USER_ACCESS].map(|at| bench.file().get(at)),
        [own, own]
    );
}

#[test]
fn a_pair_does_not_reach_across_the_border() {
    let capabilities = with(hypervisor(), |it| it.event_counters = 4);
    let bench = Bench::sharing(capabilities, Share::beside_guests(&capabilities, 1).unwrap());
    assert_eq!(bench.counters([Request::new(Event::BRANCHES).every(1 << 40)]), Ok([3]));
    assert!(bench.counters([Request::new(Event::BRANCHES).every(1 << 40)]).is_err());
}

#[test]
fn a_share_leaves_something_to_either() {
    assert!(Share::beside_guests(&hypervisor(), 5).is_some());
    assert_eq!(Share::beside_guests(&hypervisor(), 6), None, "nothing is left");
    assert_eq!(Share::beside_guests(&hypervisor(), 0), None, "lending none is not defined");
    let newer = with(hypervisor(), |it| it.may_lend_none = true);
    assert!(Share::beside_guests(&newer, 0).is_some());
    assert_eq!(Share::beside_guests(&plain(), 2), None, "EL1 lends nothing");
}

#[test]
fn whoever_has_the_whole_unit_at_el2_takes_it_from_what_was_there_before() {
    let bench = Bench::new(with(hypervisor(), |it| it.version = 5));
    let before = HypervisorControl::TRAP | HypervisorControl::NOT_HYPERVISOR | HypervisorControl::CYCLES_NOT_HYPERVISOR;
    bench.file().set(SystemRegister::HYPERVISOR_CONTROL, before.with_lent(2).bits() | 1 << 9);
    let saved = bench.claim();
    let expected = HypervisorControl::TRAP.with_lent(6).bits() | 1 << 9;
    assert_eq!(bench.file().get(SystemRegister::HYPERVISOR_CONTROL), expected);
    bench.driver.restore(&saved);
    assert_eq!(bench.file().get(SystemRegister::HYPERVISOR_CONTROL), before.with_lent(2).bits() | 1 << 9);
}

/// D24.3, MDCR_EL2: TDE is bit 8, TPM bit 6, TTRF bit 19, HPMD bit 17. Who runs guests writes TPM and TDE as they come and
/// go.
#[test]
fn what_others_change_in_mdcr_el2_meanwhile_stays_when_the_unit_is_given_back() {
    const DEBUG_EXCEPTIONS: u64 = 1 << 8;
    const TRACE: u64 = 1 << 19;
    let before = HypervisorControl::NOT_HYPERVISOR.with_lent(2).bits() | TRACE;
    let meanwhile = HypervisorControl::TRAP.bits() | DEBUG_EXCEPTIONS;
    let shares = [(Share::WHOLE, before & !TRACE), (Share::beside_guests(&hypervisor(), 4).unwrap(), 2)];
    for (share, given_back) in shares {
        let bench = Bench::sharing(hypervisor(), share);
        bench.file().set(SystemRegister::HYPERVISOR_CONTROL, before);
        let saved = bench.claim();
        let lent = bench.file().get(SystemRegister::HYPERVISOR_CONTROL) & HypervisorControl::LENT.bits();
        bench.file().set(SystemRegister::HYPERVISOR_CONTROL, meanwhile | lent);
        bench.driver.restore(&saved);
        assert_eq!(bench.file().get(SystemRegister::HYPERVISOR_CONTROL), meanwhile | given_back, "{share:?}");
    }
}

#[test]
fn a_guest_sees_the_counters_that_it_was_lent() {
    let guest = with(of_64_bits(), |it| it.event_counters = 4);
    let bench = Bench::new(guest);
    assert_eq!(bench.driver.description().general, CounterSet::first(4));
    bench.driver.run(&bench.image, CounterSet::EMPTY);
    let refused = bench.encode(Request::new(Event::BRANCHES).pinned_to(counter(4)));
    assert_eq!(refused, Err(Refusal::NoSuchCounter(counter(4))));
}
