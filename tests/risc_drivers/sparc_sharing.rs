//! Two counters that share a register, and the modes in which they count: what is done to one changes nothing of the other,
//! but for the events between two writes. Each family's suite lends its driver, and a request for `other` events that seven
//! in a hundred instructions have.

use std::cell::Cell;

use pmu::arch::sparc::Asr;
use pmu::driver::{Control, Counters, Image as _, Plan, Recorder, Remaining, Slot, Steps};
use pmu::request::Conflict;
use pmu::virt::{Fault, Work};
use pmu::{CounterSet, Event, Mode, Modes, Request, Session, Unit};

use super::{Identity, OTHERS, PIC0, Registers, Sparc, device, driver, halts, other, pic1};
use crate::support::registers::Altered;

type Image = <Sparc<Registers> as Counters>::Image;
type Saved = <Sparc<Registers> as Control>::Saved;
type Claimed = Unit<Sparc<&'static &'static Registers>, 0>;
type Counted = Session<'static, Sparc<&'static &'static Registers>, 1>;

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

/// The processors of whose counters both count instructions.
fn alike() -> impl Iterator<Item = &'static Identity> {
    static ALL: &[Identity] = &Identity::ALL;
    let blank = Image::BLANK;
    ALL.iter().filter(move |identity| place(&driver(identity), &blank, &[INSTRUCTIONS; 2]).is_ok())
}

/// A claimed unit, and its device.
fn claimed(identity: &Identity) -> (&'static Claimed, &'static Registers) {
    let device: &'static _ = Box::leak(Box::new(device(identity)));
    let unit: &'static Claimed = Box::leak(Box::new(Unit::new()));
    let registers: &'static _ = Box::leak(Box::new(device));
    unit.claim(Sparc::new(registers, identity.capabilities())).unwrap();
    (unit, device)
}

/// A session of instructions, and one of the event that the other counter counts.
fn opened(unit: &'static Claimed, identity: &Identity) -> [Counted; 2] {
    let pmu = unit.here().unwrap();
    [INSTRUCTIONS, other(identity)].map(|request| pmu.open([request]).unwrap())
}

fn work(device: &impl pmu::virt::Device) {
    device.advance(&Work::instructions(Mode::Kernel, 100).with(OTHERS, 7));
}

#[test]
fn a_counter_that_is_stopped_holds_its_count_while_the_other_counts() {
    for identity in &Identity::ALL {
        let (unit, device) = claimed(identity);
        let [mut instructions, mut others] = opened(unit, identity);
        instructions.start().unwrap();
        work(device);
        others.start().unwrap();
        work(device);
        instructions.stop().unwrap();
        work(device);
        assert_eq!((instructions.read(), others.read()), (Ok([200]), Ok([14])), "{}", identity.name());
        others.stop().unwrap();
        instructions.start().unwrap();
        work(device);
        assert_eq!((instructions.read(), others.read()), (Ok([300]), Ok([14])), "{}", identity.name());
    }
}

#[test]
fn a_reset_of_one_counter_leaves_the_other_its_count() {
    for identity in &Identity::ALL {
        let (unit, device) = claimed(identity);
        let [mut instructions, mut others] = opened(unit, identity);
        instructions.start().unwrap();
        others.start().unwrap();
        for _ in 0..50 {
            work(device);
            others.reset().unwrap();
        }
        assert_eq!((instructions.read(), others.read()), (Ok([5000]), Ok([0])), "{}", identity.name());
    }
}

/// What a preset of pic1 accesses while these counters run.
pub(crate) fn preset_beside(identity: &Identity, running: CounterSet) -> Vec<String> {
    let recorder = Recorder::<_, 64>::new(device(identity));
    let driver = Sparc::new(&recorder, identity.capabilities());
    let (image, mut slots) = (Image::BLANK, [Slot::EMPTY; 2]);
    let demands = [INSTRUCTIONS; 2].map(|request| driver.encode(&request).unwrap());
    driver.place(&image.occupancy(), &demands, Steps::OPEN, &mut slots).unwrap();
    driver.load(&image, &(), &slots);
    driver.run(&image, running);
    recorder.clear();
    driver.preset(&image, pic1(), Remaining::events(1000));
    (0..recorder.len()).filter_map(|number| recorder.access(number)).map(|access| format!("{access:?}")).collect()
}

/// The bound that the drivers state where a preset halts both counters: between two writes of %pcr, with one read and one
/// write of %pic between them.
#[test]
fn a_preset_beside_a_counter_that_counts_halts_it_for_four_accesses() {
    for identity in alike().filter(|identity| halts(identity) == 1) {
        let kinds =
            |running| -> Vec<_> { preset_beside(identity, running).iter().map(|line| line[..10].to_owned()).collect() };
        let beside = ["read %pcr ", "write %pcr", "read %pic ", "write %pic", "write %pcr"];
        assert_eq!(kinds(PIC0.only()), beside, "{}", identity.name());
        assert_eq!(kinds(CounterSet::EMPTY), ["read %pcr ", "read %pic ", "write %pic"], "{}", identity.name());
    }
}

