extern crate std;

use std::boxed::Box;
use std::cell::{Cell, OnceCell, RefCell};
use std::string::String;
use std::sync::{Mutex, PoisonError};
use std::thread_local;
use std::vec::Vec;

use pmu::arch::powerpc::book3s;
use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::arch::x86::{Index, Msr, Unattached};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kinds, Trigger, Unconnected, Work};
use pmu::{Interrupted, Mode};

use super::*;

/// The unit's line: it brings an interrupt at once.
#[derive(Debug)]
struct Wire;

impl Trigger for Wire {
    fn interrupt(&self) {
        PENDING.set(true);
    }
}

/// A processor, and what it says of itself.
type Processor = (Device<Wire>, &'static Identity);
type Counted = Intel<Counting<&'static Device<Wire>>, Unattached>;

thread_local! {
    static PROCESSOR: OnceCell<&'static Processor> = const { OnceCell::new() };
    static UNIT: &'static Unit<Counted, ROOM> = Box::leak(Box::new(Unit::new()));
    static PENDING: Cell<bool> = const { Cell::new(false) };
    static LINES: RefCell<String> = const { RefCell::new(String::new()) };
}

fn processor() -> &'static Processor {
    PROCESSOR.with(|processor| *processor.get().expect("the test has chosen one"))
}

struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        LINES.with_borrow_mut(|lines| lines.push_str(text));
        Ok(())
    }
}

struct Host;

impl Bench for Host {
    fn name() -> &'static str {
        "host"
    }

    const STEPS: bool = true;

    fn console() -> impl Write {
        Console
    }

    fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
        (0, work())
    }

    fn exactly(instructions: u64) {
        for _ in 0..instructions {
            processor().0.advance(&Work::instructions(Mode::Kernel, 1));
            if PENDING.take() {
                let handled = UNIT.with(|unit| *unit).on_overflow(Interrupted::new(0, Mode::Kernel));
                assert!(handled.is_mine());
            }
        }
    }

    fn read_as_program(_: u32) -> u64 {
        0
    }
}

/// The driver over registers that count, of which this is measured.
struct Of<C>(C);

impl<C: Cost + 'static> Measured for Of<C> {
    type Kernel = Host;
    type Driver = Counted;
    type Cost = C;

    fn unit() -> &'static Unit<Counted, ROOM> {
        UNIT.with(|unit| *unit)
    }

    fn detect() -> Counted {
        let (device, identity) = processor();
        Intel::detect(*identity, Counting::new(device), Unattached).expect("it has a unit")
    }

    fn enter() {}
}

/// Accesses are counted in one place, and tests run at once.
static TURN: Mutex<()> = Mutex::new(());

/// Lets this test count accesses until the result is dropped.
fn alone() -> impl Sized {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Measures on this processor, and returns the lines.
fn lines_of(identity: &'static Identity) -> String {
    let device = (Device::new(identity, Kinds::CLOCK, Wire), identity);
    PROCESSOR.with(|processor| processor.set(Box::leak(Box::new(device))).expect("a test has one processor"));
    run::<Of<Instructions>, Of<Accesses>>();
    LINES.take()
}

#[test]
fn each_figure_is_printed() {
    let _alone = alone();
    let lines = lines_of(&Identity::SKYLAKE);
    for name in ["read.narrow.4", "interrupt.4", "start_stop.first", "open_close.4", "switch.beside.8", "rotate"] {
        for kind in ["figure", "accesses"] {
            assert!(lines.contains(&std::format!("{kind} host.{name} ")), "{kind} {name} in {lines}");
        }
    }
    assert!(!lines.contains("the unit has"), "there are counters for all of them: {lines}");
}

#[test]
fn threads_that_have_no_event_in_common_write_each_selector() {
    let _alone = alone();
    let lines = lines_of(&Identity::SKYLAKE);
    assert!(lines.contains("accesses host.switch.disjoint.4 0 6 4\n"), "{lines}");
}

#[test]
fn a_figure_that_needs_more_counters_is_named() {
    let _alone = alone();
    let lines = lines_of(&Identity::CORE_DUO);
    assert!(lines.contains("accesses host.switch.alternate.1 "), "{lines}");
    assert!(lines.contains("absent host.switch.alternate.4 the unit has 2 counters\n"), "{lines}");
}

#[test]
fn a_threads_requests_differ_from_each_other_and_from_the_other_threads() {
    let _alone = alone();
    lines_of(&Identity::SKYLAKE);
    let pmu = Of::<Accesses>::unit().claim(Of::<Accesses>::detect()).expect("it was released");
    let first: [Request; 4] = requests::choose(&pmu, &[], None).expect("the unit has four counters");
    let second: [Request; 4] = requests::choose(&pmu, &first, None).expect("the unit has four counters");
    let differ = |number: usize| first[number] != second[number];
    assert_eq!([0, 1, 2, 3].map(differ), [false, true, false, true]);
    assert!((1..4).all(|number| !first[..number].contains(&first[number])));
    pmu.release().expect("no session is open");
}

#[test]
fn threads_leave_room_for_a_session_where_each_event_has_one_counter() {
    let device = book3s::Device::new(&book3s::Identity::POWER9, Kinds::CLOCK, Unconnected);
    let capabilities = book3s::Identity::POWER9.capabilities();
    let unit = Unit::<_, 0>::new();
    let driver = book3s::Book3s::detect(capabilities.pvr, capabilities.privilege, &device).expect("it has a unit");
    let pmu = unit.claim(driver).expect("nobody else claims it");
    let request = requests::of_session(&pmu).next().expect("it has events of its own");
    let mut others = Vec::new();
    for _ in 0..2 {
        let asked: [Request; 4] = requests::choose(&pmu, &others, Some(request)).expect("the unit has six counters");
        let _session = pmu.open([request]).expect("it is alone");
        assert!(pmu.open(asked).is_ok(), "{asked:?}");
        others.extend(asked);
    }
}

#[test]
fn each_kind_of_access_is_counted() {
    let _alone = alone();
    lines_of(&Identity::SKYLAKE);
    let (cost, ()) = Accesses::measure::<Host, _>(|| {
        let registers = Counting::new(&processor().0);
        registers.write(Msr::GLOBAL_CONTROL, 0);
        registers.write(Msr::GLOBAL_CONTROL, registers.read(Msr::GLOBAL_CONTROL));
        registers.read_counter(Index::from_raw(0).expect("there is a counter"));
    });
    assert_eq!(cost, Accesses([1, 2, 1]));
}
