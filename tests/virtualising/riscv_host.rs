//! The firmware in software, as its guest finds it: what its calls do, whatever the guest passes, and what a move keeps.

use pmu::Mode;
use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::sbi::{Address, Host, NoMemory, SbiError};
use pmu::arch::riscv::hpm::{Capabilities, Identity, Privilege};
use pmu::virt::{Device as _, Fault, Kind, Kinds, Unconnected, Work};

use crate::riscv_memory::Page;
use crate::support::chance::Chance;
use crate::support::line::Line;

pub(crate) type Plain = Host<Unconnected>;

pub(crate) const PMU: u64 = 0x50_4D55;
pub(crate) const FEW: Identity = Identity::RV64.with_counters(0xFD);
/// The firmware's own counters come after the processor's.
const FIRST_OF_FIRMWARE: u64 = 8;

pub(crate) fn host(identity: Identity) -> Plain {
    Host::new(&identity, Kinds::CLOCK, Unconnected)
}

pub(crate) fn call(host: &Plain, function: u64, arguments: [u64; 6]) -> Result<u64, SbiError> {
    host.call(PMU, function, arguments, &NoMemory)
}

#[test]
fn a_start_of_what_counts_and_a_stop_of_what_does_not_say_so() {
    let host = host(FEW);
    assert_eq!(call(&host, 2, [0, 8, 0, 2, 0, 0]), Ok(3));
    assert_eq!(call(&host, 4, [0, 8, 0, 0, 0, 0]), Err(SbiError::AlreadyStopped));
    assert_eq!(call(&host, 3, [0, 8, 1, 100, 0, 0]), Ok(0));
    assert_eq!(call(&host, 3, [0, 8, 1, 500, 0, 0]), Err(SbiError::AlreadyStarted));
    assert_eq!(host.try_read_counter(Csr::user_counter(3).unwrap()), Ok(100), "its value stays");
    assert_eq!(call(&host, 4, [0, 8, 1, 0, 0, 0]), Ok(0));
    assert_eq!(call(&host, 3, [0, 8, 0, 0, 0, 0]), Err(SbiError::InvalidParameter), "it has no event any more");
}

#[test]
fn the_highest_free_counter_of_a_mask_is_taken() {
    let host = host(FEW);
    assert_eq!(call(&host, 2, [0, 0x38, 0, 2, 0, 0]), Ok(5));
    assert_eq!(call(&host, 2, [0, 0x38, 0, 2, 0, 0]), Ok(4));
    assert_eq!(call(&host, 2, [3, 0b1, 0, 2, 0, 0]), Ok(3), "by another base");
    assert_eq!(call(&host, 2, [0, 0x38, 0, 2, 0, 0]), Err(SbiError::NotSupported));
}

/// Indices, masks, flags and events that mean nothing change nothing.
#[test]
fn a_call_that_is_refused_changes_nothing() {
    let host = host(FEW);
    let all = u64::MAX;
    let refused: [(u64, [u64; 6]); 16] = [
        (1, [1, 0, 0, 0, 0, 0]),
        (1, [all, 0, 0, 0, 0, 0]),
        (2, [all, all, 0, 1, 0, 0]),
        (2, [63, 0b11, 0, 1, 0, 0]),
        (2, [0, 1 << 40, 0, 1, 0, 0]),
        (2, [0, 0, 0, 1, 0, 0]),
        (2, [0, 8, 1 << 8, 1, 0, 0]),
        (2, [0, 8, 0, 1 << 20, 0, 0]),
        (2, [0, 8, 0, 0x2_0001, 5, 0]),
        (2, [0, 8, 0, 0x2_0000, 1 << 48, 0]),
        (2, [0, 8, 1, 1, 0, 0]),
        (2, [0, all >> 40, 0, 0xF_0016, 0, 0]),
        (3, [64, 1, 0, 0, 0, 0]),
        (3, [0, 8, 3, 0, 0, 0]),
        (4, [0, 8, 2, 0, 0, 0]),
        (5, [FIRST_OF_FIRMWARE, 0, 0, 0, 0, 0]),
    ];
    let before = host.state();
    for (function, arguments) in refused {
        assert!(call(&host, function, arguments).is_err(), "{function}: {arguments:?}");
        assert_eq!(host.state(), before, "{function}: {arguments:?}");
    }
    assert_eq!(host.call(0x1234, 0, [0; 6], &NoMemory), Err(SbiError::NotSupported));
}