#[test]
fn no_interrupt_comes_amid_a_change_of_what_two_counters_share() {
    for identity in &Identity::ALL {
        let masked = Cell::new(0);
        let registers = Altered::masked(device(identity), &masked);
        let driver = Sparc::new(&registers, identity.capabilities());
        let image = Image::BLANK;
        driver.preset(&image, PIC0, Remaining::events(1000));
        driver.acknowledge(&image, CounterSet::first(2));
        driver.lend(&image, CounterSet::first(1));
        if halts(identity) == 2 {
            driver.run(&image, CounterSet::first(2));
            driver.run(&image, CounterSet::EMPTY);
        }
        assert_eq!(masked.get(), 0, "{}", identity.name());
    }
}

/// Runs a session of another counter a hundred times, or reads it as often. Returns how many events a session of
/// instructions beside it has lost. The processor executes one instruction at each access.
fn lost(identity: &Identity, is_read_only: bool) -> u64 {
    let passed = Cell::new(0);
    let registers = Altered::ticking(device(identity), &passed);
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(Sparc::new(&registers, identity.capabilities())).unwrap();
    let mut instructions = pmu.open([INSTRUCTIONS]).unwrap();
    let mut others = pmu.open([other(identity)]).unwrap();
    instructions.start().unwrap();
    let (before, begun) = (instructions.read().unwrap()[0], passed.get());
    for _ in 0..100 {
        if is_read_only {
            others.read().unwrap();
        } else {
            others.start().unwrap();
            others.stop().unwrap();
            others.reset().unwrap();
        }
    }
    let (count, passed) = (instructions.read().unwrap()[0], passed.get());
    (passed - begun).saturating_sub(count - before)
}

#[test]
fn a_read_of_one_counter_loses_no_event_of_the_other() {
    for identity in &Identity::ALL {
        assert!(lost(identity, true) <= 1, "{}: {}", identity.name(), lost(identity, true));
    }
}

/// Both counters are halted for three accesses, whose instructions are lost: at each start and stop, or at each preset,
/// which a reset makes.
#[test]
fn the_events_that_are_lost_beside_a_start_a_stop_and_a_reset_are_bounded() {
    for identity in &Identity::ALL {
        assert_eq!(lost(identity, false), 100 * halts(identity) * 3, "{}", identity.name());
    }
}

pub(crate) fn place(driver: &Sparc<Registers>, beside: &Image, requests: &[Request]) -> Result<Vec<Slot>, Conflict> {
    let demands: Vec<_> = requests.iter().map(|request| driver.encode(request).unwrap()).collect();
    let mut slots = vec![Slot::EMPTY; requests.len()];
    driver.place(&beside.occupancy(), &demands, Steps::OPEN, &mut slots).map(|()| slots)
}

#[test]
fn requests_in_other_modes_conflict_over_the_modes() {
    for identity in alike() {
        let (blank, of_users) = (Image::BLANK, INSTRUCTIONS.modes(Modes::USER));
        let conflict = place(&driver(identity), &blank, &[INSTRUCTIONS, of_users]).unwrap_err();
        assert_eq!(conflict.requests.bits(), 0b11, "{}", identity.name());
        assert!(conflict.to_string().contains("%pcr's modes (UT, ST, HT)"), "{conflict}");
    }
}

#[test]
fn requests_agree_on_the_modes_with_what_is_in_use() {
    for (identity, modes) in alike().flat_map(|identity| [Modes::USER, Modes::KERNEL].map(|modes| (identity, modes))) {
        let (driver, image) = (driver(identity), Image::BLANK);
        let slots = place(&driver, &image, &[INSTRUCTIONS.modes(modes)]).unwrap();
        driver.load(&image, &(), &slots);
        assert_eq!(place(&driver, &image, &[INSTRUCTIONS]).unwrap_err().requests.bits(), 0b1, "{}", identity.name());
        assert!(place(&driver, &image, &[INSTRUCTIONS.modes(modes)]).is_ok(), "{}", identity.name());
    }
}

/// User programs read %pic once it is lent, and both counters with it.
#[test]
fn what_is_lent_can_be_read_and_stays_so_across_runs() {
    for identity in &Identity::ALL {
        let device = device(identity);
        let driver = Sparc::new(&device, identity.capabilities());
        let (image, saved): (_, Saved) = (Image::BLANK, <Sparc<Registers> as Control>::NOTHING_SAVED);
        let user = || device.0.read_from(Mode::User, Asr::Pic).map(|_| ());
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
