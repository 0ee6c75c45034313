//! A pass-through belongs to the CPU of its unit: used elsewhere it is refused, dropped elsewhere it is freed at home.

use pmu::virt::Mediated;
use pmu::{CpuId, Error, Handled, Interrupted};

use super::families::{Cpu, Family};
use crate::support::machine::HERE;

pub(super) fn a_pass_through_is_used_on_the_cpu_of_its_unit_alone<F: Family>() {
    let [home, other] = Cpu::<F>::two();
    let mut guest = home.guest(1000);
    home.enters(&mut guest, 10);
    HERE.set(1);
    let session = other.session();
    let wrong = Error::WrongCpu { owner: CpuId(0), here: CpuId(1) };
    assert_eq!(guest.enter(), Err(wrong));
    other.machine.work(100);
    assert_eq!([guest.exit(), guest.interrupted(), guest.release()], [Err(wrong); 3]);
    assert_eq!(guest.guest().err(), Some(wrong));
    other.machine.work(23);
    assert_eq!(session.read(), Ok([123]), "the host's session counts on");
    HERE.set(0);
    home.enters(&mut guest, 7);
    assert_eq!(guest.guest().map(F::value), Ok(17 - 1000), "the guest has its own alone");
}

pub(super) fn a_pass_through_that_is_dropped_on_another_cpu_is_freed_at_home<F: Family>() {
    let [home, _] = Cpu::<F>::two();
    let session = home.session();
    home.machine.work(5);
    let mut guest = home.guest(1 << 20);
    guest.enter().unwrap();
    HERE.set(1);
    drop(guest);
    HERE.set(0);
    assert!(home.counts_a_guest(), "it was dropped without an exit");
    assert_eq!(home.unit.on_overflow(Interrupted::default()), Handled::Guest);
    assert!(!home.counts_a_guest(), "an interrupt halts it");
    home.machine.work(100);
    assert_eq!(session.read(), Ok([5]), "the next operation takes it back");
    home.machine.work(8);
    assert_eq!(session.read(), Ok([13]), "the host's session goes on");
    assert_eq!(home.unit.on_overflow(Interrupted::default()), Handled::NotMine);
}

/// The host takes its unit back without the guest's leave: nothing of the guest's is in it any more.
pub(super) fn a_pass_through_whose_unit_the_host_has_resumed_touches_it_no_more<F: Family>() {
    let home = Cpu::<F>::new(0);
    let session = home.session();
    let mut guest = home.guest(1000);
    home.enters(&mut guest, 10);
    assert_eq!(guest.guest().map(F::value), Ok(10 - 1000));
    home.enters(&mut guest, 0);
    home.unit.resume().unwrap();
    let refused = [guest.enter(), guest.exit(), guest.interrupted(), guest.release()];
    assert_eq!(refused, [Err(Error::Invalidated); 4]);
    assert_eq!(guest.guest().err(), Some(Error::Invalidated));
    home.machine.work(6);
    let device = guest.into_guest();
    home.machine.work(6);
    assert_eq!(session.read(), Ok([12]), "the host's session goes on");
    let mut guest = Mediated::new(home.pmu, device).unwrap();
    home.enters(&mut guest, 3);
    assert_eq!(F::value(&guest.into_guest()), 13 - 1000, "the guest goes on as well");
    home.machine.work(6);
    assert_eq!(session.read(), Ok([18]), "the unit is the host's again");
}

pub(super) fn a_halt_stops_a_guests_counters_until_the_unit_is_claimed_again<F: Family>() {
    let home = Cpu::<F>::new(0);
    let session = home.session();
    let mut guest = home.guest(1000);
    guest.enter().unwrap();
    home.guest_works(7);
    home.unit.halt();
    assert!(!home.counts_a_guest(), "nothing interrupts amid the last words");
    guest.exit().unwrap();
    assert_eq!(guest.enter(), Err(Error::Halted));
    assert!(!home.counts_a_guest(), "nor after another entry");
    assert_eq!(guest.guest().map(F::value), Ok(7 - 1000));
    assert_eq!(guest.enter(), Err(Error::Halted));
    let device = guest.into_guest();
    home.machine.work(5);
    assert_eq!(session.read(), Ok([0]), "the host's session rests too");
    drop(session);
    home.pmu.release().unwrap();
    let mut guest = Mediated::new(home.unit.reclaim().unwrap(), device).unwrap();
    home.enters(&mut guest, 4);
    assert_eq!(guest.guest().map(F::value), Ok(11 - 1000), "it counts once the unit was claimed again");
}

/// For a panic's NMI, which may come while the unit is taken from the host.
pub(super) fn a_halt_amid_an_entry_stops_whatever_counts_and_the_guest_never_does<F: Family>() {
    for access in 0.. {
        let home = Cpu::<F>::new(0);
        let (session, mut guest, unit) = (home.session(), home.guest(1000), home.unit);
        home.machine.on_interrupt(move |_| unit.halt());
        home.machine.interrupt_after(access);
        let entered = guest.enter();
        let has_come = home.machine.taken.get() > 0;
        home.machine.on_interrupt(|_| ());
        home.guest_works(7);
        assert!(has_come || entered == Ok(()), "access {access}: {entered:?}");
        assert_eq!(guest.guest().map(F::value), Ok(if has_come { 0 } else { 7 } - 1000), "access {access}");
        assert_eq!(guest.enter(), if has_come { Err(Error::Halted) } else { Ok(()) }, "access {access}");
        drop(guest.into_guest());
        home.machine.work(5);
        assert_eq!(session.read(), Ok([if has_come { 0 } else { 5 }]), "access {access}");
        if !has_come {
            return assert!(access > 5, "an entry that takes the unit from the host accesses it more often");
        }
    }
}

pub(super) fn two_guests_take_turns_and_neither_sees_the_others_counts<F: Family>() {
    let home = Cpu::<F>::new(0);
    let mut guests = [1000, 2000].map(|after| home.guest(after));
    for _ in 0..3 {
        for (guest, count) in guests.iter_mut().zip([10, 100]) {
            home.enters(guest, count);
            guest.release().unwrap();
        }
    }
    assert_eq!(guests.map(|mut guest| guest.guest().map(F::value)), [Ok(30 - 1000), Ok(300 - 2000)]);
}
