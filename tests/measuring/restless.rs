//! Counters that may change while nobody counts on them: the next thread does not go on from what they hold.

use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::book3s::{self, Book3s};
use pmu::arch::sparc::Asr;
use pmu::arch::sparc::ultrasparc::{self, UltraSparc};
use pmu::arch::x86::Msr;
use pmu::arch::x86::p5::{self, P5};
use pmu::driver::{Driver, Registers};
use pmu::virt::{Device, Kinds, Unconnected, Work};
use pmu::{Context, CounterId, Event, Mode, Request, Unit};

/// Two threads count instructions on this counter, one after the other. In between, something is added to the register that
/// holds the counter, or both.
fn check<D, R>(device: &D, driver: R, on: CounterId, register: <D as Registers>::Address)
where
    D: Device + Registers,
    R: Driver,
{
    let unit = Unit::<R, 0>::new();
    let pmu = unit.claim(driver).expect("nobody has claimed it");
    let request = Request::new(Event::INSTRUCTIONS).pinned_to(on);
    let threads = [1, 2].map(|number| {
        let mut thread = Context::<R, 1>::new(number);
        thread.bind(&pmu, [request]).expect("the unit counts it");
        pmu.switch_in(&mut thread);
        device.advance(&Work::instructions(Mode::Kernel, 100));
        pmu.switch_out(&mut thread);
        device.write(register, device.read(register) + 1000);
        thread
    });
    assert_eq!(threads.map(|thread| thread.counts().expect("it is out").raw), [[100]; 2]);
}

fn counter(number: u8) -> CounterId {
    CounterId::new(number).expect("a unit has 64 at the most")
}

/// A program that executes SETHI %hi(0xFC000), %g0 adds to a half that is parked on SW_count.
#[test]
fn what_a_program_adds_to_a_parked_half_is_in_no_threads_count() {
    let device = ultrasparc::Device::new(&ultrasparc::Identity::III, Kinds::CLOCK, Unconnected);
    let driver = UltraSparc::new(&device, ultrasparc::Identity::III.capabilities());
    check(&device, driver, counter(0), Asr::Pic);
}

/// QEMU counts PMC5 while PMC6 counts, whatever MMCR2 says.
#[test]
fn what_power_counts_beside_its_other_fixed_counter_is_in_no_threads_count() {
    let device = book3s::Device::new(&book3s::Identity::POWER9, Kinds::CLOCK, Unconnected);
    let driver = Book3s::new(&device, book3s::Identity::POWER9.capabilities());
    check(&device, driver, counter(4), Spr::pmc(counter(4)));
}

/// The manual demands that a counter is cleared or preset before it selects another event.
#[test]
fn the_pentiums_counters_are_preset_for_each_thread() {
    let device = p5::Device::new(&p5::Identity::P5, Kinds::CLOCK);
    let driver = P5::new(&device, p5::Identity::P5.capabilities());
    check(&device, driver, counter(0), Msr::p5_counter(0).expect("CTR0"));
}
