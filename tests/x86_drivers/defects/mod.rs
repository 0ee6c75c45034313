//! The mistakes of existing drivers, each made on purpose and each caught.
//!
//! Every behaviour is shown twice: the driver has it, and the driver with the defect does not.

mod mutant;

use crate::support::machine;
use crate::support::registers::Altered;
use std::cell::RefCell;
use std::rc::Rc;

use machine::{HERE, Machine, Wire};
use mutant::{Defect, Mutant};
use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::arch::x86::{Index, Line, Msr};
use pmu::driver::{Registers, WithKernel};
use pmu::virt::Kinds;
use pmu::{Context, CounterId, CpuId, Error, Event, Handled, Kernel, Modes, Pmu, Request, Unit};

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

type Skylake = Machine<Device<&'static Wire>>;
type Driver = Mutant<Intel<&'static Skylake, &'static Wire>>;

/// A Skylake whose driver has a defect.
struct Bench {
    machine: &'static Skylake,
    unit: &'static Unit<Driver, 64>,
    pmu: Pmu<'static, Driver>,
    handled: Rc<RefCell<Vec<Handled>>>,
}

fn skylake() -> &'static Skylake {
    Machine::new(Wire::that_masks_itself(), |wire| Device::new(&Identity::SKYLAKE, Kinds::CLOCK, wire))
}

fn bench(defect: Defect) -> Bench {
    let machine = skylake();
    let driver = Intel::detect(&Identity::SKYLAKE, machine, machine.wire).expect("a unit");
    let unit: &'static Unit<Driver, 64> = Box::leak(Box::new(Unit::new()));
    let pmu = unit.claim(Mutant::new(driver, defect)).expect("nobody has claimed it");
    let handled = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&handled);
    machine.on_interrupt(move |at| log.borrow_mut().push(unit.on_overflow(at)));
    Bench { machine, unit, pmu, handled }
}

impl Bench {
    fn samples(&self) -> usize {
        self.unit.samples().expect("nobody else reads").count()
    }
}

/// Checks that the driver has the behaviour, and that the driver with the defect does not.
fn catches(defect: Defect, behaves: impl Fn(&Bench) -> bool) {
    assert!(behaves(&bench(Defect::None)), "the driver itself misbehaves");
    assert!(!behaves(&bench(defect)), "{defect:?} was not noticed");
}

#[test]
fn sampling_goes_on_after_the_first_interrupt() {
    catches(Defect::RearmsWithZero, |bench| {
        let mut session = bench.pmu.open([INSTRUCTIONS.every(200)]).unwrap();
        session.start().unwrap();
        bench.machine.work(2000);
        bench.samples() == 10
    });
}

#[test]
fn a_handler_that_takes_the_threads_lock_is_noticed() {
    catches(Defect::LocksInTheHandler, |bench| {
        for lead in 0..20 {
            let mut session = bench.pmu.open([INSTRUCTIONS.every(200)]).unwrap();
            session.start().unwrap();
            bench.machine.work(200 - lead);
            bench.machine.per_access.set(1);
            // Another than the last one, so that there is something to program.
            let modes = if lead % 2 == 0 { Modes::KERNEL } else { Modes::USER };
            drop(bench.pmu.open([INSTRUCTIONS.modes(modes)]));
            bench.machine.per_access.set(0);
        }
        !bench.pmu.driver().deadlocked.get()
    });
}

#[test]
fn overflows_of_the_fifth_counter_and_of_a_fixed_one_are_cleared() {
    catches(Defect::ClearsFourCounters, |bench| {
        let counters = [4, 32].map(|number| CounterId::new(number).unwrap());
        let mut session = bench.pmu.open(counters.map(|counter| INSTRUCTIONS.every(200).pinned_to(counter))).unwrap();
        session.start().unwrap();
        bench.machine.work(300);
        bench.machine.device.read(Msr::GLOBAL_STATUS) == 0
    });
}

#[test]
fn the_interrupt_comes_on_the_nth_event() {
    catches(Defect::PresetsOneTooFar, |bench| {
        let mut session = bench.pmu.open([INSTRUCTIONS.once_after(200)]).unwrap();
        session.start().unwrap();
        bench.machine.work(200);
        bench.samples() == 1
    });
}

