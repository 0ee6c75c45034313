//! Guests that do anything at all: what they find is what the oracles find, one instruction at a time.

use pmu::Mode;
use pmu::arch::powerpc::ProcessorState;
use pmu::arch::powerpc::{Pmr, Spr, classic as spr_units, embedded as pmr_units};
use pmu::virt::{Device as _, Kind, Kinds, Work};
use proptest::prelude::*;

use super::classic_oracle::Oracle as Classic;
use super::embedded_oracle::Oracle as Embedded;
use crate::support::line::{Level, Line};

/// What a guest, or its host, does.
#[derive(Clone, Copy, Debug)]
enum Act {
    Read(u16),
    Write(u16, u64),
    /// So many instructions, of which the last is a branch.
    Work(Mode, u8),
    /// To where the device says that something will follow, and one step on.
    Approach(Mode),
    Stand(bool, u32, bool),
    Migrate,
    Interrupted,
}

/// Values near the edges of a counter, and control words of few bits.
fn value() -> impl Strategy<Value = u64> {
    prop_oneof![
        (0u64..12).prop_map(|left| (1 << 31) - left),
        (0u64..12).prop_map(|left| u64::from(u32::MAX) - left),
        any::<u64>(),
        (any::<u32>(), any::<u32>(), any::<u32>()).prop_map(|(a, b, c)| u64::from(a & b & c)),
        // Enables, triggers and selectors that count.
        (any::<u16>(), 0u64..10).prop_map(|(high, select)| u64::from(high & 0x0740) << 16 | 0xC000 | select << 6 | 2),
        (0u64..16, 0u64..16).prop_map(|(high, event)| high << 26 | event << 16),
        (0u64..10, 0u64..10).prop_map(|(third, fourth)| third << 27 | fourth << 22 | 1 << 17 | 1 << 11),
    ]
}

fn mode() -> impl Strategy<Value = Mode> {
    prop_oneof![Just(Mode::User), Just(Mode::Kernel), Just(Mode::Hypervisor)]
}

fn act(registers: impl Strategy<Value = u16> + Clone + 'static) -> impl Strategy<Value = Act> {
    prop_oneof![
        2 => registers.clone().prop_map(Act::Read),
        6 => (registers, value()).prop_map(|(number, value)| Act::Write(number, value)),
        3 => (mode(), 0u8..20).prop_map(|(mode, count)| Act::Work(mode, count)),
        2 => mode().prop_map(Act::Approach),
        1 => (any::<bool>(), any::<u32>(), any::<bool>()).prop_map(|(a, b, c)| Act::Stand(a, b, c)),
        1 => Just(Act::Migrate),
        1 => Just(Act::Interrupted),
    ]
}

fn one(mode: Mode, branches: bool) -> Work {
    let work = Work::instructions(mode, 1);
    let branch = u64::from(branches);
    work.with(Kind::Branches, branch).with(Kind::MispredictedBranches, branch)
}

const OBSERVED: Kinds = Kinds::CLOCK.with(Kind::Branches).with(Kind::MispredictedBranches);

/// Runs acts on a pair of a unit and its oracle; what differs between the families is given.
macro_rules! pair {
    ($name:ident, $units:ident, $line:ident, $oracle:ident, $address:ident, $stand:expr) => {
        struct $name {
            unit: $units::Device<$line>,
            oracle: $oracle,
            /// How often the line of units that have moved on rose.
            risen: u64,
        }

        impl $name {
            fn new(processor: usize) -> Self {
                let oracle = $oracle::new(processor);
                Self { unit: $units::Device::new(&oracle.identity(), OBSERVED, $line::default()), oracle, risen: 0 }
            }

            fn act(&mut self, act: Act) {
                match act {
                    Act::Read(number) => {
                        let Some(at) = $address::from_number(number) else { return };
                        assert_eq!(self.unit.try_read(at), self.oracle.read(number), "{at:?}");
                    }
                    Act::Write(number, value) => {
                        let Some(at) = $address::from_number(number) else { return };
                        let outcome = self.unit.try_write(at, value);
                        assert_eq!(outcome, self.oracle.write(number, value), "{at:?} <- {value:#x}");
                    }
                    Act::Work(mode, count) => {
                        for left in (0..count).rev() {
                            self.step(mode, left == 0);
                        }
                    }
                    Act::Approach(mode) => self.approach(mode),
                    Act::Stand(marked, address, more) => $stand(self, marked, address, more),
                    Act::Migrate => self.migrate(),
                    Act::Interrupted => self.interrupted(),
                }
            }

            fn step(&mut self, mode: Mode, branches: bool) {
                self.unit.advance(&one(mode, branches));
                self.oracle.step(mode, branches);
            }

            /// The device foretells in how many instructions something follows: not before that. While the line is high it
            /// foretells nothing, and a counter that wraps then lets it fall.
            fn approach(&mut self, mode: Mode) {
                let foretold = self.unit.until_overflow(&one(mode, false));
                let steps = foretold.unwrap_or(3);
                if steps > 40 {
                    return;
                }
                for left in (0..steps).rev() {
                    if foretold.is_some() {
                        assert_eq!(self.unit.until_overflow(&one(mode, false)), Some(left + 1));
                    }
                    self.step(mode, false);
                    self.check();
                }
            }

            fn migrate(&mut self) {
                let (state, snapshot) = (self.unit.state(), self.unit.snapshot());
                self.risen += self.unit.trigger().rises();
                let line = $line::default();
                line.hold(self.unit.trigger().is_high());
                self.unit = $units::Device::new(&self.oracle.identity(), OBSERVED, line);
                assert_eq!(self.unit.restore(snapshot.as_bytes()), Ok(()));
                assert_eq!(self.unit.state(), state);
            }
        }
    };
}

