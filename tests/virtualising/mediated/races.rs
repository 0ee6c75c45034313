//! Overflows of a guest and of its host, at every register access of an entry and of an exit.

use pmu::virt::Delivery;
use pmu::{Event, Handled, Interrupted, Request};

use super::families::{Cpu, Family};
use crate::support::machine::DELIVERY;

/// More register accesses than an entry makes, or an exit.
const ACCESSES: u64 = 60;
const PERIOD: u64 = 400;

/// A CPU for each number of events that a period has left when `accesses` begin, by either kind of interrupt.
fn with_each_lead<F: Family>(race: fn(&Cpu<F>, u64)) {
    for delivery in [Delivery::Nmi, Delivery::Maskable] {
        DELIVERY.set(delivery);
        for lead in 0..ACCESSES {
            println!("{delivery:?}, {lead} before the overflow");
            let cpu = Cpu::<F>::new(0);
            race(&cpu, lead);
            assert!(!cpu.handled().contains(&Handled::NotMine));
        }
    }
}

/// Also where the line masks itself at each interrupt. The host's handler touches nothing of the guest's.
pub(super) fn each_overflow_of_a_guests_interrupts_once<F: Family>() {
    let cpu = Cpu::<F>::new(0);
    let mut guest = cpu.guest(1000);
    for overflow in 1..=3 {
        guest.enter().unwrap();
        cpu.guest_works(1003);
        guest.exit().unwrap();
        assert_eq!(cpu.handled(), [Handled::Guest]);
        cpu.account(&mut guest);
        let device = guest.guest().unwrap();
        assert_eq!((F::heard(device), F::value(device)), (overflow, 3));
        F::begin(device, 1000);
    }
    guest.release().unwrap();
    assert_eq!(cpu.unit.on_overflow(Interrupted::default()), Handled::NotMine);
    cpu.pmu.release().unwrap();
    assert_eq!(cpu.machine.wire.entry.get(), 0, "the line is as it was");
}

pub(super) fn an_overflow_at_any_access_of_an_exit_is_counted_and_the_guests<F: Family>() {
    with_each_lead::<F>(|cpu, lead| {
        let mut guest = cpu.guest(PERIOD);
        guest.enter().unwrap();
        cpu.guest_works(PERIOD - lead);
        cpu.machine.per_access.set(1);
        F::runs(&cpu.machine.device, true);
        guest.exit().unwrap();
        F::runs(&cpu.machine.device, false);
        cpu.machine.per_access.set(0);
        cpu.account(&mut guest);
        let device = guest.guest().unwrap();
        let past = F::value(device);
        assert!((0..ACCESSES.cast_signed()).contains(&(past + lead.cast_signed())), "{past}");
        assert_eq!(F::heard(device), u64::from(past >= 0), "{past}");
    });
}

pub(super) fn an_overflow_of_the_hosts_at_any_access_of_an_entry_is_counted_and_the_hosts<F: Family>() {
    with_each_lead::<F>(|cpu, lead| {
        let mut session = cpu.pmu.open([Request::new(Event::INSTRUCTIONS).every(PERIOD)]).unwrap();
        session.start().unwrap();
        let mut guest = cpu.guest(1 << 20);
        cpu.machine.work(PERIOD - lead);
        cpu.machine.per_access.set(1);
        guest.enter().unwrap();
        cpu.machine.per_access.set(0);
        cpu.guest_works(1000);
        guest.exit().unwrap();
        cpu.account(&mut guest);
        assert_eq!(guest.guest().map(F::heard), Ok(0));
        guest.release().unwrap();
        cpu.machine.work(PERIOD);
        session.stop().unwrap();
        let [count] = session.read().unwrap();
        assert!((0..ACCESSES).contains(&(count + lead - 2 * PERIOD)), "{count}");
        let statistics = cpu.unit.sample_statistics();
        assert_eq!(statistics.received + statistics.lost.total(), count / PERIOD, "{count}");
    });
}

/// Whose it is cannot be known then: the guest has no overflow, and so no interrupt.
pub(super) fn an_interrupt_of_the_hosts_that_comes_while_a_guest_runs_is_none_of_the_guests<F: Family>() {
    let cpu = Cpu::<F>::new(0);
    let mut session = cpu.pmu.open([Request::new(Event::INSTRUCTIONS).every(PERIOD)]).unwrap();
    session.start().unwrap();
    cpu.machine.wire.held.set(true);
    cpu.machine.work(PERIOD + 80);
    let mut guest = cpu.guest(1000);
    guest.enter().unwrap();
    cpu.machine.wire.held.set(false);
    cpu.guest_works(10);
    assert_eq!(cpu.handled(), [Handled::Guest]);
    guest.exit().unwrap();
    cpu.account(&mut guest);
    assert_eq!(guest.guest().map(|device| (F::heard(device), F::value(device))), Ok((0, 10 - 1000)));
    cpu.enters(&mut guest, 990);
    assert_eq!(guest.guest().map(F::heard), Ok(1), "its own comes all the same");
    guest.release().unwrap();
    assert_eq!((session.read(), cpu.unit.sample_statistics().lost.stopped), (Ok([PERIOD + 80]), 1));
}
