//! What the driver asks of the firmware on its hot paths, in calls: each costs several hundred instructions.

use pmu::arch::riscv::hpm::Identity;
use pmu::arch::riscv::hpm::sbi::{Address, Call, Host, Line, Sbi};
use pmu::driver::{Access, Recorder};
use pmu::virt::{Device as _, Kinds, Work};
use pmu::{Context, Event, Handled, Interrupted, Mode, Pmu, Request, Session, Unit};

use crate::support::line::Line as Pulled;

/// Cycle, instret, and counters 3 to 11.
const FEW: Identity = Identity::RV64.with_counters(0xFFD);

/// The firmware, and the accesses to it, calls among them.
type Firmware = Recorder<&'static Host<Pulled>, 64>;

type Driver = Sbi<&'static Firmware>;

struct Subject {
    host: &'static Host<Pulled>,
    firmware: &'static Firmware,
    unit: &'static Unit<Driver, 64>,
    pmu: &'static Pmu<'static, Driver>,
}

fn subject() -> Subject {
    let host: &'static Host<Pulled> = Box::leak(Box::new(Host::new(&FEW, Kinds::CLOCK, Pulled::default())));
    let firmware: &'static Firmware = Box::leak(Box::new(Recorder::new(host)));
    let unit: &'static Unit<Driver, 64> = Box::leak(Box::new(Unit::new()));
    let pmu = unit.claim(Sbi::detect(firmware, &FEW.announced(), Line::Local, &[]).unwrap()).unwrap();
    Subject { host, firmware, unit, pmu: Box::leak(Box::new(pmu)) }
}

impl Subject {
    fn execute(&self, instructions: u64) {
        self.host.advance(&Work::instructions(Mode::Kernel, instructions));
    }

    /// Returns the calls that `work` makes.
    fn calls(&self, work: impl FnOnce()) -> Vec<Call> {
        self.firmware.clear();
        work();
        let access = |number| self.firmware.access(number).expect("there is room for every access");
        let call = |access| if let Access::Read(Address::Call(call), _) = access { Some(call) } else { None };
        (0..self.firmware.len()).map(access).filter_map(call).collect()
    }

    /// Opens a session of `N` requests for instructions, each with this period, and starts it.
    fn sampling<const N: usize>(&self, period: u64) -> Session<'static, Driver, N> {
        let mut session = self.pmu.open([Request::new(Event::INSTRUCTIONS).every(period); N]).unwrap();
        session.start().unwrap();
        session
    }

    /// Returns the calls of an overflow's interrupt, which is pending.
    fn interrupt(&self) -> Vec<Call> {
        assert!(self.host.trigger().take());
        self.calls(|| assert_eq!(self.unit.on_overflow(Interrupted::new(0, Mode::Kernel)), Handled::Overflow))
    }

    /// Creates a thread that asks for these of the specification's events.
    fn thread<const N: usize>(&self, number: u32, events: [u64; N]) -> Context<Driver, N> {
        let mut thread = Context::new(number);
        thread.bind(self.pmu, events.map(|event| Request::new(Event::raw(event)))).unwrap();
        thread
    }
}

fn names(calls: &[Call]) -> Vec<&'static str> {
    let name = |call: &Call| match call {
        Call::Configure { .. } => "configure",
        Call::Start(_) | Call::StartAt(..) => "start",
        Call::Stop(_) => "stop",
        Call::Reset(_) => "reset",
        _ => "another",
    };
    calls.iter().map(name).collect()
}

#[test]
fn a_read_is_no_call() {
    let subject = subject();
    let session = subject.sampling::<4>(1000);
    let calls = subject.calls(|| assert_eq!(session.read().unwrap(), [0; 4]));
    assert_eq!(calls, []);
}

#[test]
fn the_interrupt_of_one_counter_is_a_stop_and_a_start() {
    let subject = subject();
    let _session = subject.sampling::<1>(1000);
    for _ in 0..3 {
        subject.execute(1000);
        assert_eq!(names(&subject.interrupt()), ["stop", "start"]);
    }
}

