//! UltraSPARC I to IV+. The manuals ("UltraSPARC I/II User's Manual", 802-7220-02, "UltraSPARC III Cu User's Manual",
//! chapter 14, and those of `IIIi` and IV+) were not available. The numbers are those of two sources that agree: Sun's
//! own software for the processors, illumos-gate (usr/src/uts/sun4u/pcbe/us234_pcbe.c: the fields of %pcr in its
//! defines, the idle counter and the order of accesses in `us_pcbe_program`), and torvalds/linux
//! (arch/sparc/include/asm/pcr.h, and
//! `ultra3_pmu` and its event maps in arch/sparc/kernel/perf_event.c); the events' selectors also libpfm4
//! (lib/events/sparc_ultra*_events.h).

use pmu::arch::sparc::ultrasparc::{Identity, UltraSparc};
use pmu::arch::sparc::{Asr, Half};
use pmu::driver::{Control, Registers as _};
use pmu::{CounterSet, Event, Modes};

use crate::program::{NOTHING, Recorded, on};
use crate::support::memory::Memory;
use crate::trace;

/// Hits in the external cache (EC_hit); I and II, pic1.
const EXTERNAL_HITS: Event = Event::raw(0x20C);
/// Misses in the external cache (EC_misses); III to IV, pic1.
const EXTERNAL_MISSES: Event = Event::raw(0x20C);
/// References to the external cache (EC_ref); I to IV, pic0.
const EXTERNAL_REFERENCES: Event = Event::raw(0x10C);

/// %pcr and %pic as words.
type Words = Memory<Asr, Half>;
type Program = crate::program::Program<UltraSparc<&'static Recorded<Words>>, Words>;

fn program(identity: &Identity) -> Program {
    let program = Program::of(Words::new(), |registers| UltraSparc::new(registers, identity.capabilities()));
    program.take_over();
    program
}

fn ii() -> Program {
    program(&Identity::II)
}

fn iii() -> Program {
    program(&Identity::III)
}

const FIRST: CounterSet = CounterSet::first(1);
const BOTH: CounterSet = CounterSet::first(2);
/// PRIV is bit 0 (CPC_ULTRA_PCR_PRIVPIC; PCR_PRIV). Both counters are 2^31 events before their wrap: 8000_0000H.
#[test]
fn a_unit_is_halted_and_cleared_when_it_is_taken_over() {
    for identity in [&Identity::II, &Identity::III] {
        assert_eq!(program(identity).take_over(), ["write %pcr <- 0x1", "write %pic <- 0x8000000080000000"]);
    }
}

/// EC_ref is 0CH of pic0, bits 4 and up, and EC_misses 0CH of pic1, bits 11 and up; ST is bit 1, UT bit 2, and PRIV is
/// set: 0CH << 11 | 0CH << 4 | 7H = 60C7H.
#[test]
fn iii_counts_two_events_by_one_write() {
    let mut program = iii();
    let requests = [on(EXTERNAL_REFERENCES, 0), on(EXTERNAL_MISSES, 1)];
    assert_eq!(program.load(requests), NOTHING);
    assert_eq!(program.run(BOTH), ["write %pcr <- 0x60c7"]);
}

/// The idle pic1 counts SW_count_1, 1CH (`us_pcbe_program`; `upper_nop`): 1CH << 11 | 0CH << 4 | 7H = E0C7H.
#[test]
fn iii_parks_an_idle_pic1_on_sw_count_1() {
    let mut program = iii();
    program.load([on(EXTERNAL_REFERENCES, 0)]);
    assert_eq!(program.run(FIRST), ["write %pcr <- 0xe0c7"]);
}

/// The idle pic0 counts SW_count_0, 14H (`us_pcbe_program`; `lower_nop`): 0CH << 11 | 14H << 4 | 5H = 6145H in user
/// programs alone.
#[test]
fn iii_parks_an_idle_pic0_on_sw_count_0() {
    let mut program = iii();
    program.load([on(EXTERNAL_MISSES, 1).modes(Modes::USER)]);
    assert_eq!(program.run(CounterSet::from_bits(0b10)), ["write %pcr <- 0x6145"]);
}