#[test]
fn a_count_survives_the_wrap_of_its_counter() {
    catches(Defect::ForgetsTheWidth, |bench| {
        let mut session = bench.pmu.open([INSTRUCTIONS]).unwrap();
        session.start().unwrap();
        bench.machine.work(5);
        assert_eq!(session.read(), Ok([5]));
        bench.machine.work(1 << 48);
        session.read() == Ok([(1 << 48) + 5])
    });
}

#[test]
fn a_refused_set_leaves_every_counter_free() {
    catches(Defect::TakesBeforeItChecks, |bench| {
        assert!(bench.pmu.open([INSTRUCTIONS; 20]).is_err());
        bench.pmu.open([INSTRUCTIONS; 9]).is_ok()
    });
}

#[test]
fn an_interrupt_that_comes_after_the_stop_is_claimed() {
    catches(Defect::DisownsTheLateInterrupt, |bench| {
        let mut session = bench.pmu.open([INSTRUCTIONS.every(200)]).unwrap();
        session.start().unwrap();
        bench.machine.wire.held.set(true);
        bench.machine.work(300);
        session.stop().unwrap();
        bench.machine.wire.held.set(false);
        bench.machine.deliver();
        *bench.handled.borrow() == [Handled::Late]
    });
}

#[test]
fn an_overflow_while_the_last_one_is_serviced_is_kept() {
    catches(Defect::ClearsLast, |bench| {
        let mut session = bench.pmu.open([INSTRUCTIONS.every(200)]).unwrap();
        session.start().unwrap();
        bench.machine.per_access_inside.set(300);
        bench.machine.work(2000);
        bench.machine.per_access_inside.set(0);
        session.stop().unwrap();
        let kept = bench.samples() as u64 + bench.unit.samples().unwrap().lost().total();
        kept == session.read().unwrap()[0] / 200
    });
}

#[test]
fn a_wrap_of_a_counter_that_only_counts_is_kept_whoever_else_interrupts() {
    catches(Defect::ClearsWrapsUnseen, |bench| {
        let mut session = bench.pmu.open([INSTRUCTIONS, INSTRUCTIONS.every(1 << 40)]).unwrap();
        session.start().unwrap();
        bench.machine.work((1 << 48) + 5);
        session.read() == Ok([(1 << 48) + 5; 2])
    });
}

/// Returns what RDPMC reads from the counters that a session does not have, after others have counted
/// this number of events with them.
fn seen_by_a_program(bench: &Bench, counted_by_another: u64) -> Vec<u64> {
    let mut others = bench.pmu.open([INSTRUCTIONS; 9]).unwrap();
    others.start().unwrap();
    bench.machine.work(counted_by_another);
    drop(others);
    let own = bench.pmu.open([INSTRUCTIONS]).unwrap();
    bench.pmu.show_only(&own).unwrap();
    let description = bench.pmu.description();
    let foreign = description.general.or(description.fixed).without(own.counter(0).unwrap().only());
    foreign.into_iter().map(|counter| bench.machine.device.read_counter(Index::of(counter))).collect()
}

#[test]
fn a_program_that_may_read_counters_learns_nothing_of_others() {
    catches(Defect::LeavesOthersCounts, |bench| seen_by_a_program(bench, 111) == seen_by_a_program(bench, 22_222));
}

/// The thread goes on from what another has left, and leaves while an overflow of its other counter waits. Then it comes back
/// and its program is lent its counters.
#[test]
fn a_program_learns_nothing_of_others_whose_thread_has_settled_an_overflow_since() {
    let seen = |counted_by_another| {
        let bench = bench(Defect::None);
        let [first, second] = [0, 1].map(|number| CounterId::new(number).expect("a Skylake has them"));
        let mut other = Context::<Driver, 1>::new(1);
        other.bind(&bench.pmu, [INSTRUCTIONS.pinned_to(first)]).unwrap();
        bench.pmu.switch_in(&mut other);
        bench.machine.work(counted_by_another);
        let mut own = Context::<Driver, 2>::new(2);
        own.bind(&bench.pmu, [INSTRUCTIONS.pinned_to(first), INSTRUCTIONS.every(200).pinned_to(second)]).unwrap();
        bench.pmu.switch(&mut other, &mut own);
        bench.machine.wire.held.set(true);
        bench.machine.work(250);
        bench.pmu.switch_out(&mut own);
        bench.machine.wire.held.set(false);
        bench.pmu.switch_in(&mut own);
        bench.pmu.lend().unwrap();
        assert_eq!(bench.pmu.thread_counts(&own).unwrap().raw, [250; 2]);
        bench.machine.device.read_counter(Index::of(first))
    };
    assert_eq!(seen(111), seen(22_222));
}

