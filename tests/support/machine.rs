//! A processor on the host: a device, the wire of its interrupt, and a handler behind it.
//!
//! Time passes only where the test says so: by [`Machine::work`], or by one instruction at every
//! register access of a driver, which places an overflow wherever a test wants one.

use std::cell::{Cell, RefCell};

use pmu::arch::x86::Line;
use pmu::driver::{Masked, Registers};
use pmu::virt::{Delivery, Device, Filter, Kinds, Observed, Trigger, Work};
use pmu::{CounterSet, CpuId, Interrupted, Kernel, Mode};

/// The wire from the unit to the processor, with the mask that some interrupt controllers set.
#[derive(Debug)]
pub(crate) struct Wire {
    pending: Cell<u64>,
    /// The number of interrupts that can be pending at once. More are merged into one.
    most: u64,
    masked: Cell<bool>,
    masks_itself: bool,
    /// Whether the line is a level: it interrupts while the unit asserts it.
    is_level: bool,
    is_high: Cell<bool>,
    /// The entry of the local APIC: 1 while a driver has it.
    pub(crate) entry: Cell<u64>,
    /// Whether interrupts are held back, as by a processor that is slow to take them.
    pub(crate) held: Cell<bool>,
}

impl Wire {
    const fn new(most: u64, masks_itself: bool) -> Self {
        let (pending, masked, held) = (Cell::new(0), Cell::new(masks_itself), Cell::new(false));
        let (is_high, entry) = (Cell::new(false), Cell::new(0));
        Self { pending, most, masked, masks_itself, is_level: false, is_high, entry, held }
    }

    /// A wire that masks itself at each interrupt, as a local APIC does on Intel, and is masked until a driver has it.
    pub(crate) const fn that_masks_itself() -> Self {
        Self::new(1, true)
    }

    /// A wire that never masks itself, as on AMD. Each overflow has its own interrupt, however late it comes.
    pub(crate) const fn that_brings_each() -> Self {
        Self::new(u64::MAX, false)
    }

    /// A wire that never masks itself, to a processor that holds back at most one interrupt.
    pub(crate) const fn that_keeps_one() -> Self {
        Self::new(1, false)
    }

    /// A wire that is a level, as on Arm: it interrupts again while the unit asserts it. An interrupt that was held back
    /// comes even if the unit has withdrawn it.
    pub(crate) const fn that_is_held() -> Self {
        Self { is_level: true, ..Self::new(1, false) }
    }

    /// A wire that is a level which nothing latches, as MIPS' IP7: no interrupt comes that the unit has withdrawn.
    pub(crate) const fn that_is_sampled() -> Self {
        Self { is_level: true, ..Self::new(0, false) }
    }

    /// Returns true if an interrupt masks it.
    pub(crate) fn masks_itself(&self) -> bool {
        self.masks_itself
    }

    /// Lets the next interrupt through.
    pub(crate) fn unmask(&self) {
        self.masked.set(false);
    }

    /// Returns true if an interrupt is pending.
    pub(crate) fn is_pending(&self) -> bool {
        self.pending.get() > 0 || self.is_high.get()
    }

    /// Takes one of the pending interrupts.
    fn take(&self) -> bool {
        let was_pending = self.is_pending();
        self.pending.set(self.pending.get().saturating_sub(1));
        was_pending
    }
}

impl Trigger for &'static Wire {
    fn interrupt(&self) {
        if !self.masked.get() {
            self.pending.set(self.most.min(self.pending.get() + 1));
            self.masked.set(self.masks_itself);
        }
        self.is_high.set(self.is_level);
    }

    fn withdraw(&self) {
        self.is_high.set(false);
    }
}

impl Line for &'static Wire {
    fn install(&self) -> u64 {
        self.unmask();
        self.entry.replace(1)
    }

    fn rearm(&self) {
        self.unmask();
    }

    fn restore(&self, before: u64) {
        self.entry.set(before);
        self.masked.set(self.masks_itself && before == 0);
    }
}

/// A limit of interrupts, above the number of counters.
const STORM: u64 = 1000;

type Handler = Box<dyn Fn(Interrupted)>;