#[test]
fn whatever_a_guest_has_set_is_there_after_a_move() {
    let (here, there) = (host(FEW), host(FEW));
    let page = Page::new(0x8000_0000);
    assert_eq!(here.call(PMU, 7, [0x8000_0000, 0, 0, 0, 0, 0], &page), Ok(0));
    assert_eq!(call(&here, 2, [0, 8, 4, 2, 0, 0]), Ok(3));
    assert_eq!(call(&here, 2, [FIRST_OF_FIRMWARE, 1, 4, 0xF_0005, 0, 0]), Ok(FIRST_OF_FIRMWARE));
    here.count_firmware(5, 7);
    here.advance(&Work::instructions(Mode::Kernel, 15));
    here.try_write(Address::Csr(Csr::SCOUNTEREN), 0b101).unwrap();
    there.restore(here.snapshot().as_bytes()).unwrap();
    assert_eq!(there.state(), here.state());
}

/// The firmware counts for the guest what it does for it, between a start and a stop, on whichever host.
#[test]
fn a_firmwares_own_counter_counts_while_it_runs_and_goes_on_after_a_move() {
    let (here, there) = (host(FEW), host(FEW));
    const TIMERS: u16 = 5;
    let read = |host| call(host, 5, [FIRST_OF_FIRMWARE, 0, 0, 0, 0, 0]);
    let set = |host, function, flags, value| call(host, function, [FIRST_OF_FIRMWARE, 1, flags, value, 0, 0]);
    assert_eq!(set(&here, 2, 0, 0xF_0000 | u64::from(TIMERS)), Ok(FIRST_OF_FIRMWARE));
    here.count_firmware(TIMERS, 1000);
    assert_eq!((read(&here), set(&here, 4, 0, 0)), (Ok(0), Err(SbiError::AlreadyStopped)), "it was not started");
    assert_eq!(set(&here, 3, 1, 50), Ok(0));
    here.count_firmware(TIMERS, 7);
    here.count_firmware(TIMERS + 1, 300);
    assert_eq!((read(&here), set(&here, 3, 1, 9)), (Ok(57), Err(SbiError::AlreadyStarted)));
    there.restore(here.snapshot().as_bytes()).unwrap();
    there.count_firmware(TIMERS, 3);
    assert_eq!((read(&there), set(&there, 4, 0, 0)), (Ok(60), Ok(0)));
    there.count_firmware(TIMERS, 1000);
    assert_eq!(read(&there), Ok(60), "it was stopped");
    assert_eq!((set(&there, 3, 0, 0), set(&there, 4, 1, 0)), (Ok(0), Ok(0)));
    assert_eq!(read(&there), Err(SbiError::InvalidParameter), "it has no event any more");
}

/// A kernel that boots after another one does not own the memory that the other one named.
#[test]
fn a_guest_that_is_started_again_finds_nothing_of_the_one_before() {
    for identity in [FEW, Identity::RV32] {
        let (host, fresh) = (host(identity), host(identity));
        let page = Page::new(0x8000_0000);
        assert_eq!(host.call(PMU, 7, [0x8000_0000, 0, 0, 0, 0, 0], &page), Ok(0));
        let first_of_firmware = host.call(PMU, 0, [0; 6], &page).unwrap() - 16;
        assert_eq!(host.call(PMU, 2, [0, 8, 4, 2, 0, 0], &page), Ok(3), "{}", identity.name());
        assert_eq!(host.call(PMU, 2, [first_of_firmware, 1, 4, 0xF_0005, 0, 0], &page), Ok(first_of_firmware));
        host.count_firmware(5, 7);
        host.advance(&Work::instructions(Mode::Kernel, 15));
        host.try_write(Address::Csr(Csr::SCOUNTEREN), 0b101).unwrap();
        assert_ne!(host.state(), fresh.state());
        host.reset();
        fresh.advance(&Work::instructions(Mode::Kernel, 15));
        fresh.reset();
        assert_eq!(host.state(), fresh.state());
        let stopped = host.call(PMU, 4, [3, 1, 2, 0, 0, 0], &page);
        assert_eq!(stopped, Err(SbiError::NoSharedMemory), "{}", identity.name());
    }
}

