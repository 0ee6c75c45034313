//! A processor without a clock: its kernel has one of its own.

use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::{Device, Hpm, Identity};
use pmu::driver::{Masked, Registers};
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Context, CpuId, Event, Handled, Interrupted, Kernel, Mode, Request, Unit};

/// Registers of a core that has no `time`, as CV32E40P and Ibex: reading it is an exception.
struct Clockless(Device<Unconnected>);

/// Its kernel, which has a clock of its own.
#[derive(Clone, Copy)]
struct Own;

impl Kernel for Own {
    fn cpu(&self) -> CpuId {
        CpuId(0)
    }

    fn clock<R: Registers + ?Sized>(&self, _: &R) -> u64 {
        0
    }
}

impl Registers for Clockless {
    type Address = Csr;
    type Index = Csr;
    type Kernel = Own;

    fn kernel(&self) -> Own {
        Own
    }

    fn read(&self, at: Csr) -> u64 {
        self.0.read(at)
    }

    fn write(&self, at: Csr, value: u64) {
        self.0.write(at, value);
    }

    fn read_counter(&self, at: Csr) -> u64 {
        self.0.read(at)
    }

    fn ticks(&self) -> u64 {
        panic!("an exception: there is no time")
    }

    fn mask(&self) -> Masked {
        Masked::from_bits(0)
    }

    fn unmask(&self, _: Masked) {}
}

#[test]
fn a_processor_without_a_clock_is_never_asked_for_its_time() {
    for identity in [Identity::RV64, Identity::CV32E40P, Identity::IBEX] {
        let registers = Clockless(Device::new(&identity, Kinds::CLOCK, Unconnected));
        let unit = Unit::<Hpm<&Clockless>, 1>::new();
        let pmu = unit.claim(Hpm::new(&registers, identity.capabilities())).unwrap();
        let mut session = pmu.open([Event::INSTRUCTIONS]).unwrap();
        session.start().unwrap();
        registers.0.advance(&Work::instructions(Mode::Kernel, 100));
        session.stop().unwrap();
        assert_eq!(session.read(), Ok([100]), "{}", identity.name());
        drop(session);
        if identity.name() == Identity::RV64.name() {
            // A stop that finds an overflow, whose interrupt comes late.
            let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(100_000)]).unwrap();
            session.start().unwrap();
            registers.0.advance(&Work::instructions(Mode::Kernel, 100_000));
            session.stop().unwrap();
            assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::Kernel)), Handled::Late);
        }
        let mut thread = Context::<_, 1>::new(1);
        thread.bind(&pmu, [Event::INSTRUCTIONS]).unwrap();
        pmu.switch_in(&mut thread);
        registers.0.advance(&Work::instructions(Mode::Kernel, 100));
        pmu.switch_out(&mut thread);
        assert_eq!(thread.counts().unwrap().raw, [100], "{}", identity.name());
        pmu.release().unwrap();
    }
}
