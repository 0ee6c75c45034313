//! A claimed unit whose interrupts are held back, and how many of them are claimed.

use std::cell::RefCell;
use std::rc::Rc;

use pmu::driver::Driver;
use pmu::virt::Device;
use pmu::{Event, Handled, Pmu, Request, Session, Unit};

use crate::support::machine::Machine;

pub(crate) const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

pub(crate) struct Bench<D: 'static, B: Driver + 'static> {
    pub(crate) machine: &'static Machine<D>,
    pub(crate) pmu: &'static Pmu<'static, B>,
    handled: Rc<RefCell<Vec<Handled>>>,
}

impl<D: Device, B: Driver> Bench<D, B> {
    pub(crate) fn of(machine: &'static Machine<D>, driver: B) -> Self {
        let unit: &'static Unit<B, 64> = Box::leak(Box::new(Unit::new()));
        let pmu = Box::leak(Box::new(unit.claim(driver).unwrap()));
        let handled = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&handled);
        machine.on_interrupt(move |at| log.borrow_mut().push(unit.on_overflow(at)));
        Self { machine, pmu, handled }
    }

    /// Sessions with periods from 1000 on: they overflow one after the other, and nobody comes.
    pub(crate) fn overflowing<const N: usize>(&self) -> Session<'static, B, N> {
        let requests = std::array::from_fn(|i| INSTRUCTIONS.every(1000 + i as u64));
        let mut session = self.pmu.open(requests).unwrap();
        session.start().unwrap();
        self.machine.wire.held.set(true);
        self.machine.work(1000 + N as u64);
        session
    }

    pub(crate) fn let_go(&self) {
        self.machine.wire.held.set(false);
        self.machine.deliver();
    }

    pub(crate) fn handled(&self) -> Vec<Handled> {
        self.handled.take()
    }

    /// How many interrupts of somebody else's are claimed before one is not.
    pub(crate) fn claims(&self) -> usize {
        for claims in 0..100 {
            self.machine.interrupt();
            if self.handled() == [Handled::NotMine] {
                return claims;
            }
        }
        panic!("everything is claimed for ever")
    }
}