#[test]
fn a_host_hears_of_overflows_that_it_has_enabled_and_once_until_it_clears_the_pending_bit() {
    let host = Host::new(&FEW, Kinds::CLOCK, Line::default());
    let call = |function, arguments| host.call(PMU, function, arguments, &NoMemory);
    assert_eq!(call(2, [0, 8, 0, 2, 0, 0]), Ok(3));
    let overflow = || {
        let before = host.trigger().rises();
        assert_eq!(call(3, [3, 1, 1, u64::MAX, 0, 0]), Ok(0));
        host.advance(&Work::instructions(Mode::Kernel, 2));
        assert_eq!(call(4, [3, 1, 0, 0, 0, 0]), Ok(0));
        host.trigger().rises() - before
    };
    let write = |at| host.try_write(Address::Csr(at), 1 << Capabilities::INTERRUPT).unwrap();
    assert_eq!(overflow(), 0);
    write(Csr::SIP.clearing());
    write(Csr::SIE.setting());
    assert_eq!([overflow(), overflow()], [1, 0]);
    write(Csr::SIP.clearing());
    assert_eq!(overflow(), 1);
    host.reset();
    assert_eq!(call(2, [0, 8, 0, 2, 0, 0]), Ok(3));
    assert_eq!(overflow(), 0, "it is enabled anew");
}

/// Whatever a guest passes, the host answers, and its snapshot is one that it takes back.
#[test]
fn a_host_survives_calls_of_any_kind() {
    let identities = [FEW, Identity::RV32, Identity::RV64_PLAIN, Identity::QEMU, Identity::D1, Identity::AX45];
    let hosts = identities.map(host);
    let page = Page::new(0);
    let mut chance = Chance(0x2545_F491_4F6C_DD1D);
    for round in 0..25_000 {
        for host in &hosts {
            let mut any = || match chance.any() % 5 {
                0 => chance.any(),
                1 => 1 << (chance.any() % 64),
                2 => 0xF_0000 | (chance.any() % 32),
                3 => chance.any() % 64,
                _ => chance.any() & chance.any(),
            };
            let (function, arguments) = (any() % 9, [any(), any(), any(), any(), any(), any()]);
            let _ = host.call(PMU, function, arguments, &page);
            host.advance(&Work::instructions(Mode::Kernel, any() % 1000));
        }
        if round % 1000 == 0 {
            for host in &hosts {
                let snapshot = host.snapshot();
                host.restore(snapshot.as_bytes()).expect("it is its own");
            }
        }
    }
}

/// OpenSBI 1.5.1, lib/sbi/sbi_pmu.c: sbi_pmu_init gives both their events, and sbi_pmu_ctr_stop goes on with the next counter
/// if one has no event. Linux stops all of them when a CPU starts.
#[test]
fn a_guest_stops_cycle_and_instret_from_boot_on_and_names_counters_without_an_event_beside_them() {
    let host = host(FEW);
    assert_eq!(call(&host, 4, [0, 0xFD, 0, 0, 0, 0]), Ok(0));
    host.advance(&Work::instructions(Mode::Kernel, 100));
    assert_eq!(host.try_read_counter(Csr::user_counter(2).unwrap()), Ok(0));
    assert_eq!(call(&host, 3, [0, 0b1101, 1, 7, 0, 0]), Ok(0));
    host.advance(&Work::instructions(Mode::Kernel, 100));
    assert_eq!(host.try_read_counter(Csr::user_counter(2).unwrap()), Ok(107));
    for function in [3, 4] {
        assert_eq!(call(&host, function, [0; 6]), Err(SbiError::InvalidParameter), "no counter is named");
        assert_eq!(call(&host, function, [0, 0b1000, 0, 0, 0, 0]), Err(SbiError::InvalidParameter), "it has no event");
    }
}