#[test]
fn the_interrupt_of_many_counters_is_a_stop_and_a_start_for_each_preset_that_differs() {
    let subject = subject();
    let _session = subject.sampling::<4>(1000);
    subject.execute(1000);
    assert_eq!(names(&subject.interrupt()), ["stop", "start"], "all go on from the same value");
    let _others = subject.sampling::<2>(1003);
    subject.execute(1003);
    assert_eq!(names(&subject.interrupt()), ["stop", "start", "start"]);
}

/// Those of a counter that did not overflow go on where they were.
#[test]
fn the_interrupt_of_one_counter_among_others_is_three_calls_at_the_most() {
    let subject = subject();
    let (_one, _others) = (subject.sampling::<1>(1000), subject.sampling::<3>(100_000));
    subject.execute(1000);
    assert_eq!(names(&subject.interrupt()), ["stop", "start", "start"]);
}

#[test]
fn a_start_is_a_call_and_so_is_a_stop() {
    let subject = subject();
    let mut session = subject.sampling::<4>(1000);
    assert_eq!(names(&subject.calls(|| session.stop().unwrap())), ["stop"]);
    assert_eq!(names(&subject.calls(|| session.start().unwrap())), ["start"]);
}

#[test]
fn a_thread_that_comes_back_to_its_placement_configures_nothing() {
    let subject = subject();
    let (mut one, mut other) = (subject.thread(1, [1, 2, 3]), subject.thread(2, [4, 5, 6]));
    let pmu = subject.pmu;
    pmu.switch_in(&mut one);
    let first = subject.calls(|| _ = pmu.switch(&mut one, &mut other));
    assert!(names(&first).contains(&"configure"), "it is placed for the first time");
    for _ in 0..3 {
        subject.execute(100);
        assert_eq!(names(&subject.calls(|| _ = pmu.switch(&mut other, &mut one))), ["stop", "start"]);
        subject.execute(100);
        assert_eq!(names(&subject.calls(|| _ = pmu.switch(&mut one, &mut other))), ["stop", "start"]);
    }
}

#[test]
fn a_switch_of_threads_that_sample_is_a_stop_and_a_start_for_each_preset_that_differs() {
    let subject = subject();
    let sampling = |number, periods: [u64; 3]| {
        let mut thread = Context::<Driver, 3>::new(number);
        thread.bind(subject.pmu, periods.map(|period| Request::new(Event::INSTRUCTIONS).every(period))).unwrap();
        thread
    };
    let (mut one, mut other) = (sampling(1, [1000, 1000, 1000]), sampling(2, [1000, 2000, 3000]));
    let pmu = subject.pmu;
    pmu.switch_in(&mut one);
    pmu.switch(&mut one, &mut other);
    assert_eq!(names(&subject.calls(|| _ = pmu.switch(&mut other, &mut one))), ["stop", "start"]);
    let there = subject.calls(|| _ = pmu.switch(&mut one, &mut other));
    assert_eq!(names(&there), ["stop", "start", "start", "start"]);
}

/// Where counters are few, threads take them from each other.
#[test]
fn a_counter_that_another_thread_has_used_for_another_event_is_configured_anew() {
    let subject = subject();
    let events = |last: [u64; 2]| [3, 4, 5, 6, 7, 8, 9, last[0], last[1]];
    let (mut one, mut other) =
        (subject.thread(1, events([0x1_0000, 0x1_0001])), subject.thread(2, events([0x1_0008, 0x1_0009])));
    let pmu = subject.pmu;
    pmu.switch_in(&mut one);
    pmu.switch(&mut one, &mut other);
    let back = names(&subject.calls(|| _ = pmu.switch(&mut other, &mut one)));
    let configured = back.iter().filter(|&&call| call == "configure").count();
    assert_eq!((back.len(), configured), (2 + 2 * configured, 2), "a reset and a configuration each: {back:?}");
}

#[test]
fn a_unit_that_wakes_configures_what_is_in_use_and_nothing_else() {
    let subject = subject();
    drop(subject.sampling::<1>(10_000));
    let wakes = || {
        subject.pmu.suspend().unwrap();
        subject.unit.resume().unwrap();
    };
    assert!(!names(&subject.calls(wakes)).contains(&"configure"));
    let _session = subject.sampling::<1>(10_000);
    assert!(names(&subject.calls(wakes)).contains(&"configure"));
}
