//! Whichever instruction of one session's life another session overflows on, both count right, go
//! on, and the overflow leaves its sample.

use pmu::{CounterId, Description, Interrupted, Overflow, Pmu};

use super::amid::{self, Booked, Passage};
use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, on_overflow};

/// The other session counts how a stop works out what the unit's registers shall hold, which is not done
/// where the interrupt has just done it.
const LESS: u64 = 700;

/// So does the sampler, and the handler adds less to it than that takes.
const SPARED: u64 = 200;

static UNIT: Unit<64> = Unit::new();

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    let unit = pmu.description();
    for sampler in [unit.general.lowest(), unit.fixed.lowest()].into_iter().flatten() {
        let every = |period| clocked::request(sampler).every(period);
        for [first, second] in others(&unit, sampler) {
            let lives = |_: &mut Booked| live(&pmu, first) + live(&pmu, second);
            amid::on_every_instruction(&UNIT, &pmu, every, lives, expect_both_to_go_on(&unit));
        }
    }
}

/// Counters to use one after the other beside the sampler's: the same twice, and two kinds.
fn others(unit: &Description, sampler: CounterId) -> impl Iterator<Item = [CounterId; 2]> + use<> {
    let free = clocked::counters(unit).without(sampler.only());
    let (low, high) = (free.lowest(), free.highest().filter(|_| free.has_several()));
    [low.zip(low), low.zip(high)].into_iter().flatten().map(|(first, second)| [first, second])
}

/// Open, start, work, stop, read, close.
fn live(pmu: &Pmu<'static, Driver>, counter: CounterId) -> u64 {
    let mut other = Booked::open(pmu, clocked::request(counter));
    other.session.start().expect("it can start");
    instructions::exactly(10);
    other.session.stop().expect("it runs");
    other.count()
}

/// A handler adds what it executes before it halts the unit and after it has let it go on. What it
/// executes in between is always the same, unless it has to ask each counter that is in use.
fn expect_both_to_go_on(unit: &Description) -> impl FnMut(u64, &Passage, &Passage) + use<> {
    let is_constant = unit.overflow == Overflow::Identified;
    let mut constant = None;
    move |instruction, calm, stormy| {
        // Behind the last instruction, which asks for the book, nothing is counted any more.
        let is_last = instruction == calm.counted();
        assert!(
            is_last || stormy.counted() + SPARED > calm.counted(),
            "instruction {instruction}: the sampler was not let go on: {} counted, {} calmly",
            stormy.counted(),
            calm.counted()
        );
        assert!(stormy.others + LESS >= calm.others, "instruction {instruction}: {} of {}", stormy.others, calm.others);
        let halted = stormy.halted() - calm.halted();
        assert!(!is_constant || halted == *constant.get_or_insert(halted), "instruction {instruction}: {halted}");
    }
}