#[test]
fn a_host_of_a_processor_without_cycle_takes_its_own_snapshot_back() {
    let host = host(Identity::RV64.with_counters(0xFC));
    assert_eq!(call(&host, 4, [0, 0b101, 0, 0, 0, 0]), Ok(0), "instret counts");
    host.restore(host.snapshot().as_bytes()).unwrap();
}

/// OpenSBI and KVM ignore that they count already; the specification has no error for it.
#[test]
fn cycle_and_instret_are_configured_and_started_in_one_call_right_after_the_boot() {
    let work = Work::instructions(Mode::User, 100);
    for identity in Identity::ALL.into_iter().filter(|identity| identity.privilege() == Privilege::Machine) {
        if !identity.capabilities().can_inhibit() || identity.name() == Identity::CV32E40P.name() {
            continue;
        }
        for (event, index) in [(1, 0), (2, 2)] {
            let host = host(identity);
            host.advance(&work);
            let read = || host.try_read_counter(Csr::user_counter(index).unwrap());
            let configure = |flags| call(&host, 2, [0, 1 << index, flags, event, 0, 0]);
            assert_eq!(configure(0b100), Ok(index.into()), "{}", identity.name());
            host.advance(&work);
            assert_eq!(read(), Ok(200), "{}: it goes on", identity.name());
            assert_eq!(configure(0b110), Ok(index.into()), "{}", identity.name());
            host.advance(&work);
            assert_eq!(read(), Ok(100), "{}: cleared", identity.name());
        }
    }
}

/// Linux' arch/riscv sbi_pmu_test of KVM configures a counter, and then starts it.
#[test]
fn a_counter_is_left_stopped_where_it_is_configured_and_not_started() {
    for (event, index) in [(1, 0), (2, 2), (2, 3)] {
        let host = host(FEW);
        assert_eq!(call(&host, 2, [0, 1 << index, 0, event, 0, 0]), Ok(index.into()));
        host.advance(&Work::instructions(Mode::User, 100));
        let read = || host.try_read_counter(Csr::user_counter(index).unwrap());
        assert_eq!(read(), Ok(0), "event {event}");
        assert_eq!(call(&host, 3, [0, 1 << index, 0, 0, 0, 0]), Ok(0), "event {event}");
        host.advance(&Work::instructions(Mode::User, 100));
        assert_eq!(call(&host, 2, [0, 1 << index, 1, 0, 0, 0]), Ok(index.into()), "it has its event");
        host.advance(&Work::instructions(Mode::User, 100));
        assert_eq!(read(), Ok(200), "event {event}");
    }
}

/// Linux tries a further event while instret counts one: it is given the same counter, which goes on, and gives up.
#[test]
fn a_counter_that_the_guest_has_configured_goes_on_when_it_is_found_for_another_event() {
    let host = host(FEW);
    assert_eq!([2, 3, 2].map(|function| call(&host, function, [0, 0b100, 0, 2, 0, 0])), [Ok(2), Ok(0), Ok(2)]);
    host.advance(&Work::instructions(Mode::User, 100));
    assert_eq!(host.try_read_counter(Csr::user_counter(2).unwrap()), Ok(100));
}

/// "Hardware General Events" and "Hardware Cache Events": the indices that there are.
#[test]
fn an_event_that_does_not_exist_is_not_supported() {
    let host = host(FEW);
    let is_supported = |event| {
        let answer = call(&host, 2, [0, 0xF8, 0, event, 0, 0]);
        let stopped = answer.map(|index| call(&host, 4, [0, 1 << index, 1, 0, 0, 0]));
        assert!(stopped.is_ok() || answer == Err(SbiError::NotSupported), "{event:#x}: {answer:?}");
        answer.is_ok()
    };
    let general: Vec<u64> = (0..=0xFFFF).filter(|&event| is_supported(event)).collect();
    assert_eq!(general, (1..=10).collect::<Vec<_>>());
    assert_eq!((0x1_0000..=0x1_FFFF).filter(|&event| is_supported(event)).count(), 7 * 3 * 2);
    assert_eq!([0x1_0006, 0x1_0036, 0x4_0001, 0xF_0016].map(is_supported), [false; 4]);
}

