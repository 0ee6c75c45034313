//! Encoding: what a request puts into an ESCR and a CCCR, and what is refused.

use pmu::arch::x86::netburst::CounterGroup;
use pmu::arch::x86::netburst::{Capabilities, Cccr, Escr, EscrId, Share, View};
use pmu::driver::{Control, Counters, Image, Plan, Registers, Slot, Steps};
use pmu::request::{Flag, Refusal};
use pmu::{CounterSet, Event, Modes, Request};

use crate::netburst::{Bench, counter, of};

/// Cycles while not halted (global_power_events: RUNNING).
const CYCLES: Event = Event::raw(CounterGroup::Bpu.code(0x13, 6, 1));
/// Instructions retired, tagged or not (instr_retired: NBOGUSNTAG, NBOGUSTAG).
const INSTRUCTIONS: Event = Event::raw(CounterGroup::Iq.code(0x02, 4, 0b11));
/// Tagged micro-operations that retired (replay_event), without a mask.
const REPLAY: u64 = CounterGroup::Iq.code(0x09, 5, 0);

const UNTAGGED: &str = "nothing is tagged";

/// What the registers of a request hold while it counts.
fn programmed(bench: &Bench, request: Request) -> (Escr, Cccr) {
    let demand = bench.encode(request).expect("it is possible");
    let mut slots = [Slot::EMPTY];
    let program = bench.driver.place(&bench.image.occupancy(), &[demand], Steps::OPEN, &mut slots).expect("it fits");
    bench.driver.load(&bench.image, &program, &slots);
    bench.driver.run(&bench.image, slots[0].counter.only());
    let registers = bench.driver.registers();
    let cccr = Cccr::from_bits_retain(registers.read(Cccr::msr(slots[0].counter)));
    let escr = EscrId::of(slots[0].counter, cccr.escr_select()).expect("an ESCR");
    let escr = Escr::from_bits_retain(registers.read(escr.msr()));
    bench.driver.run(&bench.image, CounterSet::EMPTY);
    bench.driver.release(&bench.image, slots[0].counter.only());
    (escr, cccr)
}

fn whole() -> Bench {
    Bench::new(of(View::Bank, Share::Whole))
}

fn refusal(bench: &Bench, request: impl Into<Request>) -> Refusal {
    bench.encode(request).expect_err("it is refused")
}

fn refused_in_words(bench: &Bench, request: impl Into<Request>, words: &str) {
    let text = refusal(bench, request).to_string();
    assert!(text.contains(words), "{text}");
}

#[test]
fn without_hyper_threading_the_bits_are_thread_0s_and_it_counts_in_any_state() {
    let (escr, cccr) = programmed(&whole(), Request::new(Event::CYCLES).modes(Modes::USER));
    assert_eq!(escr, Escr::of(0x13, 1) | Escr::T0_USER);
    assert_eq!(cccr, Cccr::ENABLE | Cccr::select(6) | Cccr::active(3) | Cccr::INTERRUPT_T0);
}

#[test]
fn each_thread_has_its_own_modes_and_interrupt() {
    let modes = |share, request| programmed(&Bench::new(of(View::Bank, share)), request);
    let kernel = Request::new(Event::INSTRUCTIONS).modes(Modes::KERNEL);
    let (escr, cccr) = modes(Share::Thread1, kernel);
    assert_eq!(escr, Escr::of(0x02, 3) | Escr::T1_KERNEL);
    assert_eq!(cccr, Cccr::ENABLE | Cccr::select(4) | Cccr::active(3) | Cccr::INTERRUPT_T1);
    let (escr, _) = modes(Share::Thread0, kernel);
    assert_eq!(escr, Escr::of(0x02, 3) | Escr::T0_KERNEL);
    let (escr, cccr) = modes(Share::Thread0, kernel.flag(Flag::AnyThread));
    assert_eq!(
        (escr, cccr.contains(Cccr::INTERRUPT_T1)),
        (Escr::of(0x02, 3) | Escr::T0_KERNEL | Escr::T1_KERNEL, false)
    );
}

#[test]
fn the_other_threads_modes_cannot_be_counted_where_there_is_none() {
    assert_eq!(refusal(&whole(), Request::new(Event::CYCLES).flag(Flag::AnyThread)), Refusal::Flag(Flag::AnyThread));
}

#[test]
fn a_threshold_is_reached_where_the_register_has_it_exceeded() {
    let compare = |request| {
        programmed(&whole(), request).1 - Cccr::ENABLE - Cccr::ESCR_SELECT - Cccr::ACTIVE_THREAD - Cccr::INTERRUPT_T0
    };
    let uops = Request::new(Event::raw(CounterGroup::Ms.code(0x09, 0, 7)));
    assert_eq!(compare(uops), Cccr::empty());
    assert_eq!(compare(uops.threshold(1)), Cccr::COMPARE);
    assert_eq!(compare(uops.threshold(3)), Cccr::COMPARE | Cccr::than(2));
    assert_eq!(compare(uops.threshold(16).flag(Flag::Invert)), Cccr::COMPARE | Cccr::COMPLEMENT | Cccr::than(15));
    assert_eq!(compare(uops.flag(Flag::Edge)), Cccr::COMPARE | Cccr::EDGE);
    let refused = refusal(&whole(), uops.threshold(17));
    assert_eq!(refused, Refusal::ThresholdTooLarge { largest: 16 });
}

