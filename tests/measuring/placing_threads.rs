//! Requests that are hard to place: a switch stops its search after 2,000 instructions, and placements are remembered.

use pmu::arch::powerpc::book3s::{self, Book3s};
use pmu::arch::x86::Unattached;
use pmu::arch::x86::netburst::{self, Netburst, View};
use pmu::driver::Driver;
use pmu::virt::{Device, Kinds, Unconnected, Work};
use pmu::{Context, Event, Mode, Pmu, Request, Unit};

/// Eight events of POWER4, for eight counters that share the lanes of a bus.
const HARD: [Request; 8] = [
    Request::new(Event::raw(0x0221)),
    Request::new(Event::raw(0x0F23)),
    Request::new(Event::raw(0x0210)),
    Request::new(Event::raw(0x3001)),
    Request::new(Event::raw(0x0F01)),
    Request::new(Event::raw(0x0331)),
    Request::new(Event::raw(0x0900)),
    Request::new(Event::raw(0x0F15)),
];

/// Eight events of the Pentium 4, of which some want other values in an ESCR of the same half.
const HARDER: [Request; 8] = [
    Request::new(Event::raw(0x7_0318)),
    Request::new(Event::raw(0x18_212E)),
    Request::new(Event::raw(0x3_2505)),
    Request::new(Event::raw(0x1_0613)),
    Request::new(Event::raw(0x7E_0316)),
    Request::new(Event::raw(0x2_3202)),
    Request::new(Event::raw(0x3A_0203)),
    Request::new(Event::raw(0x1F_1204)),
];

struct Cpu<D: Driver + 'static, V: 'static> {
    pmu: Pmu<'static, D>,
    device: &'static V,
}

type Power4 = Cpu<Book3s<&'static book3s::Device<Unconnected>>, book3s::Device<Unconnected>>;
type Pentium4 = Cpu<Netburst<&'static netburst::Device<Unconnected>, Unattached>, netburst::Device<Unconnected>>;

fn power4() -> Power4 {
    let identity = &book3s::Identity::POWER4;
    let device: &'static _ = Box::leak(Box::new(book3s::Device::new(identity, Kinds::CLOCK, Unconnected)));
    Cpu::of(Book3s::new(device, identity.capabilities()), device)
}

fn pentium4() -> Pentium4 {
    let identity = &netburst::Identity::PENTIUM_4;
    let device: &'static _ = Box::leak(Box::new(netburst::Device::new(identity, Kinds::CLOCK, Unconnected)));
    let mut capabilities = identity.capabilities();
    capabilities.view = View::All;
    Cpu::of(Netburst::new(device, Unattached, capabilities), device)
}

impl<D: Driver, V: Device> Cpu<D, V> {
    fn of(driver: D, device: &'static V) -> Self {
        let unit: &'static Unit<_, 0> = Box::leak(Box::new(Unit::new()));
        Self { pmu: unit.claim(driver).expect("nobody has it"), device }
    }

    /// Runs a thread for some instructions. Returns whether it was counted.
    fn run<const N: usize>(&self, context: &mut Context<D, N>) -> bool {
        self.pmu.switch_in(context);
        let is_waiting = context.is_waiting();
        self.device.advance(&Work::instructions(Mode::Kernel, 100));
        self.pmu.switch_out(context);
        !is_waiting
    }

    fn thread<const N: usize>(&self, requests: [Request; N]) -> Context<D, N> {
        let mut context = Context::new(1);
        context.bind(&self.pmu, requests).expect("they fit together");
        context
    }
}

/// All of them but one, which a session counts.
fn without(taken: usize, all: [Request; 8]) -> [Request; 7] {
    let rest: Vec<_> = (0..8).filter(|number| *number != taken).map(|number| all[number]).collect();
    rest.try_into().expect("seven are left")
}

#[test]
fn counters_that_were_hard_to_find_are_found_again_after_a_session() {
    let cpu = power4();
    let mut context = cpu.thread(HARD);
    assert!(cpu.run(&mut context));
    let session = cpu.pmu.open([HARD[0]]).expect("the thread is out");
    assert!(!cpu.run(&mut context), "the session has one of its counters");
    drop(session);
    assert!(cpu.run(&mut context));
    assert_eq!(context.counts().map(|counts| counts.running > 0), Ok(true));
}

#[test]
fn a_thread_for_which_a_switch_finds_no_counters_has_some_once_it_was_placed() {
    for taken in [1, 3, 4, 7] {
        let cpu = pentium4();
        let session = cpu.pmu.open([HARDER[taken]]).unwrap();
        let mut context = cpu.thread(without(taken, HARDER));
        assert!(!cpu.run(&mut context), "a switch gives up");
        assert_eq!(cpu.pmu.place(&mut context), Ok(()));
        assert!(cpu.run(&mut context) && cpu.run(&mut context));
        drop(session);
    }
}

#[test]
fn a_switch_finds_what_events_with_two_routes_fit_on() {
    for taken in [1, 3, 4, 7] {
        let cpu = power4();
        let _session = cpu.pmu.open([HARD[taken]]).unwrap();
        assert!(cpu.run(&mut cpu.thread(without(taken, HARD))), "beside {taken}");
    }
}
