//! A sample comes with the callers of the code that was interrupted, as often as they called: the crate's
//! own entry hands over where their frames begin.

use pmu::chain::{Chains, End};
use pmu::profile::Resolver;
use pmu::{CounterId, Interrupted, Pmu};

use super::clocked;
use crate::assembly;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{self, callers};

/// A prime, so that samples do not keep step with the program.
const PERIOD: u64 = 2003;
const ROOM: usize = 512;

static UNIT: Unit<ROOM> = Unit::new();
static CHAINS: Chains<4, ROOM> = Chains::new();

pmu::pmi_entry_framed!(Pmi, note, stack: Sprg0, scratch: Sprg3);

unsafe extern "C" {
    static chained_vector: u8;
}

pub fn test() {
    guest::enter_by(Pmi::address());
    guest::name_vector(&raw const chained_vector as usize);
    let pmu = unit::claim(&UNIT);
    clocked::kinds(&pmu.description()).for_each(|counter| sample(&pmu, counter));
}

fn sample(pmu: &Pmu<'static, Driver>, counter: CounterId) {
    let mut session = pmu.open([clocked::request(counter).every(PERIOD)]).expect("the counter is free");
    session.start().expect("it is stopped");
    callers::run();
    session.stop().expect("it runs");
    let names = callers::symbols();
    let name = |address| names[..].resolve(address).map_or("", |symbol| symbol.name);
    let (mut all, mut for_left, mut for_right, mut around) = (0_u64, 0, 0, 0);
    for (sample, chain) in CHAINS.pair(UNIT.samples().expect("nobody else reads")).expect("nobody else pairs") {
        let chain = chain.expect("there is room for all");
        all += 1;
        match (name(sample.address), chain.callers()) {
            ("spin", &[caller, outermost]) => {
                assert_eq!((name(outermost - 1), chain.end()), ("outermost", End::Outermost));
                for_left += u64::from(name(caller - 1) == "left");
                for_right += u64::from(name(caller - 1) == "right");
            }
            ("left", &[outermost]) => assert_eq!((name(outermost - 1), chain.end()), ("outermost", End::Outermost)),
            // The session's start and stop: they are shorter than a period.
            _ => around += 1,
        }
    }
    assert!(around <= 1, "{around} samples were of neither spin nor left");
    assert!(all >= 180, "{all} samples of 400,000 instructions");
    assert!(for_left.abs_diff(all * 60 / 100) <= 1, "{for_left} of {all} samples were for left");
    assert!(for_right.abs_diff(all * 20 / 100) <= 1, "{for_right} of {all} samples were for right");
}

fn note(at: Interrupted, stack_pointer: u64) {
    let _ = UNIT.on_overflow_chained(at, &CHAINS, |chain| callers::walk(stack_pointer, chain));
}

assembly!(
    r#"
    .section .text.entries, "ax"
    .align 4
    .global chained_vector
chained_vector:
    b {entry}
    "#,
    entry = sym pmu::arch::powerpc::entry::framed_stub::<Pmi>,
);