pair!(ClassicPair, spr_units, Line, Classic, Spr, |pair: &mut ClassicPair,
                                                   marked,
                                                   instruction: u32,
                                                   has_datum: bool| {
    let datum = has_datum.then_some(instruction ^ 0xFFFF);
    let mut context = ProcessorState::default();
    (context.instruction, context.datum, context.marked) = (instruction.into(), datum.map(u64::from), marked);
    pair.unit.set_processor(context);
    (pair.oracle.marked, pair.oracle.address, pair.oracle.datum) = (marked, instruction, datum);
});

pair!(EmbeddedPair, pmr_units, Level, Embedded, Pmr, |pair: &mut EmbeddedPair, marked, _: u32, guest| {
    let mut context = ProcessorState::default();
    (context.marked, context.guest) = (marked, guest);
    pair.unit.set_processor(context);
    (pair.oracle.marked, pair.oracle.guest) = (marked, guest);
});

impl ClassicPair {
    /// Its interrupt is no level.
    fn interrupted(&mut self) {}

    fn check(&self) {
        let (state, oracle) = (self.unit.state(), &self.oracle);
        assert_eq!(state.counters, oracle.pmc.map(u64::from));
        assert_eq!([state.control, state.selects, state.extension], oracle.mmcr);
        assert_eq!((state.instruction, state.datum), (oracle.sia, oracle.sda));
        assert_eq!(self.risen + self.unit.trigger().rises(), oracle.rises, "interrupts");
    }
}

impl EmbeddedPair {
    fn interrupted(&mut self) {
        self.unit.interrupted();
        self.oracle.interrupted();
    }

    fn check(&self) {
        let (state, oracle) = (self.unit.state(), &self.oracle);
        assert_eq!(state.counters, oracle.pmc.map(u64::from));
        assert_eq!((state.locals, state.thresholds, state.global), (oracle.a, oracle.b, oracle.pmgc));
        let line = self.unit.trigger();
        assert_eq!((self.risen + line.rises(), line.is_high()), (oracle.rises, oracle.line()), "the line");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_guest_of_a_classic_unit_finds_what_the_manuals_say(
        processor in 0usize..5,
        acts in prop::collection::vec(act(prop_oneof![944u16..960, 944u16..960, 928u16..944, any::<u16>()]), 0..80),
    ) {
        let mut pair = ClassicPair::new(processor);
        for act in acts {
            pair.act(act);
            pair.check();
        }
    }

    #[test]
    fn any_guest_of_an_embedded_unit_finds_what_the_manuals_say(
        core in 0usize..4,
        acts in prop::collection::vec(
            act(prop_oneof![16u16..20, 144u16..148, 272u16..276, Just(400u16), Just(400u16), Just(384u16), 0u16..512]),
            0..80,
        ),
    ) {
        let mut pair = EmbeddedPair::new(core);
        for act in acts {
            pair.act(act);
            pair.check();
        }
    }
}

#[test]
fn oracles_that_knew_less_would_be_found_out() {
    let differs = |check: &dyn Fn()| std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).is_err();
    let mut classic = ClassicPair::new(4);
    classic.act(Act::Write(952, 2 << 6));
    classic.unit.advance(&one(Mode::User, false));
    assert!(differs(&|| classic.check()));
    let mut embedded = EmbeddedPair::new(2);
    embedded.act(Act::Write(144, 2 << 16));
    embedded.unit.advance(&one(Mode::User, false));
    assert!(differs(&|| embedded.check()));
}