/// No mode is enabled, so nothing counts, whatever is selected: both are parked, 1CH << 11 | 14H << 4 | 1H = E141H.
#[test]
fn iii_stops_both_counters_by_their_modes() {
    let mut program = iii();
    program.load([on(EXTERNAL_REFERENCES, 0)]);
    program.run(FIRST);
    assert_eq!(program.run(CounterSet::EMPTY), ["write %pcr <- 0xe141"]);
}

/// A thousand events before the wrap is FFFF_FC18H, in the lower half. pic1 keeps what it holds.
#[test]
fn iii_presets_one_half_and_keeps_the_other() {
    let mut program = iii();
    program.load([on(Event::INSTRUCTIONS, 0)]);
    let expected = ["read %pcr -> 0x1", "read %pic -> 0x8000000080000000", "write %pic <- 0x80000000fffffc18"];
    assert_eq!(program.preset(1000), expected);
}

/// SSM_L3_miss_mtag_remote of IV+ is 1BH of pic0 and 28H of pic1: 28H << 11 | 1BH << 4 | 7H = 1_41B7H.
#[test]
fn an_event_is_selected_as_each_counter_has_it() {
    let mut program = program(&Identity::IV_PLUS);
    program.load([on(Event::raw(0x28_031B), 0), on(Event::raw(0x28_031B), 1)]);
    assert_eq!(program.run(BOTH), ["write %pcr <- 0x141b7"]);
}

/// EC_ref and EC_hit are 0CH of pic0 and of pic1. The unit is halted, %pic is written whole, and %pcr last
/// (`us_pcbe_program`). A preset writes nothing before.
#[test]
fn ii_writes_both_values_before_it_counts() {
    let mut program = ii();
    assert_eq!(program.load([on(EXTERNAL_REFERENCES, 0), on(EXTERNAL_HITS, 1)]), NOTHING);
    assert_eq!(program.preset(1000), NOTHING);
    assert_eq!(program.run(BOTH), ["write %pic <- 0xfffffc18fffffc18", "write %pcr <- 0x60c7"]);
}

/// I and II have selectors of four bits, and none that counts nothing: to stop one counter both are halted, and the
/// other goes on from its value. The idle one counts cycles, 0, from 0.
#[test]
fn ii_stops_one_counter_by_keeping_its_value() {
    let mut program = ii();
    program.load([on(EXTERNAL_REFERENCES, 0), on(EXTERNAL_HITS, 1)]);
    program.preset(1000);
    program.run(BOTH);
    let expected =
        ["write %pcr <- 0x1", "read %pic -> 0xfffffc18fffffc18", "write %pic <- 0xfffffc18", "write %pcr <- 0xc7"];
    assert_eq!(program.run(FIRST), expected);
}

/// PRIV alone decides whether user programs may read %pic, and a run leaves it clear: 1CH << 11 | 1 << 4 | 6H = E016H.
#[test]
fn what_is_lent_stays_so_when_it_runs() {
    let mut program = iii();
    program.load([on(Event::INSTRUCTIONS, 0)]);
    program.driver.lend(&program.image, FIRST);
    assert_eq!(trace(program.registers), ["read %pcr -> 0x1", "write %pcr <- 0x0"]);
    assert_eq!(program.run(FIRST), ["write %pcr <- 0xe016"]);
}

/// What it held is read before anything is written, and %pcr is written back last.
#[test]
fn what_a_unit_held_is_put_back_before_it_counts() {
    let program = iii();
    program.registers.write(Asr::Pcr, 0x60C7);
    program.registers.write(Asr::Pic, 0x1234_5678);
    trace(program.registers);
    let saved = <UltraSparc<&Recorded<&'static Words>> as Control>::NOTHING_SAVED;
    program.driver.save(&saved);
    let taken = trace(program.registers);
    assert_eq!(taken[..3], ["read %pcr -> 0x60c7", "write %pcr <- 0x1", "read %pic -> 0x12345678"]);
    program.driver.restore(&saved);
    let expected = ["write %pcr <- 0x1", "write %pic <- 0x12345678", "write %pcr <- 0x60c7"];
    assert_eq!(trace(program.registers), expected);
}
