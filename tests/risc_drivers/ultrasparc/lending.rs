//! User programs read %pic once it is lent, and both counters with it.

use std::cell::Cell;

use pmu::arch::sparc::Asr;
use pmu::arch::sparc::ultrasparc::{Identity, UltraSparc};
use pmu::driver::{Control, Counters, Image as _, Plan, Remaining, Slot, Steps};
use pmu::virt::Fault;
use pmu::{CounterSet, Event, Mode};

use crate::support::registers::Altered;
use crate::ultrasparc::device;

#[test]
fn what_is_lent_can_be_read_and_stays_so_across_runs() {
    for identity in &Identity::ALL {
        let device = device(identity);
        let driver = UltraSparc::new(&device, identity.capabilities());
        let image = <UltraSparc<&crate::ultrasparc::Registers> as Counters>::Image::BLANK;
        let user = || device.0.read_from(Mode::User, Asr::Pic).map(|_| ());
        let saved = <UltraSparc<&crate::ultrasparc::Registers> as Control>::NOTHING_SAVED;
        driver.save(&saved);
        assert_eq!(user(), Err(Fault::Trapped(Mode::Kernel)), "{}", identity.name());
        driver.lend(&image, CounterSet::first(1));
        assert_eq!(user(), Ok(()), "{}", identity.name());
        driver.run(&image, CounterSet::EMPTY);
        assert_eq!(user(), Ok(()), "{}", identity.name());
        driver.lend(&image, CounterSet::EMPTY);
        assert_eq!(user(), Err(Fault::Trapped(Mode::Kernel)), "{}", identity.name());
        assert_eq!(device.0.read_from(Mode::User, Asr::Pcr), Err(Fault::Trapped(Mode::Kernel)));
    }
}

#[test]
fn a_user_page_has_the_half_of_pic_as_its_index() {
    for identity in &Identity::ALL {
        let driver = crate::ultrasparc::driver(identity);
        let image = <UltraSparc<crate::ultrasparc::Registers> as Counters>::Image::BLANK;
        let mut slots = [Slot::EMPTY; 2];
        let demands = [Event::CYCLES, Event::INSTRUCTIONS].map(|event| driver.encode(&event.into()).unwrap());
        driver.place(&image.occupancy(), &demands, Steps::OPEN, &mut slots).unwrap();
        let expected = slots.each_ref().map(|slot| Some(slot.counter.number().into()));
        assert_eq!(slots.map(|slot| driver.counter(&slot).user_index), expected, "{}", identity.name());
    }
}

#[test]
fn no_interrupt_comes_amid_a_change_of_what_two_counters_share() {
    for identity in &Identity::ALL {
        let masked = Cell::new(0);
        let registers = Altered::masked(device(identity), &masked);
        let driver = UltraSparc::new(&registers, identity.capabilities());
        let image = <UltraSparc<&Altered<'_, crate::ultrasparc::Registers>> as Counters>::Image::BLANK;
        driver.preset(&image, crate::ultrasparc::PIC0, Remaining::events(1000));
        driver.lend(&image, CounterSet::first(1));
        if !identity.capabilities().interrupts() {
            driver.run(&image, CounterSet::first(2));
            driver.run(&image, CounterSet::EMPTY);
        }
        assert_eq!(masked.get(), 0, "{}", identity.name());
    }
}
