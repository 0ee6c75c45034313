//! A processor for miniature units: a file of registers, a wire, and time that passes in steps.
//!
//! Event n happens on every n-th step. Whatever a chip counts, it tells the [`File`], which keeps a
//! tally that never wraps: the truth that sessions are compared with.

use std::array;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;

use pmu::driver::{Masked, Registers, Width};
use pmu::{CounterId, Interrupted, Mode, OneCpu};

/// How many bits the miniature counters have: few, so that tests see them wrap.
const BITS: u32 = 10;
pub(crate) const WIDTH: Width = Width::wrapping(BITS).unwrap();

/// The registers of a unit, by the lowest ten bits of their addresses, and what it did.
#[derive(Debug)]
pub(crate) struct File {
    registers: [Cell<u64>; 1024],
    tally: [Cell<u64>; 64],
    /// An interrupt is on its way, and arrives after so many steps or accesses more.
    pending: Cell<Option<u64>>,
    /// How long an interrupt is on its way.
    pub(crate) latency: Cell<u64>,
}

impl File {
    fn new() -> Self {
        let word = || Cell::new(0);
        Self {
            registers: array::from_fn(|_| word()),
            tally: array::from_fn(|_| word()),
            pending: Cell::new(None),
            latency: word(),
        }
    }

    fn register(&self, at: u32) -> &Cell<u64> {
        &self.registers[at as usize % 1024]
    }

    pub(crate) fn get(&self, at: u32) -> u64 {
        self.register(at).get()
    }

    pub(crate) fn set(&self, at: u32, value: u64) {
        self.register(at).set(value);
    }

    /// Counts, in the register's lowest [`BITS`] bits; true if they wrap.
    pub(crate) fn count(&self, at: u32, counter: CounterId, events: u64) -> bool {
        self.count_at(at, 0, counter, events)
    }

    /// Counts in the [`BITS`] bits of the register that begin at `shift`.
    pub(crate) fn count_at(&self, at: u32, shift: u32, counter: CounterId, events: u64) -> bool {
        let tally = &self.tally[usize::from(counter.number())];
        tally.set(tally.get() + events);
        let mask = ((1 << BITS) - 1) << shift;
        let sum = (self.get(at) & mask) + (events << shift);
        self.set(at, self.get(at) & !mask | sum & mask);
        sum > mask
    }

    /// How many events this counter has counted in all.
    pub(crate) fn tally(&self, counter: CounterId) -> u64 {
        self.tally[usize::from(counter.number())].get()
    }

    /// Asks for an interrupt.
    pub(crate) fn pull(&self) {
        self.pending.set(self.pending.get().or(Some(self.latency.get())));
    }
}

/// What a unit does with its registers.
pub(crate) trait Chip: 'static {
    /// One step passes, on which `happens` says which events happen.
    fn step(file: &File, happens: &dyn Fn(u64) -> bool);

    /// Does its interrupt come while ordinary ones are kept off?
    const IS_NMI: bool;
}

type Handler = Box<dyn Fn(Interrupted)>;

/// A processor with this unit.
pub(crate) struct Processor<C> {
    pub(crate) file: File,
    chip: PhantomData<C>,
    handler: RefCell<Option<Handler>>,
    in_handler: Cell<bool>,
    /// Ordinary interrupts are kept off.
    is_masked: Cell<bool>,
    steps: Cell<u64>,
    /// Steps that pass at each register access outside of the handler.
    pub(crate) per_access: Cell<u64>,
}

impl<C: Chip> Processor<C> {
    /// A processor that lives as long as the test: drivers keep a reference to it.
    pub(crate) fn new() -> &'static Self {
        Box::leak(Box::new(Self {
            file: File::new(),
            chip: PhantomData,
            handler: RefCell::new(None),
            in_handler: Cell::new(false),
            is_masked: Cell::new(false),
            steps: Cell::new(0),
            per_access: Cell::new(0),
        }))
    }

    /// What runs when an interrupt is taken.
    pub(crate) fn on_interrupt(&self, handler: impl Fn(Interrupted) + 'static) {
        *self.handler.borrow_mut() = Some(Box::new(handler));
    }

    /// Time passes; interrupts are taken on the step.
    pub(crate) fn work(&self, steps: u64) {
        for _ in 0..steps {
            let now = self.steps.get() + 1;
            self.steps.set(now);
            C::step(&self.file, &|event| event > 0 && now.is_multiple_of(event));
            self.deliver();
        }
    }

    fn deliver(&self) {
        if self.in_handler.get() || self.is_masked.get() && !C::IS_NMI {
            return;
        }
        let pending = self.file.pending.get();
        self.file.pending.set(pending.and_then(|left| left.checked_sub(1)));
        if pending == Some(0) {
            self.interrupt();
        }
    }

    /// Takes an interrupt now, whoever sent it.
    pub(crate) fn interrupt(&self) {
        self.in_handler.set(true);
        if let Some(handler) = &*self.handler.borrow() {
            handler(Interrupted::new(self.steps.get(), Mode::Kernel));
        }
        self.in_handler.set(false);
    }

    fn access(&self) {
        if !self.in_handler.get() {
            self.deliver();
            self.work(self.per_access.get());
        }
    }
}

impl<C: Chip> Registers for Processor<C> {
    type Address = u32;
    type Index = u32;
    type Kernel = OneCpu;

    fn kernel(&self) -> OneCpu {
        OneCpu
    }

    fn read(&self, at: u32) -> u64 {
        self.access();
        self.file.get(at)
    }

    fn write(&self, at: u32, value: u64) {
        self.access();
        self.file.set(at, value);
    }

    fn read_counter(&self, at: u32) -> u64 {
        self.read(at)
    }

    fn ticks(&self) -> u64 {
        self.steps.get()
    }

    fn mask(&self) -> Masked {
        self.access();
        Masked::from_bits(self.is_masked.replace(true).into())
    }

    fn unmask(&self, before: Masked) {
        self.is_masked.set(before.bits() != 0);
        self.access();
    }
}
