//! Nothing that others have counted is left in what a program can read.

use pmu::arch::aarch64::pmuv3::{self, Pmuv3};
use pmu::arch::powerpc::book3s::{self, Book3s, Privilege};
use pmu::arch::x86::{Unattached, amd, intel};
use pmu::virt::Device;
use pmu::{Context, CounterId, Driver, Event, Pmu, Request, Slot, Unit};

use super::{Kinds, USER, Unconnected, leaked, thread_in};

/// Others count on the counters beside the thread's, and are gone: a thread on `thread`'s neighbours, and a session on `fixed`.
fn is_hidden<D: Driver>(name: &str, device: &impl Device, driver: D, [thread, before, fixed]: [Request; 3]) {
    let unit = Unit::<D, 0>::new();
    let pmu = unit.claim(driver).unwrap();
    let mut session = pmu.open([fixed]).unwrap();
    session.start().unwrap();
    device.advance(&USER);
    drop(session);
    let mut predecessor = thread_in(&pmu, before);
    device.advance(&USER);
    pmu.switch_out(&mut predecessor);
    let thread = thread_in(&pmu, thread);
    let others = others(&pmu, &thread);
    assert!(others.len() > 1, "{name}");
    pmu.lend().unwrap();
    device.advance(&USER);
    for counter in others {
        let known = pmu.driver().counter(&Slot { counter, ..Slot::EMPTY });
        let shown = known.width.position(pmu.driver().read(known.handle));
        assert_eq!(shown, known.width.longest() - known.longest.count(), "counter {counter} of {name}");
    }
    assert_eq!(predecessor.counts().unwrap().raw, [100], "{name}");
}

/// The counters that the thread is not pinned to.
fn others<D: Driver>(pmu: &Pmu<'_, D>, thread: &Context<D, 1>) -> Vec<CounterId> {
    let own = thread.requests()[0].counters;
    pmu.description().counters().filter(|counter| !own.contains(*counter)).collect()
}

fn pinned(event: Event, counter: u8) -> Request {
    Request::new(event).pinned_to(CounterId::new(counter).unwrap())
}

#[test]
fn what_sessions_and_threads_have_left_in_any_counter_is_not_seen() {
    let of = |event, own, before, fixed| [pinned(event, own), pinned(event, before), pinned(Event::CYCLES, fixed)];
    let identity = intel::Identity::SKYLAKE;
    let (device, registers) = leaked(intel::Device::new(&identity, Kinds::CLOCK, Unconnected));
    let driver = intel::Intel::<_, _>::detect(&identity, registers, Unattached).unwrap();
    is_hidden(identity.name(), device, driver, of(Event::INSTRUCTIONS, 0, 1, 33));
    let identity = amd::Identity::K8;
    let (device, registers) = leaked(amd::Device::new(&identity, Kinds::CLOCK, Unconnected));
    let driver = amd::Amd::<_, _>::detect(&identity, registers, Unattached).unwrap();
    is_hidden(identity.name(), device, driver, of(Event::INSTRUCTIONS, 0, 1, 2));
    let identity = pmuv3::Identity::NEOVERSE_N1.for_guest();
    let (device, registers) = leaked(pmuv3::Device::new(&identity, Kinds::CLOCK, Unconnected));
    is_hidden(identity.name(), device, Pmuv3::detect(registers).unwrap(), of(Event::INSTRUCTIONS, 0, 1, 31));
    let identity = book3s::Identity::POWER9;
    let (device, registers) = leaked(book3s::Device::new(&identity, Kinds::CLOCK, Unconnected));
    let driver = Book3s::detect(identity.pvr(), Privilege::Supervisor, registers).unwrap();
    is_hidden(identity.name(), device, driver, of(Event::CYCLES, 0, 1, 5));
}
