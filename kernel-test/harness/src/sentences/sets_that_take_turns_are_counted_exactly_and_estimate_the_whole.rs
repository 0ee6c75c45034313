//! Sets that take turns on the counters have counted in their turns what the host's book says, each event, and none
//! of another's; together their turns are all the time; and what each estimates of the whole is that, but for what
//! passes while a turn begins and ends.

use pmu::{Counts, Multiplex, Set};

use crate::claim::claim;
use crate::{Chance, Claimed, Kernel};

/// Of three sets, two have a counter each, and the third has both.
const SETS: usize = 3;
const TURNS: u64 = 600;
const LONGEST_TURN: u64 = 5_000;

type Sets<K> = Multiplex<<K as Kernel>::Driver, SETS, 2>;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = claim::<K>();
    let mut counters = K::exact(&pmu.description()).into_iter();
    let [one, other] = [(); 2].map(|()| counters.next().expect("every unit has two counters"));
    let mut sets = Sets::<K>::new(0);
    let [first, second] = [one, other].map(K::request);
    sets.bind(&pmu, [Set::from([first]), [second].into(), [first, second].into()]).expect("they can take turns");
    let before = [one, other].map(K::counted);
    let all = take_turns::<K>(&pmu, &mut sets);
    let booked = [0, 1].map(|counter| K::counted([one, other][counter]) - before[counter]);
    let counts: [Counts<2>; SETS] = [0, 1, 2].map(|set| sets.counts(set).expect("they are out"));
    let counted = [counts[0].raw[0] + counts[2].raw[0], counts[1].raw[0] + counts[2].raw[1]];
    assert!(!K::has_book() || counted == booked, "{counted:?} of {booked:?}");
    assert_eq!([counts[0].raw[1], counts[1].raw[1]], [0; 2], "nobody asked for that");
    assert_eq!(counts.iter().map(|counts| counts.running).sum::<u64>(), counts[0].enabled);
    if K::CLOCK_IS_EXACT {
        assert!((all / 2..all).contains(&counts[0].enabled), "what passes amid a rotation is no turn's");
        (0..SETS).for_each(|set| estimates::<K>(&sets, set, counts[0].enabled));
    }
}

/// How many instructions retired while they did.
fn take_turns<K: Kernel>(pmu: &Claimed<K>, sets: &mut Sets<K>) -> u64 {
    let mut chance = Chance::new(1);
    let began = K::clock();
    pmu.switch_in(sets.context());
    for _ in 0..TURNS {
        K::exactly(K::FEWEST + chance.below(LONGEST_TURN));
        pmu.rotate(sets);
    }
    pmu.switch_out(sets.context());
    K::clock() - began
}

/// A tick of the clock is an instruction and an event here, whichever set has its turn.
fn estimates<K: Kernel>(sets: &Sets<K>, set: usize, enabled: u64) {
    let [scaled, _] = sets.scaled(set).expect("they are out");
    let scaled = scaled.expect("it has had its turns");
    let error = scaled.error.expect("it has had more than one");
    assert!(error < enabled / 100_000 * K::ROTATES, "set {set}: {scaled:?} of {enabled}");
    assert!(enabled.abs_diff(scaled.estimate) < TURNS * K::ROTATES, "set {set}: {scaled:?} of {enabled}");
}