#[test]
fn what_a_host_does_not_observe_is_not_supported() {
    const OWN: u64 = 0x2_0000;
    let host = host(FEW.fed_by(Kinds::CLOCK.with(Kind::Branches))).counting_firmware(1 << 5);
    let answers = |events: &[(u64, u64)]| -> Vec<_> {
        events.iter().map(|&(event, data)| call(&host, 2, [0, 0xFFFD, 0, event, data, 0]).map(drop)).collect()
    };
    let observed = [(1, 0), (2, 0), (5, 0), (10, 0), (OWN, 5), (0xF_0005, 0)];
    assert_eq!(answers(&observed), [Ok(()); 6]);
    let others = [(6, 0), (8, 0), (0x1_0019, 0), (OWN, 6), (OWN, 0x1234), (0xF_0006, 0)];
    assert_eq!(answers(&others), [Err(SbiError::NotSupported); 6]);
    let blind = Host::new(&FEW.fed_by(Kinds::NONE), Kinds::NONE, Unconnected);
    assert_eq!([1, 2].map(|event| call(&blind, 2, [0, 0xFD, 0, event, 0, 0])), [Err(SbiError::NotSupported); 2]);
    assert!(blind.restore(host.snapshot().as_bytes()).is_err(), "its guest was told other events");
}

/// As a device tree maps the specification's events, so that Linux samples cycles on a counter that interrupts.
#[test]
fn a_guest_has_the_general_events_that_its_processor_has() {
    for (identity, cycles, branches) in [
        (Identity::P650, Ok(31), Ok(30)),
        (Identity::D1, Ok(0), Ok(9)),
        (Identity::C906, Ok(0), Ok(10)),
        (Identity::C910, Ok(0), Ok(18)),
        (Identity::P550, Ok(0), Ok(6)),
        (Identity::CVA6, Ok(0), Ok(8)),
        (Identity::RV64_PLAIN, Ok(31), Ok(30)),
    ] {
        let host = host(identity);
        let all = u64::from(u32::MAX >> (31 - (call(&host, 0, [0; 6]).unwrap() - 17)) & !0b10);
        let matched = |event| call(&host, 2, [0, all, 0, event, 0, 0]);
        assert_eq!((matched(1), matched(5)), (cycles, branches), "{}", identity.name());
    }
}

#[test]
#[should_panic(expected = "rv64-1.10 has no mcountinhibit in machine mode")]
fn there_is_no_firmware_of_a_processor_whose_counters_cannot_stop() {
    host(Identity::RV64_V1_10);
}

#[test]
#[should_panic(expected = "cv32e40p has no mode below machine mode")]
fn there_is_no_firmware_of_a_processor_with_machine_mode_alone() {
    host(Identity::CV32E40P);
}

#[test]
fn a_supervisor_has_no_register_of_machine_mode() {
    let host = host(FEW);
    for at in [Csr::MCOUNTINHIBIT, Csr::MIP, Csr::counter(3).unwrap(), Csr::select(3).unwrap()] {
        assert_eq!(host.try_read(Address::Csr(at)), Err(Fault::Absent), "{at:?}");
    }
    assert_eq!(host.try_write(Address::Csr(Csr::SCOUNTOVF), 0), Err(Fault::ReadOnly));
}

#[test]
fn a_user_program_reads_what_the_supervisor_has_lent() {
    let host = host(FEW);
    let instret = Csr::user_counter(2).unwrap();
    assert_eq!(host.try_read_in_user(instret), Err(Fault::Trapped(Mode::Kernel)));
    host.try_write(Address::Csr(Csr::SCOUNTEREN.setting()), 1 << 2).unwrap();
    assert_eq!(host.try_read_in_user(instret), Ok(0));
}
