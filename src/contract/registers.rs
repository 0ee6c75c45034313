//! The first contract: how a driver accesses registers.
//!
//! It is implemented by the processor's instructions, by units in software
//! ([`crate::virt::Device`]), by a [`Recorder`], or by a hypervisor's filter. A driver does not know by which.

use core::cell::{Cell, RefCell};
use core::fmt;

use super::{Kernel, Masked};
use crate::event::CpuId;

/// The registers of one CPU's unit.
///
/// Addresses are closed types: every value is a register of the unit, and no access to one can change
/// memory. So these functions are safe.
pub trait Registers {
    /// The address of a register.
    type Address: Copy;
    /// The number of a counter for the fast read (an RDPMC index, a register's number).
    type Index: Copy;
    /// The type by which the kernel provides the CPU's number.
    type Kernel: Kernel;

    /// Returns the kernel's value, which provides the CPU's number.
    fn kernel(&self) -> Self::Kernel;

    /// Reads a register.
    fn read(&self, at: Self::Address) -> u64;

    /// Writes a register.
    fn write(&self, at: Self::Address, value: u64);

    /// Reads a counter by the fast path.
    ///
    /// The compiler MUST NOT move it across memory accesses. The processor may execute it out of order.
    fn read_counter(&self, index: Self::Index) -> u64;

    /// Returns the processor's free-running clock, in its own ticks.
    fn ticks(&self) -> u64;

    /// Masks ordinary interrupts on this CPU. Returns the previous state, so that calls can nest.
    ///
    /// The compiler MUST NOT move it or [`Registers::unmask`] across memory accesses. NMIs are not masked.
    fn mask(&self) -> Masked;

    /// Restores the state of ordinary interrupts that [`Registers::mask`] returned.
    fn unmask(&self, before: Masked);

    /// Keeps the compiler from moving memory accesses across it, so that an interrupt on this CPU sees what the thread
    /// has written before. The processor needs no more for that.
    ///
    /// Hardware registers may override it by an empty assembly block that may access memory, where the compiler's own
    /// fence would be an instruction that waits for other CPUs.
    #[inline(always)]
    fn fence(&self) {
        crate::sync::fence();
    }

    /// Returns the number of this CPU: [`Kernel::cpu`].
    #[inline(always)]
    fn cpu(&self) -> CpuId {
        self.kernel().cpu()
    }

    /// Keeps ordinary interrupts off this CPU, as the kernel does it: [`Kernel::enter`].
    #[inline(always)]
    fn enter(&self) -> Masked {
        self.kernel().enter(self)
    }

    /// Restores what [`Registers::enter`] found.
    #[inline(always)]
    fn leave(&self, before: Masked) {
        self.kernel().leave(self, before);
    }

    /// Returns the kernel's time: [`Kernel::clock`].
    #[inline(always)]
    fn clock(&self) -> u64 {
        self.kernel().clock(self)
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

/// An access, as a [`Recorder`] records it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access<A, I> {
    /// A register was read.
    Read(A, u64),
    /// A register was written.
    Write(A, u64),
    /// A counter was read by the fast path.
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

/// Records every access to `R`, for comparison with traces from the manual.
pub struct Recorder<R: Registers, const N: usize> {
    inner: R,
    log: RefCell<[Option<AccessOf<R>>; N]>,
    length: Cell<usize>,
}

impl<R: Registers, const N: usize> Recorder<R, N> {
    /// Creates a recorder of the first `N` accesses to `inner`.
    pub const fn new(inner: R) -> Self {
        Self { inner, log: RefCell::new([None; N]), length: Cell::new(0) }
    }

    /// Returns the number of accesses, recorded or not.
    pub fn len(&self) -> usize {
        self.length.get()
    }

    /// Returns true if there was no access.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the access with this number, from 0, or `None` if it has not happened or was not recorded.
    pub fn access(&self, number: usize) -> Option<AccessOf<R>> {
        self.log.borrow().get(number).copied().flatten()
    }

    /// Removes all records.
    pub fn clear(&self) {
        self.log.borrow_mut().fill(None);
        self.length.set(0);
    }

    fn record(&self, access: AccessOf<R>) {
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
        self.record(Access::Read(at, value));
        value
    }

    fn write(&self, at: Self::Address, value: u64) {
        self.inner.write(at, value);
        self.record(Access::Write(at, value));
    }

    fn read_counter(&self, index: Self::Index) -> u64 {
        let value = self.inner.read_counter(index);
        self.record(Access::ReadCounter(index, value));
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
