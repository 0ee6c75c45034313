//! Requests that are hard to place: a switch stops its search after 2,000 instructions, and placements are remembered.

use pmu::arch::powerpc::book3s::{Book3s, Device, Identity};
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
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

type Driver = Book3s<&'static Device<Unconnected>>;

struct Cpu {
    pmu: Pmu<'static, Driver>,
    device: &'static Device<Unconnected>,
}

fn power4() -> Cpu {
    let device: &'static _ = Box::leak(Box::new(Device::new(&Identity::POWER4, Kinds::CLOCK, Unconnected)));
    let unit: &'static Unit<_, 0> = Box::leak(Box::new(Unit::new()));
    Cpu { pmu: unit.claim(Book3s::new(device, Identity::POWER4.capabilities())).expect("nobody has it"), device }
}

impl Cpu {
    /// Runs a thread for some instructions. Returns whether it was counted.
    fn run<const N: usize>(&self, context: &mut Context<Driver, N>) -> bool {
        self.pmu.switch_in(context);
        let is_waiting = context.is_waiting();
        self.device.advance(&Work::instructions(Mode::Kernel, 100));
        self.pmu.switch_out(context);
        !is_waiting
    }

    fn thread<const N: usize>(&self, requests: [Request; N]) -> Context<Driver, N> {
        let mut context = Context::new(1);
        context.bind(&self.pmu, requests).expect("they fit together");
        context
    }
}

/// All of them but one, which a session counts.
fn without(taken: usize) -> [Request; 7] {
    let rest: Vec<_> = (0..8).filter(|number| *number != taken).map(|number| HARD[number]).collect();
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
        let cpu = power4();
        let session = cpu.pmu.open([HARD[taken]]).unwrap();
        let mut context = cpu.thread(without(taken));
        assert!(!cpu.run(&mut context), "a switch gives up");
        assert_eq!(context.place(&cpu.pmu), Ok(()));
        assert!(cpu.run(&mut context) && cpu.run(&mut context));
        drop(session);
    }
}