#[test]
fn a_session_that_counts_cannot_be_hidden_from_a_program() {
    let bench = bench(Defect::None);
    let [own, other] = [(); 2].map(|()| bench.pmu.open([INSTRUCTIONS]).unwrap());
    let others = other.counter(0).unwrap().only();
    assert_eq!(bench.pmu.show_only(&own), Err(Error::InUse(others)));
    drop(other);
    assert_eq!(bench.pmu.show_only(&own), Ok(()));
}

/// A line whose write takes as long as several periods.
struct SlowLine(&'static Skylake);

impl Line for SlowLine {
    fn install(&self) -> u64 {
        self.0.wire.install()
    }

    fn rearm(&self) {
        self.0.work(1000);
        self.0.wire.rearm();
    }

    fn restore(&self, before: u64) {
        self.0.wire.restore(before);
    }
}

/// The line drops an interrupt that comes while it is masked, and with it all later ones. So nothing may count before the
/// handler has unmasked it.
#[test]
fn no_overflow_comes_while_the_handlers_line_is_masked() {
    let machine = skylake();
    let driver = Intel::<_, _>::detect(&Identity::SKYLAKE, machine, SlowLine(machine)).unwrap();
    let unit: &'static Unit<_, 64> = Box::leak(Box::new(Unit::new()));
    let pmu = unit.claim(driver).unwrap();
    machine.on_interrupt(move |at| assert_eq!(unit.on_overflow(at), Handled::Overflow));
    let mut session = pmu.open([INSTRUCTIONS.every(400)]).unwrap();
    session.start().unwrap();
    machine.work(4000);
    assert_eq!((session.read(), unit.samples().unwrap().count()), (Ok([4000]), 10));
}

/// A kernel whose driver knows the CPU in this way.
#[derive(Clone, Copy)]
struct Asking(fn() -> CpuId);

impl Kernel for Asking {
    fn cpu(&self) -> CpuId {
        (self.0)()
    }
}

#[test]
fn a_cpu_whose_number_no_unit_has_room_for_claims_none() {
    let (machine, cpu) = (skylake(), CpuId(u32::MAX));
    let registers = WithKernel::new(machine, Asking(|| CpuId(u32::MAX)));
    let driver = Intel::detect(&Identity::SKYLAKE, registers, machine.wire).unwrap();
    let refused = Unit::<Intel<_, _>, 0>::new().claim(driver).map(drop).unwrap_err();
    let Error::CpuNumberTooLarge { cpu: refused, largest } = refused else { panic!("{refused}") };
    assert!(refused == cpu && largest.0 < cpu.0, "{largest}");
}

/// Returns whether a session that is dropped on CPU 1 leaves that CPU's unit unchanged, and its own counters stop
/// when the next session is opened on their CPU.
fn dropping_abroad_is_harmless(this_cpu: fn() -> CpuId) -> bool {
    HERE.set(0);
    let cpus = [skylake(), skylake()];
    // The instructions access the unit of the current CPU.
    let unit = || cpus[HERE.get() as usize];
    let registers = Altered::new(cpus[0])
        .reading(|_, at| unit().read(at))
        .writing(|_, at, value| unit().write(at, value))
        .reading_counters(|_, index| unit().read_counter(index));
    let registers = WithKernel::new(registers, Asking(this_cpu));
    let driver = Intel::detect(&Identity::SKYLAKE, registers, cpus[0].wire).unwrap();
    let unit = Unit::<Intel<_, _>, 0>::new();
    let pmu = unit.claim(driver).unwrap();
    let mut session = pmu.open([INSTRUCTIONS]).unwrap();
    session.start().unwrap();
    cpus[1].device.write(Msr::GLOBAL_CONTROL, 0b1111);
    HERE.set(1);
    drop(session);
    let abroad_untouched = cpus[1].device.read(Msr::GLOBAL_CONTROL) == 0b1111;
    HERE.set(0);
    drop(pmu.open([INSTRUCTIONS]));
    abroad_untouched && cpus[0].device.read(Msr::GLOBAL_CONTROL) == 0
}

#[test]
fn a_session_dropped_on_another_cpu_touches_neither_that_cpus_unit_nor_leaves_its_own_running() {
    assert!(dropping_abroad_is_harmless(|| CpuId(HERE.get())));
    assert!(!dropping_abroad_is_harmless(|| CpuId(0)), "a driver that does not ask where it is was not noticed");
}
