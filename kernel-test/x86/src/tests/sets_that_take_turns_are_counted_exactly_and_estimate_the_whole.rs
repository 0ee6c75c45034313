//! Sets that take turns on the counters have counted in their turns what the host's book says, each event, and none
//! of another's; together their turns are all the time; and what each estimates of the whole is that, but for what
//! passes while a turn begins and ends.

use harness::Chance;
use pmu::{Counts, Multiplex, Pmu, Set};

use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, truth};

/// Of three sets, two have a counter each, and the third has both.
const SETS: usize = 3;
const TURNS: u64 = 600;
const LONGEST_TURN: u64 = 5_000;
/// The most instructions of a turn between a reading of the clock and the start or the stop of the counters.
const AROUND: u64 = 100;

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let mut counters = clocked::counters(&pmu.description()).into_iter();
    let [one, other] = [(); 2].map(|()| counters.next().expect("every unit has two counters"));
    let mut sets = Multiplex::<Driver, SETS, 2>::new(0);
    let [first, second] = [one, other].map(clocked::request);
    sets.bind(&pmu, [Set::from([first]), [second].into(), [first, second].into()]).expect("they can take turns");
    let before = [one, other].map(truth::counted);
    let all = take_turns(&pmu, &mut sets);
    let booked = [0, 1].map(|counter| truth::counted([one, other][counter]) - before[counter]);
    let counts: [Counts<2>; SETS] = [0, 1, 2].map(|set| sets.counts(set).expect("they are out"));
    assert_eq!([counts[0].raw[0] + counts[2].raw[0], counts[1].raw[0] + counts[2].raw[1]], booked);
    assert_eq!([counts[0].raw[1], counts[1].raw[1]], [0; 2], "nobody asked for that");
    assert_eq!(counts.iter().map(|counts| counts.running).sum::<u64>(), counts[0].enabled);
    assert!((all / 2..all).contains(&counts[0].enabled), "what passes amid a rotation is no turn's");
    (0..SETS).for_each(|set| estimates(&sets, set, counts[0].enabled));
}

/// How many instructions retired while they did.
fn take_turns(pmu: &Pmu<'static, Driver>, sets: &mut Multiplex<Driver, SETS, 2>) -> u64 {
    let mut chance = Chance::new(1);
    let began = truth::retired();
    sets.switch_in(pmu);
    for _ in 0..TURNS {
        instructions::exactly(instructions::FEWEST + chance.below(LONGEST_TURN));
        sets.rotate(pmu);
    }
    sets.switch_out(pmu);
    truth::retired() - began
}

/// A tick of the clock is an instruction and an event here, whichever set has its turn.
fn estimates(sets: &Multiplex<Driver, SETS, 2>, set: usize, enabled: u64) {
    let [scaled, _] = sets.scaled(set).expect("they are out");
    let scaled = scaled.expect("it has had its turns");
    let error = scaled.error.expect("it has had more than one");
    assert!(error < enabled / 1000, "set {set}: {scaled:?} of {enabled}");
    assert!(enabled - scaled.estimate < TURNS * AROUND, "set {set}: {scaled:?} of {enabled}");
}