#[test]
fn a_tag_and_the_states_of_the_threads_are_part_of_the_code() {
    let tagged = Event::raw(CounterGroup::Flame.code(0x08, 1, 0x8000) | 5 << 32 | 2 << 36);
    let (escr, cccr) = programmed(&whole(), Request::new(tagged).modes(Modes::USER));
    assert_eq!(escr, Escr::of(0x08, 0x8000).tagging(5) | Escr::T0_USER);
    assert_eq!((cccr.active_thread(), cccr.escr_select()), (1, 1));
}

#[test]
fn an_event_that_only_the_other_thread_has_is_refused_with_the_way_out() {
    let allocation = Event::raw(CounterGroup::Bpu.code(0x05, 7, 0x21));
    assert!(Bench::new(of(View::Bank, Share::Thread0)).encode(allocation).is_ok());
    let words = "only counters {0} can count it, which are the other hardware thread's; count it on that thread's CPU";
    assert_eq!(refusal(&Bench::new(of(View::Bank, Share::Thread1)), allocation).to_string(), words);
    assert_eq!(
        refusal(&Bench::new(of(View::All, Share::Thread1)), allocation),
        Refusal::OtherThread(CounterSet::first(2))
    );
}

#[test]
fn a_replay_event_without_what_is_tagged_is_refused() {
    let bench = whole();
    refused_in_words(&bench, Event::raw(REPLAY | 1 << 16), UNTAGGED);
    refused_in_words(&bench, Event::raw_with(REPLAY | 1 << 16, 1 << 32 | 1), UNTAGGED);
    refused_in_words(&bench, Event::raw_with(REPLAY | 1 << 16, 1 << 24 | 1), UNTAGGED);
    refused_in_words(&bench, Event::raw(REPLAY | 0b1101 << 16), "one kind of replay");
    refused_in_words(&bench, Event::raw_with(REPLAY | 0b101 << 16, 1 << 24 | 1 << 32), "one kind of replay");
    let precise = refusal(&bench, Event::raw_with(REPLAY | 1 << 16, 1 << 25 | 1 << 24 | 1 << 32));
    assert_eq!(precise, Refusal::Auxiliary(1 << 25));
    assert!(bench.encode(Event::raw_with(REPLAY | 1 << 16, 1 << 24 | 1 | 1 << 32)).is_ok());
    assert_eq!(refusal(&bench, Event::raw_with(CounterGroup::Bpu.code(0x13, 6, 1), 7)), Refusal::Auxiliary(7));
}

#[test]
fn codes_beyond_the_fields_and_parts_without_such_an_escr_are_refused() {
    let bench = whole();
    assert_eq!(refusal(&bench, Event::raw(1 << 38 | 0x613)), Refusal::ReservedBits(1 << 38));
    assert_eq!(refusal(&bench, Event::raw(CounterGroup::Ms.code(0x01, 3, 1))), Refusal::UnknownEvent);
    assert_eq!(refusal(&bench, Event::REFERENCE_CYCLES), Refusal::UnknownEvent);
}

/// A counter that another's overflow starts would count what nobody asked for (SDM volume 3, "Cascading Counters").
#[test]
fn no_bit_of_a_code_programs_a_cascade() {
    let bench = whole();
    let cycles = CounterGroup::Bpu.code(0x13, 6, 1);
    let possible = (0..64).map(|bit| Event::raw(cycles ^ 1 << bit)).filter(|&event| bench.encode(event).is_ok());
    let programmed: Vec<_> = possible.map(|event| programmed(&bench, event.into()).1).collect();
    assert!(programmed.len() > 10 && programmed.iter().all(|cccr| !cccr.intersects(Cccr::CASCADE)), "{programmed:?}");
}

#[test]
fn events_and_escrs_of_other_models_are_refused() {
    let completed = Event::raw(CounterGroup::Iq.code(0x07, 4, 1));
    let queue = Event::raw(CounterGroup::Iq.code(0x01, 0, 1));
    let [early, prescott] = [2, 3].map(|model| Bench::new(Capabilities::of_model(model)));
    assert_eq!(refusal(&early, completed), Refusal::UnknownEvent);
    assert!(prescott.encode(completed).is_ok() && early.encode(queue).is_ok());
    assert_eq!(refusal(&prescott, queue), Refusal::UnknownEvent);
}

#[test]
fn periods_that_leave_no_time_are_refused() {
    let bench = whole();
    let least = |request| match refusal(&bench, request) {
        Refusal::PeriodTooShort { least } => least,
        other => panic!("{other}"),
    };
    assert_eq!(
        least(Request::new(Event::INSTRUCTIONS).every(Capabilities::LEAST_IN_KERNEL - 1)),
        Capabilities::LEAST_IN_KERNEL
    );
    assert_eq!(least(Request::new(CYCLES).every(3)), Capabilities::LEAST_OF_OTHERS_IN_KERNEL);
    assert_eq!(least(Request::new(CYCLES).modes(Modes::USER).every(1)), 2);
    assert!(bench.encode(Request::new(INSTRUCTIONS).every(Capabilities::LEAST_IN_KERNEL)).is_ok());
}

#[test]
fn a_counter_is_the_hardwares_number() {
    let slots = whole().open([Event::INSTRUCTIONS]).unwrap();
    assert_eq!(slots[0].counter, counter(17));
}
