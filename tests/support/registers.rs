//! What the registers of a test have in common with others: functions of an `impl Registers`, and registers whose accesses
//! are a test's own.

use std::cell::Cell;
use std::ops::Deref;

use pmu::Mode;
use pmu::driver::{Masked, Registers};
use pmu::virt::{Device, Work};

/// No clock, and no interrupts to mask.
macro_rules! without_clock {
    () => {
        type Kernel = pmu::OneCpu;

        fn kernel(&self) -> pmu::OneCpu {
            pmu::OneCpu
        }

        fn ticks(&self) -> u64 {
            0
        }

        fn mask(&self) -> pmu::driver::Masked {
            pmu::driver::Masked::from_bits(0)
        }

        fn unmask(&self, _: pmu::driver::Masked) {}
    };
}

pub(crate) use without_clock;

/// What is done with registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step<A, I> {
    Read(A),
    Write(A, u64),
    ReadCounter(I),
    Mask,
    Unmask,
    Fence,
}

type StepOf<R> = Step<<R as Registers>::Address, <R as Registers>::Index>;
type Function<'a, R, A, T> = Box<dyn Fn(&R, A) -> T + 'a>;
type Write<'a, R> = Box<dyn Fn(&R, <R as Registers>::Address, u64) + 'a>;

/// Other registers, of which a test does some accesses in its own way, or something before each step.
pub(crate) struct Altered<'a, R: Registers> {
    registers: R,
    before: Function<'a, R, StepOf<R>, ()>,
    read: Function<'a, R, R::Address, u64>,
    write: Write<'a, R>,
    read_counter: Function<'a, R, R::Index, u64>,
}

impl<'a, R: Registers + 'a> Altered<'a, R> {
    /// The same as `registers`, until a function of it is replaced.
    pub(crate) fn new(registers: R) -> Self {
        Self {
            registers,
            before: Box::new(|_, _| ()),
            read: Box::new(R::read),
            write: Box::new(R::write),
            read_counter: Box::new(R::read_counter),
        }
    }

    /// Is done before each step.
    pub(crate) fn before(self, before: impl Fn(&R, StepOf<R>) + 'a) -> Self {
        Self { before: Box::new(before), ..self }
    }

    pub(crate) fn reading(self, read: impl Fn(&R, R::Address) -> u64 + 'a) -> Self {
        Self { read: Box::new(read), ..self }
    }

    pub(crate) fn writing(self, write: impl Fn(&R, R::Address, u64) + 'a) -> Self {
        Self { write: Box::new(write), ..self }
    }

    pub(crate) fn reading_counters(self, read_counter: impl Fn(&R, R::Index) -> u64 + 'a) -> Self {
        Self { read_counter: Box::new(read_counter), ..self }
    }

    /// Registers that nothing may access unless interrupts are masked: `masked` is how often they are.
    pub(crate) fn masked(registers: R, masked: &'a Cell<u32>) -> Self {
        Self::new(registers).before(|_, step| match step {
            Step::Mask => masked.set(masked.get() + 1),
            Step::Unmask => masked.set(masked.get() - 1),
            Step::Fence => {}
            _ => assert_ne!(masked.get(), 0, "an interrupt may come before this access"),
        })
    }

    pub(crate) fn leaked(self) -> &'static Self
    where
        'a: 'static,
    {
        Box::leak(Box::new(self))
    }
}

impl<'a, D: Device + Registers + 'a> Altered<'a, D> {
    /// A processor that executes an instruction at each step but a fence: `passed` counts them.
    pub(crate) fn ticking(device: D, passed: &'a Cell<u64>) -> Self {
        Self::new(device).before(|device, step| {
            if !matches!(step, Step::Fence) {
                device.advance(&Work::instructions(Mode::Kernel, 1));
                passed.set(passed.get() + 1);
            }
        })
    }
}

/// The registers as they are without the test.
impl<R: Registers> Deref for Altered<'_, R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.registers
    }
}

impl<R: Registers> Registers for Altered<'_, R> {
    type Address = R::Address;
    type Index = R::Index;
    type Kernel = R::Kernel;

    fn kernel(&self) -> R::Kernel {
        self.registers.kernel()
    }

    fn read(&self, at: R::Address) -> u64 {
        (self.before)(self, Step::Read(at));
        (self.read)(self, at)
    }

    fn write(&self, at: R::Address, value: u64) {
        (self.before)(self, Step::Write(at, value));
        (self.write)(self, at, value);
    }

    fn read_counter(&self, index: R::Index) -> u64 {
        (self.before)(self, Step::ReadCounter(index));
        (self.read_counter)(self, index)
    }

    fn ticks(&self) -> u64 {
        self.registers.ticks()
    }

    fn mask(&self) -> Masked {
        (self.before)(self, Step::Mask);
        self.registers.mask()
    }

    fn unmask(&self, before: Masked) {
        (self.before)(self, Step::Unmask);
        self.registers.unmask(before);
    }

    fn fence(&self) {
        (self.before)(self, Step::Fence);
        self.registers.fence();
    }
}