thread_local! {
    /// The CPU that the test pretends to run on.
    pub(crate) static HERE: Cell<u32> = const { Cell::new(0) };
    /// How a new machine's interrupt is delivered.
    pub(crate) static DELIVERY: Cell<Delivery> = const { Cell::new(Delivery::Nmi) };
    /// What a new machine's host lets the unit count.
    pub(crate) static FILTER: Cell<Filter> = const { Cell::new(Filter::NONE) };
    /// Whether the kernel keeps ordinary interrupts off by a priority that is below the overflow's, as SPARC kernels do at
    /// PIL 14. The mask of the driver's own holds the overflow back even then.
    pub(crate) static BY_PRIORITY: Cell<bool> = const { Cell::new(false) };
}

/// What the host of a new machine's unit observes.
pub(crate) fn observed() -> Observed {
    Kinds::CLOCK.filtered(FILTER.get())
}

/// The kernel of a test.
#[derive(Clone, Copy)]
pub(crate) struct Here;

impl Kernel for Here {
    fn cpu(&self) -> CpuId {
        CpuId(HERE.get())
    }

    fn enter<R: Registers + ?Sized>(&self, registers: &R) -> Masked {
        if BY_PRIORITY.get() { Masked::from_bits(0) } else { registers.mask() }
    }

    fn leave<R: Registers + ?Sized>(&self, registers: &R, before: Masked) {
        if !BY_PRIORITY.get() {
            registers.unmask(before);
        }
    }
}

/// A processor with one unit.
pub(crate) struct Machine<D> {
    pub(crate) device: D,
    pub(crate) wire: &'static Wire,
    handler: RefCell<Option<Handler>>,
    in_handler: Cell<bool>,
    /// How the interrupt is delivered: as an NMI unless a test says otherwise.
    pub(crate) delivery: Cell<Delivery>,
    /// The driver keeps ordinary interrupts off.
    is_masked: Cell<bool>,
    /// Instructions that pass at each register access outside the handler.
    pub(crate) per_access: Cell<u64>,
    /// Instructions that pass at each register access inside the handler.
    pub(crate) per_access_inside: Cell<u64>,
    /// Instructions that pass right behind the next read, before its value is used.
    pub(crate) behind_read: Cell<u64>,
    /// Whether events that are no kind of work come with each instruction.
    pub(crate) feeds: Cell<bool>,
    /// Register accesses until a foreign interrupt comes.
    interrupt_after: Cell<Option<u64>>,
    /// Register accesses until an interrupt that is held back is delivered.
    release_after: Cell<Option<u64>>,
    /// Instructions that have passed.
    pub(crate) passed: Cell<u64>,
    /// Those of them that passed while the unit was halted, so that no overflow could come.
    pub(crate) halted: Cell<u64>,
    /// Interrupts that were taken.
    pub(crate) taken: Cell<u64>,
}

/// One instruction in the kernel.
pub(crate) fn instruction() -> Work {
    Work::instructions(Mode::Kernel, 1)
}

