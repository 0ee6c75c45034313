//! A processor for miniature units: a file of registers, a wire, and time that passes in steps.
//!
//! Event n happens on every n-th step. Whatever a chip counts, it tells the [`File`], which keeps a
//! tally that never wraps: the truth that sessions are compared with.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::marker::PhantomData;

use pmu::{CounterId, Interrupted, Mode};

/// How many bits the miniature counters have: few, so that tests see them wrap.
pub(crate) const BITS: u32 = 10;

/// The registers of a unit, and what it did.
#[derive(Debug, Default)]
pub(crate) struct File {
    registers: RefCell<BTreeMap<u32, u64>>,
    tally: RefCell<BTreeMap<u8, u64>>,
    pending: Cell<bool>,
}

impl File {
    pub(crate) fn get(&self, at: u32) -> u64 {
        self.registers.borrow().get(&at).copied().unwrap_or(0)
    }

    pub(crate) fn set(&self, at: u32, value: u64) {
        self.registers.borrow_mut().insert(at, value);
    }

    /// Counts, in the register's lowest [`BITS`] bits; true if they wrap.
    pub(crate) fn count(&self, at: u32, counter: CounterId, events: u64) -> bool {
        self.count_at(at, 0, counter, events)
    }

    /// Counts in the [`BITS`] bits of the register that begin at `shift`.
    pub(crate) fn count_at(&self, at: u32, shift: u32, counter: CounterId, events: u64) -> bool {
        *self.tally.borrow_mut().entry(counter.number()).or_default() += events;
        let mask = ((1 << BITS) - 1) << shift;
        let sum = (self.get(at) & mask) + (events << shift);
        self.set(at, self.get(at) & !mask | sum & mask);
        sum > mask
    }

    /// How many events this counter has counted in all.
    pub(crate) fn tally(&self, counter: CounterId) -> u64 {
        self.tally.borrow().get(&counter.number()).copied().unwrap_or(0)
    }

    /// Asks for an interrupt.
    pub(crate) fn pull(&self) {
        self.pending.set(true);
    }
}

/// What a unit does with its registers.
pub(crate) trait Chip: 'static {
    /// One step passes, on which `happens` says which events happen.
    fn step(file: &File, happens: &dyn Fn(u64) -> bool);

    /// A register is written.
    fn write(file: &File, at: u32, value: u64) {
        file.set(at, value);
    }

    /// Does the processor take no interrupt now?
    fn is_masked(_file: &File) -> bool {
        false
    }
}

type Handler = Box<dyn Fn(Interrupted)>;

/// A processor with this unit.
pub(crate) struct Processor<C> {
    pub(crate) file: File,
    chip: PhantomData<C>,
    handler: RefCell<Option<Handler>>,
    in_handler: Cell<bool>,
    steps: Cell<u64>,
    /// Steps that pass at each register access outside of the handler.
    pub(crate) per_access: Cell<u64>,
}

impl<C: Chip> Processor<C> {
    /// A processor that lives as long as the test: drivers keep a reference to it.
    pub(crate) fn new() -> &'static Self {
        Box::leak(Box::new(Self {
            file: File::default(),
            chip: PhantomData,
            handler: RefCell::new(None),
            in_handler: Cell::new(false),
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
        if self.in_handler.get() || C::is_masked(&self.file) || !self.file.pending.replace(false) {
            return;
        }
        self.in_handler.set(true);
        if let Some(handler) = &*self.handler.borrow() {
            handler(Interrupted { address: self.steps.get(), mode: Mode::Kernel, thread: 0 });
        }
        self.in_handler.set(false);
    }

    fn access(&self) {
        if !self.in_handler.get() {
            self.deliver();
            self.work(self.per_access.get());
        }
    }

    pub(crate) fn read(&self, at: u32) -> u64 {
        self.access();
        self.file.get(at)
    }

    pub(crate) fn write(&self, at: u32, value: u64) {
        self.access();
        C::write(&self.file, at, value);
    }

    pub(crate) fn ticks(&self) -> u64 {
        self.steps.get()
    }
}
