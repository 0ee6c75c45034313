//! Counted by the clock or one step at a time, it is the same number: neither engine can be wrong
//! alone.

use super::programs::{self, COUNTING};
use crate::guest::{msr, observe_by, truth};
use crate::hypercall::Engine;

pub fn test() {
    for rounds in [1, 10, 1000] {
        assert_eq!(count(Engine::Timer, rounds), count(Engine::Stepper, rounds));
    }
}

fn count(engine: Engine, rounds: u64) -> (u64, u64) {
    programs::preset(0);
    observe_by(engine);
    let before = truth::retired();
    programs::run(COUNTING, rounds);
    let retired = truth::retired() - before;
    (retired, msr::read_counter(0).expect("every unit has a first counter"))
}