impl<D: Device> Machine<D> {
    /// A processor that lives as long as the test: drivers keep a reference to it.
    pub(crate) fn new(wire: Wire, device: impl FnOnce(&'static Wire) -> D) -> &'static Self {
        let wire: &'static Wire = Box::leak(Box::new(wire));
        Box::leak(Box::new(Self {
            device: device(wire),
            wire,
            handler: RefCell::new(None),
            in_handler: Cell::new(false),
            delivery: Cell::new(DELIVERY.get()),
            is_masked: Cell::new(false),
            per_access: Cell::new(0),
            per_access_inside: Cell::new(0),
            behind_read: Cell::new(0),
            feeds: Cell::new(false),
            interrupt_after: Cell::new(None),
            release_after: Cell::new(None),
            passed: Cell::new(0),
            halted: Cell::new(0),
            taken: Cell::new(0),
        }))
    }

    /// What runs when an interrupt is taken.
    pub(crate) fn on_interrupt(&self, handler: impl Fn(Interrupted) + 'static) {
        *self.handler.borrow_mut() = Some(Box::new(handler));
    }

    /// The kernel executes `count` instructions; interrupts are taken on the instruction.
    pub(crate) fn work(&self, count: u64) {
        let mut left = count;
        while left > 0 {
            let fed = if self.feeds.get() { self.device.unfed() } else { CounterSet::EMPTY };
            let of_fed = fed.into_iter().filter_map(|counter| self.device.until_overflow_of(counter, Mode::Kernel));
            let next = self.device.until_overflow(&instruction()).into_iter().chain(of_fed).min();
            let step = next.unwrap_or(left).clamp(1, left);
            self.device.advance(&Work::instructions(Mode::Kernel, step));
            fed.into_iter().for_each(|counter| self.device.feed(counter, Mode::Kernel, step));
            self.passed.set(self.passed.get() + step);
            self.halted.set(self.halted.get() + if next.is_none() { step } else { 0 });
            left -= step;
            self.deliver();
        }
    }

    /// Takes the interrupts that are pending.
    pub(crate) fn deliver(&self) {
        let mut storm = 0;
        while !self.wire.held.get() && !self.in_handler.get() && !self.waits() && self.wire.take() {
            self.interrupt();
            storm += 1;
            assert!(storm < STORM, "interrupts follow each other without end: nobody acknowledges the reason");
        }
    }

    /// Returns true if an interrupt waits until the driver unmasks interrupts.
    fn waits(&self) -> bool {
        self.is_masked.get() && (self.delivery.get() == Delivery::Maskable || BY_PRIORITY.get())
    }

    /// Takes an interrupt now, from any sender. The interrupted address is the number of
    /// instructions that have passed.
    pub(crate) fn interrupt(&self) {
        self.taken.set(self.taken.get() + 1);
        self.in_handler.set(true);
        if let Some(handler) = &*self.handler.borrow() {
            handler(Interrupted::new(self.passed.get(), Mode::Kernel));
        }
        self.in_handler.set(false);
    }

    /// Sends a foreign interrupt before the register access that follows `accesses` others.
    pub(crate) fn interrupt_after(&self, accesses: u64) {
        self.interrupt_after.set(Some(accesses));
    }

    /// Delivers an interrupt that is held back before the register access that follows `accesses` others.
    pub(crate) fn release_after(&self, accesses: u64) {
        self.release_after.set(Some(accesses));
    }

    fn access(&self) {
        match self.interrupt_after.take() {
            Some(0) if !self.waits() && !self.in_handler.get() => self.interrupt(),
            Some(0) => self.interrupt_after.set(Some(0)),
            left => self.interrupt_after.set(left.map(|accesses| accesses - 1)),
        }
        match self.release_after.get() {
            Some(0) => {
                self.release_after.set(None);
                self.wire.held.set(false);
                self.deliver();
            }
            left => self.release_after.set(left.map(|accesses| accesses - 1)),
        }
        let passing = if self.in_handler.get() { &self.per_access_inside } else { &self.per_access };
        self.work(passing.get());
    }
}

impl<D> Registers for Machine<D>
where
    D: Device + Registers<Address = <D as Device>::Address, Index = <D as Device>::Index>,
{
    type Address = <D as Device>::Address;
    type Index = <D as Device>::Index;
    type Kernel = Here;

    fn kernel(&self) -> Here {
        Here
    }

    fn read(&self, at: Self::Address) -> u64 {
        self.access();
        let value = self.device.read(at);
        self.work(self.behind_read.take());
        value
    }

    fn write(&self, at: Self::Address, value: u64) {
        self.access();
        self.device.write(at, value);
    }

    fn read_counter(&self, index: Self::Index) -> u64 {
        self.access();
        let value = self.device.read_counter(index);
        self.work(self.behind_read.take());
        value
    }

    fn ticks(&self) -> u64 {
        self.passed.get()
    }

    fn mask(&self) -> Masked {
        self.access();
        Masked::from_bits(self.is_masked.replace(true).into())
    }

    fn unmask(&self, before: Masked) {
        self.access();
        self.is_masked.set(before.bits() != 0);
        self.deliver();
    }
}
