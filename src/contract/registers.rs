//! The first contract: how a driver reaches registers, whoever is at the other end.
//!
//! At the other end may be the instructions themselves, a unit made of software
//! ([`crate::virt::Device`]), a [`Recorder`], or a hypervisor's filter. A driver cannot tell.

use core::cell::{Cell, RefCell};
use core::fmt;

use super::{Kernel, Masked};

/// The registers of one CPU's unit.
///
/// Addresses are closed types: every value names a register that belongs to the unit, and none a
/// register through which memory could be reached. That is why these are safe functions.
pub trait Registers {
    /// Names one register.
    type Address: Copy;
    /// Names one counter for the fast read (an RDPMC index, a register's number).
    type Index: Copy;
    /// The kernel that runs on this CPU.
    type Kernel: Kernel;

    /// Returns the kernel's value, which says what this CPU's number is.
    fn kernel(&self) -> Self::Kernel;

    /// Reads a register.
    fn read(&self, at: Self::Address) -> u64;

    /// Writes a register.
    fn write(&self, at: Self::Address, value: u64);

    /// Reads a counter the fast way.
    ///
    /// MUST NOT be moved by the compiler across other memory accesses; it orders nothing for the
    /// processor.
    fn read_counter(&self, index: Self::Index) -> u64;

    /// The processor's free-running clock, in ticks of its own.
    fn ticks(&self) -> u64;

    /// Keeps ordinary interrupts off this CPU. Returns how they were before, so that it nests.
    ///
    /// MUST NOT be moved by the compiler across memory accesses, nor may [`Registers::unmask`] be. An NMI comes all the
    /// same.
    fn mask(&self) -> Masked;

    /// Puts ordinary interrupts back as [`Registers::mask`] found them.
    fn unmask(&self, before: Masked);

    /// Keeps the compiler from moving memory accesses across it: what a thread has written, the
    /// interrupt on its CPU finds. The processor keeps that order by itself.
    ///
    /// Where the instructions are at hand, an empty one that may touch memory says the same. It is for
    /// processors on which the compiler makes of its own fence an instruction that waits for other CPUs.
    #[inline(always)]
    fn fence(&self) {
        crate::sync::fence();
    }
}

impl<R: Registers + ?Sized> Registers for &R {
    type Address = R::Address;
    type Index = R::Index;
    type Kernel = R::Kernel;

    #[inline(always)]
    fn kernel(&self) -> R::Kernel {
        (**self).kernel()
    }

    #[inline(always)]
    fn read(&self, at: Self::Address) -> u64 {
        (**self).read(at)
    }

    #[inline(always)]
    fn write(&self, at: Self::Address, value: u64) {
        (**self).write(at, value);
    }

    #[inline(always)]
    fn read_counter(&self, index: Self::Index) -> u64 {
        (**self).read_counter(index)
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        (**self).ticks()
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        (**self).mask()
    }

    #[inline(always)]
    fn unmask(&self, before: Masked) {
        (**self).unmask(before);
    }

    #[inline(always)]
    fn fence(&self) {
        (**self).fence();
    }
}

/// One access, as a [`Recorder`] wrote it down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access<A, I> {
    /// A register was read.
    Read(A, u64),
    /// A register was written.
    Write(A, u64),
    /// A counter was read the fast way.
    ReadCounter(I, u64),
}

impl<A: fmt::Debug, I: fmt::Debug> fmt::Debug for Access<A, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(at, value) => write!(f, "read {at:?} -> {value:#x}"),
            Self::Write(at, value) => write!(f, "write {at:?} <- {value:#x}"),
            Self::ReadCounter(index, value) => write!(f, "read counter {index:?} -> {value:#x}"),
        }
    }
}

/// An access to `R`'s registers.
type AccessOf<R> = Access<<R as Registers>::Address, <R as Registers>::Index>;

/// Writes down every access on its way to `R`: the material of golden traces.
pub struct Recorder<R: Registers, const N: usize> {
    inner: R,
    log: RefCell<[Option<AccessOf<R>>; N]>,
    length: Cell<usize>,
}

impl<R: Registers, const N: usize> Recorder<R, N> {
    /// Records the first `N` accesses to `inner`.
    pub const fn new(inner: R) -> Self {
        Self { inner, log: RefCell::new([None; N]), length: Cell::new(0) }
    }

    /// How many accesses there were, recorded or not.
    pub fn len(&self) -> usize {
        self.length.get()
    }

    /// Was there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The access with this number, from 0; `None` if it has not happened or was not recorded.
    pub fn access(&self, number: usize) -> Option<AccessOf<R>> {
        self.log.borrow().get(number).copied().flatten()
    }

    /// Forgets what was recorded.
    pub fn clear(&self) {
        self.log.borrow_mut().fill(None);
        self.length.set(0);
    }

    fn note(&self, access: AccessOf<R>) {
        if let Some(place) = self.log.borrow_mut().get_mut(self.length.get()) {
            *place = Some(access);
        }
        self.length.set(self.length.get() + 1);
    }
}

impl<R: Registers, const N: usize> fmt::Debug for Recorder<R, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").field("length", &self.length).finish_non_exhaustive()
    }
}

impl<R: Registers, const N: usize> Registers for Recorder<R, N> {
    type Address = R::Address;
    type Index = R::Index;
    type Kernel = R::Kernel;

    fn kernel(&self) -> R::Kernel {
        self.inner.kernel()
    }

    fn read(&self, at: Self::Address) -> u64 {
        let value = self.inner.read(at);
        self.note(Access::Read(at, value));
        value
    }

    fn write(&self, at: Self::Address, value: u64) {
        self.inner.write(at, value);
        self.note(Access::Write(at, value));
    }

    fn read_counter(&self, index: Self::Index) -> u64 {
        let value = self.inner.read_counter(index);
        self.note(Access::ReadCounter(index, value));
        value
    }

    fn ticks(&self) -> u64 {
        self.inner.ticks()
    }

    fn mask(&self) -> Masked {
        self.inner.mask()
    }

    fn unmask(&self, before: Masked) {
        self.inner.unmask(before);
    }

    fn fence(&self) {
        self.inner.fence();
    }
}
