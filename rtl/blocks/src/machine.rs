//! A processor around a block: its registers for the crate's driver, and the interrupt.

use std::cell::{Cell, OnceCell};
use std::fmt::Debug;
use std::path::Path;

use pmu::driver::{Masked, Registers};
use pmu::{Interrupted, Mode, OneCpu};

use crate::block::Block;

/// A processor of a family.
pub trait Core {
    /// The address of a register.
    type Address: Copy + Debug;

    /// Reads a register of the block, or of the core around it.
    fn read(&self, block: &Block, at: Self::Address) -> u64;

    /// Writes one.
    fn write(&self, block: &Block, at: Self::Address, value: u64);

    /// Is told what was written, after the cycles that it took.
    fn wrote(&self, _at: Self::Address, _value: u64) {}

    /// Is told that in so many cycles these wires were up.
    fn saw(&self, _wires: u64, _cycles: u64) {}

    /// Returns true if the interrupt is enabled, whatever masks it.
    fn is_enabled(&self) -> bool {
        true
    }
}

type Handler = Box<dyn Fn(Interrupted)>;

/// The processor. It lives as long as the sentence.
pub struct Machine<C> {
    /// The block.
    pub block: Block,
    /// What is around it.
    pub core: C,
    handler: OnceCell<Handler>,
    is_masked: Cell<bool>,
    idle: Cell<u64>,
    taken: Cell<u64>,
}

/// More interrupts than this for one event are a line that nothing withdraws.
const STORM: u64 = 100;

impl<C: Core> Machine<C> {
    /// Starts a simulation, and wires the processor around it.
    pub fn start(program: &Path, core: C) -> &'static Self {
        let block = Block::start(program);
        let (is_masked, idle, taken) = (Cell::new(false), Cell::new(0), Cell::new(0));
        Box::leak(Box::new(Self { block, core, handler: OnceCell::new(), is_masked, idle, taken }))
    }

    /// Sets what an interrupt calls.
    pub fn handle(&self, handler: impl Fn(Interrupted) + 'static) {
        assert!(self.handler.set(Box::new(handler)).is_ok(), "it is set once");
    }

    /// Sets the wires that are up during accesses.
    pub fn set_idle(&self, wires: u64) {
        self.block.set_idle(wires);
        self.idle.set(wires);
    }

    /// Lets so many cycles pass in which these wires are up. An interrupt is handled when it comes.
    pub fn present(&self, wires: u64, cycles: u64) {
        let mut left = cycles;
        while left > 0 {
            let passed = self.block.present(wires, left);
            self.core.saw(wires, passed);
            left -= passed;
            self.deliver();
        }
    }

    /// Returns how many interrupts were handled.
    pub fn taken(&self) -> u64 {
        self.taken.get()
    }

    fn deliver(&self) {
        let Some(handler) = self.handler.get() else { return };
        let first = self.taken.get();
        while self.block.interrupts() && self.core.is_enabled() && !self.is_masked.replace(true) {
            self.taken.set(self.taken.get() + 1);
            assert!(self.taken.get() - first < STORM, "nothing withdraws the interrupt");
            handler(Interrupted::new(self.block.cycles(), Mode::Kernel));
            self.is_masked.set(false);
        }
    }

    /// Does an access, in whose cycles the idle wires are up.
    fn access<T>(&self, access: impl FnOnce() -> T) -> T {
        let before = self.block.cycles();
        let value = access();
        self.core.saw(self.idle.get(), self.block.cycles() - before);
        value
    }
}

impl<C: Core> Registers for Machine<C> {
    type Address = C::Address;
    type Index = C::Address;
    type Kernel = OneCpu;

    fn kernel(&self) -> OneCpu {
        OneCpu
    }

    fn read(&self, at: C::Address) -> u64 {
        let value = self.access(|| self.core.read(&self.block, at));
        self.deliver();
        value
    }

    fn write(&self, at: C::Address, value: u64) {
        self.access(|| self.core.write(&self.block, at, value));
        self.core.wrote(at, value);
        self.deliver();
    }

    fn read_counter(&self, index: C::Address) -> u64 {
        self.read(index)
    }

    fn ticks(&self) -> u64 {
        self.block.cycles()
    }

    fn mask(&self) -> Masked {
        Masked::from_bits(self.is_masked.replace(true).into())
    }

    fn unmask(&self, before: Masked) {
        self.is_masked.set(before.bits() != 0);
        self.deliver();
    }
}
